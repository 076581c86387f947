//! Regular expressions between our syntax (the `regex` crate's with look-around and possessive quantifiers) and
//! Oniguruma's in its default Ruby mode, which `tokenizers` uses.
//!
//! Most of an expression means the same in both. What does not is rewritten: `$` and `^` (lines there), possessive
//! braces (plain there), `\w` (other tables), escapes by number. What cannot be, or is not known to mean the same,
//! is refused: a file that loads and cuts text elsewhere would be worse than none.

use super::oniguruma_class as class;
use super::oniguruma_flags::Flags;
use crate::error::{Error, Kind, Result, quoted};

/// Rewrites our syntax for Oniguruma.
pub(super) fn write(regex: &str) -> Result<String> {
    Rewriter::new(regex, Direction::Write).run()
}

/// Rewrites Oniguruma's syntax for us.
pub(super) fn read(regex: &str) -> Result<String> {
    Rewriter::new(regex, Direction::Read).run()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Write,
    Read,
}

/// One pass over an expression.
pub(super) struct Rewriter<'a> {
    pub(super) regex: &'a str,
    /// Bytes read so far.
    pub(super) at: usize,
    pub(super) out: String,
    pub(super) direction: Direction,
    /// Where in `out` the last thing that can be repeated starts.
    atom: Option<usize>,
    groups: Vec<Group>,
    pub(super) flags: Flags,
    /// The last literal, while case is ignored.
    letter: Option<char>,
}

struct Group {
    start: usize,
    /// The flags outside it.
    flags: Flags,
    /// How many groups of ours it is.
    ends: usize,
    /// It has no end of its own: flags in the middle of a group reach to that group's end.
    open_ended: bool,
}

impl<'a> Rewriter<'a> {
    fn new(regex: &'a str, direction: Direction) -> Self {
        let (out, groups) = (String::with_capacity(regex.len() + 8), Vec::new());
        Rewriter { regex, at: 0, out, direction, atom: None, groups, flags: Flags::default(), letter: None }
    }

