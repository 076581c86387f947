//! Decomposition and composition with what each new character replaces, as `tokenizers` counts it.
//!
//! The first part of a decomposition replaces its character and the others are added (0, 1, 1, …); sorting keeps the
//! numbers with their characters. A composition has the sum of its parts' numbers, less one for each part that went.

use super::tables::Tables;

/// A character and its change, as [`crate::align::AlignedText::transform`] takes them.
pub(super) type Changed = (char, isize);

/// The full decomposition of `text` in canonical order. O(n log n) in the length of a run of marks.
pub(super) fn decomposed(text: &str, tables: Tables, compatible: bool) -> Vec<Changed> {
    let mut out = Vec::with_capacity(text.len());
    let mut sorted = 0;
    for c in text.chars() {
        let mut change = 0;
        tables.decompose(c, compatible, |part| {
            if tables.combining_class(part) == 0 {
                sort(&mut out[sorted..], tables);
                sorted = out.len() + 1;
            }
            out.push((part, change));
            change = 1;
        });
    }
    sort(&mut out[sorted..], tables);
    out
}

fn sort(run: &mut [Changed], tables: Tables) {
    if run.len() > 1 {
        run.sort_by_key(|&(c, _)| tables.combining_class(c));
    }
}

/// The canonical composition of a decomposed text. O(n).
pub(super) fn composed(parts: Vec<Changed>, tables: Tables) -> Vec<Changed> {
    let mut out: Vec<Changed> = Vec::with_capacity(parts.len());
    let mut starter = None;
    let mut last_class = None;
    for (c, change) in parts {
        let class = tables.combining_class(c);
        let blocked = last_class.is_some_and(|last| last >= class);
        let place = starter.filter(|_| !blocked);
        if let Some((place, composite)) = place.and_then(|at: usize| Some((at, tables.compose(out[at].0, c)?))) {
            out[place] = (composite, out[place].1 + change - 1);
            continue;
        }
        if class == 0 {
            (starter, last_class) = (Some(out.len()), None);
        } else if starter.is_some() {
            last_class = Some(class);
        }
        out.push((c, change));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::UnicodeVersion;

    /// Read from `tokenizers` 0.23.3 by the offsets of one token a character, see the tests of `align`.
    #[test]
    fn changes_are_those_of_the_reference() {
        let tables = Tables::of(UnicodeVersion::V9).unwrap();
        let parts = decomposed("a\u{301}\u{323}é\u{323}", tables, false);
        let expected = [('a', 0), ('\u{323}', 0), ('\u{301}', 0), ('e', 0), ('\u{323}', 0), ('\u{301}', 1)];
        assert_eq!(parts, expected);
        assert_eq!(composed(parts, tables), [('ạ', -1), ('\u{301}', 0), ('ẹ', -1), ('\u{301}', 1)]);
    }
}
