//! The small parts of a regular expression: escapes and character classes.

use super::oniguruma::{Direction, Rewriter};
use crate::error::Result;

/// Whether an escape stands inside brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Inside,
    Outside,
}

/// `\w` of the `regex` crate, as properties.
const OUR_WORD: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}";
/// `\w` of Oniguruma in brackets: no joiners.
const THEIR_WORD: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}";
/// `\w` of Oniguruma outside brackets: the superscripts and fractions of Latin-1 too.
const THEIR_LONE_WORD: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE}";

/// The POSIX classes of Oniguruma, as properties. All but `blank` and `ascii` have a property of their name too.
const POSIX: [(&str, &str); 14] = [
    ("alnum", r"\p{Alphabetic}\p{Nd}"),
    ("alpha", r"\p{Alphabetic}"),
    ("ascii", r"\x00-\x7F"),
    ("blank", r"\p{Zs}\t"),
    ("cntrl", r"\p{Cc}"),
    ("digit", r"\p{Nd}"),
    ("graph", r"[^\p{Z}\p{Cc}\p{Cn}]"),
    ("lower", r"\p{Lowercase}"),
    ("print", r"[^\p{Cc}\p{Cn}\p{Zl}\p{Zp}]"),
    ("punct", r"\p{P}\p{S}"),
    ("space", r"\p{White_Space}"),
    ("upper", r"\p{Uppercase}"),
    ("word", THEIR_WORD),
    ("xdigit", "0-9A-Fa-f"),
];

/// `\R`: a line end.
const LINE_END: &str = r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])";

/// `\X`: an extended grapheme cluster, as Unicode has it without the rule for Indic conjuncts (GB9c), which Oniguruma
/// does not know. Source: UAX #29, table 1c.
pub(super) const CLUSTER: &str = concat!(
    r"(?>\r\n|[\p{gcb=CN}\r\n]|\p{gcb=PP}*(?:\p{gcb=RI}{2}|\p{gcb=L}*(?:\p{gcb=V}+|\p{gcb=LV}\p{gcb=V}*|\p{gcb=LVT})",
    r"\p{gcb=T}*|\p{gcb=L}+|\p{gcb=T}+|\p{Extended_Pictographic}(?:\p{gcb=EX}*\x{200D}\p{Extended_Pictographic})*",
    r"|[^\p{gcb=CN}\r\n])[\p{gcb=EX}\p{gcb=ZWJ}\p{gcb=SM}]*)"
);

/// Properties that are known to have the same name and members, beside the general categories.
const PROPERTIES: [&str; 27] = [
    "Alphabetic",
    "White_Space",
    "Arabic",
    "Armenian",
    "Bengali",
    "Bopomofo",
    "Common",
    "Cyrillic",
    "Devanagari",
    "Ethiopic",
    "Georgian",
    "Greek",
    "Gujarati",
    "Han",
    "Hangul",
    "Hebrew",
    "Hiragana",
    "Inherited",
    "Kannada",
    "Katakana",
    "Khmer",
    "Latin",
    "Malayalam",
    "Mongolian",
    "Tamil",
    "Telugu",
    "Thai",
];
const CATEGORIES: [&str; 37] = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cn", "Co", "Letter",
];

/// Copies a class in brackets.
pub(super) fn copy(rewriter: &mut Rewriter) -> Result<()> {
    rewriter.copy(1);
    if rewriter.peek() == Some('^') {
        rewriter.copy(1);
    }
    if rewriter.peek() == Some(']') {
        return Err(rewriter.refused("a class that starts with ]; write \\]"));
    }
    loop {
        match rewriter.peek() {
            None => return Err(rewriter.refused("a class without its end")),
            Some(']') => {
                rewriter.copy(1);
                return Ok(());
            }
            Some('\\') => escape(rewriter, Place::Inside)?,
            Some('[') if rewriter.rest().starts_with("[:") => posix(rewriter)?,
            Some('[') => copy(rewriter)?,
            Some('~') if rewriter.direction == Direction::Read && rewriter.skip("~~") => rewriter.out.push_str(r"\~\~"),
            Some(_) if rewriter.rest().starts_with("--") || rewriter.rest().starts_with("~~") => {
                return Err(rewriter.refused("a difference of classes; write && with a negated class"));
            }
            Some(other) => rewriter.copy(other.len_utf8()),
        }
    }
}

