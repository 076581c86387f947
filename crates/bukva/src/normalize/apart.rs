//! Whether words are normalized apart.

use super::step::Step;
use super::{Normalizer, Part};

/// Which blanks keep the words beside them apart: what becomes of the one does not depend on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Apart {
    /// All.
    Anywhere,
    /// Those that are a grapheme cluster of their own.
    BetweenClusters,
}

impl Normalizer {
    /// Whether words between `blanks`, white space that no composition knows, are normalized apart, and every blank stays
    /// one of them. `None` where a step may look across, or that is not known.
    pub(crate) fn keeps_words_apart(&self, blanks: &[char]) -> Option<Apart> {
        let mut apart = Apart::Anywhere;
        for step in &self.steps {
            match step {
                Step::Unicode(_) | Step::Lowercase(_) | Step::StripAccents(_) | Step::Bert(_) => {}
                Step::Precompiled(_) => apart = Apart::BetweenClusters,
                Step::Replace(replace) if replace.is_inside_words() => {}
                _ => return None,
            }
            if !blanks.iter().all(|&blank| keeps_blanks(step, blank, blanks)) {
                return None;
            }
        }
        Some(apart)
    }
}

/// Whether blanks come of a blank, alone and before another one.
fn keeps_blanks(step: &Step, blank: char, blanks: &[char]) -> bool {
    let kept = |text: &str| match step.apply(text, Part::WHOLE) {
        Ok(changed) => changed.is_none_or(|new| !new.is_empty() && new.chars().all(|c| blanks.contains(&c))),
        Err(_) => false,
    };
    kept(&String::from(blank)) && blanks.iter().all(|&next| kept(&String::from_iter([blank, next])))
}
