//! The normalizer of a SentencePiece model.
//!
//! At each place of the text the longest user-defined symbol is kept, or else the longest sought text of the character
//! map is replaced, or else one character is kept. Then white space: with *remove extra*, spaces go at the ends and
//! after a space; a dummy space is put before the text, or behind it; a space becomes the symbol U+2581.
//! Source: the rules of SentencePiece's `Normalizer`, checked against its version 0.2.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};

use super::align::trimmed;
use super::char_set::CharSet;
use super::charsmap::Charsmap;
use crate::error::{Error, Kind, Result};

/// What is wanted, with the tables that find it.
#[derive(Debug, Clone)]
pub(super) struct SentencePiece {
    map: Option<Arc<Charsmap>>,
    /// User-defined symbols.
    protected: Option<AhoCorasick>,
    /// Characters beyond ASCII with which something sought starts.
    active: Arc<CharSet>,
    /// ASCII characters with which nothing starts that goes on in ASCII; a space is never one of them.
    calm: [bool; 128],
    options: Options,
}

/// The switches of the normalizer; see [`crate::spec::Normalizer::SentencePiece`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    pub(super) dummy: bool,
    pub(super) remove_extra: bool,
    pub(super) escape: bool,
    pub(super) suffix: bool,
}

/// Stands for a space.
const MARK: char = '\u{2581}';

/// Spaces that are written only if something follows them: old text, and how many.
type Held = (Range<usize>, usize);

impl SentencePiece {
    pub(super) fn new(charsmap: &[u8], options: Options, protected: &[&str]) -> Result<Self> {
        let map = if charsmap.is_empty() { None } else { Some(Arc::new(Charsmap::read(charsmap)?)) };
        let protected: Vec<&str> = protected.iter().copied().filter(|symbol| !symbol.is_empty()).collect();
        let starts =
            Starts { map: map.clone(), symbols: protected.iter().filter_map(|symbol| symbol.chars().next()).collect() };
        // A mark that stands in the text goes at the end like one that is made of a space.
        let mark = options.escape && options.remove_extra;
        let calm = std::array::from_fn(|byte| byte as u8 != b' ' && !starts.go_on_in_ascii(byte as u8));
        let active = Arc::new(CharSet::new(move |c| starts.with(c) || mark && c == MARK));
        let protected = if protected.is_empty() { None } else { Some(matcher(&protected)?) };
        Ok(SentencePiece { map, protected, active, calm, options })
    }

    /// O(n × longest sought text).
    pub(super) fn rewrite(&self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
        let start = self.heading(text);
        if start == text.len() {
            return put(text, 0..start, "", emit);
        }
        let mut writer = Writer { text, symbol: self.symbol(), held: Vec::new(), emit };
        match self.options.dummy && !self.options.suffix {
            true => writer.held.push((0..start, 1)),
            false => writer.body(0..start, ""),
        }
        let mut after_space = self.options.remove_extra;
        let mut at = start;
        while at < text.len() {
            let calm = self.calm_end(text, at);
            if calm > at {
                writer.flush();
                at = calm;
                after_space = false;
                continue;
            }
            let (length, new) = self.prefix(&text[at..]);
            after_space = self.chunk(at..at + length, new, after_space, &mut writer);
            at += length;
        }
        self.ending(writer);
    }

    /// Writes what the old text at `range` becomes; gives whether the text now ends with a space that counts.
    fn chunk<E>(&self, range: Range<usize>, new: &str, after_space: bool, writer: &mut Writer<'_, E>) -> bool
    where
        E: FnMut(Range<usize>, &str),
    {
        let new = if after_space { new.trim_start_matches(' ') } else { new };
        let ends_with_space = if new.is_empty() { after_space } else { new.ends_with(' ') };
        if self.options.escape && new.len() > 1 && new.contains(' ') {
            writer.write(range, &new.replace(' ', writer.symbol));
        } else if self.options.escape && new == " " {
            writer.write(range, writer.symbol);
        } else {
            writer.write(range, new);
        }
        ends_with_space && self.options.remove_extra
    }

    fn ending<E: FnMut(Range<usize>, &str)>(&self, mut writer: Writer<'_, E>) {
        let end = writer.text.len();
        let suffix = if self.options.dummy && self.options.suffix { writer.symbol } else { "" };
        let start = match writer.held.first() {
            Some((first, _)) if self.options.remove_extra => first.start,
            _ => {
                writer.flush();
                end
            }
        };
        put(writer.text, start..end, suffix, writer.emit);
    }

    /// The end of the spaces at the start of the text that go.
    fn heading(&self, text: &str) -> usize {
        let mut at = 0;
        while self.options.remove_extra && at < text.len() {
            match self.prefix(&text[at..]) {
                (length, " ") => at += length,
                _ => break,
            }
        }
        at
    }

    /// The end of the characters from `at` on at which nothing sought starts, nor a space.
    fn calm_end(&self, text: &str, mut at: usize) -> usize {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii() {
                let alone = bytes.get(at + 1).is_none_or(u8::is_ascii);
                if !(self.calm[usize::from(byte)] && alone) {
                    break;
                }
                at += 1;
            } else {
                match text[at..].chars().next() {
                    Some(c) if !self.active.contains(c) => at += c.len_utf8(),
                    _ => break,
                }
            }
        }
        at
    }

