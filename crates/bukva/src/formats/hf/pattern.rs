//! Patterns of `tokenizer.json`: `{"String": …}` or `{"Regex": …}`, the latter read by Oniguruma.
//!
//! A named pattern is written as an expression that Oniguruma reads exactly so, and the same expression, or the one
//! that published files use, is read as the name again. Equal text is the same pattern: nothing is guessed.

use serde_json::{Value, json};

use super::fields::{Fields, bad};
use super::oniguruma;
use crate::error::Result;
use crate::pretokenize::named::NAMED;
use crate::spec::{NamedPattern, Pattern};

/// The expression of a named pattern in Oniguruma's syntax.
///
/// `$` is the end of a line there, so the end of the text is `\z`; a possessive quantifier that cannot change the
/// match, because nothing that follows could give a character back, is written as a plain one.
pub(super) fn regex(pattern: NamedPattern) -> &'static str {
    match pattern {
        NamedPattern::Cl100k => concat!(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*",
            r"|\s+\z|\s*[\r\n]|\s+(?!\S)|\s"
        ),
        NamedPattern::Course => concat!(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*",
            r"|\s*[\r\n]|\s+(?!\S)|\s+"
        ),
        NamedPattern::Gpt2 | NamedPattern::O200k | NamedPattern::Llama3 | NamedPattern::Qwen2 => pattern.regex(),
    }
}

/// GPT-2's expression as its first release had it.
const GPT2_FIRST: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

/// Takes the field `pattern`.
pub(super) fn read(fields: &mut Fields) -> Result<Pattern> {
    let at = fields.place("pattern");
    let mut pattern = Fields::of(fields.required("pattern")?, &at)?;
    let (regex, literal): (Option<String>, Option<String>) = (pattern.optional("Regex")?, pattern.optional("String")?);
    pattern.finish_closed()?;
    match (regex, literal) {
        (Some(regex), None) => read_regex(regex, &at),
        (None, Some(literal)) => Ok(Pattern::Literal(literal)),
        _ => Err(bad(format!("{at} must have one of \"String\" and \"Regex\""))),
    }
}

fn read_regex(text: String, at: &str) -> Result<Pattern> {
    if let Some(&named) = NAMED.iter().find(|named| regex(**named) == text) {
        return Ok(Pattern::Named(named));
    }
    if text == GPT2_FIRST {
        return Ok(Pattern::Named(NamedPattern::Gpt2));
    }
    oniguruma::read(&text).map(Pattern::Regex).map_err(|error| error.in_source(format!("tokenizer.json {at}")))
}

/// Writes a pattern.
pub(super) fn write(pattern: &Pattern) -> Result<Value> {
    Ok(match pattern {
        Pattern::Named(named) => json!({"Regex": regex(*named)}),
        Pattern::Regex(text) => json!({"Regex": oniguruma::write(text)?}),
        Pattern::Literal(text) => json!({"String": text}),
    })
}
