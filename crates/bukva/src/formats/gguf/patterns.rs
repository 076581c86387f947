//! `tokenizer.ggml.pre`: the name that llama.cpp gives to the rules a text is cut by.
//!
//! Source: `llama-vocab.cpp` of llama.cpp, which lists names and expressions. Where llama.cpp only comes near the
//! expression of a tokenizer (its engine has no possessive quantifiers and no `(?i:…)`), that of the tokenizer is
//! taken. Names whose rules could not be verified are refused.

use crate::error::{Error, Kind, Result, quoted};
use crate::formats::encodings::Encoding;
use crate::spec::{Form, NamedPattern, Normalizer, Pattern, Pretokenizer};

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rules {
    pub(super) normalizer: Option<Normalizer>,
    pub(super) pretokenizer: Pretokenizer,
    pub(super) ignore_merges: bool,
    /// Texts begin with the token for it, where the file does not say.
    pub(super) add_bos: bool,
}

/// Every name that [`rules`] knows.
pub(super) const NAMES: [&str; 73] = [
    "default",
    "gpt-2",
    "phi-2",
    "roberta-bpe",
    "jina-v1-en",
    "jina-v2-code",
    "mpt",
    "olmo",
    "jais",
    "trillion",
    "exaone4",
    "granite-docling",
    "modern-bert",
    "mellum",
    "jina-es",
    "jina-de",
    "jina-v2-es",
    "jina-v2-de",
    "gigachat",
    "a.x-4.0",
    "starcoder",
    "refact",
    "command-r",
    "smollm",
    "codeshell",
    "exaone",
    "minerva-7b",
    "mellum2",
    "llama-bpe",
    "llama3",
    "llama-v3",
    "falcon3",
    "falcon-h1",
    "lfm2",
    "midm-2.0",
    "jina-v5-nano",
    "dbrx",
    "smaug-bpe",
    "glm4",
    "chatglm-bpe",
    "qwen2",
    "deepseek-r1-qwen",
    "megrez",
    "stablelm2",
    "hunyuan",
    "solar-open",
    "grok-2",
    "kormo",
    "qwen35",
    "gpt-4o",
    "llama4",
    "kanana2",
    "minimax-m2",
    "talkie",
    "tekken",
    "deepseek-v3",
    "hunyuan-dense",
    "joyai-llm",
    "deepseek-coder",
    "deepseek-llm",
    "falcon",
    "superbpe",
    "chameleon",
    "kimi-k2",
    "bailingmoe",
    "bailingmoe2",
    "llada-moe",
    "seed-coder",
    "bloom",
    "gpt3-finnish",
    "poro-chat",
    "viking",
    "minicpm5",
];

/// What the name `pre` stands for; a file without one means `default`.
///
/// # Errors
/// [`Kind::Unsupported`] for any other name, with those that are known.
pub(super) fn rules(pre: &str) -> Result<Rules> {
    use NamedPattern::{Gpt2, Llama3, O200k, Qwen2};
    let steps = match pre {
        "default" => vec![regex(PUNCTUATION), named(Gpt2), regex(r"\p{N}+"), regex("[0-9][0-9][0-9]")],
        "gpt-2" | "phi-2" | "roberta-bpe" | "jina-v1-en" | "jina-v2-code" | "mpt" | "olmo" | "jais" | "trillion"
        | "exaone4" | "granite-docling" | "modern-bert" | "mellum" | "jina-es" | "jina-de" | "jina-v2-es"
        | "jina-v2-de" | "gigachat" | "a.x-4.0" => vec![named(Gpt2)],
        "starcoder" | "refact" | "command-r" | "smollm" | "codeshell" | "exaone" | "minerva-7b" | "mellum2" => {
            vec![regex(r"\p{N}"), named(Gpt2)]
        }
        "llama-bpe" | "llama3" | "llama-v3" | "falcon3" | "falcon-h1" | "lfm2" | "midm-2.0" | "jina-v5-nano"
        | "dbrx" | "smaug-bpe" | "glm4" | "chatglm-bpe" => vec![named(Llama3)],
        "qwen2" | "deepseek-r1-qwen" | "megrez" | "stablelm2" | "hunyuan" | "solar-open" | "grok-2" | "kormo" => {
            vec![named(Qwen2)]
        }
        "qwen35" => vec![regex(QWEN35)],
        "gpt-4o" | "llama4" | "kanana2" | "minimax-m2" | "talkie" => vec![named(O200k)],
        "tekken" => vec![regex(TEKKEN)],
        "deepseek-v3" | "hunyuan-dense" | "joyai-llm" => vec![regex(r"\p{N}{1,3}"), regex(CJK), regex(DEEPSEEK)],
        "deepseek-coder" => {
            let words = [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\u{d7ff}]+", r"\p{N}"];
            words.map(regex).to_vec()
        }
        "deepseek-llm" => {
            let steps = [r"[\r\n]", CASED, PUNCTUATED, r"\s+\z", "[一-龥ࠀ-一가-\u{d7ff}]+", r"\p{N}+"];
            steps.map(regex).to_vec()
        }
        "falcon" => vec![regex(r"[\p{P}\$\+<=>\^~\|`]+"), named(Gpt2), regex("[0-9][0-9][0-9]")],
        "superbpe" => vec![regex(r"\p{N}+"), regex(r"(?=(\d{3})+(?!\d))")],
        "chameleon" => {
            let images = ["<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z", r"([\t\n]|    |  )"];
            let rest = [regex(r"\p{N}"), regex(r"[\p{P}!-/:-@\[-`{-~]"), named(Gpt2)];
            images.map(regex).into_iter().chain(rest).collect()
        }
        "kimi-k2" => Encoding::named("kimi_k2")?.pretokenizer.into_iter().collect(),
        "bailingmoe" | "bailingmoe2" | "llada-moe" => vec![regex(BAILING)],
        "seed-coder" => vec![regex(SEED)],
        "bloom" | "gpt3-finnish" | "poro-chat" => vec![regex(WORDS)],
        "viking" => vec![regex(WORDS), regex(r"\p{N}")],
        "minicpm5" => vec![regex(r"\p{N}{1,3}"), regex(MINICPM)],
        _ => return Err(unknown(pre)),
    };
    Ok(Rules {
        normalizer: composes(pre).then_some(Normalizer::Unicode { form: Form::Nfc }),
        pretokenizer: joined(steps),
        ignore_merges: ignores_merges(pre),
        add_bos: matches!(pre, "tekken" | "chameleon") || is_llama3(pre),
    })
}

