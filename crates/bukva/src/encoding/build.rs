//! From text to encodings.

use super::{Entry, FullEncoding, Label, added_tokens, pad_all, process, truncate};
use crate::added::Recognise;
use crate::error::Result;
use crate::model::{Encoder, Missing, Scratch, TokenSpan};
use crate::pieces_hf::HfPiece;
use crate::pipeline::Tokenizer;
use crate::spec::{Alphabet, Model, Padding, Truncation};

/// What is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input<'t> {
    /// A text.
    Text(&'t str),
    /// A text that the caller has cut into words. Offsets count from the start of each word.
    Words(Vec<&'t str>),
}

/// How it is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Adds the template's control tokens.
    pub add_special_tokens: bool,
    /// The text of special tokens is encoded as any text.
    pub encode_special_tokens: bool,
    /// Ids only: no token has a text, a word or a place.
    pub ids_only: bool,
    /// How to cut.
    pub truncation: Option<Truncation>,
    /// How to fill.
    pub padding: Option<Padding>,
}

impl Tokenizer {
    /// Encodes a text or a pair as the `tokenizers` library does: all added tokens are recognised, and a BPE model
    /// without unknown token leaves out what it has no token for. O(n).
    ///
    /// # Errors
    /// As [`Tokenizer::pretokenize_hf`], [`crate::encoding::truncate`] and [`crate::encoding::process`]; and
    /// [`crate::Kind::UnknownCharacter`] for text that has no token where the model has no unknown token.
    pub fn encode_full(&self, text: &Input, pair: Option<&Input>, options: &Options) -> Result<FullEncoding> {
        let workshop = self.library_model()?;
        let mut scratch = workshop.take_scratch();
        scratch.set_missing(Missing::LeftOut);
        let mut model = Working { encoder: &workshop.encoder, scratch: &mut scratch };
        let first = self.encode_input(text, 0, options, &mut model);
        let second = pair.map(|pair| self.encode_input(pair, 1, options, &mut model));
        scratch.set_missing(Missing::Refused);
        workshop.give_back(scratch);
        self.finish_encoding(first?, second.transpose()?, options)
    }

    /// The text after the normalizer. O(n).
    ///
    /// # Errors
    /// Those of the normalizer.
    pub fn normalized(&self, text: &str) -> Result<String> {
        match &self.normalizer {
            Some(normalizer) => normalizer.apply(text).map(std::borrow::Cow::into_owned),
            None => Ok(text.to_owned()),
        }
    }

    /// Whether the model sees bytes, which its file spells with other characters.
    pub fn is_byte_level(&self) -> bool {
        matches!(&self.spec().model, Model::Bpe(bpe) if bpe.alphabet == Alphabet::Bytes)
    }

    /// Cuts encodings, puts the template around them, and fills them up. O(tokens).
    ///
    /// # Errors
    /// As [`truncate`] and [`process`].
    pub fn finish_encoding(
        &self,
        mut first: FullEncoding,
        mut second: Option<FullEncoding>,
        options: &Options,
    ) -> Result<FullEncoding> {
        if let Some(truncation) = &options.truncation {
            let is_pair = second.is_some();
            let added = match options.add_special_tokens {
                true => added_tokens(self.spec().postprocessor.as_ref(), is_pair),
                false => 0,
            };
            // A length that the control tokens alone exceed cuts nothing, as in the library.
            if let Some(max_length) = truncation.max_length.checked_sub(added) {
                truncate(&mut first, second.as_mut(), &Truncation { max_length, ..truncation.clone() })?;
            }
        }
        let mut whole = [process(self.spec(), self.decoder(), first, second, options.add_special_tokens)?];
        if let Some(padding) = &options.padding {
            pad_all(&mut whole, padding)?;
        }
        let [whole] = whole;
        Ok(whole)
    }