    /// What is taken from the start of `text`, which is not empty, and what it becomes.
    fn prefix<'t>(&'t self, text: &'t str) -> (usize, &'t str) {
        let input = Input::new(text).anchored(Anchored::Yes);
        if let Some(found) = self.protected.as_ref().and_then(|protected| protected.find(input)) {
            return (found.end(), &text[..found.end()]);
        }
        let sought = self.map.as_ref().and_then(|map| map.prefixes(text.as_bytes()).last());
        // A sought text that ends inside a character is none: the map is damaged.
        sought.filter(|&(length, _)| text.is_char_boundary(length)).unwrap_or_else(|| {
            let length = text.chars().next().map_or(text.len(), char::len_utf8);
            (length, &text[..length])
        })
    }

    fn symbol(&self) -> &'static str {
        if self.options.escape { "▁" } else { " " }
    }
}

/// Where the rewritten text goes: unchanged text is passed over, spaces are held back.
struct Writer<'w, E> {
    text: &'w str,
    symbol: &'static str,
    held: Vec<Held>,
    emit: &'w mut E,
}

impl<E: FnMut(Range<usize>, &str)> Writer<'_, E> {
    fn write(&mut self, range: Range<usize>, new: &str) {
        let body = new.trim_end_matches(self.symbol);
        let spaces = (new.len() - body.len()) / self.symbol.len();
        match (body.is_empty(), spaces) {
            (true, 0) if self.held.is_empty() => self.body(range, ""),
            (true, _) => self.held.push((range, spaces)),
            (false, 0) => self.body(range, body),
            (false, _) => {
                // The old text belongs to the last character that it became.
                self.body(range.start..range.start, body);
                self.held.push((range, spaces));
            }
        }
    }

    fn body(&mut self, range: Range<usize>, new: &str) {
        self.flush();
        put(self.text, range, new, self.emit);
    }

    fn flush(&mut self) {
        for (range, spaces) in self.held.drain(..) {
            match spaces {
                1 => put(self.text, range, self.symbol, self.emit),
                _ => put(self.text, range, &self.symbol.repeat(spaces), self.emit),
            }
        }
    }
}

fn put(text: &str, range: Range<usize>, new: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
    if let Some((changed, new)) = trimmed(&text[range.clone()], new) {
        emit(range.start + changed.start..range.start + changed.end, new);
    }
}

/// What sought texts and user-defined symbols start with.
struct Starts {
    map: Option<Arc<Charsmap>>,
    symbols: BTreeSet<char>,
}

impl Starts {
    fn with(&self, c: char) -> bool {
        let mut buffer = [0; 4];
        let text = c.encode_utf8(&mut buffer).as_bytes();
        self.map.as_ref().is_some_and(|map| map.leads_to(text)) || self.symbols.contains(&c)
    }

    /// Whether a symbol starts with the ASCII character `byte`, or a sought text that ends there or goes on in ASCII.
    fn go_on_in_ascii(&self, byte: u8) -> bool {
        let goes_on = |map: &Arc<Charsmap>| {
            map.prefixes(&[byte]).next().is_some() || (1..128).any(|next| map.leads_to(&[byte, next]))
        };
        self.map.as_ref().is_some_and(goes_on) || self.symbols.contains(&char::from(byte))
    }
}

fn matcher(symbols: &[&str]) -> Result<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    builder.match_kind(MatchKind::LeftmostLongest).start_kind(StartKind::Anchored);
    builder.build(symbols).map_err(|error| {
        Error::new(Kind::Unsupported, format!("{} user-defined symbols cannot be compiled: {error}", symbols.len()))
    })
}
