//! What a rank file does not hold: pattern, normalizer and special tokens, by the name of the encoding.
//!
//! The numbers are those that the vendors publish; see `docs/formats/tiktoken.md`. An encoding is chosen by its
//! name, never by looking at the ranks.

use crate::error::{Error, Kind, Result, quoted};
use crate::spec::{AddedToken, Form, NamedPattern, Normalizer, Pattern, Pretokenizer};

/// Every name that [`Encoding::named`] knows.
pub const NAMES: [&str; 12] = [
    "gpt2",
    "r50k_base",
    "p50k_base",
    "p50k_edit",
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
    "llama3",
    "llama3.1",
    "qwen2",
    "qwen2.5",
    "qwen3",
];

/// What is added to a list of ranks to make a tokenizer of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Encoding {
    /// Text → text, before the text is cut.
    pub normalizer: Option<Normalizer>,
    /// How the text is cut.
    pub pretokenizer: Option<Pretokenizer>,
    /// Special and other added tokens.
    pub added_tokens: Vec<AddedToken>,
}

impl Encoding {
    /// The encoding called `name`.
    ///
    /// # Errors
    /// [`Kind::Argument`] for a name that is none of [`NAMES`].
    pub fn named(name: &str) -> Result<Self> {
        use NamedPattern::{Cl100k, Gpt2, Llama3, O200k};
        Ok(match name {
            "gpt2" | "r50k_base" | "p50k_base" => Self::openai(Gpt2, &[("<|endoftext|>", 50256)]),
            "p50k_edit" => Self::openai(Gpt2, &P50K_EDIT),
            "cl100k_base" => Self::openai(Cl100k, &CL100K_BASE),
            "o200k_base" => Self::openai(O200k, &O200K_BASE),
            "o200k_harmony" => Self::with_pattern(O200k, harmony_tokens()),
            "llama3" => Self::with_pattern(Llama3, llama_tokens(&LLAMA3)),
            "llama3.1" => Self::with_pattern(Llama3, llama_tokens(&LLAMA3_1)),
            "qwen2" => Self::qwen(3),
            "qwen2.5" => Self::qwen(22),
            "qwen3" => Self::qwen(QWEN.len()),
            _ => {
                let message = format!("encoding {} is not known; the names are {}", quoted(name), NAMES.join(", "));
                return Err(Error::new(Kind::Argument, message));
            }
        })
    }

    fn with_pattern(pattern: NamedPattern, added_tokens: Vec<AddedToken>) -> Self {
        let pretokenizer = Some(Pretokenizer::isolated(Pattern::Named(pattern)));
        Encoding { normalizer: None, pretokenizer, added_tokens }
    }

    fn openai(pattern: NamedPattern, special: &[(&str, u32)]) -> Self {
        let tokens = special.iter().map(|&(content, id)| AddedToken::special(content, id)).collect();
        Self::with_pattern(pattern, tokens)
    }

    /// The first `count` tokens of Qwen, whose list has only ever grown.
    fn qwen(count: usize) -> Self {
        let token = |(index, &content): (usize, &&str)| {
            let special = index < QWEN_SPECIAL;
            AddedToken { special, ..AddedToken::special(content, QWEN_FIRST + index as u32) }
        };
        let tokens = QWEN[..count].iter().enumerate().map(token).collect();
        let normalizer = Some(Normalizer::Unicode { form: Form::Nfc });
        Encoding { normalizer, ..Self::with_pattern(NamedPattern::Qwen2, tokens) }
    }
}

const P50K_EDIT: [(&str, u32); 4] =
    [("<|endoftext|>", 50256), ("<|fim_prefix|>", 50281), ("<|fim_middle|>", 50282), ("<|fim_suffix|>", 50283)];

const CL100K_BASE: [(&str, u32); 5] = [
    ("<|endoftext|>", 100257),
    ("<|fim_prefix|>", 100258),
    ("<|fim_middle|>", 100259),
    ("<|fim_suffix|>", 100260),
    ("<|endofprompt|>", 100276),
];

const O200K_BASE: [(&str, u32); 2] = [("<|endoftext|>", 199999), ("<|endofprompt|>", 200018)];

const HARMONY: [(&str, u32); 9] = [
    ("<|startoftext|>", 199998),
    ("<|endoftext|>", 199999),
    ("<|return|>", 200002),
    ("<|constrain|>", 200003),
    ("<|channel|>", 200005),
    ("<|start|>", 200006),
    ("<|end|>", 200007),
    ("<|message|>", 200008),
    ("<|call|>", 200012),
];
const HARMONY_END: u32 = 201_088;

/// 1091 names on 1090 ids: 200018 is both `<|endofprompt|>`, from `o200k_base`, and `<|reserved_200018|>`.
fn harmony_tokens() -> Vec<AddedToken> {
    let mut tokens = Vec::new();
    for id in HARMONY[0].1..HARMONY_END {
        match HARMONY.iter().find(|(_, named)| *named == id) {
            Some((name, _)) => tokens.push(AddedToken::special(*name, id)),
            None => {
                if let Some((name, _)) = O200K_BASE.iter().find(|(_, named)| *named == id) {
                    tokens.push(AddedToken::special(*name, id));
                }
                tokens.push(AddedToken::special(format!("<|reserved_{id}|>"), id));
            }
        }
    }
    tokens
}

const LLAMA_FIRST: u32 = 128_000;
const LLAMA_COUNT: u32 = 256;
const LLAMA3: [(&str, u32); 5] = [
    ("<|begin_of_text|>", 128_000),
    ("<|end_of_text|>", 128_001),
    ("<|start_header_id|>", 128_006),
    ("<|end_header_id|>", 128_007),
    ("<|eot_id|>", 128_009),
];
const LLAMA3_1: [(&str, u32); 8] = [
    ("<|begin_of_text|>", 128_000),
    ("<|end_of_text|>", 128_001),
    ("<|finetune_right_pad_id|>", 128_004),
    ("<|start_header_id|>", 128_006),
    ("<|end_header_id|>", 128_007),
    ("<|eom_id|>", 128_008),
    ("<|eot_id|>", 128_009),
    ("<|python_tag|>", 128_010),
];

/// 256 ids; those without a name of their own are reserved, numbered from 0 in the order of ids.
fn llama_tokens(named: &[(&str, u32)]) -> Vec<AddedToken> {
    let mut reserved = 0;
    let token = |id| match named.iter().find(|(_, named)| *named == id) {
        Some((name, _)) => AddedToken::special(*name, id),
        None => {
            reserved += 1;
            AddedToken::special(format!("<|reserved_special_token_{}|>", reserved - 1), id)
        }
    };
    (LLAMA_FIRST..LLAMA_FIRST + LLAMA_COUNT).map(token).collect()
}

const QWEN_FIRST: u32 = 151_643;
/// From here on the tokens are added but not special.
const QWEN_SPECIAL: usize = 14;
const QWEN: [&str; 26] = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|object_ref_start|>",
    "<|object_ref_end|>",
    "<|box_start|>",
    "<|box_end|>",
    "<|quad_start|>",
    "<|quad_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|vision_pad|>",
    "<|image_pad|>",
    "<|video_pad|>",
    "<tool_call>",
    "</tool_call>",
    "<|fim_prefix|>",
    "<|fim_middle|>",
    "<|fim_suffix|>",
    "<|fim_pad|>",
    "<|repo_name|>",
    "<|file_sep|>",
    "<tool_response>",
    "</tool_response>",
    "<think>",
    "</think>",
];

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
    }
}