    fn encode_input(
        &self,
        input: &Input,
        type_id: u32,
        options: &Options,
        model: &mut Working,
    ) -> Result<FullEncoding> {
        match input {
            Input::Text(text) => self.encode_text(text, None, type_id, options, model),
            Input::Words(words) => {
                let word = |(number, word): (usize, &&str)| {
                    self.encode_text(word, Some(number as u32), type_id, options, model)
                };
                Ok(FullEncoding::merge(words.iter().enumerate().map(word).collect::<Result<Vec<_>>>()?, false))
            }
        }
    }

    fn encode_text(
        &self,
        text: &str,
        word: Option<u32>,
        type_id: u32,
        options: &Options,
        model: &mut Working,
    ) -> Result<FullEncoding> {
        let special = !options.encode_special_tokens;
        if options.ids_only {
            return self.encode_ids_only(text, special, model);
        }
        let unk = match &self.spec().model {
            Model::Unigram(model) => model.unk,
            _ => None,
        };
        let found = FullEncoding::default();
        let mut tokens = Tokens { text, chars: Chars::of(text), word, type_id, unk, number: 0, found };
        match self.pretokenizer.splitter() {
            Some(splitter) if self.normalizer.is_none() => {
                let recognise = Recognise::Library { special };
                self.unchanged_pieces(text, recognise, &mut |place, id| match id {
                    Some(id) => {
                        tokens.added(id, place, &text[place.0..place.1]);
                        Ok(())
                    }
                    None => {
                        let (base, mut outcome) = (place.0, Ok(()));
                        splitter.for_each(&text[place.0..place.1], |from, to| {
                            if outcome.is_ok() {
                                outcome = self.piece_unchanged(&mut tokens, (base + from, base + to), model);
                            }
                        })?;
                        outcome
                    }
                })?;
            }
            _ => {
                for piece in self.pretokenize_hf(text, special)? {
                    match piece {
                        HfPiece::Added { id, start, end, text } => tokens.added(id, (start, end), &text),
                        HfPiece::Text(piece) => {
                            let found = self.tokens_of(piece.text().as_bytes(), model)?;
                            tokens.piece(piece.text(), &found, |from, to| {
                                let place = piece.offsets(from..to);
                                (place.start, place.end)
                            });
                        }
                    }
                }
            }
        }
        Ok(tokens.found)
    }

    fn encode_ids_only(&self, text: &str, special: bool, model: &mut Working) -> Result<FullEncoding> {
        let mut ids = Vec::new();
        self.encode_as(
            text,
            Some(Recognise::Library { special }),
            model.encoder,
            model.scratch,
            &mut |_| Ok(()),
            &mut ids,
        )?;
        let mut encoding = FullEncoding::default();
        for id in ids {
            encoding.push(Entry { id, label: Label::Text("".into()), word: None, offsets: (0, 0) }, 0);
        }
        Ok(encoding)
    }

    /// Calls `step` with the added tokens of a text that no normalizer changes, and with the stretches between.
    fn unchanged_pieces(
        &self,
        text: &str,
        recognise: Recognise,
        step: &mut dyn FnMut(Place, Option<u32>) -> Result<()>,
    ) -> Result<()> {
        let whole = |parts: Vec<crate::added::Part>, (from, to): Place| match parts.is_empty() {
            true => vec![((from, to), None)],
            false => parts.iter().map(|part| ((from + part.start, from + part.end), part.id)).collect(),
        };
        for (place, id) in whole(self.added.parts_of_text(text, recognise)?, (0, text.len())) {
            if id.is_some() {
                step(place, id)?;
                continue;
            }
            let parts = self.added.parts_of_normalized(&text[place.0..place.1], recognise)?;
            whole(parts, place).into_iter().try_for_each(|(place, id)| step(place, id))?;
        }
        Ok(())
    }

