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
use unicode_normalization::{IsNormalized, is_nfc_quick};

use crate::error::{Error, Kind, Result};
use crate::spec::UnicodeVersion;
use crate::unicode::categories::class;
use crate::unicode::table::ByteTable;

/// What the forms ask about characters. Cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Tables {
    young: &'static ByteTable,
    pub(super) version: UnicodeVersion,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Unicode {}.{}", self.version.major, self.version.minor)
    }
}

impl Tables {
    /// The tables of a version from 5 to 16. About a millisecond on first use of a version before 16.
    pub(super) fn of(version: UnicodeVersion) -> Result<Self> {
        static YOUNG: [OnceLock<ByteTable>; 17] = [const { OnceLock::new() }; 17];
        match YOUNG.get(usize::from(version.major)) {
            Some(young) if version.minor == 0 && version.major >= 5 => {
                Ok(Tables { young: young.get_or_init(|| find_young(version.major)), version })
            }
            _ => Err(unknown("the Unicode forms", version, "5.0 to 16.0, without minor versions")),
        }
    }

    #[inline]
    pub(super) fn is_young(self, c: char) -> bool {
        self.young.get(c as u32) != 0
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

fn find_young(major: u8) -> ByteTable {
    let mut old = class(&format!(r"\p{{Age:{major}.0}}"));
    old.sort_unstable();
    let is_old = |code: u32| {
        let after = old.partition_point(|&(first, _)| first <= code);
        after > 0 && code <= old[after - 1].1
    };
    let codes = class(r"\p{Age:16.0}").into_iter().flat_map(|(first, last)| first..=last);
    let mut young = Vec::new();
    for c in codes.filter(|&code| !is_old(code)).filter_map(char::from_u32) {
        note_active(c, &mut young);
    }
    ByteTable::of(young.into_iter().map(|c| (c as u32, c as u32, 1)).filter(|run| !is_old(run.0)))
}

/// Notes a character that is more than an inert starter in version 16, and what it starts with: a first part composes.
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
