//! WordPiece: the longest token first, from left to right. Source: BERT's `WordpieceTokenizer`, as the `tokenizers`
//! library runs it.

use super::lookup::{self, Memoized, Memory, Whole, next_serial};
use super::text::no_token;
use super::trie::Trie;
use super::{Excluded, Span, TokenSpan};
use crate::error::Result;
use crate::spec::WordPiece;

/// A compiled WordPiece model: read-only, shared by all threads, each with its own [`Scratch`].
#[derive(Debug)]
pub struct WordPieceEncoder {
    trie: Trie,
    /// The node of the continuing prefix, where any token has it.
    continuing: Option<u32>,
    whole: Whole,
    unk: Option<u32>,
    most_chars: usize,
    serial: u64,
}

/// The memory of one thread: what it learned.
#[derive(Debug)]
pub struct Scratch {
    pub(super) memory: Memory,
    tokens: Vec<TokenSpan>,
}

impl WordPieceEncoder {
    /// Compiles a model that finds no `excluded` id; of equal tokens the last counts. O(n log n) for n bytes of the
    /// vocabulary.
    pub fn compile(model: &WordPiece, excluded: &Excluded) -> Self {
        let found = model.vocab.iter().filter(|entry| !excluded.has(entry.id));
        let trie = Trie::build(found.map(|entry| (entry.bytes, entry.id)).collect());
        let most_chars = model.max_chars_per_word as usize;
        // A pre-token that is a token is its own longest match. Later entries first, so that the last one counts.
        let entries = (0..model.vocab.len()).rev().map(|index| model.vocab.entry(index));
        let short = entries.filter(|entry| is_short(entry.bytes, most_chars) && !excluded.has(entry.id));
        WordPieceEncoder {
            continuing: trie.walk(Trie::ROOT, model.continuing_prefix.as_bytes()),
            trie,
            whole: Whole::build(short.map(|entry| (entry.bytes, entry.id))),
            unk: model.unk,
            most_chars,
            serial: next_serial(),
        }
    }

    /// Gives up the table of whole tokens: every pre-token is searched.
    pub(super) fn forget_whole(&mut self) {
        self.whole = Whole::build([].into_iter());
    }

    /// Memory for one thread. O(1).
    pub fn scratch(&self) -> Scratch {
        Scratch { memory: Memory::of(self.serial), tokens: Vec::new() }
    }

    fn serve(&self, scratch: &mut Scratch) {
        if !scratch.memory.is_of(self.serial) {
            let memory = scratch.memory.anew(self.serial);
            *scratch = Scratch { memory, ..self.scratch() };
        }
    }

    /// Appends the ids of the pre-tokens `spans` of `text`, in order. O(bytes × longest token) for a new pre-token,
    /// O(bytes) for one that is known.
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] for a pre-token that cannot be spelled where the model has no unknown token; the offset
    /// counts from the start of `text`.
    pub fn encode_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        self.serve(scratch);
        lookup::encode_spans(self, text, spans, scratch, out)
    }

    /// The number of ids of the pre-tokens `spans` of `text`.
    ///
    /// # Errors
    /// As [`WordPieceEncoder::encode_spans`].
    pub fn count_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch) -> Result<usize> {
        self.serve(scratch);
        lookup::count_spans(self, text, spans, scratch)
    }

    /// Appends the tokens of one pre-token with their places; the unknown token has the whole of it.
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] if it cannot be spelled and the model has no unknown token. Nothing is appended then.
    pub fn tokens(&self, piece: &[u8], out: &mut Vec<TokenSpan>) -> Result<()> {
        let first = out.len();
        let spelled = is_short(piece, self.most_chars) && self.spell(piece, out);
        if !spelled && !piece.is_empty() {
            out.truncate(first);
            let id = self.unk.ok_or_else(|| no_token(piece, 0))?;
            out.push(TokenSpan { id, start: 0, end: piece.len() as u32 });
        }
        Ok(())
    }

    /// Appends the longest tokens from left to right; `false` if at some place there is none.
    fn spell(&self, piece: &[u8], out: &mut Vec<TokenSpan>) -> bool {
        let mut start = 0;
        while start < piece.len() {
            let from = if start == 0 { Some(Trie::ROOT) } else { self.continuing };
            let Some((length, id)) = from.and_then(|node| self.longest(node, &piece[start..])) else { return false };
            out.push(TokenSpan { id, start: start as u32, end: (start + length) as u32 });
            start += length;
        }
        true
    }

    /// The longest token below `node` that `bytes` begin with, by its length without the prefix.
    fn longest(&self, mut node: u32, bytes: &[u8]) -> Option<(usize, u32)> {
        let mut found = None;
        for (length, &byte) in (1..).zip(bytes) {
            let Some(child) = self.trie.step(node, byte) else { break };
            node = child;
            found = self.trie.value(node).map(|id| (length, id)).or(found);
        }
        found
    }
}

impl Memoized for WordPieceEncoder {
    type Scratch = Scratch;

    fn whole(&self) -> &Whole {
        &self.whole
    }