    fn piece_unchanged(&self, tokens: &mut Tokens, (from, to): Place, model: &mut Working) -> Result<()> {
        let text = tokens.text;
        let found = self.tokens_of(&text.as_bytes()[from..to], model)?;
        tokens.piece(&text[from..to], &found, |start, end| {
            let (mut start, mut end) = (from + start, from + end);
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            while !text.is_char_boundary(end) {
                end += 1;
            }
            (start, end)
        });
        Ok(())
    }

    /// The tokens of a piece with their places. Where the tokens spell the piece, their own lengths say where they
    /// are, and the learned cache can be used; else the model says.
    fn tokens_of(&self, piece: &[u8], model: &mut Working) -> Result<Vec<TokenSpan>> {
        let Working { encoder, scratch } = model;
        let (mut ids, mut found, mut start) = (Vec::new(), Vec::new(), 0);
        // A token with an affix may match text that was left out before it.
        if encoder.leaves_out(scratch) {
            encoder.tokens(piece, scratch, &mut found)?;
            return Ok(found);
        }
        encoder.encode_spans(piece, &[(0, piece.len())], scratch, &mut ids)?;
        for id in ids {
            let token = self.decoder().table().get(id).unwrap_or_default();
            if !piece[start..].starts_with(token) || token.is_empty() {
                found.clear();
                encoder.tokens(piece, scratch, &mut found)?;
                return Ok(found);
            }
            found.push(TokenSpan { id, start: start as u32, end: (start + token.len()) as u32 });
            start += token.len();
        }
        if start < piece.len() {
            found.clear();
            encoder.tokens(piece, scratch, &mut found)?;
        }
        Ok(found)
    }
}

/// A model at work.
struct Working<'m> {
    encoder: &'m Encoder,
    scratch: &'m mut Scratch,
}

/// Two bytes of a text: the first, and the one behind the last.
type Place = (usize, usize);

/// Tokens as they are found.
struct Tokens<'t> {
    text: &'t str,
    chars: Chars,
    word: Option<u32>,
    type_id: u32,
    /// The unknown token, where its text is the text that it stands for.
    unk: Option<u32>,
    /// Pieces so far.
    number: u32,
    found: FullEncoding,
}

impl Tokens<'_> {
    fn added(&mut self, id: u32, place: Place, text: &str) {
        self.push(id, Label::Text(text.into()), place);
        self.number += 1;
    }

    fn piece(&mut self, text: &str, tokens: &[TokenSpan], place: impl Fn(usize, usize) -> Place) {
        for token in tokens {
            let (start, end) = (token.start as usize, token.end as usize);
            let label = match text.get(start..end) {
                Some(unknown) if self.unk == Some(token.id) => Label::Text(unknown.into()),
                _ => Label::OfId,
            };
            self.push(token.id, label, place(start, end));
        }
        self.number += 1;
    }

    fn push(&mut self, id: u32, label: Label, place: Place) {
        let word = Some(self.word.unwrap_or(self.number));
        self.found.push(Entry { id, label, word, offsets: self.chars.of_bytes(place) }, self.type_id);
    }
}

/// Which character each byte of a text belongs to.
enum Chars {
    /// Every character is a byte.
    Ascii,
    /// The number of each byte's character.
    Numbers(Vec<u32>),
}

impl Chars {
    fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Chars::Ascii;
        }
        let numbers = (0..).zip(text.chars()).flat_map(|(number, c)| std::iter::repeat_n(number, c.len_utf8()));
        Chars::Numbers(numbers.collect())
    }

    /// Bytes as characters. An empty place at the end of the text stays in bytes, as in the library.
    fn of_bytes(&self, (from, to): Place) -> Place {
        let Chars::Numbers(numbers) = self else { return (from, to) };
        match (numbers.get(from), numbers.get(to)) {
            (Some(&from), Some(&to)) => (from as usize, to as usize),
            (Some(&first), None) => {
                let last = to.checked_sub(1).and_then(|last| numbers.get(last)).copied().unwrap_or(first + 1);
                (first as usize, last as usize + 1)
            }
            _ => (from, to),
        }
    }
}
