//! Special tokens of Llama 3, 3.1 and 4. Source: `tokenizer.py` of Meta's llama3 and llama-models.

use crate::spec::AddedToken;

const LLAMA_FIRST: u32 = 128_000;
const LLAMA_COUNT: u32 = 256;
pub(super) const LLAMA3: &[(&str, u32)] = &[
    ("<|begin_of_text|>", 128_000),
    ("<|end_of_text|>", 128_001),
    ("<|start_header_id|>", 128_006),
    ("<|end_header_id|>", 128_007),
    ("<|eot_id|>", 128_009),
];
pub(super) const LLAMA3_1: &[(&str, u32)] = &[
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
pub(super) fn llama3_tokens(named: &[(&str, u32)]) -> Vec<AddedToken> {
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

const LLAMA4_FIRST: u32 = 200_000;
const LLAMA4_COUNT: u32 = 2_048;

/// 2,048 ids from 200000: the names of each group, then as many reserved ones of the group.
pub(super) fn llama4_tokens() -> Vec<AddedToken> {
    let mut names: Vec<String> = BASIC.iter().map(|&name| name.to_owned()).collect();
    names.extend(POST_TRAINING.iter().map(|&name| name.to_owned()));
    names.extend(reserved("text_post_train_", 8..69));
    names.extend(VISION.iter().map(|&name| name.to_owned()));
    names.extend(reserved("vision_", 7..1048));
    names.extend(reserved("reasoning_", 0..8));
    names.extend(["<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"].map(str::to_owned));
    let rest = LLAMA4_COUNT - names.len() as u32;
    names.extend(reserved("", 0..rest));
    (LLAMA4_FIRST..).zip(names).map(|(id, name)| AddedToken::special(name, id)).collect()
}

fn reserved(group: &str, numbers: std::ops::Range<u32>) -> impl Iterator<Item = String> {
    numbers.map(move |number| format!("<|{group}reserved_special_token_{number}|>"))
}

const BASIC: [&str; 5] = ["<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"];

const POST_TRAINING: [&str; 14] = [
    "<|header_start|>",
    "<|header_end|>",
    "<|eom|>",
    "<|eot|>",
    "<|step|>",
    "<|text_post_train_reserved_special_token_0|>",
    "<|text_post_train_reserved_special_token_1|>",
    "<|text_post_train_reserved_special_token_2|>",
    "<|text_post_train_reserved_special_token_3|>",
    "<|text_post_train_reserved_special_token_4|>",
    "<|text_post_train_reserved_special_token_5|>",
    "<|python_start|>",
    "<|python_end|>",
    "<|finetune_right_pad|>",
];

const VISION: [&str; 13] = [
    "<|image_start|>",
    "<|image_end|>",
    "<|vision_reserved_special_token_0|>",
    "<|vision_reserved_special_token_1|>",
    "<|tile_x_separator|>",
    "<|tile_y_separator|>",
    "<|vision_reserved_special_token_2|>",
    "<|vision_reserved_special_token_3|>",
    "<|vision_reserved_special_token_4|>",
    "<|vision_reserved_special_token_5|>",
    "<|image|>",
    "<|vision_reserved_special_token_6|>",
    "<|patch|>",
];