    fn memory(scratch: &mut Scratch) -> &mut Memory {
        &mut scratch.memory
    }

    #[inline(never)]
    fn encode_new(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        let first = out.len();
        scratch.tokens.clear();
        self.tokens(piece, &mut scratch.tokens)?;
        out.extend(scratch.tokens.iter().map(|token| token.id));
        scratch.memory.cache.learn(piece, &out[first..]);
        Ok(())
    }
}

/// Whether valid UTF-8 has no more than `most` characters.
fn is_short(bytes: &[u8], most: usize) -> bool {
    bytes.len() <= most || bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() <= most
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::spec::Vocab;

    fn model(tokens: &[&str], most: u32) -> WordPiece {
        let vocab: Vocab = tokens.iter().zip(0..).map(|(token, id)| (id, token.as_bytes())).collect();
        WordPiece { vocab, unk: Some(0), continuing_prefix: "##".to_owned(), max_chars_per_word: most }
    }

    fn encoded(model: &WordPiece, words: &[&str]) -> Vec<u32> {
        let encoder = WordPieceEncoder::compile(model, &Excluded::none());
        let (mut scratch, text) = (encoder.scratch(), words.concat());
        let mut end = 0;
        let spans = words.iter().map(|word| {
            end += word.len();
            (end - word.len(), end)
        });
        let spans: Vec<_> = spans.collect();
        let mut ids = Vec::new();
        for _ in 0..2 {
            ids.clear();
            encoder.encode_spans(text.as_bytes(), &spans, &mut scratch, &mut ids).unwrap();
            assert_eq!(encoder.count_spans(text.as_bytes(), &spans, &mut scratch), Ok(ids.len()));
        }
        ids
    }

    /// The definition: at each place try every end from the last on.
    fn naive(model: &WordPiece, word: &str) -> Vec<u32> {
        let id_of = |text: &str| {
            let found = model.vocab.iter().filter(|entry| entry.bytes == text.as_bytes());
            found.last().map(|entry| entry.id)
        };
        let (mut ids, mut start) = (Vec::new(), 0);
        while start < word.len() {
            let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).filter(|&end| end > start);
            let token = |end: usize| match start {
                0 => word[..end].to_owned(),
                _ => model.continuing_prefix.clone() + &word[start..end],
            };
            let longest = ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| Some((end, id_of(&token(end))?)));
            let Some((end, id)) = longest else { return vec![0] };
            ids.push(id);
            start = end;
        }
        if word.chars().count() > model.max_chars_per_word as usize { vec![0] } else { ids }
    }

    #[test]
    fn the_longest_token_comes_first() {
        let model = model(&["[UNK]", "un", "##aff", "##able", "##a", "unaffx", "##ff", "жж", "##ж"], 10);
        assert_eq!(
            encoded(&model, &["unaffable", "un", "unaffa", "unb", "жжж", "##ff"]),
            [1, 2, 3, 1, 1, 2, 4, 0, 7, 8, 6]
        );
    }

    #[test]
    fn long_words_are_unknown_even_where_they_are_tokens() {
        let model = model(&["[UNK]", "жжж", "ж", "##ж"], 2);
        assert_eq!(encoded(&model, &["жжж", "жж", "ж"]), [0, 2, 3, 2]);
    }

    #[test]
    fn places_are_those_of_the_word() {
        let encoder = WordPieceEncoder::compile(&model(&["[UNK]", "жa", "##ж"], 10), &Excluded::none());
        let mut tokens = Vec::new();
        encoder.tokens("жaж".as_bytes(), &mut tokens).unwrap();
        encoder.tokens("жaб".as_bytes(), &mut tokens).unwrap();
        let places: Vec<_> = tokens.iter().map(|token| (token.id, token.start, token.end)).collect();
        assert_eq!(places, [(1, 0, 3), (2, 3, 5), (0, 0, 5)]);
    }

    #[test]
    fn a_word_without_tokens_and_unknown_token_is_refused() {
        let encoder = WordPieceEncoder::compile(&WordPiece { unk: None, ..model(&["a"], 10) }, &Excluded::none());
        let (mut scratch, mut ids) = (encoder.scratch(), Vec::new());
        let error = encoder.encode_spans(b"aab", &[(0, 1), (1, 3)], &mut scratch, &mut ids).unwrap_err();
        assert_eq!((error.kind, error.place.byte_offset, ids), (crate::Kind::UnknownCharacter, Some(1), vec![0]));
    }

    proptest! {
        #[test]
        fn follows_the_definition(
            tokens in prop::collection::vec("(##)?[abж#]{1,4}", 1..30),
            words in prop::collection::vec("[abж#]{1,12}", 1..8),
            most in 1..12_u32,
            prefix in prop::sample::select(vec!["##", "", "a"]),
        ) {
            let names: Vec<&str> = tokens.iter().map(String::as_str).collect();
            let model = WordPiece { continuing_prefix: prefix.to_owned(), ..model(&names, most) };
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let expected: Vec<u32> = words.iter().flat_map(|word| naive(&model, word)).collect();
            prop_assert_eq!(encoded(&model, &words), expected);
        }
    }
}
