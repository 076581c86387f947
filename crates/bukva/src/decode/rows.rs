//! Tokens in rows of one width: one load a token where the index and the bytes take two.

use super::TokenTable;
use crate::prefetch::prefetch;

/// Ids between two looks at the room that is left.
const GROUP: usize = 64;
/// Rows are asked for so many ids before they are read: they lie anywhere in megabytes.
const AHEAD: usize = 24;

/// The short tokens of a table, a row of `WIDE` bytes an id: the last byte says how many of the others count.
#[derive(Debug)]
pub(super) struct Rows<const WIDE: usize>(Vec<[u8; WIDE]>);

/// Rows of tokens as they are.
pub(super) type ByteRows = Rows<16>;
/// Rows of tokens as UTF-16, the low byte first; none for a token that is no text by itself.
pub(super) type Utf16Rows = Rows<32>;

/// Ids that the length of a text is guessed from.
pub(super) const SAMPLE: usize = 128;
/// Tokens without a row in UTF-16 may be one in so many, and [`FEW`] more, before bytes are the shorter way to text.
const RARE: usize = 16;
const FEW: usize = 256;

impl<const WIDE: usize> Rows<WIDE> {
    /// Instead of a number of bytes: the token does not fit, or there is none.
    const ELSEWHERE: u8 = WIDE as u8;
    /// Room for the bytes of the next group of so many ids that are left.
    fn room(left: usize) -> usize {
        left.min(GROUP) * WIDE
    }

    fn row(token: Option<&[u8]>) -> [u8; WIDE] {
        let mut row = [0; WIDE];
        row[WIDE - 1] = Self::ELSEWHERE;
        if let Some(bytes) = token.filter(|bytes| bytes.len() < WIDE) {
            row[..bytes.len()].copy_from_slice(bytes);
            row[WIDE - 1] = bytes.len() as u8;
        }
        row
    }

    /// The row of an id, unless its token is elsewhere.
    #[inline(always)]
    fn get(&self, id: u32) -> Option<&[u8; WIDE]> {
        self.0.get(id as usize).filter(|row| row[WIDE - 1] < Self::ELSEWHERE)
    }

    /// Room for what ids give, by a sample of them; of few ids for all of it.
    fn guessed(&self, ids: &[u32]) -> usize {
        let step = (ids.len() / SAMPLE).max(1);
        let bytes = |&id: &u32| self.0.get(id as usize).map_or(0, |row| row[WIDE - 1] as usize);
        let sampled = ids.iter().step_by(step).map(bytes).sum::<usize>() * step;
        sampled + sampled / 16 + Self::room(ids.len())
    }

    /// Takes up to [`GROUP`] ids, until one has no row; how many they were and how many bytes they gave. Each row is
    /// copied whole, and the next one overwrites what is too much.
    #[inline]
    fn short_ones(&self, ids: &[u32], out: &mut [u8]) -> (usize, usize) {
        let mut at = 0;
        for (number, &id) in ids.iter().take(GROUP).enumerate() {
            if let Some(&next) = ids.get(number + AHEAD) {
                self.0.get(next as usize).into_iter().for_each(prefetch);
            }
            let Some(row) = self.get(id) else { return (number, at) };
            out[at..at + WIDE].copy_from_slice(row);
            at += row[WIDE - 1] as usize;
        }
        (GROUP.min(ids.len()), at)
    }
}

impl ByteRows {
    /// The rows of ids below `range`. O(range).
    pub(super) fn of(table: &TokenTable, range: usize) -> Self {
        Rows((0..range as u32).map(|id| Self::row(table.get(id))).collect())
    }

    /// The bytes of ids of `table`, joined; the position of the first id that has no token. O(bytes).
    pub(super) fn join(&self, table: &TokenTable, ids: &[u32]) -> Result<Vec<u8>, usize> {
        let (mut out, mut at, mut done) = (vec![0; self.guessed(ids)], 0, 0);
        while done < ids.len() {
            make_room(&mut out, at + Self::room(ids.len() - done));
            let (taken, written) = self.short_ones(&ids[done..], &mut out[at..]);
            (done, at) = (done + taken, at + written);
            if taken < GROUP && done < ids.len() {
                let bytes = table.get(ids[done]).ok_or(done)?;
                make_room(&mut out, at + bytes.len());
                out[at..at + bytes.len()].copy_from_slice(bytes);
                (done, at) = (done + 1, at + bytes.len());
            }
        }
        out.truncate(at);
        Ok(out)
    }
}

impl Utf16Rows {
    /// The rows of ids below `range`. O(range).
    pub(super) fn of(table: &TokenTable, range: usize) -> Self {
        Rows((0..range as u32).map(|id| Self::utf16_row(table.text(id))).collect())
    }

