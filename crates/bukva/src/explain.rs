//! What each stage did to one text.

use std::ops::Range;

use crate::added::{Part, Recognise, SpecialPolicy};
use crate::error::Result;
use crate::model::bpe::Step;
use crate::model::{Encoder, Scratch};
use crate::normalize::{Aligned, Edit};
use crate::pipeline::Tokenizer;
use crate::spec::{Decoder, Model};

/// A half-open range, in bytes or characters as its field says.
pub type Span = (usize, usize);

/// Everything that happened to a text on its way to ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The ids, as `encode` gives them.
    pub ids: Vec<u32>,
    /// Bytes of the original text that each id stands for. The spans follow each other without gaps, but for
    /// [`Explanation::dropped`]; a token that begins inside a rewritten place has an empty one.
    pub byte_spans: Vec<Span>,
    /// The same in characters (code points): a character belongs to the token with its first byte.
    pub char_spans: Vec<Span>,
    /// The text after normalisation.
    pub normalized: String,
    /// What normalisation changed.
    pub edits: Vec<Edit>,
    /// Bytes of the original text that no token stands for.
    pub dropped: Vec<Span>,
    /// The pre-tokens and added tokens in order.
    pub pretokens: Vec<PretokenFacts>,
}

/// One pre-token, or one added token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PretokenFacts {
    /// Bytes of the original text.
    pub span: Span,
    /// Its normalised text.
    pub text: String,
    /// Which of the ids are its own.
    pub token_range: Span,
    /// Ids before the first merge.
    pub symbols: Vec<u32>,
    /// The merges in order.
    pub steps: Vec<Step>,
    /// Emitted whole, because the model looks a pre-token up before it merges.
    pub whole: bool,
    /// An added token.
    pub added: bool,
}

