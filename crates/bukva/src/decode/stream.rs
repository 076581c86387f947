//! Decoding ids one at a time.

use super::{Invalid, TextDecoder, not_utf8};
use crate::error::Result;

/// Turns ids into text as they come. Text comes out only in complete characters; the bytes of an incomplete one are
/// held back until it is complete, or until [`StreamDecoder::finish`].
///
/// All texts together are what decoding all ids at once gives.
#[derive(Debug, Default)]
pub struct StreamDecoder {
    invalid: Invalid,
    skip_special: bool,
    /// Bytes of a character that is not complete yet: at most 3.
    tail: Vec<u8>,
    /// The last id, where its text depends on whether another one follows.
    held: Option<u32>,
    /// Bytes given out so far, for error messages.
    given: u64,
}

impl StreamDecoder {
    /// A decoder at the start of a text.
    pub fn new(invalid: Invalid, skip_special: bool) -> Self {
        StreamDecoder { invalid, skip_special, ..Self::default() }
    }

    /// Takes one id and returns the text that is complete now. O(bytes of the token).
    ///
    /// # Errors
    /// As [`TextDecoder::text`]; after an error the decoder goes on behind the bytes at fault.
    pub fn push(&mut self, decoder: &TextDecoder, id: u32) -> Result<String> {
        let token = decoder.token(id)?;
        if self.skip_special && decoder.is_special(id) {
            return Ok(String::new());
        }
        if !decoder.looks_ahead() {
            self.tail.extend_from_slice(token);
            return self.complete(false);
        }
        match self.held.replace(id) {
            Some(before) => {
                decoder.join(decoder.token(before)?, false, &mut self.tail);
                self.complete(false)
            }
            None => Ok(String::new()),
        }
    }

    /// Ends the text and returns what was held back. The decoder is as new afterwards.
    ///
    /// # Errors
    /// [`crate::Kind::Encoding`] if an incomplete character is left and the policy is strict.
    pub fn finish(&mut self, decoder: &TextDecoder) -> Result<String> {
        if let Some(last) = self.held.take() {
            decoder.join(decoder.token(last)?, true, &mut self.tail);
        }
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
