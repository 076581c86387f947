//! The named invariants of a [`Spec`]: each is checked by one function, and an error names it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Alphabet, Bpe, Model, Spec, Vocab};
use crate::error::{Error, Kind, Result, shown};

type Check = fn(&Spec) -> Result<(), String>;

/// Every invariant with its name, in the order of checking.
pub const INVARIANTS: &[(&str, &str)] = &[
    ("unique-ids", "each id of the vocabulary names one entry"),
    ("no-empty-token", "every token has at least one byte"),
    ("added-names-unique", "no text is added twice"),
    ("added-id-agrees", "an added token that is in the vocabulary has its id there, or none"),
    ("merge-ids-defined", "left, right and product of a merge are in the vocabulary"),
    ("merge-spells-product", "the bytes of left and right joined are the bytes of the product"),
    (
        "ranks-ordered",
        "merges are listed by rank; merges of equal rank spell the same bytes, pieces of SentencePiece apart",
    ),
    ("bytes-complete", "a byte alphabet without unknown token has every byte that UTF-8 text can have"),
    ("unk-defined", "the unknown token is in the vocabulary or added"),
    ("scores-match", "Unigram has one score for each entry"),
];

const CHECKS: &[Check] = &[
    unique_ids,
    no_empty_token,
    added_names_unique,
    added_id_agrees,
    merge_ids_defined,
    merge_spells_product,
    ranks_ordered,
    bytes_complete,
    unk_defined,
    scores_match,
];

impl Spec {
    /// Checks every invariant of [`INVARIANTS`]. O(size of the specification).
    ///
    /// # Errors
    /// [`Kind::Invariant`], naming the invariant and the entry that breaks it.
    pub fn validate(&self) -> Result<()> {
        for ((name, meaning), check) in INVARIANTS.iter().zip(CHECKS) {
            check(self).map_err(|found| {
                Error::new(Kind::Invariant, format!("invariant {name} ({meaning}) is broken: {found}"))
            })?;
        }
        Ok(())
    }
}

fn bpe(spec: &Spec) -> Option<&Bpe> {
    match &spec.model {
        Model::Bpe(bpe) => Some(bpe),
        _ => None,
    }
}

fn bytes_by_id(vocab: &Vocab) -> FxHashMap<u32, &[u8]> {
    vocab.iter().map(|entry| (entry.id, entry.bytes)).collect()
}

fn unique_ids(spec: &Spec) -> Result<(), String> {
    let mut seen = FxHashMap::default();
    for entry in spec.model.vocab().iter() {
        if let Some(first) = seen.insert(entry.id, entry.bytes) {
            return Err(format!("id {} is both {} and {}", entry.id, shown(first), shown(entry.bytes)));
        }
    }
    Ok(())
}

fn no_empty_token(spec: &Spec) -> Result<(), String> {
    if let Some(entry) = spec.model.vocab().iter().find(|entry| entry.bytes.is_empty()) {
        return Err(format!("the token with id {} is empty", entry.id));
    }
    match spec.added_tokens.iter().find(|token| token.content.is_empty()) {
        Some(token) => Err(format!("the added token with id {} is empty", token.id)),
        None => Ok(()),
    }
}

fn added_names_unique(spec: &Spec) -> Result<(), String> {
    let mut seen = FxHashSet::default();
    match spec.added_tokens.iter().find(|token| !seen.insert(&token.content)) {
        Some(token) => Err(format!("{:?} is added twice", token.content)),
        None => Ok(()),
    }
}

fn added_id_agrees(spec: &Spec) -> Result<(), String> {
    let by_id = bytes_by_id(spec.model.vocab());
    for token in &spec.added_tokens {
        match by_id.get(&token.id) {
            Some(&bytes) if bytes != token.content.as_bytes() => {
                return Err(format!("added token {:?} has id {}, which is {}", token.content, token.id, shown(bytes)));
            }
            _ => {}
        }
    }
    Ok(())
}

fn merge_ids_defined(spec: &Spec) -> Result<(), String> {
    let Some(bpe) = bpe(spec) else { return Ok(()) };
    let ids: FxHashSet<u32> = bpe.vocab.ids().iter().copied().collect();
    for merge in &bpe.merges {
        for id in [merge.left, merge.right, merge.product] {
            if !ids.contains(&id) {
                return Err(format!("merge of rank {} uses id {id}, which is not in the vocabulary", merge.rank));
            }
        }
    }
    Ok(())
}

fn merge_spells_product(spec: &Spec) -> Result<(), String> {
    let Some(bpe) = bpe(spec) else { return Ok(()) };
    let by_id = bytes_by_id(&bpe.vocab);
    let prefix = bpe.continuing_prefix.as_deref().unwrap_or("").as_bytes();
    for merge in &bpe.merges {
        let (left, right, product) = (by_id[&merge.left], by_id[&merge.right], by_id[&merge.product]);
        let right = right.strip_prefix(prefix).unwrap_or(right);
        if product.strip_prefix(left) != Some(right) {
            let (left, right, product) = (shown(left), shown(right), shown(product));
            return Err(format!("merge of rank {}: {left} and {right} do not spell {product}", merge.rank));
        }
    }
    Ok(())
}

fn ranks_ordered(spec: &Spec) -> Result<(), String> {
    let Some(bpe) = bpe(spec) else { return Ok(()) };
    for pair in bpe.merges.windows(2) {
        let same_rank = pair[0].rank == pair[1].rank && bpe.pieces.is_none();
        if pair[0].rank > pair[1].rank || (same_rank && pair[0].product != pair[1].product) {
            return Err(format!("a merge of rank {} follows one of rank {}", pair[1].rank, pair[0].rank));
        }
    }
    Ok(())
}

fn bytes_complete(spec: &Spec) -> Result<(), String> {
    let Some(bpe) = bpe(spec) else { return Ok(()) };
    if bpe.alphabet != Alphabet::Bytes || bpe.unk.is_some() {
        return Ok(());
    }
    let mut present = [false; 256];
    for entry in bpe.vocab.iter() {
        if let [byte] = entry.bytes {
            present[usize::from(*byte)] = true;
        }
    }
    // 0xC0, 0xC1 and 0xF5 to 0xFF are in no UTF-8 text, and some published vocabularies leave them out.
    match (0..=0xf4).find(|&byte| !present[byte] && byte != 0xc0 && byte != 0xc1) {
        Some(byte) => Err(format!("byte 0x{byte:02x} has no token")),
        None => Ok(()),
    }
}

fn unk_defined(spec: &Spec) -> Result<(), String> {
    let unk = match &spec.model {
        Model::Bpe(model) => model.unk,
        Model::WordPiece(model) => Some(model.unk),
        Model::Unigram(model) => model.unk,
        Model::WordLevel(model) => model.unk,
    };
    let Some(unk) = unk else { return Ok(()) };
    let defined = spec.model.vocab().ids().contains(&unk) || spec.added_tokens.iter().any(|token| token.id == unk);
    if defined { Ok(()) } else { Err(format!("id {unk} is neither in the vocabulary nor added")) }
}

fn scores_match(spec: &Spec) -> Result<(), String> {
    let Model::Unigram(unigram) = &spec.model else { return Ok(()) };
    let (scores, entries) = (unigram.scores.len(), unigram.vocab.len());
    if scores == entries { Ok(()) } else { Err(format!("{scores} scores for {entries} entries")) }
}
