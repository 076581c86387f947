//! Decoding ids one at a time.

use super::{Broken, Invalid, Progress, TextDecoder, not_utf8};
use crate::error::Result;

/// Turns ids into text as they come. Text comes out only when it cannot change any more; what may change is held back
/// until it is certain, or until [`StreamDecoder::finish`].
///
/// Held back are: the bytes of an incomplete character; one token, where the last one is decoded otherwise; a run of
/// byte tokens (`<0x0A>`) of a `tokenizer.json`, until it ends; characters that may be stripped from the end. A
/// decoder that has Replace, CTC or WordPiece's cleanup after Fuse, and a SentencePiece model that rewrites decoded text,
/// hold everything back.
///
/// All texts together are what decoding all ids at once gives.
#[derive(Debug, Default)]
pub struct StreamDecoder {
    invalid: Invalid,
    skip_special: bool,
    /// Bytes that are not given out: of a character that is not complete yet.
    tail: Vec<u8>,
    progress: Progress,
    /// Bytes given out so far, for error messages.
    given: u64,
}

impl StreamDecoder {
    /// A decoder at the start of a text.
    pub fn new(invalid: Invalid, skip_special: bool) -> Self {
        StreamDecoder { invalid, skip_special, ..Self::default() }
    }

    /// Takes one id and returns the text that is complete now. O(bytes of the token) and of what it completes.
    ///
    /// # Errors
    /// As [`TextDecoder::text`]; after an error the decoder goes on behind the bytes at fault.
    pub fn push(&mut self, decoder: &TextDecoder, id: u32) -> Result<String> {
        decoder.token(id)?;
        if self.skip_special && decoder.is_skipped(id) {
            return Ok(String::new());
        }
        decoder.push(&mut self.progress, id, Broken::of(self.invalid), &mut self.tail)?;
        self.complete(false)
    }

    /// Ends the text and returns what was held back. The decoder is as new afterwards.
    ///
    /// # Errors
    /// [`crate::Kind::Encoding`] if an incomplete character is left and the policy is strict.
    pub fn finish(&mut self, decoder: &TextDecoder) -> Result<String> {
        decoder.end(&mut self.progress, Broken::of(self.invalid), &mut self.tail)?;
        let text = self.complete(true);
        *self = StreamDecoder::new(self.invalid, self.skip_special);
        text
    }

    /// Gives out the complete characters of the tail; at the end also what can never be completed.
    fn complete(&mut self, at_end: bool) -> Result<String> {
        let mut text = String::new();
        while let Err(error) = std::str::from_utf8(&self.tail) {
            let good = error.valid_up_to();
            let bad = match error.error_len() {
                Some(len) => len,
                None if at_end => self.tail.len() - good,
                None => return Ok(text + &self.give(good)),
            };
            if self.invalid == Invalid::Strict {
                let fault = not_utf8(&self.tail, good).at_byte(self.given + good as u64);
                self.give(good + bad);
                return Err(fault);
            }
            text += &self.give(good);
            self.tail.drain(..bad);
            self.given += bad as u64;
            text.push(char::REPLACEMENT_CHARACTER);
        }
        let rest = self.tail.len();
        Ok(text + &self.give(rest))
    }

    fn give(&mut self, n: usize) -> String {
        self.given += n as u64;
        String::from_utf8_lossy(&self.tail.drain(..n).collect::<Vec<u8>>()).into_owned()
    }
}
