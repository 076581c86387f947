//! `Metaspace` of the `tokenizers` library: spaces become a mark, and every mark begins a pre-token.

use memchr::memchr_iter;
use memchr::memmem::Finder;

use super::rewriting::Rewriting;
use crate::align::AlignedText;
use crate::model::Span;
use crate::spec::PrependScheme;

/// A compiled `Metaspace`.
#[derive(Debug)]
pub(super) struct Metaspace {
    mark: String,
    finder: Finder<'static>,
    scheme: PrependScheme,
    split: bool,
}

impl Metaspace {
    pub(super) fn new(replacement: char, scheme: PrependScheme, split: bool) -> Self {
        let mark = replacement.to_string();
        let finder = Finder::new(&mark).into_owned();
        Metaspace { mark, finder, scheme, split }
    }

    /// Whether it asks if a piece begins where the input begins.
    pub(super) fn needs_origin(&self) -> bool {
        self.scheme == PrependScheme::First
    }

    fn prepends(&self, piece: &str, at_start: bool) -> bool {
        let wanted = match self.scheme {
            PrependScheme::Always => true,
            PrependScheme::First => at_start,
            PrependScheme::Never => false,
        };
        wanted && !piece.starts_with(' ') && !piece.starts_with(&self.mark)
    }

    fn replaces(&self) -> bool {
        self.mark != " "
    }

    /// Rewrites one piece and adds its pre-tokens. O(n).
    pub(super) fn rewrite(&self, text: &mut Rewriting, (from, to): Span, pieces: &mut Vec<Span>) {
        text.copy_to(from);
        let (piece, start) = (&text.old[from..to], text.new.len());
        if self.prepends(piece, from < text.origin) {
            text.put(from..from, &self.mark);
        }
        if self.replaces() {
            memchr_iter(b' ', piece.as_bytes()).for_each(|at| text.put(from + at..from + at + 1, &self.mark));
        }
        text.copy_to(to);
        self.cut(&text.new[start..], |from, to| pieces.push((start + from, start + to)));
    }

    fn cut(&self, text: &str, mut emit: impl FnMut(usize, usize)) {
        let mut start = 0;
        if self.split {
            for at in self.finder.find_iter(text.as_bytes()).filter(|&at| at > 0) {
                emit(start, at);
                start = at;
            }
        }
        emit(start, text.len());
    }

    /// The same for a piece with the alignments of the library.
    pub(super) fn split_hf<'t>(&self, mut piece: AlignedText<'t>, pieces: &mut Vec<AlignedText<'t>>) {
        let at_start = piece.origin().start == 0;
        let prepends = self.prepends(piece.text(), at_start);
        let spaces: Vec<usize> = memchr_iter(b' ', piece.text().as_bytes()).collect();
        piece.replace(spaces.into_iter().map(|at| at..at + 1), &self.mark);
        if prepends {
            piece.prepend(&self.mark);
        }
        if self.split {
            self.cut(piece.text(), |from, to| pieces.push(piece.slice(from..to)));
        } else {
            pieces.push(piece);
        }
    }
}
