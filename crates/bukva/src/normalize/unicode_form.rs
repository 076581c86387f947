//! The four Unicode normalisation forms, segment by segment. Source: Unicode Standard Annex #15.
//!
//! A *boundary* lies before a character whose full decomposition starts with a starter (combining class 0) that no
//! composition takes as its second part. Reordering never crosses a starter and composition never reaches back over
//! such a one, so the segments between boundaries are normalized apart. Nearly all text consists of characters that
//! are *inert*: they are such a starter themselves and are their own normal form. Two inert characters in a row need
//! no look at all.

use std::iter::once;
use std::ops::Range;
use std::sync::OnceLock;

use unicode_normalization::char::{canonical_combining_class, decompose_canonical, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization};
use unicode_normalization::{is_nfc_quick, is_nfd_quick, is_nfkc_quick, is_nfkd_quick};

use super::align::trimmed;
use super::char_set::{CharSet, next_in};
use crate::spec::Form;

/// A normalisation form with its table of characters that need a look.
#[derive(Clone, Copy)]
pub(super) struct UnicodeForm {
    form: Form,
    /// Everything that is not inert. No ASCII character is in it, in any form.
    active: &'static CharSet,
}

impl std::fmt::Debug for UnicodeForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.form.fmt(f)
    }
}

impl UnicodeForm {
    pub(super) fn new(form: Form) -> Self {
        static SETS: [OnceLock<CharSet>; 4] = [const { OnceLock::new() }; 4];
        let (index, active): (usize, fn(char) -> bool) = match form {
            Form::Nfc => (0, |c| is_active(Form::Nfc, c)),
            Form::Nfd => (1, |c| is_active(Form::Nfd, c)),
            Form::Nfkc => (2, |c| is_active(Form::Nfkc, c)),
            Form::Nfkd => (3, |c| is_active(Form::Nfkd, c)),
        };
        UnicodeForm { form, active: SETS[index].get_or_init(|| CharSet::new(active)) }
    }

    /// O(n log n) in the length of a segment, O(n) in the number of segments.
    pub(super) fn rewrite(&self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
        let mut end = 0;
        let mut normal = String::new();
        while let Some((at, c)) = next_in(text, end, self.active) {
            let start = if has_boundary_before(self.form, c) { at } else { previous(text, end, at) };
            end = self.segment_end(text, at + c.len_utf8());
            self.normalize(&text[start..end], &mut normal);
            if let Some((changed, new)) = trimmed(&text[start..end], &normal) {
                emit(start + changed.start..start + changed.end, new);
            }
        }
    }

    fn segment_end(&self, text: &str, from: usize) -> usize {
        let mut rest = text[from..].char_indices();
        rest.find(|&(_, c)| has_boundary_before(self.form, c)).map_or(text.len(), |(at, _)| from + at)
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

/// The start of the character before `at`, which is inert, or `end` if there is none after it.
fn previous(text: &str, end: usize, at: usize) -> usize {
    text[end..at].char_indices().next_back().map_or(at, |(start, _)| end + start)
}

fn is_active(form: Form, c: char) -> bool {
    !(is_own_form(form, c) && canonical_combining_class(c) == 0 && has_boundary_before(form, c))
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

fn has_boundary_before(form: Form, c: char) -> bool {
    if c.is_ascii() {
        return true;
    }
    let mut first = None;
    let mut keep_first = |part| {
        first.get_or_insert(part);
    };
    match form {
        Form::Nfc | Form::Nfd => decompose_canonical(c, &mut keep_first),
        Form::Nfkc | Form::Nfkd => decompose_compatible(c, &mut keep_first),
    }
    let first = first.unwrap_or(c);
    let composes = matches!(form, Form::Nfc | Form::Nfkc);
    // A part of a full decomposition that is not surely composed may be the second part of a composition.
    canonical_combining_class(first) == 0 && !(composes && is_nfc_quick(once(first)) != IsNormalized::Yes)
}
