//! From the stages to words and back.

use super::Words;
use crate::error::Result;
use crate::model::{Encoder, Scratch};
use crate::paths::Paths;
use crate::pipeline::{Item, Tokenizer};

impl Tokenizer {
    /// How texts are cut before any stage, where an encoder and its work space allow it.
    pub(crate) fn words(&self, encoder: &Encoder, scratch: &Scratch) -> Option<&Words> {
        // Whoever asks for another way asks for the stages.
        let usual = self.paths() == Paths::default() && std::ptr::eq(encoder, self.encoder());
        if !usual || encoder.leaves_out(scratch) {
            return None;
        }
        let words = match self.words.get() {
            Some(words) => words,
            None => {
                let made = Words::of(self);
                self.words.get_or_init(|| made)
            }
        };
        words.as_ref()
    }

    /// Appends the ids of a stretch of text in which no added token is looked for, stage by stage.
    pub(super) fn through_stages(
        &self,
        text: &str,
        encoder: &Encoder,
        scratch: &mut Scratch,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        self.walk_stretch(text, 0, None, None, &mut |item| match item {
            Item::Pieces { text, spans, .. } => encoder.encode_spans(text, spans, scratch, out),
            Item::Added(_) | Item::Stretch { .. } => Ok(()),
        })
    }
}
