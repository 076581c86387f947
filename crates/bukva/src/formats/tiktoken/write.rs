//! Specification → rank file, with everything that it leaves out.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::{FxHashMap, FxHashSet};

use super::read::EMPTY;
use super::same_ids::{Difference, first_difference};
use crate::error::{Error, Kind, Result, shown};
use crate::formats::encodings::EMPTY_TOKEN;
use crate::formats::losses::beyond_model;
use crate::formats::{Loss, Written};
use crate::model::bpe::all_pairs_by_rank;
use crate::spec::{Alphabet, Bpe, Merge, Model, Spec, Vocab};

/// Writes the tokens of a byte-level BPE with their ids as ranks. O(size + splits of the tokens).
///
/// Added tokens are left out, unless a merge uses them. The losses say what else is missing, and whether tiktoken
/// could give other ids: that is decided, not guessed.
///
/// # Errors
/// [`Kind::Loss`] if the tokenizer cannot be a rank file at all: another model or alphabet, a marker or a prefix,
/// two ids that spell the same bytes. [`Kind::Invariant`] if the specification is broken.
pub fn write_tiktoken(spec: &Spec) -> Result<Written> {
    spec.validate()?;
    let bpe = byte_level(spec)?;
    let ordinary = ordinary_tokens(spec, bpe);
    check_unique(&ordinary)?;
    let mut losses = beyond_model(spec, &[EMPTY_TOKEN]);
    let merges = all_pairs_by_rank(&ordinary);
    let theirs = Bpe { ignore_merges: true, ..Bpe::new(Alphabet::Bytes, ordinary, merges) };
    losses.extend(first_difference(bpe, &theirs)?.map(|difference| merges_loss(&difference, bpe)));
    if bpe.dropout.is_some_and(|dropout| dropout > 0.0) {
        losses.push(Loss::new("dropout", "a rank file always merges"));
    }
    let empty = spec.unknown_fields.get(EMPTY_TOKEN).and_then(serde_json::Value::as_u64);
    Ok(Written::single("tokenizer.tiktoken", lines(&theirs.vocab, empty), losses))
}

fn byte_level(spec: &Spec) -> Result<&Bpe> {
    let Model::Bpe(bpe) = &spec.model else {
        return Err(impossible("the model is not BPE"));
    };
    if bpe.alphabet != Alphabet::Bytes {
        return Err(impossible("its alphabet is characters, and a rank file merges bytes"));
    }
    if let Some(end) = &bpe.end_of_word {
        return Err(impossible(&format!("it marks the end of words with {:?}", end.marker)));
    }
    match bpe.continuing_prefix.as_deref() {
        None | Some("") => Ok(bpe),
        Some(prefix) => Err(impossible(&format!("it puts {prefix:?} before continuing tokens"))),
    }
}

/// The vocabulary without added tokens, which tiktoken keeps apart: as ranks they could come out of ordinary text.
fn ordinary_tokens(spec: &Spec, bpe: &Bpe) -> Vocab {
    let used: FxHashSet<u32> = bpe.merges.iter().flat_map(|merge| [merge.left, merge.right, merge.product]).collect();
    let added: FxHashSet<u32> = spec.added_tokens.iter().map(|token| token.id).collect();
    let keep = |id: &u32, bytes: &[u8]| bytes.len() == 1 || used.contains(id) || !added.contains(id);
    let entries = bpe.vocab.iter().map(|entry| (entry.id, entry.bytes));
    entries.filter(|(id, bytes)| keep(id, bytes)).collect()
}

fn check_unique(vocab: &Vocab) -> Result<()> {
    let mut seen: FxHashMap<&[u8], u32> = FxHashMap::default();
    for entry in vocab.iter() {
        if entry.bytes.is_empty() {
            return Err(impossible(&format!("the token with id {} is empty", entry.id)));
        }
        if let Some(first) = seen.insert(entry.bytes, entry.id) {
            let reason = format!("ids {first} and {} both spell {}", entry.id, shown(entry.bytes));
            return Err(impossible(&reason));
        }
    }
    Ok(())
}

fn merges_loss(difference: &Difference, bpe: &Bpe) -> Loss {
    let detail = match difference {
        Difference::Merge { ours, theirs } => format!(
            "a rank file merges by the id of the product, and that order is not the order of the merges: \
             here {}, there {}; ids of some texts change",
            merge_text(*ours, bpe),
            merge_text(*theirs, bpe)
        ),
        Difference::Unreachable { id, bytes } => format!(
            "a rank file emits every token that is a whole pre-token, and the merges never make {} (id {id}); \
             the ids of that pre-token change",
            shown(bytes)
        ),
    };
    Loss::new("merges", detail)
}

fn merge_text(merge: Option<Merge>, bpe: &Bpe) -> String {
    let bytes = |id| bpe.vocab.iter().find(|entry| entry.id == id).map_or("?".into(), |entry| shown(entry.bytes));
    match merge {
        Some(merge) => format!("{} + {} → id {}", bytes(merge.left), bytes(merge.right), merge.product),
        None => "no further merge".into(),
    }
}

/// The lines by rank, as tiktoken's own files have them, with the rank of the empty token if there is one.
fn lines(vocab: &Vocab, empty: Option<u64>) -> Vec<u8> {
    let mut order: Vec<(u64, &[u8])> = vocab.iter().map(|entry| (u64::from(entry.id), entry.bytes)).collect();
    order.extend(empty.map(|rank| (rank, &[][..])));
    order.sort_unstable();
    let mut out = String::with_capacity(vocab.joined_bytes().len() * 2 + vocab.len() * 8);
    for (rank, bytes) in order {
        match bytes {
            [] => out.push_str(EMPTY),
            _ => STANDARD.encode_string(bytes, &mut out),
        }
        out.push_str(&format!(" {rank}\n"));
    }
    out.into_bytes()
}

fn impossible(reason: &str) -> Error {
    Error::new(
        Kind::Loss,
        format!("a rank file (.tiktoken) cannot hold this tokenizer: {reason}; save it as tokenizer.json or .bukva"),
    )
}
