//! From tokens to characters and words, and back.

use std::ops::Range;

use super::FullEncoding;

impl FullEncoding {
    /// How many texts there are: one, or two for a pair.
    pub fn n_sequences(&self) -> usize {
        self.sequences.len().max(1)
    }

    /// The tokens of a text; all of them where the encoding does not tell texts apart.
    fn range_of(&self, sequence: usize) -> Range<usize> {
        self.sequences.get(&sequence).cloned().unwrap_or(0..self.len())
    }

    /// The number of the text of each token; none for control tokens and padding.
    pub fn sequence_ids(&self) -> Vec<Option<usize>> {
        let mut ids = vec![None; self.len()];
        for sequence in 0..self.n_sequences() {
            if let Some(own) = ids.get_mut(self.range_of(sequence)) {
                own.fill(Some(sequence));
            }
        }
        ids
    }

    /// The number of the text of a token. As in the library, the place behind the last token of a single text counts.
    pub fn token_to_sequence(&self, token: usize) -> Option<usize> {
        if token > self.len() {
            return None;
        }
        if self.sequences.is_empty() {
            return Some(0);
        }
        self.sequences.iter().find(|(_, range)| range.contains(&token)).map(|(sequence, _)| *sequence)
    }

    /// The tokens of a word: the first, and the one behind the last. O(tokens).
    pub fn word_to_tokens(&self, word: u32, sequence: usize) -> Option<(usize, usize)> {
        let range = self.range_of(sequence);
        let words = self.words.get(range.clone())?;
        let reached = words.iter().take_while(|other| **other <= Some(word)).count();
        let first = words[..reached].iter().position(|other| *other == Some(word))?;
        let last = words[..reached].iter().rposition(|other| *other == Some(word))?;
        Some((range.start + first, range.start + last + 1))
    }

    /// The characters of a word. O(tokens).
    pub fn word_to_chars(&self, word: u32, sequence: usize) -> Option<(usize, usize)> {
        let (first, end) = self.word_to_tokens(word, sequence)?;
        Some((self.offsets.get(first)?.0, self.offsets.get(end.checked_sub(1)?)?.1))
    }

    /// The text of a token, and its characters. O(1).
    pub fn token_to_chars(&self, token: usize) -> Option<(usize, (usize, usize))> {
        Some((self.token_to_sequence(token)?, *self.offsets.get(token)?))
    }

    /// The text of a token, and its word. O(1).
    pub fn token_to_word(&self, token: usize) -> Option<(usize, u32)> {
        Some((self.token_to_sequence(token)?, (*self.words.get(token)?)?))
    }

    /// The first token with a character. O(tokens).
    pub fn char_to_token(&self, char: usize, sequence: usize) -> Option<usize> {
        let range = self.range_of(sequence);
        let offsets = self.offsets.get(range.clone())?;
        offsets.iter().position(|&(from, to)| (from..to).contains(&char)).map(|at| range.start + at)
    }

    /// The word with a character. O(tokens).
    pub fn char_to_word(&self, char: usize, sequence: usize) -> Option<u32> {
        self.char_to_token(char, sequence).and_then(|token| self.token_to_word(token)).map(|(_, word)| word)
    }
}
