//! Word-level vocabularies: the most frequent pre-tokens, whole.

use super::words::Words;
use crate::error::{Error, Kind, Result};
use crate::spec::{AddedToken, Model, Spec, Vocab, WordLevel};

/// What the caller asks of word-level training.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordLevelOptions {
    /// Ids in all, special tokens included; `None` keeps every word.
    pub vocab_size: Option<u32>,
    /// Words that occur less often are left out.
    pub min_frequency: u64,
    /// Special tokens, in the order of their ids.
    pub special_tokens: Vec<String>,
    /// The special token for all other words; the first one, unless the list above has it.
    pub unk_token: Option<String>,
}

/// Trains a word-level vocabulary: special tokens, then words by falling count, the first seen first among equals.
/// O(n log n) for n distinct words. Normalizer and pre-tokenizer of the result are left for the caller.
///
/// # Errors
/// [`Kind::Corpus`] for no pre-tokens, [`Kind::Argument`] for special tokens that repeat, [`Kind::Training`] for a
/// vocabulary without room for a word.
pub fn train_wordlevel(words: &Words, options: &WordLevelOptions) -> Result<Spec> {
    let specials = specials(options)?;
    let room = room(words, options, specials.len())?;
    let mut order: Vec<usize> = (0..words.len()).filter(|&at| words.get(at).count >= options.min_frequency).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(words.get(at).count));
    let mut vocab = Vocab::new();
    let first = specials.len() as u32;
    let fresh = order.iter().map(|&at| words.get(at).bytes).filter(|bytes| !is_special(&specials, bytes));
    for (id, bytes) in (first..).zip(fresh.take(room)) {
        vocab.push(id, bytes);
    }
    let unk = options.unk_token.as_ref().and_then(|unk| specials.iter().position(|token| *token == unk));
    let unk = unk.map(|id| id as u32);
    let mut spec = Spec::new(Model::WordLevel(WordLevel { vocab, unk, pieces: None }));
    spec.added_tokens = (0..).zip(&specials).map(|(id, token)| AddedToken::special(*token, id)).collect();
    Ok(spec)
}

fn is_special(specials: &[&str], bytes: &[u8]) -> bool {
    specials.iter().any(|token| token.as_bytes() == bytes)
}

fn specials(options: &WordLevelOptions) -> Result<Vec<&str>> {
    let listed = options.special_tokens.iter().map(String::as_str);
    let unk = options.unk_token.as_deref().filter(|unk| !options.special_tokens.iter().any(|token| token == unk));
    let specials: Vec<&str> = unk.into_iter().chain(listed).collect();
    let repeated = specials.iter().enumerate().find(|(at, token)| specials[..*at].contains(token));
    match repeated {
        Some((_, token)) => {
            let message = format!("special token {token:?} is listed twice: list each special token once");
            Err(Error::new(Kind::Argument, message))
        }
        None => Ok(specials),
    }
}

/// How many words the vocabulary may have.
fn room(words: &Words, options: &WordLevelOptions, specials: usize) -> Result<usize> {
    if words.is_empty() {
        let message = "the corpus has no pre-token: give a text that is not empty, and a pattern that keeps some of it";
        return Err(Error::new(Kind::Corpus, message));
    }
    let Some(size) = options.vocab_size else { return Ok(usize::MAX) };
    let room = (size as usize).saturating_sub(specials);
    if room == 0 {
        let message = format!(
            "vocab_size {size} leaves no room for a word beside {specials} special tokens: it must be at least {}",
            specials + 1
        );
        return Err(Error::new(Kind::Training, message));
    }
    Ok(room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::WordTable;

    fn words(text: &str) -> Words {
        let mut table = WordTable::new();
        for (place, word) in text.split(' ').enumerate() {
            table.add(word.as_bytes(), 1, place as u64);
        }
        table.into_words_by_place()
    }

    #[test]
    fn frequent_words_first_and_ties_as_seen() {
        let options =
            WordLevelOptions { vocab_size: Some(4), unk_token: Some("[UNK]".into()), ..WordLevelOptions::default() };
        let spec = train_wordlevel(&words("b a c a c d [UNK]"), &options).unwrap();
        let entries: Vec<_> = spec.model.vocab().iter().map(|entry| (entry.id, entry.bytes.to_vec())).collect();
        assert_eq!(entries, [(1, b"a".to_vec()), (2, b"c".to_vec()), (3, b"b".to_vec())]);
        assert!(spec.validate().is_ok());
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let small = WordLevelOptions { vocab_size: Some(1), special_tokens: vec!["x".into()], ..Default::default() };
        assert_eq!(train_wordlevel(&words("a"), &small).unwrap_err().kind, Kind::Training);
        let twice = WordLevelOptions { special_tokens: vec!["x".into(), "x".into()], ..Default::default() };
        assert_eq!(train_wordlevel(&words("a"), &twice).unwrap_err().kind, Kind::Argument);
        let none = train_wordlevel(&Words::default(), &WordLevelOptions::default()).unwrap_err();
        assert_eq!(none.kind, Kind::Corpus);
    }
}
