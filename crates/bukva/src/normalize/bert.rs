//! BERT's cleaning in one pass, as `BertNormalizer` of the `tokenizers` library does it in five.
//!
//! In order: control characters go and white space becomes U+0020; spaces are put around Chinese characters; the
//! canonical decomposition, of which non-spacing marks go; lower case. Each works on single characters, except that
//! marks are sorted, and sorting never crosses a starter. So a text is rewritten from one starter to the next.

use std::ops::Range;

use super::align::trimmed;
use super::changes;
use super::char_set::{CharSet, next_where};
use super::lowercase::Lowercase;
use super::tables::{Tables, unknown};
use crate::align::AlignedText;
use crate::error::Result;
use crate::spec::UnicodeVersions;
use crate::unicode::categories::Categories;

/// What of the cleaning is wanted, with its tables.
#[derive(Debug, Clone)]
pub(super) struct Bert {
    rules: Rules,
    /// The characters beyond ASCII that do not simply stay.
    active: std::sync::Arc<CharSet>,
    /// What becomes of each ASCII character; `GONE` if nothing.
    ascii: [u8; 128],
}

#[derive(Debug, Clone, Copy)]
struct Rules {
    clean: bool,
    chinese: bool,
    accents: bool,
    lower: Option<Lowercase>,
    tables: Tables,
    categories: Categories,
}

const GONE: u8 = 0xff;

impl Bert {
    pub(super) fn new(
        (clean, chinese): (bool, bool),
        (strip_accents, lowercase): (Option<bool>, bool),
        versions: &UnicodeVersions,
    ) -> Result<Self> {
        let categories = Categories::of(versions.categories)
            .ok_or_else(|| unknown("general categories", versions.categories, "8.0 and 16.0"))?;
        let lower = lowercase.then(|| Lowercase::of(versions.lowercase)).transpose()?;
        let accents = strip_accents.unwrap_or(lowercase);
        let rules = Rules { clean, chinese, accents, lower, tables: Tables::of(versions.forms)?, categories };
        let active = std::sync::Arc::new(CharSet::new(move |c| rules.is_active(c)));
        let ascii = std::array::from_fn(|byte| rules.ascii(byte as u8));
        Ok(Bert { rules, active, ascii })
    }

    /// O(n), and O(n log n) in the length of a run of marks.
    pub(super) fn rewrite(&self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
        let mut work = Work::default();
        let mut at = 0;
        let changes = |byte: u8| self.ascii[usize::from(byte & 0x7f)] != byte;
        while let Some((start, c)) = next_where(text, at, changes, |c| self.active.contains(c)) {
            at = start + c.len_utf8();
            match self.ascii.get(c as usize) {
                Some(&GONE) => emit(start..at, ""),
                Some(&byte) => emit(start..at, char::from(byte).encode_utf8(&mut [0; 4])),
                None if self.rules.only_gets_spaces(c) => {
                    emit(start..start, " ");
                    emit(at..at, " ");
                }
                None => {
                    at = self.rules.segment(text, start, &mut work);
                    if let Some((changed, new)) = trimmed(&text[start..at], &work.out) {
                        emit(start + changed.start..start + changed.end, new);
                    }
                }
            }
        }
    }

    /// The same with the places of `tokenizers`: step by step, as there.
    pub(super) fn apply_hf(&self, text: &mut AlignedText) {
        let rules = &self.rules;
        if rules.clean {
            text.filter(|c| rules.cleaned(c).is_some());
            text.map(|c| rules.cleaned(c).unwrap_or(c));
        }
        if rules.chinese && text.text().chars().any(is_chinese) {
            let around = |c| if is_chinese(c) { [Some(' '), Some(c), Some(' ')] } else { [Some(c), None, None] };
            text.expand(|c| around(c).into_iter().flatten());
        }
        if rules.accents && !text.text().is_ascii() {
            text.transform(changes::decomposed(text.text(), rules.tables, false), 0);
            text.filter(|c| !rules.categories.is_nonspacing_mark(c));
        }
        if let Some(lower) = rules.lower {
            lower.apply_hf(text);
        }
    }
}

/// The buffers of one segment.
#[derive(Default)]
struct Work {
    out: String,
    /// Decomposed characters since the last starter.
    pending: Vec<(u8, char)>,
}

impl Rules {
    /// The rewritten text from the character at `start` up to the next starter; gives the end of it.
    fn segment(&self, text: &str, start: usize, work: &mut Work) -> usize {
        work.out.clear();
        for (offset, c) in text[start..].char_indices() {
            if offset > 0 && (work.pending.is_empty() || self.starts(c)) {
                self.flush(work);
                return start + offset;
            }
            match self.cleaned(c) {
                Some(c) if self.chinese && is_chinese(c) => [' ', c, ' '].into_iter().for_each(|c| self.push(c, work)),
                Some(c) => self.push(c, work),
                None => {}
            }
        }
        self.flush(work);
        text.len()
    }

    fn push(&self, c: char, work: &mut Work) {
        if !self.accents {
            self.put(c, &mut work.out);
            return;
        }
        self.tables.decompose(c, false, |part| {
            let class = self.tables.combining_class(part);
            if class == 0 {
                self.flush(work);
            }
            work.pending.push((class, part));
        });
    }

    fn flush(&self, work: &mut Work) {
        if work.pending.len() > 1 {
            work.pending.sort_by_key(|&(class, _)| class);
        }
        for (_, c) in work.pending.drain(..) {
            if !self.categories.is_nonspacing_mark(c) {
                self.put(c, &mut work.out);
            }
        }
    }

    fn put(&self, c: char, out: &mut String) {
        match self.lower {
            Some(lower) => out.extend(lower.of_char(c)),
            None => out.push(c),
        }
    }

    /// The character after cleaning, or `None` if it goes.
    fn cleaned(&self, c: char) -> Option<char> {
        match c {
            _ if !self.clean => Some(c),
            '\t' | '\n' | '\r' => Some(' '),
            '\0' | '\u{fffd}' => None,
            _ if self.categories.is_control(c) => None,
            _ if c.is_whitespace() => Some(' '),
            _ => Some(c),
        }
    }

    /// Whether the character stays and its decomposition starts with a starter.
    fn starts(&self, c: char) -> bool {
        let mut first = None;
        self.tables.decompose(c, false, |part| {
            first.get_or_insert(part);
        });
        self.cleaned(c).is_some() && first.is_none_or(|first| self.tables.combining_class(first) == 0)
    }

    fn only_gets_spaces(&self, c: char) -> bool {
        self.chinese && is_chinese(c) && !Rules { chinese: false, ..*self }.is_active(c)
    }

    /// Whether anything can become of the character, or of a mark next to it.
    fn is_active(&self, c: char) -> bool {
        let mut work = Work::default();
        let mut buffer = [0; 4];
        let same: &str = c.encode_utf8(&mut buffer);
        self.segment(same, 0, &mut work);
        work.out != *same || (self.accents && !self.starts(c))
    }

    fn ascii(&self, byte: u8) -> u8 {
        match self.cleaned(char::from(byte)) {
            None => GONE,
            Some(c) if self.lower.is_some() => c.to_ascii_lowercase() as u8,
            Some(c) => c as u8,
        }
    }
}

/// The blocks of Chinese characters that BERT names, as `tokenizers` has them: one of them starts at U+2B920.
fn is_chinese(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}
