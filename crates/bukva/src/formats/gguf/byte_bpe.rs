//! `tokenizer.ggml.model` = `gpt2`: byte-level BPE with a list of merges.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ends::{self, Defaults};
use super::metadata::{Metadata, utf8};
use super::patterns::rules;
use super::tokens::{TOKENS, Token, Tokens};
use super::wire::{Type, Value, bad};
use crate::error::{Result, quoted};
use crate::formats::hf::byte_level;
use crate::spec::{Alphabet, Bpe, Decoder, Merge, Model, PieceKind, Spec, UnicodeVersions, Vocab};

const PRE: &str = "tokenizer.ggml.pre";
const MERGES: &str = "tokenizer.ggml.merges";

/// The specification of a byte-level BPE.
///
/// # Errors
/// [`crate::Kind::Format`] with the key and the byte, [`crate::Kind::Unsupported`] for a name of `tokenizer.ggml.pre`
/// that is not known.
pub(super) fn spec(metadata: &Metadata<'_>, tokens: &Tokens<'_>) -> Result<Spec> {
    let rules = rules(metadata.text(PRE)?.unwrap_or("default"))?;
    let merges = merges(metadata, tokens)?;
    let vocab = vocab(tokens, &merges)?;
    let defaults = Defaults { bos: rules.add_bos, eos: false, second: 1 };
    let model = Bpe { ignore_merges: rules.ignore_merges, ..Bpe::new(Alphabet::Bytes, vocab, merges) };
    Ok(Spec {
        normalizer: rules.normalizer,
        pretokenizer: Some(rules.pretokenizer),
        added_tokens: tokens.added(),
        postprocessor: ends::template(metadata, tokens, defaults)?,
        decoder: Some(Decoder::ByteLevel),
        unicode: UnicodeVersions::tokenizers(),
        ..Spec::new(Model::Bpe(model))
    })
}

/// Merges in the order of the list, each two texts with a space between.
fn merges(metadata: &Metadata<'_>, tokens: &Tokens<'_>) -> Result<Vec<Merge>> {
    let list = metadata.needed_array(MERGES)?;
    if list.of != Type::Text {
        return Err(bad(format!("{MERGES} must be an array of texts"), list.at));
    }
    let ids: FxHashMap<&str, u32> = tokens.list.iter().map(|token| (token.text, token.id)).collect();
    let (mut merges, mut seen, mut product) = (Vec::new(), FxHashSet::default(), String::new());
    for (index, value) in list.values().enumerate() {
        let (value, at) = value?;
        let (left, right) = halves(value, index, at)?;
        product.clear();
        product.extend([left, right]);
        let id = |text: &str| {
            let missing = || bad(format!("{MERGES}[{index}]: {} is no token", quoted(text)), at);
            ids.get(text).copied().ok_or_else(missing)
        };
        let merge = Merge { rank: index as u32, left: id(left)?, right: id(right)?, product: id(&product)? };
        if !seen.insert((merge.left, merge.right)) {
            let pair = format!("{} {}", quoted(left), quoted(right));
            return Err(bad(format!("{MERGES}[{index}] repeats the merge {pair}"), at));
        }
        merges.push(merge);
    }
    Ok(merges)
}

fn halves<'a>(value: Value<'a>, index: usize, at: u64) -> Result<(&'a str, &'a str)> {
    let Value::Text(bytes) = value else {
        return Err(bad(format!("{MERGES}[{index}] is {}; it must be a text", value.kind()), at));
    };
    let text = utf8(bytes, &format!("{MERGES}[{index}]"), at)?;
    text.split_once(' ')
        .filter(|(left, right)| !left.is_empty() && !right.is_empty() && !right.contains(' '))
        .ok_or_else(|| {
            bad(format!("{MERGES}[{index}] is {}, which is not two tokens with a space between", quoted(text)), at)
        })
}

/// Tokens as bytes, through GPT-2's map. Added tokens that no merge uses are their own text. Unused tokens are in no
/// text and have no bytes.
fn vocab(tokens: &Tokens<'_>, merges: &[Merge]) -> Result<Vocab> {
    let merged: FxHashSet<u32> = merges.iter().flat_map(|merge| [merge.left, merge.right, merge.product]).collect();
    let (mut vocab, mut bytes) = (Vocab::new(), Vec::new());
    for token in &tokens.list {
        let merged = merged.contains(&token.id);
        bytes.clear();
        match token.kind {
            PieceKind::Unused if !merged => continue,
            PieceKind::Normal | PieceKind::Byte | PieceKind::Unused => unmap(token, &mut bytes)?,
            _ if merged => unmap(token, &mut bytes)?,
            _ => bytes.extend(token.text.as_bytes()),
        }
        vocab.push(token.id, &bytes);
    }
    Ok(vocab)
}

fn unmap(token: &Token<'_>, bytes: &mut Vec<u8>) -> Result<()> {
    byte_level::push_bytes(token.text, bytes).map_err(|char| {
        let message = format!(
            "{TOKENS}[{}] is {}, and {char:?} (U+{:04X}) stands for no byte in a byte-level vocabulary",
            token.id,
            quoted(token.text),
            u32::from(char)
        );
        bad(message, token.at)
    })
}
