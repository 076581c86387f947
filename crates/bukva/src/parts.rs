//! Large texts in parts, so that several threads may work on one.

use crate::corpus::{Cuts, char_floor};
use crate::error::Result;
use crate::pipeline::Tokenizer;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'t> {
    /// The number of the text.
    pub(crate) number: usize,
    /// Where the part begins in it.
    pub(crate) start: usize,
    pub(crate) text: &'t str,
}

/// Bytes of a part, about. A smaller text is not cut.
const PART: usize = 256 * 1024;

impl Tokenizer {
    /// Cuts that no stage can notice, or none.
    ///
    /// A place serves if the normalizer and the splitter prove it and no text of an added token lies across it, touches
    /// it, or may do so when text follows; whether the token would be recognised is not asked. Then the search for added
    /// tokens finds the same on both sides, since it goes from left to right and never looks further than one character
    /// beyond a token; white space that a token takes with it ends at the letter that stands before every such place.
    pub(crate) fn cuts(&self) -> Cuts<'_> {
        let normalizer = self.normalizer.as_deref();
        // The normalizer sees the text between added tokens, whose ends a part would have to know; and tokens that are
        // looked for in normalized text are not seen here.
        let is_unfit = normalizer.is_some_and(|it| it.looks_at_ends() || self.added.any_normalized());
        match self.pretokenizer().splitter() {
            Some(splitter) if !is_unfit => Cuts::new(normalizer, splitter).outside(&*self.added),
            _ => Cuts::never(),
        }
    }

    /// The parts of all texts in order, each text in one or more, whose ids one after the other are those of the text;
    /// `None` where no text is large.
    ///
    /// # Errors
    /// What the normalizer answers.
    pub(crate) fn parts<'t>(&self, texts: &[&'t str]) -> Result<Option<Vec<Part<'t>>>> {
        if texts.iter().all(|text| text.len() < 2 * PART) {
            return Ok(None);
        }
        let (cuts, mut parts) = (self.cuts(), Vec::new());
        for (number, text) in texts.iter().enumerate() {
            let mut start = 0;
            while text.len() - start > 2 * PART {
                let window = &text[start..char_floor(text, start + PART)];
                // What proves no cut here will hardly prove one further on.
                let Some(length) = cuts.last(window)? else { break };
                parts.push(Part { number, start, text: &text[start..start + length] });
                start += length;
            }
            parts.push(Part { number, start, text: &text[start..] });
        }
        Ok(Some(parts))
    }
}
