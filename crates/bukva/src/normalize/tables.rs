//! The tables of the Unicode forms in the version that a specification names.
//!
//! A version before 16 is version 16 without the characters that were assigned since: Unicode promises that the forms
//! of assigned characters never change. To the forms, an unassigned character is a starter that neither decomposes
//! nor composes. So it is enough to know the *young* characters: those that are more than that in version 16 and were
//! not assigned in the version asked for.

use std::sync::OnceLock;

use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, decompose_compatible, is_combining_mark,
};

use super::char_set::CharSet;
use super::young::RUNS;
use crate::error::{Error, Kind, Result};
use crate::spec::UnicodeVersion;

/// What the forms ask about characters. Cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Tables {
    young: &'static CharSet,
    pub(super) version: UnicodeVersion,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Unicode {}.{}", self.version.major, self.version.minor)
    }
}

impl Tables {
    /// The tables of a version from 5 to 16. O(1).
    pub(super) fn of(version: UnicodeVersion) -> Result<Self> {
        static YOUNG: [OnceLock<CharSet>; 17] = [const { OnceLock::new() }; 17];
        let major = version.major;
        match YOUNG.get(usize::from(major)) {
            Some(young) if version.minor == 0 && major >= 5 => {
                Ok(Tables { young: young.get_or_init(|| CharSet::new(move |c| is_young_in(major, c))), version })
            }
            _ => Err(unknown("the Unicode forms", version, "5.0 to 16.0, without minor versions")),
        }
    }

    #[inline]
    pub(super) fn is_young(self, c: char) -> bool {
        self.young.contains(c)
    }

    /// The canonical combining class.
    #[inline]
    pub(super) fn combining_class(self, c: char) -> u8 {
        if self.is_young(c) { 0 } else { canonical_combining_class(c) }
    }

    /// The full canonical or compatibility decomposition.
    #[inline]
    pub(super) fn decompose(self, c: char, compatible: bool, mut emit: impl FnMut(char)) {
        match compatible {
            _ if self.is_young(c) => emit(c),
            true => decompose_compatible(c, emit),
            false => decompose_canonical(c, emit),
        }
    }

    /// The canonical composition of two characters.
    pub(super) fn compose(self, first: char, second: char) -> Option<char> {
        if self.is_young(first) || self.is_young(second) { None } else { compose(first, second) }
    }

    /// Whether the character is a mark (Mn, Mc, Me).
    pub(super) fn is_mark(self, c: char) -> bool {
        // Categories that changed: two signs of Vedic became letters, and one of Sharada became a mark.
        match c {
            '\u{1cf2}' | '\u{1cf3}' => self.version.major < 12,
            '\u{111c9}' => self.version.major >= 11,
            _ => is_combining_mark(c) && !self.is_young(c),
        }
    }
}

/// An error for tables that are not here.
pub(super) fn unknown(what: &str, version: UnicodeVersion, known: &str) -> Error {
    let UnicodeVersion { major, minor } = version;
    let message = format!("there are no tables of Unicode {major}.{minor} for {what}; there are those of {known}");
    Error::new(Kind::Unsupported, message)
}

/// Whether a character is young in a major version.
fn is_young_in(major: u8, c: char) -> bool {
    let after = RUNS.partition_point(|&(first, ..)| first <= c as u32);
    after > 0 && (RUNS[after - 1].1 >= c as u32 && RUNS[after - 1].2 > major)
}

#[cfg(test)]
mod tests {
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    use super::*;
    use crate::unicode::categories::class;

    /// Notes a character that is more than an inert starter in version 16, and what it starts with: a first part
    /// composes.
    fn note_active(c: char, active: &mut Vec<char>) {
        let mut first = None;
        decompose_compatible(c, |part| {
            first.get_or_insert(part);
        });
        let composes_back = is_nfc_quick(std::iter::once(c)) != IsNormalized::Yes;
        if first != Some(c) || composes_back || canonical_combining_class(c) != 0 || is_combining_mark(c) {
            active.push(c);
            active.extend(first);
        }
    }

    #[test]
    fn young_characters_are_those_that_count_and_came_later() {
        for major in 5..=16 {
            let mut old = vec![false; 0x11_0000];
            for (first, last) in class(&format!(r"\p{{Age:{major}.0}}")) {
                old[first as usize..=last as usize].fill(true);
            }
            let codes = class(r"\p{Age:16.0}").into_iter().flat_map(|(first, last)| first..=last);
            let mut young = Vec::new();
            for c in codes.filter(|&code| !old[code as usize]).filter_map(char::from_u32) {
                note_active(c, &mut young);
            }
            young.retain(|&c| !old[c as usize]);
            let expected: std::collections::BTreeSet<char> = young.into_iter().collect();
            assert!(('\0'..=char::MAX).filter(|&c| is_young_in(major, c)).eq(expected), "Unicode {major}");
        }
    }
}