fn unknown(pre: &str) -> Error {
    let message = format!(
        "GGUF file: tokenizer.ggml.pre is {}, whose rules are not known; known are {}",
        quoted(pre),
        NAMES.join(", ")
    );
    Error::new(Kind::Unsupported, message)
}

/// Tokenizers whose own files normalize to NFC, which a GGUF file does not say.
fn composes(pre: &str) -> bool {
    matches!(pre, "qwen2" | "deepseek-r1-qwen" | "qwen35" | "mpt" | "olmo" | "command-r")
}

fn is_llama3(pre: &str) -> bool {
    matches!(pre, "llama-bpe" | "llama3" | "llama-v3" | "falcon3" | "falcon-h1" | "lfm2" | "midm-2.0" | "jina-v5-nano")
}

fn ignores_merges(pre: &str) -> bool {
    is_llama3(pre) || matches!(pre, "tekken" | "minicpm5")
}

fn named(pattern: NamedPattern) -> Pretokenizer {
    Pretokenizer::isolated(Pattern::Named(pattern))
}

fn regex(pattern: &str) -> Pretokenizer {
    Pretokenizer::isolated(Pattern::Regex(pattern.to_owned()))
}

fn joined(mut steps: Vec<Pretokenizer>) -> Pretokenizer {
    if steps.len() == 1 { steps.remove(0) } else { Pretokenizer::Sequence { items: steps } }
}

const WORDS: &str = r" ?[^(\s|.,!?…。，、।۔،)]+";

/// DeepSeek's cased letters; some of those that Unicode has are missing.
const CASED: &str = concat!(
    r"\s?",
    "[",
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝ",
    "Ὗ-\u{1f7d}ᾀ-ᾴᾶ-ᾼ\u{1fbe}ῂ-ῄῆ-ῌῐ-\u{1fd3}ῖ-\u{1fdb}ῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\u{2126}ℨ\u{212a}-ℭℯ-ℴℹℼ-ℿⅅ",
    "-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃",
    "]+"
);

/// DeepSeek's punctuation.
const PUNCTUATED: &str = "\\s?[!-/:-~！-／：-～‘-‟\u{3000}-。]+";

const PUNCTUATION: &str = r"[\p{P}\$\+<=>\^~\|]+";

const CJK: &str = "[一-龥\u{3040}-ゟ゠-ヿ]+";

const DEEPSEEK: &str = concat!(
    r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"##,
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

const QWEN35: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*",
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
);

const TEKKEN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

const BAILING: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*",
    r"|\s*[\r\n]|\s+(?!\S)|\s+"
);

const SEED: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+",
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
);

const MINICPM: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenize;

    #[test]
    fn every_name_has_rules_that_compile() {
        for name in NAMES {
            let rules = rules(name).unwrap();
            pretokenize::Pretokenizer::compile(Some(&rules.pretokenizer), true)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let error = rules("gpt-9").unwrap_err();
        assert_eq!(error.kind, Kind::Unsupported);
        assert!(error.message.contains("llama-bpe") && error.message.contains("gpt-9"), "{error}");
    }
}
