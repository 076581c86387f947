//! The four Unicode normalisation forms, segment by segment. Source: Unicode Standard Annex #15.
//!
//! A *boundary* lies before a character whose full decomposition starts with a starter (combining class 0) that no
//! composition takes as its second part. Reordering never crosses a starter and composition never reaches back over
//! such a one, so the segments between boundaries are normalized apart. Nearly all text consists of characters that
//! are *inert*: they are such a starter themselves and are their own normal form. Two inert characters in a row need
//! no look at all. The young characters of [`Tables`] are inert.

use std::iter::once;
use std::ops::Range;
use std::sync::OnceLock;

use unicode_normalization::{IsNormalized, UnicodeNormalization};
use unicode_normalization::{is_nfc_quick, is_nfd_quick, is_nfkc_quick, is_nfkd_quick};

use super::align::trimmed;
use super::changes;
use super::char_set::{CharSet, next_in};
use super::tables::Tables;
use crate::align::AlignedText;
use crate::spec::Form;

/// A normalisation form with its table of characters that need a look.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnicodeForm {
    form: Form,
    tables: Tables,
    /// Everything that is not inert. No ASCII character is in it, in any form.
    active: &'static CharSet,
}

impl UnicodeForm {
    pub(super) fn new(form: Form, tables: Tables) -> Self {
        static SETS: [[OnceLock<CharSet>; 4]; 17] = [const { [const { OnceLock::new() }; 4] }; 17];
        let set = &SETS[usize::from(tables.version.major)][form as usize];
        let active = set.get_or_init(|| CharSet::new(move |c| !tables.is_young(c) && is_active(form, tables, c)));
        UnicodeForm { form, tables, active }
    }

    /// O(n log n) in the length of a segment, O(n) in the number of segments.
    pub(super) fn rewrite(&self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
        let mut end = 0;
        let mut normal = String::new();
        while let Some((at, c)) = next_in(text, end, self.active) {
            let start = if has_boundary_before(self.form, self.tables, c) { at } else { self.previous(text, end, at) };
            end = self.segment_end(text, at + c.len_utf8());
            self.normalize(&text[start..end], &mut normal);
            if let Some((changed, new)) = trimmed(&text[start..end], &normal) {
                emit(start + changed.start..start + changed.end, new);
            }
        }
    }

    /// The same with the places of `tokenizers`. O(n log n) in the length of a segment.
    pub(super) fn apply_hf(&self, text: &mut AlignedText) {
        if next_in(text.text(), 0, self.active).is_none() {
            return;
        }
        let compatible = matches!(self.form, Form::Nfkc | Form::Nfkd);
        let parts = changes::decomposed(text.text(), self.tables, compatible);
        match self.form {
            Form::Nfd | Form::Nfkd => text.transform(parts, 0),
            Form::Nfc | Form::Nfkc => text.transform(changes::composed(parts, self.tables), 0),
        }
    }

    /// The start of the character before `at`, which is inert, or `at` if there is none after `end` that composes.
    fn previous(&self, text: &str, end: usize, at: usize) -> usize {
        match text[end..at].char_indices().next_back() {
            Some((start, c)) if !self.tables.is_young(c) => end + start,
            _ => at,
        }
    }

    fn segment_end(&self, text: &str, from: usize) -> usize {
        let mut rest = text[from..].char_indices();
        rest.find(|&(_, c)| has_boundary_before(self.form, self.tables, c)).map_or(text.len(), |(at, _)| from + at)
    }

    fn normalize(&self, segment: &str, out: &mut String) {
        out.clear();
        match self.form {
            Form::Nfc => out.extend(segment.nfc()),
            Form::Nfd => out.extend(segment.nfd()),
            Form::Nfkc => out.extend(segment.nfkc()),
            Form::Nfkd => out.extend(segment.nfkd()),
        }
    }
}

fn is_active(form: Form, tables: Tables, c: char) -> bool {
    !(is_own_form(form, c) && tables.combining_class(c) == 0 && has_boundary_before(form, tables, c))
}

fn is_own_form(form: Form, c: char) -> bool {
    let quick = match form {
        Form::Nfc => is_nfc_quick(once(c)),
        Form::Nfd => is_nfd_quick(once(c)),
        Form::Nfkc => is_nfkc_quick(once(c)),
        Form::Nfkd => is_nfkd_quick(once(c)),
    };
    quick == IsNormalized::Yes
}

fn has_boundary_before(form: Form, tables: Tables, c: char) -> bool {
    if c.is_ascii() || tables.is_young(c) {
        return true;
    }
    let mut first = None;
    tables.decompose(c, matches!(form, Form::Nfkc | Form::Nfkd), |part| {
        first.get_or_insert(part);
    });
    let first = first.unwrap_or(c);
    let composes = matches!(form, Form::Nfc | Form::Nfkc);
    // A part of a full decomposition that is not surely composed may be the second part of a composition.
    tables.combining_class(first) == 0 && !(composes && is_nfc_quick(once(first)) != IsNormalized::Yes)
}
