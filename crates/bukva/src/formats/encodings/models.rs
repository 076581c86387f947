//! The encoding of a model, by the model's name.
//!
//! Source of the first two lists: tiktoken 0.14, `tiktoken/model.py`. Names of open models are those under which their
//! makers publish them, with or without the maker's own name before a slash.

use crate::error::{Error, Kind, Result, quoted};

/// A model, or the beginning of a name, and its encoding.
pub type NamedEncoding = (&'static str, &'static str);

/// Names of models with their encodings.
const MODELS: [(&str, &str); 45] = [
    ("o1", "o200k_base"),
    ("o3", "o200k_base"),
    ("o4-mini", "o200k_base"),
    ("gpt-5", "o200k_base"),
    ("gpt-4.1", "o200k_base"),
    ("gpt-4o", "o200k_base"),
    ("gpt-4", "cl100k_base"),
    ("gpt-3.5-turbo", "cl100k_base"),
    ("gpt-3.5", "cl100k_base"),
    ("gpt-35-turbo", "cl100k_base"),
    ("davinci-002", "cl100k_base"),
    ("babbage-002", "cl100k_base"),
    ("text-embedding-ada-002", "cl100k_base"),
    ("text-embedding-3-small", "cl100k_base"),
    ("text-embedding-3-large", "cl100k_base"),
    ("text-davinci-003", "p50k_base"),
    ("text-davinci-002", "p50k_base"),
    ("text-davinci-001", "r50k_base"),
    ("text-curie-001", "r50k_base"),
    ("text-babbage-001", "r50k_base"),
    ("text-ada-001", "r50k_base"),
    ("davinci", "r50k_base"),
    ("curie", "r50k_base"),
    ("babbage", "r50k_base"),
    ("ada", "r50k_base"),
    ("code-davinci-002", "p50k_base"),
    ("code-davinci-001", "p50k_base"),
    ("code-cushman-002", "p50k_base"),
    ("code-cushman-001", "p50k_base"),
    ("davinci-codex", "p50k_base"),
    ("cushman-codex", "p50k_base"),
    ("text-davinci-edit-001", "p50k_edit"),
    ("code-davinci-edit-001", "p50k_edit"),
    ("text-similarity-davinci-001", "r50k_base"),
    ("text-similarity-curie-001", "r50k_base"),
    ("text-similarity-babbage-001", "r50k_base"),
    ("text-similarity-ada-001", "r50k_base"),
    ("text-search-davinci-doc-001", "r50k_base"),
    ("text-search-curie-doc-001", "r50k_base"),
    ("text-search-babbage-doc-001", "r50k_base"),
    ("text-search-ada-doc-001", "r50k_base"),
    ("code-search-babbage-code-001", "r50k_base"),
    ("code-search-ada-code-001", "r50k_base"),
    ("gpt2", "gpt2"),
    ("gpt-2", "gpt2"),
];

/// Beginnings of names, tried in this order.
const PREFIXES: [(&str, &str); 17] = [
    ("o1-", "o200k_base"),
    ("o3-", "o200k_base"),
    ("o4-mini-", "o200k_base"),
    ("gpt-5", "o200k_base"),
    ("gpt-4.5-", "o200k_base"),
    ("gpt-4.1-", "o200k_base"),
    ("chatgpt-4o-", "o200k_base"),
    ("gpt-4o-", "o200k_base"),
    ("gpt-4-", "cl100k_base"),
    ("gpt-3.5-turbo-", "cl100k_base"),
    ("gpt-35-turbo-", "cl100k_base"),
    ("gpt-oss-", "o200k_harmony"),
    ("ft:gpt-4o", "o200k_base"),
    ("ft:gpt-4", "cl100k_base"),
    ("ft:gpt-3.5-turbo", "cl100k_base"),
    ("ft:davinci-002", "cl100k_base"),
    ("ft:babbage-002", "cl100k_base"),
];

/// Beginnings of names of open models; what follows is a size, which begins with a digit.
const FAMILIES: [(&str, &str); 12] = [
    ("Meta-Llama-3-", "llama3"),
    ("Llama-3-", "llama3"),
    ("Meta-Llama-3.1-", "llama3.1"),
    ("Llama-3.1-", "llama3.1"),
    ("Llama-3.2-", "llama3.1"),
    ("Llama-3.3-", "llama3.1"),
    ("Llama-4-Scout-", "llama4"),
    ("Llama-4-Maverick-", "llama4"),
    ("Qwen-", "qwen"),
    ("Qwen2-", "qwen2"),
    ("Qwen2.5-", "qwen2.5"),
    ("Qwen3-", "qwen3"),
];

/// Names of open models.
const OPEN: [(&str, &str); 19] = [
    ("gpt-oss", "o200k_harmony"),
    ("Kimi-K2-Instruct", "kimi_k2"),
    ("Kimi-K2-Instruct-0905", "kimi_k2"),
    ("Kimi-K2-Base", "kimi_k2"),
    ("Kimi-K2.5", "kimi_k2.5"),
    ("whisper-tiny", "whisper_multilingual"),
    ("whisper-base", "whisper_multilingual"),
    ("whisper-small", "whisper_multilingual"),
    ("whisper-medium", "whisper_multilingual"),
    ("whisper-large", "whisper_multilingual"),
    ("whisper-large-v1", "whisper_multilingual"),
    ("whisper-large-v2", "whisper_multilingual"),
    ("whisper-large-v3", "whisper_multilingual_100"),
    ("whisper-large-v3-turbo", "whisper_multilingual_100"),
    ("whisper-tiny.en", "whisper_english"),
    ("whisper-base.en", "whisper_english"),
    ("whisper-small.en", "whisper_english"),
    ("whisper-medium.en", "whisper_english"),
    ("whisper-turbo", "whisper_multilingual_100"),
];

