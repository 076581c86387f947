//! Added tokens of Qwen. Source: `tokenization_qwen.py` of the first Qwen, `tokenizer_config.json` of the later ones.

use crate::spec::AddedToken;

/// The tokens of the first Qwen: three with a name, then 205 extra ones.
pub(super) fn first_qwen_tokens() -> Vec<AddedToken> {
    let extra = (0..205).map(|number| format!("<|extra_{number}|>"));
    let names = QWEN[..3].iter().map(|&name| name.to_owned()).chain(extra);
    (QWEN_FIRST..).zip(names).map(|(id, name)| AddedToken::special(name, id)).collect()
}

/// The first `count` tokens of Qwen 2 and later, whose list has only ever grown.
pub(super) fn qwen_tokens(count: usize) -> Vec<AddedToken> {
    let token = |(index, &content): (usize, &&str)| {
        let special = index < QWEN_SPECIAL;
        AddedToken { special, ..AddedToken::special(content, QWEN_FIRST + index as u32) }
    };
    QWEN[..count].iter().enumerate().map(token).collect()
}

/// How many tokens Qwen 3 has.
pub(super) const QWEN3: usize = QWEN.len();

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
