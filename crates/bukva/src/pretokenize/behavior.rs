//! What becomes of the matches of a pattern: the five behaviours of the `tokenizers` library's `Split`.

use super::regex::RegexSplitter;
use crate::error::Result;
use crate::spec::Behavior;

/// A stretch of text: start, end, and whether the pattern matched it.
type Stretch = (usize, usize, bool);

/// Emits the pre-tokens that `behavior` makes of the pattern's matches. O(n) plus the engine's time; the matches of
/// one text are held in memory.
pub(super) fn split(
    regex: &RegexSplitter,
    behavior: Behavior,
    invert: bool,
    text: &str,
    emit: impl FnMut(usize, usize),
) -> Result<()> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut end = 0;
    regex.for_each_match(text, |from, to| {
        if from > end {
            stretches.push((end, from, invert));
        }
        stretches.push((from, to, !invert));
        end = to;
    })?;
    if end < text.len() {
        stretches.push((end, text.len(), invert));
    }
    apply(behavior, &stretches, emit);
    Ok(())
}

fn apply(behavior: Behavior, stretches: &[Stretch], mut emit: impl FnMut(usize, usize)) {
    match behavior {
        Behavior::Isolated => stretches.iter().for_each(|&(from, to, _)| emit(from, to)),
        Behavior::Removed => {
            stretches.iter().filter(|stretch| !stretch.2).for_each(|&(from, to, _)| emit(from, to));
        }
        Behavior::MergedWithPrevious => join(stretches, |before, this| this.2 && !before.2, emit),
        Behavior::MergedWithNext => join(stretches, |before, this| before.2 && !this.2, emit),
        Behavior::Contiguous => join(stretches, |before, this| before.2 == this.2, emit),
    }
}

/// Emits runs of stretches; `joins` tells whether a stretch goes with the one before it.
fn join(stretches: &[Stretch], joins: impl Fn(Stretch, Stretch) -> bool, mut emit: impl FnMut(usize, usize)) {
    let mut run: Option<(usize, Stretch)> = None;
    for &this in stretches {
        run = match run {
            Some((start, before)) if joins(before, this) => Some((start, this)),
            Some((start, before)) => {
                emit(start, before.1);
                Some((this.0, this))
            }
            None => Some((this.0, this)),
        };
    }
    if let Some((start, last)) = run {
        emit(start, last.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(behavior: Behavior, invert: bool, text: &'static str) -> Vec<&'static str> {
        let regex = RegexSplitter::compile("-").unwrap();
        let mut pieces = Vec::new();
        split(&regex, behavior, invert, text, |from, to| pieces.push(&text[from..to])).unwrap();
        pieces
    }

    /// The example of the `tokenizers` documentation, `the-final--countdown`.
    #[test]
    fn behaviours_are_those_of_the_tokenizers_library() {
        let text = "the-final--countdown";
        assert_eq!(pieces(Behavior::Removed, false, text), ["the", "final", "countdown"]);
        assert_eq!(pieces(Behavior::Isolated, false, text), ["the", "-", "final", "-", "-", "countdown"]);
        assert_eq!(pieces(Behavior::MergedWithPrevious, false, text), ["the-", "final-", "-", "countdown"]);
        assert_eq!(pieces(Behavior::MergedWithNext, false, text), ["the", "-final", "-", "-countdown"]);
        assert_eq!(pieces(Behavior::Contiguous, false, text), ["the", "-", "final", "--", "countdown"]);
        assert_eq!(pieces(Behavior::Removed, true, text), ["-", "-", "-"]);
    }
}
