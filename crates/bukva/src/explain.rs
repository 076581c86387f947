//! What each stage did to one text.

use crate::added::SpecialPolicy;
use crate::error::Result;
use crate::model::Encoder;
use crate::model::bpe::Step;
use crate::normalize::{Aligned, Edit};
use crate::pipeline::{Stretch, Stretches, Tokenizer};
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
        let added = self.added.find(text, policy)?;
        let mut found = Explanation::default();
        for stretch in Stretches::new(text, &added) {
            match stretch {
                Stretch::Added { start, end, id } => found.add_added(text, start, end, id),
                Stretch::Text { start, end } => self.explain_stretch(&text[start..end], start, &mut found)?,
            }
        }
        found.close(text);
        Ok(found)
    }

    fn explain_stretch(&self, text: &str, start: usize, found: &mut Explanation) -> Result<()> {
        let aligned = match &self.normalizer {
            Some(normalizer) => normalizer.apply_aligned(text)?,
            None => Aligned::unchanged(text),
        };
        let mut pieces = Vec::new();
        self.splitter.for_each(&aligned.text, |from, to| pieces.push((from, to)))?;
        for (from, to) in pieces {
            self.explain_pretoken(&aligned, (from, to), start, found)?;
        }
        let (base, shift) = (found.normalized.len(), |at: &std::ops::Range<usize>, by| at.start + by..at.end + by);
        found.edits.extend(
            aligned
                .edits
                .iter()
                .map(|edit| Edit { original: shift(&edit.original, start), normalized: shift(&edit.normalized, base) }),
        );
        found.normalized.push_str(&aligned.text);
        Ok(())
    }

    fn explain_pretoken(
        &self,
        aligned: &Aligned,
        (from, to): Span,
        start: usize,
        found: &mut Explanation,
    ) -> Result<()> {
        let text = &aligned.text[from..to];
        let original = |at: usize| start + aligned.original_of(at);
        let mut facts =
            PretokenFacts { span: (original(from), original(to)), text: text.to_owned(), ..Default::default() };
        let (ids, lengths) = match &self.encoder {
            Encoder::Bpe(encoder) => {
                let trace = encoder.trace(text.as_bytes())?;
                (facts.symbols, facts.steps, facts.whole) = (trace.symbols, trace.steps, trace.whole);
                (trace.ids, trace.lengths)
            }
            Encoder::WordLevel(encoder) => {
                facts.whole = true;
                (vec![encoder.encode(text.as_bytes(), 0, text.len())?], vec![text.len()])
            }
        };
        facts.token_range = (found.ids.len(), found.ids.len() + ids.len());
        let mut at = from;
        for length in lengths {
            found.byte_spans.push((original(at), original(at + length)));
            at += length;
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
        if !self.splitter.keeps_everything() {
            losses.push("the pre-tokenizer drops white space".to_owned());
        }
        let unk = match &spec.model {
            Model::Bpe(bpe) => bpe.unk,
            Model::WordLevel(model) => model.unk,
            Model::WordPiece(model) => Some(model.unk),
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
    fn add_added(&mut self, text: &str, start: usize, end: usize, id: u32) {
        let token_range = (self.ids.len(), self.ids.len() + 1);
        let text = text[start..end].to_owned();
        self.normalized.push_str(&text);
        self.ids.push(id);
        self.byte_spans.push((start, end));
        self.pretokens.push(PretokenFacts { span: (start, end), text, token_range, added: true, ..Default::default() });
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