/// Copies or rewrites an escape.
pub(super) fn escape(rewriter: &mut Rewriter, place: Place) -> Result<()> {
    let Some(kind) = rewriter.rest().chars().nth(1) else {
        return Err(rewriter.refused("a backslash at the end"));
    };
    match kind {
        'd' | 'D' | 's' | 'S' | 'n' | 'r' | 't' | 'f' | 'v' | 'a' => rewriter.copy(2),
        'w' | 'W' => word(rewriter, kind == 'W', place),
        'p' | 'P' => return property(rewriter, place),
        'k' if place == Place::Outside => return named_reference(rewriter),
        'x' | 'u' | 'U' => return number(rewriter, kind),
        _ if rewriter.direction == Direction::Read && only_theirs(rewriter, kind, place) => {}
        '<' | '>' => return Err(rewriter.refused("a word boundary")),
        _ if kind.is_ascii_punctuation() || kind == ' ' => rewriter.copy(2),
        _ => return Err(rewriter.refused(&format!("\\{kind} is not known to mean the same in both"))),
    }
    Ok(())
}

/// Rewrites an escape that only Oniguruma has, or that is a letter there; `false` for any other.
fn only_theirs(rewriter: &mut Rewriter, kind: char, place: Place) -> bool {
    let set = match (kind, place) {
        ('h' | 'H', _) => {
            rewriter.at += 2;
            push_set(rewriter, "0-9A-Fa-f", kind == 'H', place);
            return true;
        }
        ('0', _) => return octal(rewriter),
        ('c', _) => return control(rewriter),
        ('<' | '>', _) => kind.to_string(),
        ('e', _) => r"\x{1B}".to_owned(),
        ('b', Place::Inside) => r"\x{8}".to_owned(),
        ('R', Place::Outside) => LINE_END.to_owned(),
        ('X', Place::Outside) => CLUSTER.to_owned(),
        ('O', Place::Outside) => "(?s:.)".to_owned(),
        ('N', Place::Outside) => r"[^\n]".to_owned(),
        ('A' | 'B' | 'G' | 'K' | 'N' | 'O' | 'R' | 'X' | 'Y' | 'Z' | 'g' | 'k' | 'y' | 'z', Place::Inside) => {
            kind.to_string()
        }
        _ => return false,
    };
    rewriter.at += 2;
    rewriter.out.push_str(&set);
    true
}

/// `\0`, `\07`, `\012`: a character by its octal number.
fn octal(rewriter: &mut Rewriter) -> bool {
    let digits = rewriter.rest()[1..].bytes().take(3).take_while(|digit| (b'0'..b'8').contains(digit)).count();
    let number = u32::from_str_radix(&rewriter.rest()[1..=digits], 8).unwrap_or_default();
    rewriter.at += 1 + digits;
    rewriter.out.push_str(&format!(r"\x{{{number:X}}}"));
    true
}

/// `\cA`: a control character by its letter.
fn control(rewriter: &mut Rewriter) -> bool {
    let Some(letter) = rewriter.rest()[2..].bytes().next().filter(u8::is_ascii_alphabetic) else { return false };
    rewriter.at += 3;
    rewriter.out.push_str(&format!(r"\x{{{:X}}}", letter & 0x1f));
    true
}

/// `\k<name>`, and Oniguruma's `\k'name'`.
fn named_reference(rewriter: &mut Rewriter) -> Result<()> {
    let rest = &rewriter.rest()[2..];
    let end = match rest.chars().next() {
        Some('<') => '>',
        Some('\'') if rewriter.direction == Direction::Read => '\'',
        _ => return Err(rewriter.refused("a reference without the name of a group")),
    };
    let name = rest[1..].split_once(end).map(|(name, _)| name).unwrap_or_default();
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !plain || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return Err(rewriter.refused("a reference by number or level, or to a name that is not plain"));
    }
    rewriter.at += 4 + name.len();
    rewriter.out.push_str(&format!(r"\k<{name}>"));
    Ok(())
}

