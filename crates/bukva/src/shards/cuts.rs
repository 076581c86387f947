//! Where a document may be cut so that its parts, encoded apart, give the ids of the whole.

use super::Recipe;
use crate::corpus::Cuts;
use crate::pipeline::Tokenizer;

/// Cuts that no stage can notice, or none.
pub(super) fn cuts<'t>(tokenizer: &'t Tokenizer, recipe: &Recipe) -> Cuts<'t> {
    if recipe.allows_parts(tokenizer) { tokenizer.cuts() } else { Cuts::never() }
}
