//! SentencePiece's stages as stages of the `tokenizers` library, and the reverse.
//!
//! Both keep ids, tokens and the text they decode to, wherever the other side has a stage for it; everything else is
//! a named loss. `docs/formats/sentencepiece.md` lists them.

mod from_hf;
mod pipeline;
mod runs;
#[cfg(test)]
mod tests;
mod to_hf;

pub(super) use from_hf::as_sentencepiece;
pub(super) use to_hf::as_tokenizers_stages;

use super::Loss;

/// The mark of a space.
const MARK: &str = "\u{2581}";

/// Losses as they are found.
#[derive(Default)]
struct Losses(Vec<Loss>);

impl Losses {
    /// Notes a loss, if it is one.
    fn note(&mut self, is_lost: bool, what: &'static str, detail: &str) {
        if is_lost {
            self.0.push(Loss::new(what, detail));
        }
    }
}
