//! What a rank file does not hold: pattern, normalizer and special tokens, by the name of the encoding.
//!
//! The numbers are those that the vendors publish; see `docs/formats/tiktoken.md`. An encoding is chosen by its
//! name, never by looking at the ranks.

mod kimi;
mod llama;
mod models;
mod openai;
mod qwen;
mod whisper;

pub use models::{NamedEncoding, encoding_for_model, openai_models};

use super::hf::Bert;
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::{AddedToken, Form, NamedPattern, Normalizer, Pattern, Pretokenizer};

/// Every name that [`Encoding::named`] knows.
pub const NAMES: [&str; 19] = [
    "gpt2",
    "r50k_base",
    "p50k_base",
    "p50k_edit",
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
    "llama3",
    "llama3.1",
    "llama4",
    "qwen",
    "qwen2",
    "qwen2.5",
    "qwen3",
    "kimi_k2",
    "kimi_k2.5",
    "whisper_english",
    "whisper_multilingual",
    "whisper_multilingual_100",
];

/// Names of encodings for a `vocab.txt` of BERT.
pub const BERT_NAMES: [&str; 2] = ["bert_uncased", "bert_cased"];

/// The key of [`crate::Spec::unknown_fields`] under which the rank of the empty token is kept.
pub(super) const EMPTY_TOKEN: &str = "tiktoken/empty_token";

/// What is added to a list of ranks to make a tokenizer of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Encoding {
    /// Text → text, before the text is cut.
    pub normalizer: Option<Normalizer>,
    /// How the text is cut.
    pub pretokenizer: Option<Pretokenizer>,
    /// Special and other added tokens.
    pub added_tokens: Vec<AddedToken>,
    /// BERT's stages, for a `vocab.txt` and nothing else.
    pub bert: Option<Bert>,
    /// The rank file may give a rank to the empty token, which no text has: Whisper's does.
    pub empty_token: bool,
}

impl Encoding {
    /// The encoding called `name`.
    ///
    /// # Errors
    /// [`Kind::Argument`] for a name that is none of [`NAMES`] or [`BERT_NAMES`].
    pub fn named(name: &str) -> Result<Self> {
        use NamedPattern::{Cl100k, Gpt2, Llama3, O200k};
        Ok(match name {
            "gpt2" | "r50k_base" | "p50k_base" => Self::with_pattern(Gpt2, openai::special(openai::R50K_BASE)),
            "p50k_edit" => Self::with_pattern(Gpt2, openai::special(openai::P50K_EDIT)),
            "cl100k_base" => Self::with_pattern(Cl100k, openai::special(openai::CL100K_BASE)),
            "o200k_base" => Self::with_pattern(O200k, openai::special(openai::O200K_BASE)),
            "o200k_harmony" => Self::with_pattern(O200k, openai::harmony_tokens()),
            "llama3" => Self::with_pattern(Llama3, llama::llama3_tokens(llama::LLAMA3)),
            "llama3.1" => Self::with_pattern(Llama3, llama::llama3_tokens(llama::LLAMA3_1)),
            "llama4" => Self::with_pattern(O200k, llama::llama4_tokens()),
            "qwen" => Self::qwen(qwen::first_qwen_tokens()),
            "qwen2" => Self::qwen(qwen::qwen_tokens(3)),
            "qwen2.5" => Self::qwen(qwen::qwen_tokens(22)),
            "qwen3" => Self::qwen(qwen::qwen_tokens(qwen::QWEN3)),
            "kimi_k2" => Self::kimi(false),
            "kimi_k2.5" => Self::kimi(true),
            "whisper_english" => Self::whisper(whisper::ENGLISH_FIRST, 99),
            "whisper_multilingual" => Self::whisper(whisper::MULTILINGUAL_FIRST, 99),
            "whisper_multilingual_100" => Self::whisper(whisper::MULTILINGUAL_FIRST, 100),
            "bert_uncased" => Encoding { bert: Some(Bert::published(true)), ..Encoding::default() },
            "bert_cased" => Encoding { bert: Some(Bert::published(false)), ..Encoding::default() },
            _ => {
                let message = format!(
                    "encoding {} is not known; the names are {}, and {} for a vocab.txt",
                    quoted(name),
                    NAMES.join(", "),
                    BERT_NAMES.join(" and ")
                );
                return Err(Error::new(Kind::Argument, message));
            }
        })
    }

    fn with_pattern(pattern: NamedPattern, added_tokens: Vec<AddedToken>) -> Self {
        let pretokenizer = Some(Pretokenizer::isolated(Pattern::Named(pattern)));
        Encoding { pretokenizer, added_tokens, ..Encoding::default() }
    }

    fn qwen(tokens: Vec<AddedToken>) -> Self {
        let normalizer = Some(Normalizer::Unicode { form: Form::Nfc });
        Encoding { normalizer, ..Self::with_pattern(NamedPattern::Qwen2, tokens) }
    }

