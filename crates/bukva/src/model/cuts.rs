//! Places where a long text can be cut without changing its tokens.
//!
//! A model without pre-tokenizer gets a whole text as one piece. Its tokens never cross the place between two
//! characters that no piece has inside it side by side. Such a place is looked for only before U+2581, which stands for
//! a space in all such vocabularies: in most of them few or no pieces have it behind another character.

use memchr::memchr_iter;

/// The mark of a word's beginning, U+2581.
pub(in crate::model) const MARK: &[u8] = "\u{2581}".as_bytes();

/// The characters that some piece joins with a mark behind them, in order.
#[derive(Debug, Default)]
pub(in crate::model) struct Cuts {
    joined: Vec<char>,
}

impl Cuts {
    /// The cuts of pieces that stand in a text as they are. Pieces that are not UTF-8 play no part: they lie in no
    /// text. O(bytes).
    pub(in crate::model) fn inside<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Self {
        let text = pieces.filter_map(|piece| std::str::from_utf8(piece).ok());
        Cuts::new(text.flat_map(|piece| {
            let places = piece.match_indices('\u{2581}').map(|(at, _)| &piece[..at]);
            places.filter_map(|before| before.chars().next_back())
        }))
    }

    /// The cuts where the characters `joined` are joined with a mark.
    pub(in crate::model) fn new(joined: impl Iterator<Item = char>) -> Self {
        let mut joined: Vec<char> = joined.collect();
        joined.sort_unstable();
        joined.dedup();
        Cuts { joined }
    }

    /// The end of the part of `text`, valid UTF-8, that begins at `start`: the first cut behind it. O(bytes).
    #[inline]
    pub(in crate::model) fn next(&self, text: &[u8], start: usize) -> usize {
        let from = start + 1;
        let candidates = memchr_iter(MARK[0], text.get(from..).unwrap_or(&[])).map(|at| from + at);
        let mut cuts = candidates.filter(|&at| text[at..].starts_with(MARK) && self.is_cut(&text[start..at]));
        cuts.next().unwrap_or(text.len())
    }

    /// Whether a mark behind `text` is never joined with its last character.
    #[inline]
    fn is_cut(&self, text: &[u8]) -> bool {
        let first = text.iter().rposition(|&byte| byte & 0xc0 != 0x80);
        let last =
            first.and_then(|first| std::str::from_utf8(&text[first..]).ok()).and_then(|last| last.chars().next());
        last.is_some_and(|last| self.joined.binary_search(&last).is_err())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(pieces: &[&str], text: &str) -> Vec<String> {
        let cuts = Cuts::inside(pieces.iter().map(|piece| piece.as_bytes()));
        let (mut start, mut parts) = (0, Vec::new());
        while start < text.len() {
            let end = cuts.next(text.as_bytes(), start);
            parts.push(text[start..end].to_owned());
            start = end;
        }
        parts
    }

    #[test]
    fn cuts_where_no_piece_joins() {
        assert_eq!(parts(&["▁a", "▁▁", "a"], "a▁b▁▁c▂▁▁"), ["a", "▁b", "▁▁c▂", "▁▁"]);
        assert_eq!(parts(&["a", "ж▁"], "ж▁a▁ж▁"), ["ж▁a", "▁ж▁"]);
        assert_eq!(parts(&[], "▁▁"), ["▁", "▁"]);
        assert_eq!(parts(&[], ""), [""; 0]);
    }
}