    fn utf16_row(token: Option<&str>) -> [u8; 32] {
        let mut row = Self::row(None);
        let mut at = 0;
        for unit in token.into_iter().flat_map(str::encode_utf16) {
            if at + 2 >= row.len() {
                return row;
            }
            row[at..at + 2].copy_from_slice(&unit.to_le_bytes());
            at += 2;
        }
        if token.is_some() {
            row[31] = at as u8;
        }
        row
    }

    /// The text of ids of `table` in UTF-16; `None` where the ids spell no text, and where to join their bytes is the
    /// shorter way: ASCII is half as long there, and many tokens may be no text by themselves. O(bytes).
    pub(super) fn join(&self, table: &TokenTable, ids: &[u32]) -> Option<Vec<u8>> {
        if !self.is_shorter(table, ids) {
            return None;
        }
        let (mut out, mut at, mut done) = (vec![0; self.guessed(ids)], 0, 0);
        let (mut bytes, mut elsewhere) = (Vec::new(), 0);
        while done < ids.len() {
            make_room(&mut out, at + Self::room(ids.len() - done));
            let (taken, written) = self.short_ones(&ids[done..], &mut out[at..]);
            (done, at) = (done + taken, at + written);
            if taken == GROUP || done == ids.len() {
                continue;
            }
            // A token that is text by itself begins a character, so those before it must have ended theirs.
            bytes.clear();
            while let Some(&id) = ids.get(done).filter(|&&id| self.get(id).is_none()) {
                bytes.extend_from_slice(table.get(id)?);
                (done, elsewhere) = (done + 1, elsewhere + 1);
            }
            if elsewhere > done / RARE + FEW {
                return None;
            }
            let text = std::str::from_utf8(&bytes).ok()?;
            make_room(&mut out, at + 2 * text.len());
            for unit in text.encode_utf16() {
                out[at..at + 2].copy_from_slice(&unit.to_le_bytes());
                at += 2;
            }
        }
        out.truncate(at);
        Some(out)
    }

    /// Whether a sample of ids is hardly longer in UTF-16 than in bytes.
    fn is_shorter(&self, table: &TokenTable, ids: &[u32]) -> bool {
        let sample = ids.iter().step_by((ids.len() / SAMPLE).max(1));
        let lengths = sample.filter_map(|&id| Some((self.get(id)?.last().copied()? as usize, table.get(id)?.len())));
        let (utf16, utf8) = lengths.fold((0, 0), |sums, both| (sums.0 + both.0, sums.1 + both.1));
        2 * utf16 <= 3 * utf8
    }
}

/// Doubles what is too small for `needed` bytes.
#[inline]
fn make_room(out: &mut Vec<u8>, needed: usize) {
    if out.len() < needed {
        out.resize(needed + out.len(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Alphabet, Bpe, Model, Spec};

    fn table(tokens: &[&[u8]]) -> TokenTable {
        let vocab = (0..).zip(tokens.iter().copied()).collect();
        TokenTable::new(&Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, Vec::new()))))
    }

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn utf16_is_that_of_the_bytes() {
        let long = "ё".repeat(40);
        let tokens: [&[u8]; 9] =
            [b"a", "я".as_bytes(), "字𝄞".as_bytes(), long.as_bytes(), b"\xd1", b"\x8f", b"\xf0\x9d", b"\x84\x9e", b""];
        let (table, range) = (table(&tokens), tokens.len());
        let (rows, bytes) = (Utf16Rows::of(&table, range), ByteRows::of(&table, range));
        let mixed = [1, 2, 0, 1, 1, 3, 0, 2, 8].repeat(50);
        for ids in [vec![], vec![1], vec![4, 5], mixed, [4, 5, 6, 7, 3, 1].repeat(50)] {
            let text = String::from_utf8(bytes.join(&table, &ids).unwrap()).unwrap();
            assert_eq!(rows.join(&table, &ids), Some(utf16(&text)), "{ids:?}");
        }
    }

    #[test]
    fn what_is_no_text_has_no_utf16() {
        let tokens: [&[u8]; 5] = [b"a", "я".as_bytes(), b"\xd1", b"\x8f", b"\xed\xa0\x80"];
        let table = table(&tokens);
        let rows = Utf16Rows::of(&table, tokens.len());
        for ids in [&[2][..], &[3], &[2, 1], &[2, 1, 3], &[1, 2, 3, 3], &[4], &[9], &[1, 9]] {
            assert_eq!(rows.join(&table, ids), None, "{ids:?}");
        }
        for ids in [[2, 3].repeat(1000), vec![0, 0, 0, 1]] {
            assert_eq!(rows.join(&table, &ids), None, "bytes are the shorter way");
        }
    }
}
