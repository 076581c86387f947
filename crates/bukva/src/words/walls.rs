//! Characters that stand alone with BERT's pre-tokenizer, whatever is around them.

use crate::normalize::{CharSet, Normalizer};
use crate::pretokenize::Splitter;

/// The characters around which words end. Beyond ASCII they are found by asking the stages.
#[derive(Debug)]
pub(super) struct Walls(CharSet);

impl Walls {
    /// The walls of BERT's pre-tokenizer behind a normalizer, BERT's own if any. O(1); 64 questions where a neighbourhood
    /// is new.
    pub(super) fn of(normalizer: Option<&Normalizer>) -> Self {
        let normalizer = normalizer.cloned();
        Walls(CharSet::new(move |character| stands_alone(normalizer.as_ref(), character)))
    }

    #[inline]
    pub(super) fn have(&self, character: char) -> bool {
        self.0.contains(character)
    }
}

/// Whether the words on both sides of a character are not changed by it. Nothing is composed, and a mark stands before
/// nothing, so the words may be any.
fn stands_alone(normalizer: Option<&Normalizer>, character: char) -> bool {
    let text = format!("a{character}a");
    let normalized = match normalizer.map(|normalizer| normalizer.apply(&text)) {
        None => text.as_str().into(),
        Some(Ok(normalized)) => normalized,
        Some(Err(_)) => return false,
    };
    let mut pieces = Vec::new();
    let cut = Splitter::Bert.for_each(&normalized, |from, to| pieces.push(&normalized[from..to]));
    cut.is_ok() && pieces.len() > 1 && pieces.first() == Some(&"a") && pieces.last() == Some(&"a")
}
