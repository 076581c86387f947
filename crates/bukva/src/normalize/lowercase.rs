//! Lower case, character by character.
//!
//! The mapping is that of the standard library: Unicode's full mapping without conditions, so İ becomes i with a dot
//! above and Σ always becomes σ. Capitals that came after the version asked for stay as they are, so that the
//! vocabulary does not depend on the compiler.

use std::ops::Range;
use std::sync::OnceLock;

use super::char_set::{CharSet, next_in};
use super::tables::unknown;
use crate::align::AlignedText;
use crate::error::Result;
use crate::spec::UnicodeVersion;
use crate::unicode::is_assigned;

/// Lower case in the tables of one version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lowercase {
    with_17: bool,
    capitals: &'static CharSet,
}

impl Lowercase {
    pub(super) fn of(version: UnicodeVersion) -> Result<Self> {
        static CAPITALS: [OnceLock<CharSet>; 2] = [const { OnceLock::new() }; 2];
        let with_17 = match version {
            UnicodeVersion::V16 => false,
            UnicodeVersion::V17 => true,
            _ => return Err(unknown("lower case", version, "16.0 and 17.0")),
        };
        let set = || CharSet::new(move |c| lower(c, with_17) != [Some(c), None]);
        Ok(Lowercase { with_17, capitals: CAPITALS[usize::from(with_17)].get_or_init(set) })
    }

    /// The lower case of a character: one or two characters.
    pub(super) fn of_char(self, c: char) -> impl Iterator<Item = char> {
        lower(c, self.with_17).into_iter().flatten()
    }

    /// O(n).
    pub(super) fn rewrite(self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
        let mut ascii_to = 0;
        let mut buffer = String::with_capacity(8);
        while ascii_to < text.len() {
            let foreign = next_in(text, ascii_to, self.capitals);
            let end = foreign.map_or(text.len(), |(at, _)| at);
            rewrite_ascii(text, ascii_to..end, emit);
            ascii_to = end;
            if let Some((at, c)) = foreign {
                ascii_to = at + c.len_utf8();
                buffer.clear();
                buffer.extend(self.of_char(c));
                emit(at..ascii_to, &buffer);
            }
        }
    }

    /// The same with the places of `tokenizers`. O(n).
    pub(super) fn apply_hf(self, text: &mut AlignedText) {
        text.expand(|c| self.of_char(c));
    }
}

fn rewrite_ascii(text: &str, range: Range<usize>, emit: &mut impl FnMut(Range<usize>, &str)) {
    for (index, byte) in text.as_bytes()[range.clone()].iter().enumerate() {
        if byte.is_ascii_uppercase() {
            let at = range.start + index;
            emit(at..at + 1, (byte.to_ascii_lowercase() as char).encode_utf8(&mut [0; 4]));
        }
    }
}

fn lower(c: char, with_17: bool) -> [Option<char>; 2] {
    if is_assigned(c) || with_17 && is_capital_of_17(c) {
        let mut parts = c.to_lowercase();
        return [parts.next(), parts.next()];
    }
    [Some(c), None]
}

/// The capitals that Unicode 17 added.
fn is_capital_of_17(c: char) -> bool {
    matches!(c, '\u{a7ce}' | '\u{a7d2}' | '\u{a7d4}' | '\u{16ea0}'..='\u{16eb8}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_of_unicode_17_are_known() {
        let capitals = |c: char| c.to_lowercase().ne([c]) && !is_assigned(c);
        for c in '\0'..=char::MAX {
            assert!(!is_capital_of_17(c) || capitals(c), "{c:?} is lowered by the standard library");
        }
        if char::UNICODE_VERSION.0 == 17 {
            assert!(('\0'..=char::MAX).all(|c| is_capital_of_17(c) || !capitals(c)));
        }
    }
}