/// Makers of open models, as they stand before a name.
const MAKERS: [&str; 4] = ["openai/", "meta-llama/", "Qwen/", "moonshotai/"];

/// Names of OpenAI's models and beginnings of names with their encodings, as tiktoken has them, in its order.
pub fn openai_models() -> [&'static [NamedEncoding]; 2] {
    [&MODELS, &PREFIXES]
}

/// The name of the encoding of the model `name`. O(known names).
///
/// # Errors
/// [`Kind::Argument`] for a name that is not known; it lists the nearest names that are.
pub fn encoding_for_model(name: &str) -> Result<&'static str> {
    let open = MAKERS.iter().find_map(|maker| name.strip_prefix(maker)).unwrap_or(name);
    let exact = |list: &[(&str, &'static str)], name: &str| {
        list.iter().find(|(model, _)| *model == name).map(|(_, encoding)| *encoding)
    };
    let prefix =
        |name: &str| PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, encoding)| *encoding);
    let found = exact(&MODELS, name).or_else(|| prefix(name)).or_else(|| exact(&OPEN, open)).or_else(|| family(open));
    let found = found.or_else(|| exact(&MODELS, open)).or_else(|| prefix(open));
    found.ok_or_else(|| {
        let near = nearest(open).join(", ");
        let message = format!(
            "model {} has no encoding that is known; the nearest names are {near}; or name an encoding: {}",
            quoted(name),
            super::NAMES.join(", ")
        );
        Error::new(Kind::Argument, message)
    })
}

fn family(name: &str) -> Option<&'static str> {
    let sized =
        |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    FAMILIES.iter().find(|(prefix, _)| sized(prefix)).map(|(_, encoding)| *encoding)
}

/// Known names and beginnings of names, the nearest first.
fn nearest(name: &str) -> Vec<&'static str> {
    const SHOWN: usize = 5;
    let known = MODELS.iter().chain(&PREFIXES).chain(&OPEN).chain(&FAMILIES).map(|(known, _)| *known);
    // A name is short; a long text is no name.
    let name: Vec<char> = name.chars().take(64).collect();
    let mut near: Vec<(usize, &str)> = known.map(|known| (distance(&name, known), known)).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(SHOWN).map(|(_, known)| known).collect()
}

/// How many characters have to be put in, left out or replaced. Source: Levenshtein 1965.
fn distance(left: &[char], right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (number, right) in (1..).zip(right.chars()) {
        let mut diagonal = std::mem::replace(&mut row[0], number);
        for index in 0..left.len() {
            let replaced = diagonal + usize::from(left[index] != right);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::encodings::NAMES;

    #[test]
    fn names_and_beginnings_lead_to_encodings() {
        for (model, encoding) in [
            ("gpt-4", "cl100k_base"),
            ("gpt-4o", "o200k_base"),
            ("gpt-4o-2024-05-13", "o200k_base"),
            ("gpt-5-mini", "o200k_base"),
            ("ft:gpt-4o:me", "o200k_base"),
            ("gpt-oss-120b", "o200k_harmony"),
            ("openai/gpt-oss-20b", "o200k_harmony"),
            ("gpt-oss", "o200k_harmony"),
            ("meta-llama/Llama-3.1-8B-Instruct", "llama3.1"),
            ("Qwen/Qwen3-8B", "qwen3"),
            ("moonshotai/Kimi-K2-Instruct", "kimi_k2"),
            ("openai/whisper-large-v3", "whisper_multilingual_100"),
            ("openai/whisper-medium.en", "whisper_english"),
        ] {
            assert_eq!(encoding_for_model(model).unwrap(), encoding, "{model}");
        }
    }

    #[test]
    fn every_encoding_of_a_model_is_a_preset() {
        for (_, encoding) in MODELS.iter().chain(&PREFIXES).chain(&OPEN).chain(&FAMILIES) {
            assert!(NAMES.contains(encoding), "{encoding}");
        }
    }

    #[test]
    fn an_unknown_name_lists_the_nearest() {
        for name in ["gtp-4o", "Qwen2-VL-7B", "", "\u{10ffff}"] {
            let error = encoding_for_model(name).unwrap_err();
            assert_eq!(error.kind, Kind::Argument);
        }
        let error = encoding_for_model("gtp-4o").unwrap_err();
        assert!(error.message.contains("nearest names are gpt-4o") && error.message.contains("o200k_base"), "{error}");
    }

    #[test]
    fn distances() {
        let chars: Vec<char> = "kitten".chars().collect();
        assert_eq!((distance(&chars, "sitting"), distance(&[], "abc"), distance(&chars, "")), (3, 3, 6));
    }
}