impl Tokenizer {
    /// Encodes a text and notes every step. Slow and exact: for people, not for corpora.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn explain(&self, text: &str, policy: &SpecialPolicy) -> Result<Explanation> {
        let (mut found, mut scratch) = (Explanation::default(), self.take_scratch());
        let recognise = Recognise::Policy(policy);
        for part in whole_if_none(self.added.parts_of_text(text, recognise)?, text) {
            let piece = &text[part.start..part.end];
            match part.id {
                Some(id) => {
                    found.normalized.push_str(piece);
                    found.add_added(piece, (part.start, part.end), id);
                }
                None => self.explain_stretch(piece, part.start, recognise, &mut scratch, &mut found)?,
            }
        }
        self.give_back(scratch);
        found.close(text);
        Ok(found)
    }

    fn explain_stretch(
        &self,
        text: &str,
        start: usize,
        recognise: Recognise,
        scratch: &mut Scratch,
        found: &mut Explanation,
    ) -> Result<()> {
        let aligned = match &self.normalizer {
            Some(normalizer) => normalizer.apply_aligned(text)?,
            None => Aligned::unchanged(text),
        };
        found.add_edits(&aligned, start);
        let origin = self.origin(text, start, &aligned.text)?;
        for part in whole_if_none(self.added.parts_of_normalized(&aligned.text, recognise)?, &aligned.text) {
            let piece = &aligned.text[part.start..part.end];
            let original = |at: usize| start + aligned.original_of(part.start + at);
            match part.id {
                Some(id) => found.add_added(piece, (original(0), original(piece.len())), id),
                None => {
                    let split = self.pretokenizer.run_aligned(piece, origin.saturating_sub(part.start))?;
                    let done = found.done();
                    let original = |at: usize| original(split.original_of(at)).max(done);
                    for &(from, to) in &split.pieces {
                        self.explain_pretoken(&split.text[from..to], from, &original, scratch, found)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Notes a pre-token that begins at `from`; `original` tells where places of its text come from.
    fn explain_pretoken(
        &self,
        text: &str,
        from: usize,
        original: &impl Fn(usize) -> usize,
        scratch: &mut Scratch,
        found: &mut Explanation,
    ) -> Result<()> {
        let span = (original(from), original(from + text.len()));
        let mut facts = PretokenFacts { span, text: text.to_owned(), ..Default::default() };
        let (ids, ends) = match self.encoder() {
            Encoder::Bpe(encoder) => {
                let trace = encoder.trace(text.as_bytes())?;
                (facts.symbols, facts.steps, facts.whole) = (trace.symbols, trace.steps, trace.whole);
                (trace.ids, ends(&trace.lengths))
            }
            encoder => {
                let mut tokens = Vec::new();
                encoder.tokens(text.as_bytes(), scratch, &mut tokens)?;
                facts.whole = matches!(encoder, Encoder::WordLevel(_)) && tokens.len() == 1;
                (tokens.iter().map(|token| token.id).collect(), tokens.iter().map(|token| token.end as usize).collect())
            }
        };
        facts.token_range = (found.ids.len(), found.ids.len() + ids.len());
        let mut at = 0;
        for end in ends {
            // Tokens of one character may all reach over it: it belongs to the first.
            let end = end.max(at);
            found.byte_spans.push((original(from + at), original(from + end)));
            at = end;
        }
        found.ids.extend(ids);
        found.pretokens.push(facts);
        Ok(())
    }

    /// Why `decode(encode(text)) == text` is not promised for every text; empty where it is.
    pub fn losses(&self) -> Vec<String> {
        let spec = self.spec();
        let mut losses = Vec::new();
        if spec.normalizer.is_some() {
            losses.push("the normalizer rewrites text".to_owned());
        }
        if self.pretokenizer.rewrites() {
            losses.push("the pre-tokenizer rewrites text".to_owned());
        }
        if !self.pretokenizer.keeps_everything() {
            losses.push("the pre-tokenizer drops white space".to_owned());
        }
        let unk = match &spec.model {
            Model::Bpe(bpe) => bpe.unk,
            Model::WordLevel(model) => model.unk,
            Model::WordPiece(model) => model.unk,
            Model::Unigram(model) => model.unk,
        };
        if unk.is_some() {
            losses.push("text without a token becomes the unknown token".to_owned());
        }
        match &spec.decoder {
            Some(Decoder::EndOfWord { suffix }) => {
                losses.push(format!("the decoder puts a space for every end-of-word marker {suffix:?}"));
            }
            Some(Decoder::SpaceBetween) => losses.push("the decoder puts a space between tokens".to_owned()),
            None | Some(Decoder::ByteLevel | Decoder::Fuse) => {}
            Some(_) => losses.push("the decoder rewrites text".to_owned()),
        }
        losses
    }
}

impl Explanation {
    /// Notes what the normalizer did to a stretch, and its text.
    fn add_edits(&mut self, aligned: &Aligned, start: usize) {
        let shift = |at: &Range<usize>, by: usize| at.start + by..at.end + by;
        let base = self.normalized.len();
        self.edits.extend(
            aligned
                .edits
                .iter()
                .map(|edit| Edit { original: shift(&edit.original, start), normalized: shift(&edit.normalized, base) }),
        );
        self.normalized.push_str(&aligned.text);
    }

    /// The end of the last token's span. What follows may lie in white space that the last token took; its span then
    /// begins here.
    fn done(&self) -> usize {
        self.byte_spans.last().map_or(0, |span| span.1)
    }

    fn add_added(&mut self, text: &str, (start, end): Span, id: u32) {
        let done = self.done();
        let span = (start.max(done), end.max(done));
        let (text, token_range) = (text.to_owned(), (self.ids.len(), self.ids.len() + 1));
        self.ids.push(id);
        self.byte_spans.push(span);
        self.pretokens.push(PretokenFacts { span, text, token_range, added: true, ..Default::default() });
    }

    /// Fills in what follows from the byte spans.
    fn close(&mut self, text: &str) {
        let mut end = 0;
        for &(from, to) in &self.byte_spans {
            if from > end {
                self.dropped.push((end, from));
            }
            end = end.max(to);
        }
        if end < text.len() {
            self.dropped.push((end, text.len()));
        }
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let char_of = |byte: usize| starts.partition_point(|&start| start < byte);
        self.char_spans = self.byte_spans.iter().map(|&(from, to)| (char_of(from), char_of(to))).collect();
    }
}

/// The end of each token in the pre-token.
fn ends(lengths: &[usize]) -> Vec<usize> {
    let mut end = 0;
    lengths
        .iter()
        .map(|length| {
            end += length;
            end
        })
        .collect()
}

/// The parts of a text; the whole text where nothing was found.
fn whole_if_none(parts: Vec<Part>, text: &str) -> Vec<Part> {
    if parts.is_empty() { vec![Part { start: 0, end: text.len(), id: None }] } else { parts }
}
