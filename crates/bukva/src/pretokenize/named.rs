//! The names of patterns, and their regular expressions as their authors wrote them.

use crate::error::{Error, Kind, Result};
use crate::spec::{Behavior, NamedPattern, Pattern, Pretokenizer};

/// Every named pattern.
pub const NAMED: [NamedPattern; 6] = [
    NamedPattern::Gpt2,
    NamedPattern::Cl100k,
    NamedPattern::O200k,
    NamedPattern::Llama3,
    NamedPattern::Qwen2,
    NamedPattern::Course,
];

impl NamedPattern {
    /// The name used in options and files.
    pub fn name(self) -> &'static str {
        match self {
            NamedPattern::Gpt2 => "gpt2",
            NamedPattern::Cl100k => "cl100k",
            NamedPattern::O200k => "o200k",
            NamedPattern::Llama3 => "llama3",
            NamedPattern::Qwen2 => "qwen2",
            NamedPattern::Course => "course",
        }
    }

    /// The regular expression that defines the pattern; `++`, `?+` and `*+` are possessive.
    pub fn regex(self) -> &'static str {
        match self {
            NamedPattern::Gpt2 => r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
            NamedPattern::Cl100k => concat!(
                r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+",
                r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
            ),
            NamedPattern::O200k => concat!(
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
            NamedPattern::Llama3 => concat!(
                r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*",
                r"|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
            NamedPattern::Qwen2 => concat!(
                r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*",
                r"|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
            NamedPattern::Course => concat!(
                r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*",
                r"|\s*[\r\n]|\s+(?!\S)|\s+"
            ),
        }
    }
}

/// What the trainer's `pattern` option means: a name, else a regular expression whose matches and gaps are
/// pre-tokens. The expression is compiled only to be checked.
///
/// # Errors
/// [`Kind::Pattern`] if the text is no name and no valid regular expression.
pub fn pretokenizer_of(pattern: &str) -> Result<Pretokenizer> {
    match pattern {
        "words" => return Ok(Pretokenizer::Words),
        "whitespace" => return Ok(Pretokenizer::Whitespace),
        _ => {}
    }
    if let Some(&named) = NAMED.iter().find(|named| named.name() == pattern) {
        return Ok(Pretokenizer::isolated(Pattern::Named(named)));
    }
    check_not_a_misspelt_name(pattern)?;
    super::regex::RegexSplitter::compile(pattern)?;
    Ok(Pretokenizer::Split { pattern: Pattern::Regex(pattern.to_owned()), behavior: Behavior::Isolated, invert: false })
}

/// A bare word such as `gpt4` would be a valid expression that matches itself: nobody means that.
fn check_not_a_misspelt_name(pattern: &str) -> Result<()> {
    let bare = !pattern.is_empty() && pattern.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !bare {
        return Ok(());
    }
    let mut names: Vec<&str> = NAMED.iter().map(|named| named.name()).collect();
    names.extend(["words", "whitespace"]);
    let message = format!(
        "unknown pattern {pattern:?}: expected one of {}, or a regular expression (write {:?} to split at that word)",
        names.join(", "),
        format!("(?:{pattern})")
    );
    Err(Error::new(Kind::Pattern, message))
}
