//! The end-of-word marker that is a symbol of its own, as in the first papers.
//!
//! `tokenizers` has only a marker joined to the last character. The other one is written as a normalizer that puts
//! one character after every word; the model then sees it as the symbol it is. A marker of several characters would
//! fall apart, so a noncharacter of Unicode, which no proper text has, stands for it in the file, and the decoder says
//! which marker it is.

use crate::error::{Error, Kind, Result};
use crate::spec::{Alphabet, Decoder, EndOfWord, Model, Normalizer, Pattern, Pretokenizer, Spec, Vocab};

/// The end of every run of characters that are not white space.
const WORD_END: &str = r"(?<=\S)(?!\S)";

/// How a marker is written.
pub(super) struct Mark {
    /// The marker's own text.
    pub(super) marker: String,
    /// The character that stands for it in the file: itself, if it is one character.
    pub(super) mark: char,
}

impl Mark {
    /// The mark for a specification whose marker is a symbol of its own; `None` for any other.
    ///
    /// # Errors
    /// [`Kind::Loss`] if words are not cut at white space, or symbols are bytes.
    pub(super) fn of(spec: &Spec) -> Result<Option<Self>> {
        let Model::Bpe(bpe) = &spec.model else { return Ok(None) };
        let Some(EndOfWord { marker, attached: false }) = &bpe.end_of_word else { return Ok(None) };
        if spec.pretokenizer != Some(Pretokenizer::Whitespace) || bpe.alphabet != Alphabet::Chars {
            let message = format!(
                "tokenizer.json cannot hold the end-of-word marker {marker:?} as a symbol of its own unless the \
                 alphabet is \"chars\" and the pattern is \"whitespace\"; save the tokenizer as .bukva"
            );
            return Err(Error::new(Kind::Loss, message));
        }
        let mut chars = marker.chars();
        let mark = match (chars.next(), chars.next()) {
            (Some(mark), None) if !mark.is_whitespace() => mark,
            _ => free_char(&bpe.vocab)?,
        };
        Ok(Some(Mark { marker: marker.clone(), mark }))
    }

    /// The text of a token in the file.
    pub(super) fn apply(&self, text: &str) -> String {
        match text.strip_suffix(&self.marker) {
            Some(word) => format!("{word}{}", self.mark),
            None => text.to_owned(),
        }
    }

    fn is_itself(&self) -> bool {
        self.marker.chars().eq([self.mark])
    }

    /// The normalizer that puts the mark, after `normalizer`.
    pub(super) fn normalizer(&self, normalizer: Option<&Normalizer>) -> Normalizer {
        let put = put_mark(self.mark);
        match normalizer {
            None => put,
            Some(Normalizer::Sequence { items }) => {
                Normalizer::Sequence { items: items.iter().cloned().chain([put]).collect() }
            }
            Some(other) => Normalizer::Sequence { items: vec![other.clone(), put] },
        }
    }

    /// The decoder that gives the marker back, before `decoder`.
    pub(super) fn decoder(&self, decoder: Option<Decoder>) -> Option<Decoder> {
        if self.is_itself() {
            return decoder;
        }
        let back = Decoder::Replace { pattern: Pattern::Literal(self.mark.to_string()), content: self.marker.clone() };
        Some(Decoder::Sequence { items: [back].into_iter().chain(decoder).collect() })
    }
}

fn put_mark(mark: char) -> Normalizer {
    Normalizer::Replace { pattern: Pattern::Regex(WORD_END.to_owned()), content: mark.to_string() }
}

/// The first noncharacter that no token has.
fn free_char(vocab: &Vocab) -> Result<char> {
    let used: Vec<char> = vocab
        .iter()
        .flat_map(|entry| String::from_utf8_lossy(entry.bytes).into_owned().chars().collect::<Vec<_>>())
        .collect();
    ('\u{fdd0}'..='\u{fdef}').find(|char| !used.contains(char)).ok_or_else(|| {
        Error::new(Kind::Loss, "every noncharacter is a token: none is left to stand for the end-of-word marker")
    })
}

/// Recognises in a specification what [`Mark`] writes, and makes it a marker again; says whether there was one.
pub(super) fn take(spec: &mut Spec) -> bool {
    let Some(mark) = written_mark(spec) else { return false };
    let Model::Bpe(bpe) = &mut spec.model else { return false };
    let mark_text = mark.to_string();
    let (marker, decoder) = match spec.decoder.take() {
        Some(Decoder::Sequence { mut items }) => match items.first() {
            Some(Decoder::Replace { pattern: Pattern::Literal(literal), content }) if *literal == mark_text => {
                let marker = content.clone();
                items.remove(0);
                let rest = if items.len() > 1 { Some(Decoder::Sequence { items }) } else { items.pop() };
                (marker, rest.filter(|decoder| *decoder != Decoder::Fuse))
            }
            _ => (mark_text, Some(Decoder::Sequence { items })),
        },
        other => (mark_text, other),
    };
    spec.decoder = decoder;
    if marker.chars().ne([mark]) {
        bpe.vocab = with_marker(&bpe.vocab, mark, &marker);
    }
    bpe.end_of_word = Some(EndOfWord { marker, attached: false });
    spec.normalizer = match spec.normalizer.take() {
        Some(Normalizer::Sequence { mut items }) => {
            items.pop();
            if items.len() > 1 { Some(Normalizer::Sequence { items }) } else { items.pop() }
        }
        _ => None,
    };
    true
}

/// The mark, if the last normalizer puts one after every word, words are cut at white space, and the mark is a token
/// that others have only at their end.
fn written_mark(spec: &Spec) -> Option<char> {
    let Model::Bpe(bpe) = &spec.model else { return None };
    let last = match spec.normalizer.as_ref()? {
        Normalizer::Sequence { items } => items.last()?,
        other => other,
    };
    let Normalizer::Replace { content, .. } = last else { return None };
    let mark = content.chars().next()?;
    let fits = *last == put_mark(mark)
        && spec.pretokenizer == Some(Pretokenizer::Whitespace)
        && bpe.alphabet == Alphabet::Chars
        && bpe.end_of_word.is_none()
        && bpe.vocab.iter().any(|entry| entry.bytes == content.as_bytes());
    fits.then_some(mark)
}

fn with_marker(vocab: &Vocab, mark: char, marker: &str) -> Vocab {
    let mut buffer = [0; 4];
    let mark = mark.encode_utf8(&mut buffer).as_bytes();
    let mut out = Vocab::new();
    for entry in vocab.iter() {
        match entry.bytes.strip_suffix(mark) {
            Some(word) => out.push(entry.id, &[word, marker.as_bytes()].concat()),
            None => out.push(entry.id, entry.bytes),
        }
    }
    out
}