    fn kimi(with_media: bool) -> Self {
        let pretokenizer = Some(Pretokenizer::isolated(Pattern::Regex(kimi::PATTERN.to_owned())));
        Encoding { pretokenizer, added_tokens: kimi::tokens(with_media), ..Encoding::default() }
    }

    fn whisper(first: u32, languages: usize) -> Self {
        let empty_token = first == whisper::MULTILINGUAL_FIRST;
        Encoding { empty_token, ..Self::with_pattern(NamedPattern::Gpt2, whisper::tokens(first, languages)) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_name_is_known_and_others_list_them() {
        for name in NAMES {
            let tokens = Encoding::named(name).unwrap().added_tokens;
            let names: BTreeSet<&str> = tokens.iter().map(|token| token.content.as_str()).collect();
            assert_eq!(names.len(), tokens.len(), "{name}");
        }
        let error = Encoding::named("gpt5").unwrap_err();
        assert_eq!(error.kind, Kind::Argument);
        assert!(error.message.contains("o200k_harmony"), "{error}");
    }

    #[test]
    fn harmony_has_one_alias() {
        let tokens = Encoding::named("o200k_harmony").unwrap().added_tokens;
        let ids: BTreeSet<u32> = tokens.iter().map(|token| token.id).collect();
        assert_eq!((tokens.len(), ids.len()), (1091, 1090));
        assert_eq!((ids.first(), ids.last()), (Some(&199_998), Some(&201_087)));
        let aliases: Vec<&str> =
            tokens.iter().filter(|token| token.id == 200_018).map(|token| token.content.as_str()).collect();
        assert_eq!(aliases, ["<|endofprompt|>", "<|reserved_200018|>"]);
        assert_eq!(tokens.iter().filter(|token| token.content.starts_with("<|reserved_")).count(), 1081);
    }

    #[test]
    fn llama_numbers_the_tokens_without_a_name() {
        let last = |name| Encoding::named(name).unwrap().added_tokens.pop().unwrap();
        assert_eq!(last("llama3"), AddedToken::special("<|reserved_special_token_250|>", 128_255));
        assert_eq!(last("llama3.1"), AddedToken::special("<|reserved_special_token_247|>", 128_255));
    }

    #[test]
    fn qwen_has_added_tokens_that_are_not_special() {
        let tokens = Encoding::named("qwen3").unwrap().added_tokens;
        let find = |name: &str| tokens.iter().find(|token| token.content == name).unwrap();
        assert_eq!((find("<|video_pad|>").id, find("<|video_pad|>").special), (151_656, true));
        assert_eq!((find("</think>").id, find("</think>").special), (151_668, false));
        assert_eq!(Encoding::named("qwen2").unwrap().added_tokens.len(), 3);
        let first = Encoding::named("qwen").unwrap().added_tokens;
        assert_eq!(first.last(), Some(&AddedToken::special("<|extra_204|>", 151_850)));
    }

    #[test]
    fn the_groups_of_llama4_lie_where_they_should() {
        let tokens = Encoding::named("llama4").unwrap().added_tokens;
        let find = |name: &str| tokens.iter().find(|token| token.content == name).map(|token| token.id);
        assert_eq!(tokens.len(), 2048);
        assert_eq!(find("<|header_start|>"), Some(200_005));
        assert_eq!(find("<|text_post_train_reserved_special_token_68|>"), Some(200_079));
        assert_eq!(find("<|image_start|>"), Some(200_080));
        assert_eq!(find("<|patch|>"), Some(200_092));
        assert_eq!(find("<|vision_reserved_special_token_1047|>"), Some(201_133));
        assert_eq!(find("<|reasoning_thinking_end|>"), Some(201_143));
        assert_eq!(tokens.last().map(|token| token.id), Some(202_047));
    }

    #[test]
    fn whisper_counts_its_languages() {
        let last = |name| Encoding::named(name).unwrap().added_tokens.pop().unwrap();
        assert_eq!(last("whisper_english"), AddedToken::special("<|30.00|>", 51_863));
        assert_eq!(last("whisper_multilingual"), AddedToken::special("<|30.00|>", 51_864));
        assert_eq!(last("whisper_multilingual_100"), AddedToken::special("<|30.00|>", 51_865));
        let tokens = Encoding::named("whisper_multilingual").unwrap().added_tokens;
        let id = |name: &str| tokens.iter().find(|token| token.content == name).map(|token| token.id);
        assert_eq!((id("<|su|>"), id("<|yue|>"), id("<|translate|>")), (Some(50_357), None, Some(50_358)));
        assert_eq!((id("<|0.00|>"), id("<|0.02|>"), id("<|1.08|>")), (Some(50_364), Some(50_365), Some(50_418)));
    }

    #[test]
    fn kimi_names_what_is_reserved_by_its_id() {
        let tokens = Encoding::named("kimi_k2").unwrap().added_tokens;
        assert_eq!(tokens.len(), 256);
        assert_eq!(tokens[5].content, "<|reserved_token_163589|>");
        assert_eq!(Encoding::named("kimi_k2.5").unwrap().added_tokens[22].content, "<think>");
    }
}
