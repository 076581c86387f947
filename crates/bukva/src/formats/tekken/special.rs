//! The special tokens of a file: those it lists, those that old files leave out, and the fill after them.

use crate::error::{Error, Kind, Result};
use crate::spec::AddedToken;

/// The tokens of files up to version 7 that list none. Source: `mistral-common`, `Tekkenizer`.
pub(super) const DEPRECATED: [&str; 20] = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
];

/// The text of a token that only fills a place.
pub(super) fn filler(id: u32) -> String {
    format!("<SPECIAL_{id}>")
}

/// Special tokens at most: a thousand times as many as any published file has. The fill is not in the file, so its size
/// does not bound it.
const MOST: u32 = 1 << 20;

/// The special tokens with ids below `count`: `named`, then the fill.
///
/// # Errors
/// [`Kind::Format`] if there are more names than places, [`Kind::Unsupported`] for more than 1,048,576 places.
pub(super) fn filled(named: Vec<AddedToken>, count: u32) -> Result<Vec<AddedToken>> {
    let given = named.len() as u64;
    if given > u64::from(count) {
        let message = format!("tekken.json: {given} special_tokens, and default_num_special_tokens is {count}");
        return Err(Error::new(Kind::Format, message));
    }
    if count > MOST {
        let message =
            format!("tekken.json: config.default_num_special_tokens is {count}; at most {MOST} are supported");
        return Err(Error::new(Kind::Unsupported, message));
    }
    let fill = (given as u32..count).map(|id| AddedToken::special(filler(id), id));
    Ok(named.into_iter().chain(fill).collect())
}
