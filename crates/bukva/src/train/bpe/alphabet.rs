//! The alphabet: from the text of a pre-token to its first symbols.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::options::BpeOptions;
use super::tokens::Tokens;
use crate::error::{Error, Kind, Result, shown};
use crate::spec;
use crate::train::{TieBreak, Words};

/// Ids of the symbols before the first merge.
pub(super) struct Alphabet {
    ids: Ids,
    end_of_word: Option<u32>,
    len: usize,
}

enum Ids {
    Bytes(Box<[u32; 256]>),
    Chars(FxHashMap<char, u32>),
}

impl Alphabet {
    /// Adds the alphabet of `words` to `tokens`: all bytes, or every character that occurs or is asked for. O(bytes).
    ///
    /// A marker whose text is one character that also occurs is the same symbol as that character.
    pub(super) fn build(words: &Words, options: &BpeOptions, tokens: &mut Tokens) -> Result<Self> {
        match options.alphabet {
            spec::Alphabet::Bytes => Ok(Self::of_bytes(options.tie_break, tokens)),
            spec::Alphabet::Chars => Self::of_chars(words, options, tokens),
        }
    }

    fn of_bytes(rule: TieBreak, tokens: &mut Tokens) -> Self {
        let mut ids = Box::new([0; 256]);
        for byte in byte_order(rule) {
            ids[usize::from(byte)] = tokens.add_symbol(&[byte]);
        }
        Alphabet { ids: Ids::Bytes(ids), end_of_word: None, len: 256 }
    }

    fn of_chars(words: &Words, options: &BpeOptions, tokens: &mut Tokens) -> Result<Self> {
        let mut texts: BTreeSet<String> = options.initial_alphabet.iter().map(char::to_string).collect();
        texts.extend(occurring(words)?.iter().map(char::to_string));
        texts.extend(options.end_of_word.clone());
        // The order of UTF-8 strings is the order of code points.
        let by_text: FxHashMap<&str, u32> =
            texts.iter().map(|text| (text.as_str(), tokens.add_symbol(text.as_bytes()))).collect();
        let single = |text: &str| text.chars().next().filter(|first| first.len_utf8() == text.len());
        let chars = by_text.iter().filter_map(|(text, &id)| Some((single(text)?, id))).collect();
        let end_of_word = options.end_of_word.as_deref().map(|marker| by_text[marker]);
        Ok(Alphabet { ids: Ids::Chars(chars), end_of_word, len: texts.len() })
    }

    /// Number of symbols.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Number of symbols of `word`.
    pub(super) fn count(&self, word: &[u8]) -> usize {
        let symbols = match &self.ids {
            Ids::Bytes(_) => word.len(),
            Ids::Chars(_) => word.iter().filter(|&&byte| byte & 0xc0 != 0x80).count(),
        };
        symbols + usize::from(self.end_of_word.is_some())
    }

    /// Puts the symbols of `word` at the end of `cells`. The word is one that the alphabet was built from.
    pub(super) fn spell(&self, word: &[u8], cells: &mut Vec<u32>) {
        match &self.ids {
            Ids::Bytes(ids) => cells.extend(word.iter().map(|&byte| ids[usize::from(byte)])),
            Ids::Chars(ids) => {
                let chars = word.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
                cells.extend(chars.map(|character| ids[&character]));
            }
        }
        cells.extend(self.end_of_word);
    }
}

/// All characters of the words.
fn occurring(words: &Words) -> Result<BTreeSet<char>> {
    let mut chars = BTreeSet::new();
    for word in words.iter() {
        let text = std::str::from_utf8(word.bytes).map_err(|_| {
            let message = format!("pre-token {} is not UTF-8; characters need UTF-8 text", shown(word.bytes));
            Error::new(Kind::Encoding, message).at_byte(word.place)
        })?;
        chars.extend(text.chars());
    }
    Ok(chars)
}

/// Bytes in the order of their ids.
///
/// GPT-2 shows the printable bytes of Latin-1 as themselves and the others as U+0100 and up, so by code point of what
/// is shown the printable ones come first.
fn byte_order(rule: TieBreak) -> Vec<u8> {
    let printable = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let (shown, hidden): (Vec<u8>, Vec<u8>) = match rule {
        TieBreak::Huggingface => (0..=255).partition(printable),
        _ => ((0..=255).collect(), Vec::new()),
    };
    [shown, hidden].concat()
}