    fn run(mut self) -> Result<String> {
        while let Some(next) = self.peek() {
            match next {
                '#' | ' ' | '\t' | '\n' | '\r' | '\x0c' if self.flags.extended => self.spacing(next),
                '\\' => self.escape()?,
                '[' => self.item(class::copy)?,
                '(' => self.open()?,
                ')' => self.close()?,
                '|' => self.alternative(),
                '*' | '+' | '?' => self.quantifier()?,
                '{' => self.brace()?,
                '^' | '$' => self.anchor(next),
                _ => self.literal(next)?,
            }
        }
        self.end_open();
        if self.groups.is_empty() { Ok(self.out) } else { Err(self.refused("a group without its end")) }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.regex[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Moves past `text` if it comes next.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    pub(super) fn copy(&mut self, length: usize) {
        self.out.push_str(&self.regex[self.at..self.at + length]);
        self.at += length;
    }

    pub(super) fn refused(&self, what: &str) -> Error {
        let direction = match self.direction {
            Direction::Write => "cannot be written for tokenizer.json",
            Direction::Read => "of tokenizer.json cannot be read",
        };
        let message = format!("the regular expression {} {direction}: {what}", quoted(self.regex));
        Error::new(Kind::Unsupported, message).at_byte(self.at as u64)
    }

    /// Runs `copy`, and notes that what it writes can be repeated.
    fn item(&mut self, copy: fn(&mut Self) -> Result<()>) -> Result<()> {
        let start = self.out.len();
        copy(self)?;
        self.atom = Some(start);
        self.letter = None;
        Ok(())
    }

    /// Passes white space over, or a comment to the end of its line.
    fn spacing(&mut self, next: char) {
        let comment = self.rest().find('\n').unwrap_or(self.rest().len());
        self.at += if next == '#' { comment } else { 1 };
    }

    fn escape(&mut self) -> Result<()> {
        for (escape, anchor) in [(r"\A", true), (r"\z", true)] {
            if anchor && self.rest().starts_with(escape) {
                self.copy(2);
                self.atom = None;
                return Ok(());
            }
        }
        if self.direction == Direction::Read {
            match self.rest().as_bytes().get(1) {
                Some(kind @ (b'b' | b'B')) => {
                    class::boundary(self, *kind == b'B');
                    self.atom = None;
                    return Ok(());
                }
                Some(b'Z') => {
                    self.at += 2;
                    self.out.push_str(r"(?=\n?\z)");
                    self.atom = None;
                    return Ok(());
                }
                Some(b'1'..=b'9') => return self.item(back_reference),
                _ => {}
            }
        }
        self.item(|rewriter| class::escape(rewriter, class::Place::Outside))
    }

    fn literal(&mut self, next: char) -> Result<()> {
        self.check_case(next)?;
        self.atom = Some(self.out.len());
        self.copy(next.len_utf8());
        Ok(())
    }

    /// Without case, Oniguruma also matches one character with two letters (`ß` with `ss`), and we do not.
    fn check_case(&mut self, next: char) -> Result<()> {
        if !self.flags.ignore_case || self.direction == Direction::Read {
            return Ok(());
        }
        let next = next.to_ascii_lowercase();
        let joins = matches!((self.letter, next), (Some('s'), 's' | 't') | (Some('f'), 'f' | 'i' | 'l'));
        if joins || !next.is_ascii() {
            return Err(self.refused("without case, only ASCII letters other than ss, st, ff, fi, fl mean the same"));
        }
        self.letter = Some(next);
        Ok(())
    }

    fn alternative(&mut self) {
        self.copy(1);
        (self.atom, self.letter) = (None, None);
    }

    fn anchor(&mut self, anchor: char) {
        let text = match (self.direction, anchor) {
            (Direction::Write, '^') => r"\A",
            (Direction::Write, _) => r"\z",
            (Direction::Read, '^') => "(?m:^)",
            (Direction::Read, _) => "(?m:$)",
        };
        self.at += 1;
        self.out.push_str(text);
        self.atom = None;
    }

    fn open(&mut self) -> Result<()> {
        let mut group = Group { start: self.out.len(), flags: self.flags, ends: 1, open_ended: false };
        if self.direction == Direction::Read && self.rest().starts_with("(?#") {
            return self.comment();
        }
        if self.direction == Direction::Write && self.skip(class::CLUSTER) {
            self.out.push_str(r"\X");
            (self.atom, self.letter) = (Some(group.start), None);
            return Ok(());
        }
        (self.atom, self.letter) = (None, None);
        if self.direction == Direction::Write && (self.skip("(?m:$)") || self.skip("(?m:^)")) {
            self.out.push_str(if self.regex[..self.at].ends_with("$)") { "$" } else { "^" });
            return Ok(());
        }
        if self.at == 0 && self.skip("(?i)") {
            self.flags.ignore_case = true;
            self.out.push_str("(?i)");
            return Ok(());
        }
        match Flags::read(self.rest()).filter(|_| self.direction == Direction::Read) {
            Some((change, length)) => {
                self.at += length;
                group.open_ended = self.regex[..self.at].ends_with(')');
                group.ends = change.open(&mut self.out);
                self.flags = change.applied(self.flags);
            }
            None => self.open_group()?,
        }
        self.groups.push(group);
        Ok(())
    }

    /// Passes `(?#…)` over; what stands before it can still be repeated.
    fn comment(&mut self) -> Result<()> {
        let end = self.rest().find(')').ok_or_else(|| self.refused("a comment without its end"))?;
        self.at += end + 1;
        Ok(())
    }

    /// Ends the groups that end with the one around them.
    fn end_open(&mut self) {
        while let Some(group) = self.groups.pop_if(|group| group.open_ended) {
            self.out.push_str(&")".repeat(group.ends));
            self.flags = group.flags;
        }
    }

    fn open_group(&mut self) -> Result<()> {
        const SAME: [&str; 8] = ["(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?-i:"];
        if let Some(open) = SAME.iter().find(|open| self.rest().starts_with(**open)) {
            self.flags.ignore_case = (self.flags.ignore_case || *open == "(?i:") && *open != "(?-i:";
            self.copy(open.len());
        } else if self.direction == Direction::Read && self.skip("(?'") {
            let name = self.rest().find('\'').ok_or_else(|| self.refused("the name of a group without its end"))?;
            self.out.push_str(&format!("(?<{}>", &self.rest()[..name]));
            self.at += name + 1;
        } else if self.skip("(?P<") || self.skip("(?<") {
            self.out.push_str("(?<");
        } else if self.direction == Direction::Write && self.skip("(?s:") {
            self.out.push_str("(?m:");
        } else if self.direction == Direction::Write && self.skip("(?-s:") {
            self.out.push_str("(?-m:");
        } else if self.rest().starts_with("(?") {
            return Err(self.refused("a group or flag that is not known to mean the same in both"));
        } else {
            self.copy(1);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        self.end_open();
        let Some(group) = self.groups.pop() else {
            return Err(self.refused("the end of a group without its start"));
        };
        self.at += 1;
        self.out.push_str(&")".repeat(group.ends));
        (self.atom, self.flags, self.letter) = (Some(group.start), group.flags, None);
        Ok(())
    }

    /// `*`, `+`, `?`, lazy with `?` or possessive with `+` in both.
    fn quantifier(&mut self) -> Result<()> {
        self.repeated()?;
        self.copy(1);
        if matches!(self.peek(), Some('?' | '+')) {
            self.copy(1);
        }
        self.atom = None;
        Ok(())
    }

    /// `{n}`, `{n,}`, `{n,m}`, `{,m}`; anything else in braces is the brace itself.
    fn brace(&mut self) -> Result<()> {
        let Some((bounds, length)) = bounds(self.rest()) else {
            self.at += 1;
            self.atom = Some(self.out.len());
            self.out.push_str(r"\{");
            return Ok(());
        };
        let start = self.repeated()?;
        self.at += length;
        self.out.push_str(&bounds);
        let exact = !bounds.contains(',');
        match (self.peek(), self.direction) {
            (Some('+'), Direction::Write) => self.wrap(start, "(?>", ")"),
            (Some('+'), Direction::Read) => self.wrap(start, "(?:", ")+"),
            (Some('?'), Direction::Write) if exact => self.at += 1,
            (Some('?'), Direction::Read) if exact => self.wrap(start, "(?:", ")?"),
            (Some('?'), _) => self.copy(1),
            _ => {}
        }
        self.atom = None;
        Ok(())
    }

    fn wrap(&mut self, start: usize, open: &str, close: &str) {
        self.at += 1;
        self.out.insert_str(start, open);
        self.out.push_str(close);
    }

    /// Where the thing to repeat starts.
    fn repeated(&mut self) -> Result<usize> {
        if self.direction == Direction::Write && matches!(self.letter, Some('s' | 'f')) && self.peek() != Some('?') {
            return Err(self.refused("without case, a repeated s or f does not mean the same"));
        }
        self.letter = None;
        self.atom.ok_or_else(|| self.refused("a quantifier with nothing to repeat, or two quantifiers"))
    }
}

/// `\1`: groups keep their numbers, since none is added that captures. In a group of its own, as a digit may follow.
fn back_reference(rewriter: &mut Rewriter) -> Result<()> {
    let digits = rewriter.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
    let alone = !rewriter.flags.extended;
    rewriter.out.push_str(if alone { "" } else { "(?:" });
    rewriter.copy(1 + digits);
    rewriter.out.push_str(if alone { "" } else { ")" });
    Ok(())
}

/// The bounds of a repetition, with both numbers, and the bytes they take.
fn bounds(rest: &str) -> Option<(String, usize)> {
    let end = rest.find('}')?;
    let (low, high) = match rest[1..end].split_once(',') {
        Some((low, high)) => (low, Some(high)),
        None => (&rest[1..end], None),
    };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let text = match (low, high) {
        (low, None) if !low.is_empty() && is_number(low) => format!("{{{low}}}"),
        ("", Some(high)) if !high.is_empty() && is_number(high) => format!("{{0,{high}}}"),
        (low, Some(high)) if !low.is_empty() && is_number(low) && is_number(high) => format!("{{{low},{high}}}"),
        _ => return None,
    };
    Some((text, end + 1))
}

#[cfg(test)]
#[path = "oniguruma_tests.rs"]
mod tests;
