//! Where a document may be cut so that its parts, encoded apart, give the ids of the whole.

use super::Recipe;
use crate::corpus::Cuts;
use crate::pipeline::Tokenizer;

/// Cuts that no stage can notice, or none.
///
/// A place serves if the normalizer and the splitter prove it and no text of an added token lies across it, touches
/// it, or may do so when text follows; whether the token would be recognised is not asked. Then the search for added
/// tokens finds the same on both sides, since it goes from left to right and never looks further than one character
/// beyond a token; white space that a token takes with it ends at the letter that stands before every such place.
pub(super) fn cuts<'t>(tokenizer: &'t Tokenizer, recipe: &Recipe) -> Cuts<'t> {
    let normalizer = tokenizer.normalizer.as_ref();
    // The normalizer sees the text between added tokens, whose ends a part would have to know; and tokens that are
    // looked for in normalized text are not seen here.
    let is_unfit = normalizer.is_some_and(|it| it.looks_at_ends() || tokenizer.added.any_normalized());
    match tokenizer.pretokenizer().splitter() {
        Some(splitter) if !is_unfit && recipe.allows_parts(tokenizer) => {
            Cuts::new(normalizer, splitter).outside(&tokenizer.added)
        }
        _ => Cuts::never(),
    }
}
