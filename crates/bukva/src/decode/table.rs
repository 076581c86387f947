//! Id → token bytes.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::rows::{ByteRows, SAMPLE, Utf16Rows};
use crate::block::{Block, Bytes, Sections};
use crate::error::Result;
use crate::spec::{Spec, Vocab};

const STARTS: &str = "tokens.starts";
const BYTES: &str = "tokens.bytes";
const EMPTY: &str = "tokens.empty";

/// The bytes of every id: two loads a token where ids are dense, a hash look-up where they are scattered.
#[derive(Debug)]
pub struct TokenTable {
    bytes: Block<u8>,
    index: Index,
    range: u64,
    /// Ids of tokens without bytes, in order.
    empty: Block<u32>,
    /// Made when first needed.
    rows: OnceLock<ByteRows>,
    /// Made when first needed.
    utf16_rows: OnceLock<Utf16Rows>,
}

#[derive(Debug)]
enum Index {
    /// Start of each id's bytes; the next one is its end. A hole is empty, and so is an empty token.
    Dense(Block<u32>),
    Sparse(FxHashMap<u32, (u32, u32)>),
}

/// Rows are made for ids that are at least this part of the range: what they save then pays for them.
const ROWS_FROM: u64 = 8;

/// Ids that are looked up at a time.
const GROUP: usize = 64;
/// Bytes that are copied at a time.
const WIDE: usize = 16;

/// Ids may be this many times sparser than the tokens before a hash table is the smaller index.
const DENSE_FACTOR: u64 = 8;

fn is_dense(range: u64, tokens: usize) -> bool {
    range <= DENSE_FACTOR * (tokens as u64 + 1024)
}

impl TokenTable {
    /// The table of a specification, added tokens included. Where a name of an id comes twice, the vocabulary's, else
    /// the first added one, is kept. O(bytes of all tokens).
    pub fn new(spec: &Spec) -> Self {
        let vocab = spec.model.vocab();
        let added = spec.added_tokens.iter().map(|token| (token.id, token.content.as_bytes()));
        TokenTable::of_ascending(vocab, added.clone().collect()).unwrap_or_else(|| {
            let tokens = vocab.iter().map(|entry| (entry.id, entry.bytes)).chain(added);
            TokenTable::of(tokens.map(|(id, bytes)| (id, Cow::Borrowed(bytes))).collect())
        })
    }

    /// The same for a vocabulary whose ids ascend and are dense, as in every published one: without sorting.
    fn of_ascending(vocab: &Vocab, mut added: Vec<(u32, &[u8])>) -> Option<Self> {
        added.sort_by_key(|token| token.0);
        let last = vocab.ids().last().max(added.last().map(|token| &token.0));
        let range = last.map_or(0, |&last| u64::from(last) + 1);
        if !is_dense(range, vocab.len() + added.len()) || !vocab.ids().is_sorted_by(|one, two| one < two) {
            return None;
        }
        let (mut starts, mut empty) = (Vec::with_capacity(range as usize + 1), Vec::new());
        let mut joined = Vec::with_capacity(vocab.joined_bytes().len());
        let mut put = |id: u32, bytes: &[u8]| {
            // The first of an id is kept.
            if id as usize >= starts.len() {
                starts.resize(id as usize + 1, joined.len() as u32);
                joined.extend_from_slice(bytes);
                empty.extend(bytes.is_empty().then_some(id));
            }
        };
        let mut added = added.into_iter().peekable();
        for entry in vocab.iter() {
            while let Some((id, bytes)) = added.next_if(|token| token.0 < entry.id) {
                put(id, bytes);
            }
            put(entry.id, entry.bytes);
        }
        added.for_each(|(id, bytes)| put(id, bytes));
        starts.push(joined.len() as u32);
        Some(TokenTable {
            bytes: joined.into(),
            index: Index::Dense(starts.into()),
            range,
            empty: empty.into(),
            rows: OnceLock::new(),
            utf16_rows: OnceLock::new(),
        })
    }