/// `[:name:]` or `[:^name:]`, inside brackets.
fn posix(rewriter: &mut Rewriter) -> Result<()> {
    let inner = &rewriter.rest()[2..];
    let (name, length) = match inner.find(":]") {
        Some(end) if rewriter.direction == Direction::Read => (&inner[..end], end + 4),
        _ => return Err(rewriter.refused("a POSIX class; write a property such as \\p{L}")),
    };
    let (negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
    let Some((_, set)) = POSIX.iter().find(|(known, _)| *known == name) else {
        return Err(rewriter.refused("a POSIX class that is not known to mean the same in both"));
    };
    rewriter.at += length;
    push_set(rewriter, set, negated, Place::Inside);
    Ok(())
}

/// `\b` and `\B` of Oniguruma, which go by its `\w`.
pub(super) fn boundary(rewriter: &mut Rewriter, negated: bool) {
    rewriter.at += 2;
    let (word, no) = (format!("[{THEIR_LONE_WORD}]"), if negated { "!" } else { "=" });
    let yes = if negated { "=" } else { "!" };
    rewriter.out.push_str(&format!("(?:(?<={word})(?{yes}{word})|(?<!{word})(?{no}{word}))"));
}

fn word(rewriter: &mut Rewriter, negated: bool, place: Place) {
    rewriter.at += 2;
    let set = match (rewriter.direction, place) {
        (Direction::Write, _) => OUR_WORD,
        (Direction::Read, Place::Inside) => THEIR_WORD,
        (Direction::Read, Place::Outside) => THEIR_LONE_WORD,
    };
    push_set(rewriter, set, negated, place);
}

fn push_set(rewriter: &mut Rewriter, set: &str, negated: bool, place: Place) {
    match (place, negated) {
        (Place::Inside, false) => rewriter.out.push_str(set),
        (_, negated) => rewriter.out.push_str(&format!("[{}{set}]", if negated { "^" } else { "" })),
    }
}

/// `\pL`, `\p{Name}`, `\p{^Name}`, `\p{Script=Name}`.
fn property(rewriter: &mut Rewriter, place: Place) -> Result<()> {
    let rest = rewriter.rest();
    let negated = rest.starts_with(r"\P");
    if rewriter.direction == Direction::Read && !rest[2..].starts_with('{') {
        // Without braces the letter is itself there.
        rewriter.at += 1;
        rewriter.copy(1);
        return Ok(());
    }
    let (name, length) = match rest[2..].strip_prefix('{') {
        Some(inner) => match inner.find('}') {
            Some(end) => (&inner[..end], end + 4),
            None => return Err(rewriter.refused("a property without its end")),
        },
        None => match rest[2..].chars().next().filter(char::is_ascii_alphabetic) {
            Some(_) => (&rest[2..3], 3),
            None => return Err(rewriter.refused("a property without a name")),
        },
    };
    let (negated, name) = match name.strip_prefix('^') {
        Some(name) => (!negated, name),
        None => (negated, name),
    };
    let bare = name.strip_prefix("Script=").or_else(|| name.strip_prefix("sc=")).unwrap_or(name);
    let known = PROPERTIES.contains(&bare) || CATEGORIES.contains(&bare);
    if rewriter.direction == Direction::Write && !known {
        return Err(rewriter.refused(&format!("the property {name:?} is not known to be the same there")));
    }
    rewriter.at += length;
    if let (Direction::Read, Some(set)) = (rewriter.direction, named_set(bare, place)) {
        push_set(rewriter, set, negated, place);
        return Ok(());
    }
    rewriter.out.push_str(&format!(r"\{}{{{bare}}}", if negated { 'P' } else { 'p' }));
    Ok(())
}

/// What a property of Oniguruma means whose name is that of a POSIX class.
fn named_set(name: &str, place: Place) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    match (name.as_str(), place) {
        ("word", Place::Outside) => Some(THEIR_LONE_WORD),
        ("punct", _) => Some(r"\p{P}"),
        _ => POSIX.iter().find(|(known, _)| *known == name).map(|(_, set)| *set),
    }
}

/// `\xHH`, `\x{H…}`, `\uHHHH`, `\u{H…}`, `\UHHHHHHHH`: all become `\x{H…}`.
fn number(rewriter: &mut Rewriter, kind: char) -> Result<()> {
    let rest = &rewriter.rest()[2..];
    let fixed = match kind {
        'x' => 2,
        'u' => 4,
        _ => 8,
    };
    let (digits, length) = match rest.strip_prefix('{') {
        Some(inner) => (inner.split('}').next().unwrap_or(inner), inner.find('}').map_or(rest.len(), |end| end + 2)),
        None => (rest.get(..fixed).unwrap_or(rest), fixed.min(rest.len())),
    };
    let valid = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).is_some() && !digits.starts_with('+');
    if !valid {
        return Err(rewriter.refused("an escape by number that is no character"));
    }
    let text = format!(r"\x{{{digits}}}");
    rewriter.at += 2 + length;
    rewriter.out.push_str(&text);
    Ok(())
}
