//! Kimi K2 and K2.5. Source: `tokenization_kimi.py` and `tokenizer_config.json` of Moonshot AI's models.

use crate::spec::AddedToken;

/// The pattern: Han characters apart, then as `o200k` without them and without the slash.
pub(super) const PATTERN: &str = concat!(
    r"[\p{Han}]+",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

const FIRST: u32 = 163_584;
const END: u32 = 163_840;

/// 256 ids; those without a name of their own are called by their id.
pub(super) fn tokens(with_media: bool) -> Vec<AddedToken> {
    let media: &[(&str, u32)] = if with_media { &MEDIA } else { &[] };
    let token = |id| match K2.iter().chain(media).find(|(_, named)| *named == id) {
        Some((name, _)) => AddedToken::special(*name, id),
        None => AddedToken::special(format!("<|reserved_token_{id}|>"), id),
    };
    (FIRST..END).map(token).collect()
}

const K2: [(&str, u32); 17] = [
    ("[BOS]", 163_584),
    ("[EOS]", 163_585),
    ("<|im_end|>", 163_586),
    ("<|im_user|>", 163_587),
    ("<|im_assistant|>", 163_588),
    ("<|start_header_id|>", 163_590),
    ("<|end_header_id|>", 163_591),
    ("[EOT]", 163_593),
    ("<|im_system|>", 163_594),
    ("<|tool_calls_section_begin|>", 163_595),
    ("<|tool_calls_section_end|>", 163_596),
    ("<|tool_call_begin|>", 163_597),
    ("<|tool_call_argument_begin|>", 163_598),
    ("<|tool_call_end|>", 163_599),
    ("<|im_middle|>", 163_601),
    ("[UNK]", 163_838),
    ("[PAD]", 163_839),
];

/// Added by K2.5.
const MEDIA: [(&str, u32); 6] = [
    ("<|media_begin|>", 163_602),
    ("<|media_content|>", 163_603),
    ("<|media_end|>", 163_604),
    ("<|media_pad|>", 163_605),
    ("<think>", 163_606),
    ("</think>", 163_607),
];