    /// The table of ids and bytes; the first of an id is kept.
    pub(super) fn of(mut tokens: Vec<(u32, Cow<'_, [u8]>)>) -> Self {
        // Stable: the first stays the first.
        tokens.sort_by_key(|token| token.0);
        tokens.dedup_by_key(|token| token.0);
        let range = tokens.last().map_or(0, |token| u64::from(token.0) + 1);
        let dense = is_dense(range, tokens.len());
        let empty: Vec<u32> = tokens.iter().filter(|token| token.1.is_empty()).map(|token| token.0).collect();
        let index = Index::Sparse(FxHashMap::default());
        let mut table = TokenTable {
            bytes: Block::default(),
            index,
            range,
            empty: empty.into(),
            rows: OnceLock::new(),
            utf16_rows: OnceLock::new(),
        };
        if dense {
            table.fill_dense(&tokens)
        } else {
            table.fill_sparse(&tokens)
        }
        table
    }

    fn fill_dense(&mut self, tokens: &[(u32, Cow<'_, [u8]>)]) {
        let (mut starts, mut joined) = (Vec::with_capacity(self.range as usize + 1), Vec::new());
        for (id, bytes) in tokens {
            starts.resize(*id as usize + 1, joined.len() as u32);
            joined.extend_from_slice(bytes);
        }
        starts.resize(self.range as usize + 1, joined.len() as u32);
        (self.index, self.bytes) = (Index::Dense(starts.into()), joined.into());
    }

    fn fill_sparse(&mut self, tokens: &[(u32, Cow<'_, [u8]>)]) {
        let (mut spans, mut joined) = (FxHashMap::default(), Vec::new());
        for (id, bytes) in tokens {
            let start = joined.len() as u32;
            joined.extend_from_slice(bytes);
            spans.insert(*id, (start, joined.len() as u32));
        }
        (self.index, self.bytes) = (Index::Sparse(spans), joined.into());
    }

    /// The table as an image holds it; nothing where ids are scattered.
    pub(crate) fn sections(&self) -> Vec<Bytes<'_>> {
        match &self.index {
            Index::Dense(starts) => {
                let mut sections = vec![
                    (STARTS, Cow::Borrowed(bytemuck::cast_slice(starts))),
                    (BYTES, Cow::Borrowed(&self.bytes[..])),
                ];
                if !self.empty.is_empty() {
                    sections.push((EMPTY, Cow::Borrowed(bytemuck::cast_slice(&self.empty))));
                }
                sections
            }
            Index::Sparse(_) => Vec::new(),
        }
    }

    /// The table of an image, where it has one. O(1): an id whose place is wrong has no bytes.
    pub(crate) fn of_sections(sections: &Sections) -> Result<Option<Self>> {
        if !sections.has(STARTS) {
            return Ok(None);
        }
        let (starts, bytes): (Block<u32>, Block<u8>) = (sections.block(STARTS)?, sections.block(BYTES)?);
        let range = starts.len().saturating_sub(1) as u64;
        let empty = if sections.has(EMPTY) { sections.block(EMPTY)? } else { Block::default() };
        Ok(Some(TokenTable {
            bytes,
            index: Index::Dense(starts),
            range,
            empty,
            rows: OnceLock::new(),
            utf16_rows: OnceLock::new(),
        }))
    }

    /// The bytes of an id, or `None` for a hole. O(1).
    #[inline]
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        self.span(id).map(|(start, end)| &self.bytes[start..end])
    }

    /// The bytes of ids, joined; the position of the first id that has no token. O(bytes), and O(range) once where
    /// [`TokenTable::are_many`].
    pub(super) fn join(&self, ids: &[u32]) -> Result<Vec<u8>, usize> {
        if self.rows.get().is_none() && self.are_many(ids.len()) {
            self.rows.get_or_init(|| ByteRows::of(self, self.range as usize));
        }
        match self.rows.get() {
            Some(rows) => rows.join(self, ids),
            None => self.join_spans(ids),
        }
    }

    /// The text of ids in UTF-16, the low byte first, where that is the shorter way to a string: for many ids whose
    /// tokens mostly are text by themselves. `None` else, and where the ids spell no text. Costs as [`TokenTable::join`].
    pub(super) fn join_utf16(&self, ids: &[u32]) -> Option<Vec<u8>> {
        if ids.len() < GROUP {
            return None;
        }
        self.expect(ids.len(), ids.iter().step_by((ids.len() / SAMPLE).max(1)).copied());
        self.utf16_rows.get()?.join(self, ids)
    }

    /// Prepares for so many ids in all to become strings, if they are many and a sample of them is hardly longer in
    /// UTF-16 than in bytes. O(sample), and O(range) once.
    pub(super) fn expect(&self, n_ids: usize, sample: impl Iterator<Item = u32>) {
        if self.utf16_rows.get().is_some() || !self.are_many(n_ids) {
            return;
        }
        let texts = sample.filter_map(|id| self.text(id));
        let lengths = texts.map(|text| (2 * text.encode_utf16().count(), text.len()));
        let (utf16, utf8) = lengths.fold((0, 0), |sums, both| (sums.0 + both.0, sums.1 + both.1));
        if 2 * utf16 <= 3 * utf8 {
            self.utf16_rows.get_or_init(|| Utf16Rows::of(self, self.range as usize));
        }
    }

    /// Whether so many ids pay for making rows.
    fn are_many(&self, n_ids: usize) -> bool {
        matches!(self.index, Index::Dense(_)) && n_ids as u64 >= self.range / ROWS_FROM
    }

    /// As [`TokenTable::join`], by the index. A token of up to 16 bytes is one copy of 16, of which the next one
    /// overwrites what is too much.
    fn join_spans(&self, ids: &[u32]) -> Result<Vec<u8>, usize> {
        let (mut out, mut at) = (Vec::with_capacity(ids.len() * 4), 0);
        for (number, group) in ids.chunks(GROUP).enumerate() {
            let mut spans = [(0, 0); GROUP];
            let mut end = at;
            for (place, (span, &id)) in spans.iter_mut().zip(group).enumerate() {
                *span = self.span(id).ok_or(number * GROUP + place)?;
                end += span.1 - span.0;
            }
            out.resize(end + WIDE, 0);
            for (from, to) in spans[..group.len()].iter().copied() {
                match (self.bytes.get(from..).and_then(|rest| rest.first_chunk::<WIDE>()), to - from) {
                    (Some(bytes), ..=WIDE) => out[at..at + WIDE].copy_from_slice(bytes),
                    _ => out[at..at + to - from].copy_from_slice(&self.bytes[from..to]),
                }
                at += to - from;
            }
        }
        out.truncate(at);
        Ok(out)
    }

    /// Where the bytes of an id lie, or `None` for a hole.
    #[inline]
    fn span(&self, id: u32) -> Option<(usize, usize)> {
        let (start, end) = match &self.index {
            Index::Dense(starts) => (*starts.get(id as usize)?, *starts.get(id as usize + 1)?),
            Index::Sparse(spans) => *spans.get(&id)?,
        };
        let is_token = start < end && end as usize <= self.bytes.len() || start == end && self.is_empty_token(id);
        is_token.then_some((start as usize, end as usize))
    }

    /// An id without bytes: a token or a hole.
    #[cold]
    fn is_empty_token(&self, id: u32) -> bool {
        self.empty.binary_search(&id).is_ok()
    }

    /// The text of an id, or `None` for a hole and for bytes that are no text. O(bytes of the token).
    pub fn text(&self, id: u32) -> Option<&str> {
        self.get(id).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// Every id that has a token, in order.
    pub fn ids(&self) -> Vec<u32> {
        match &self.index {
            Index::Dense(_) => (0..self.range as u32).filter(|&id| self.get(id).is_some()).collect(),
            Index::Sparse(spans) => {
                let mut ids: Vec<u32> = spans.keys().copied().collect();
                ids.sort_unstable();
                ids
            }
        }
    }

    /// One more than the greatest id.
    pub fn range(&self) -> u64 {
        self.range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{AddedToken, Alphabet, Bpe, Model};

    fn table(ids: &[(u32, &[u8])]) -> TokenTable {
        let vocab: Vocab = ids.iter().copied().collect();
        let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Chars, vocab, Vec::new())));
        spec.added_tokens = vec![AddedToken::special("<a>", 7), AddedToken::special("<alias>", 7)];
        TokenTable::new(&spec)
    }

    #[test]
    fn holes_have_no_bytes_and_aliases_share_an_id() {
        let table = table(&[(5, b"five"), (2, b"two")]);
        assert_eq!(table.get(5), Some(&b"five"[..]));
        assert_eq!(table.get(2), Some(&b"two"[..]));
        assert_eq!(table.get(7), Some(&b"<a>"[..]));
        assert_eq!([table.get(0), table.get(3), table.get(8), table.get(u32::MAX)], [None; 4]);
        assert_eq!(table.range(), 8);
    }

    #[test]
    fn an_empty_token_is_no_hole() {
        for ids in [[(1, &b""[..]), (3, b"a")], [(1, b""), (u32::MAX, b"a")]] {
            let table = table(&ids);
            assert_eq!((table.get(1), table.get(0)), (Some(&[][..]), None));
            assert_eq!(table.ids()[0], 1);
        }
    }

    #[test]
    fn ascending_ids_give_the_same_table() {
        for ids in [
            &[(2, &b"two"[..]), (5, b"five"), (7, b"seven"), (9, b"nine")][..],
            &[(1, b"one")],
            &[(1, b""), (3, b"three")],
            &[],
        ] {
            let mut turned = ids.to_vec();
            turned.reverse();
            let (table, turned) = (table(ids), self::table(&turned));
            assert_eq!(table.range(), turned.range());
            assert!((0..12).all(|id| table.get(id) == turned.get(id)), "{ids:?}");
        }
    }

    #[test]
    fn joined_ids_are_their_bytes_one_after_the_other() {
        let tokens: Vec<(u32, Vec<u8>)> = (0..200).map(|id| (2 * id, vec![id as u8; id as usize % 37])).collect();
        let table = table(&tokens.iter().map(|(id, bytes)| (*id, &bytes[..])).collect::<Vec<_>>());
        for count in [0, 1, 63, 64, 65, 200] {
            let ids: Vec<u32> = (0..count).map(|at| at * 146 % 400).map(|id| id & !1).collect();
            let expected: Vec<u8> = ids.iter().flat_map(|&id| table.get(id).unwrap().to_vec()).collect();
            let rows = ByteRows::of(&table, 400);
            assert_eq!(
                [table.join(&ids), table.join_spans(&ids), rows.join(&table, &ids)],
                [(); 3].map(|()| Ok(expected.clone()))
            );
        }
        let mut ids = vec![4; 130];
        ids[70] = 5;
        assert_eq!([table.join(&ids), table.join(&[2, 400])], [Err(70), Err(1)]);
        assert_eq!([table.join_spans(&ids), table.join_spans(&[2, 400])], [Err(70), Err(1)]);
    }

    #[test]
    fn scattered_ids_need_no_table_of_their_range() {
        let table = table(&[(u32::MAX, b"last"), (0, b"first")]);
        assert_eq!(table.get(u32::MAX), Some(&b"last"[..]));
        assert_eq!(table.get(1), None);
        assert_eq!(table.range(), 1 << 32);
    }
}
