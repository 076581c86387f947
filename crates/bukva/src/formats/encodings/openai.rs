//! Special tokens of OpenAI's encodings. Source: tiktoken, `tiktoken_ext/openai_public.py`.

use crate::spec::AddedToken;

/// Names with their ids.
type Named = [(&'static str, u32)];

pub(super) const R50K_BASE: &Named = &[("<|endoftext|>", 50256)];

pub(super) const P50K_EDIT: &Named =
    &[("<|endoftext|>", 50256), ("<|fim_prefix|>", 50281), ("<|fim_middle|>", 50282), ("<|fim_suffix|>", 50283)];

pub(super) const CL100K_BASE: &Named = &[
    ("<|endoftext|>", 100257),
    ("<|fim_prefix|>", 100258),
    ("<|fim_middle|>", 100259),
    ("<|fim_suffix|>", 100260),
    ("<|endofprompt|>", 100276),
];

pub(super) const O200K_BASE: &Named = &[("<|endoftext|>", 199999), ("<|endofprompt|>", 200018)];

const HARMONY: &Named = &[
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
pub(super) fn harmony_tokens() -> Vec<AddedToken> {
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

/// The tokens of a list, each special.
pub(super) fn special(named: &Named) -> Vec<AddedToken> {
    named.iter().map(|&(content, id)| AddedToken::special(content, id)).collect()
}
