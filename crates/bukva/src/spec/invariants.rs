//! The named invariants of a [`Spec`]: each is checked by one function, and an error names it.

use rustc_hash::FxHashSet;

use super::entries::Entries;
use super::{Alphabet, Bpe, Model, Spec};
use crate::error::{Error, Kind, Result, shown};

type Check = fn(&Subject) -> Result<(), String>;

/// What is checked, with the entry of each id.
struct Subject<'s> {
    spec: &'s Spec,
    entries: Entries,
    /// Two entries that share an id.
    repeated: Option<(usize, usize)>,
}

/// Every invariant with its name, in the order of checking.
pub const INVARIANTS: &[(&str, &str)] = &[
    ("unique-ids", "each id of the vocabulary names one entry"),
    ("no-empty-token", "every piece and added token has at least one byte"),
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
    ("pieces-match", "pieces of SentencePiece have one kind and one score for each entry"),
    ("scores-finite", "every score is a finite number"),
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
    pieces_match,
    scores_finite,
];

impl Spec {
    /// Checks every invariant of [`INVARIANTS`]. O(size of the specification).
    ///
    /// # Errors
    /// [`Kind::Invariant`], naming the invariant and the entry that breaks it.
    pub fn validate(&self) -> Result<()> {
        self.validate_but(&[])
    }

    /// As [`Spec::validate`], for a reader that makes sure of the invariants `proven`. Debug builds check them too.
    pub(crate) fn validate_but(&self, proven: &[&str]) -> Result<()> {
        let proven = if cfg!(debug_assertions) { &[] } else { proven };
        let (entries, repeated) = Entries::of(self.model.vocab());
        let subject = Subject { spec: self, entries, repeated };
        let asked = INVARIANTS.iter().zip(CHECKS).filter(|((name, _), _)| !proven.contains(name));
        for ((name, meaning), check) in asked {
            check(&subject).map_err(|found| {
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

impl<'s> Subject<'s> {
    /// The bytes of an id.
    #[inline]
    fn bytes(&self, id: u32) -> Option<&'s [u8]> {
        self.entries.get(id).map(|entry| self.spec.model.vocab().entry(entry).bytes)
    }
}

fn unique_ids(subject: &Subject) -> Result<(), String> {
    let vocab = subject.spec.model.vocab();
    match subject.repeated {
        Some((first, second)) => {
            let (first, second) = (vocab.entry(first), vocab.entry(second));
            Err(format!("id {} is both {} and {}", first.id, shown(first.bytes), shown(second.bytes)))
        }
        None => Ok(()),
    }
}

fn no_empty_token(Subject { spec, .. }: &Subject) -> Result<(), String> {
    // No text has an empty token, and the `tokenizers` library lets a vocabulary have one; SentencePiece does not.
    let harmless = spec.model.pieces().is_none();
    if let Some(entry) = spec.model.vocab().iter().find(|entry| entry.bytes.is_empty() && !harmless) {
        return Err(format!("the token with id {} is empty", entry.id));
    }
    match spec.added_tokens.iter().find(|token| token.content.is_empty()) {
        Some(token) => Err(format!("the added token with id {} is empty", token.id)),
        None => Ok(()),
    }
}

fn added_names_unique(Subject { spec, .. }: &Subject) -> Result<(), String> {
    let mut seen = FxHashSet::default();
    match spec.added_tokens.iter().find(|token| !seen.insert(&token.content)) {
        Some(token) => Err(format!("{:?} is added twice", token.content)),
        None => Ok(()),
    }
}

fn added_id_agrees(subject: &Subject) -> Result<(), String> {
    for token in &subject.spec.added_tokens {
        match subject.bytes(token.id) {
            Some(bytes) if bytes != token.content.as_bytes() => {
                return Err(format!("added token {:?} has id {}, which is {}", token.content, token.id, shown(bytes)));
            }
            _ => {}
        }
    }
    Ok(())
}

fn merge_ids_defined(subject: &Subject) -> Result<(), String> {
    let Some(bpe) = bpe(subject.spec) else { return Ok(()) };
    for merge in &bpe.merges {
        for id in [merge.left, merge.right, merge.product] {
            if subject.entries.get(id).is_none() {
                return Err(format!("merge of rank {} uses id {id}, which is not in the vocabulary", merge.rank));
            }
        }
    }
    Ok(())
}

fn merge_spells_product(subject: &Subject) -> Result<(), String> {
    let Some(bpe) = bpe(subject.spec) else { return Ok(()) };
    let prefix = bpe.continuing_prefix.as_deref().unwrap_or("").as_bytes();
    for merge in &bpe.merges {
        let bytes = |id| subject.bytes(id).unwrap_or_default();
        let (left, right, product) = (bytes(merge.left), bytes(merge.right), bytes(merge.product));
        let right = right.strip_prefix(prefix).unwrap_or(right);
        if product.strip_prefix(left) != Some(right) {
            let (left, right, product) = (shown(left), shown(right), shown(product));
            return Err(format!("merge of rank {}: {left} and {right} do not spell {product}", merge.rank));
        }
    }
    Ok(())
}

fn ranks_ordered(Subject { spec, .. }: &Subject) -> Result<(), String> {
    let Some(bpe) = bpe(spec) else { return Ok(()) };
    for pair in bpe.merges.windows(2) {
        let same_rank = pair[0].rank == pair[1].rank && bpe.pieces.is_none();
        if pair[0].rank > pair[1].rank || (same_rank && pair[0].product != pair[1].product) {
            return Err(format!("a merge of rank {} follows one of rank {}", pair[1].rank, pair[0].rank));
        }
    }
    Ok(())
}

fn bytes_complete(Subject { spec, .. }: &Subject) -> Result<(), String> {
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

fn unk_defined(Subject { spec, .. }: &Subject) -> Result<(), String> {
    let unk = match &spec.model {
        Model::Bpe(model) => model.unk,
        Model::WordPiece(model) => model.unk,
        Model::Unigram(model) => model.unk,
        Model::WordLevel(model) => model.unk,
    };
    let Some(unk) = unk else { return Ok(()) };
    let defined = spec.model.vocab().ids().contains(&unk) || spec.added_tokens.iter().any(|token| token.id == unk);
    if defined { Ok(()) } else { Err(format!("id {unk} is neither in the vocabulary nor added")) }
}

fn scores_match(Subject { spec, .. }: &Subject) -> Result<(), String> {
    let Model::Unigram(unigram) = &spec.model else { return Ok(()) };
    let (scores, entries) = (unigram.scores.len(), unigram.vocab.len());
    if scores == entries { Ok(()) } else { Err(format!("{scores} scores for {entries} entries")) }
}

fn pieces_match(Subject { spec, .. }: &Subject) -> Result<(), String> {
    let Some(pieces) = spec.model.pieces() else { return Ok(()) };
    let (kinds, scores, entries) = (pieces.kinds.len(), pieces.scores.len(), spec.model.vocab().len());
    match kinds == entries && scores == entries {
        true => Ok(()),
        false => Err(format!("{kinds} kinds and {scores} scores for {entries} entries")),
    }
}

fn scores_finite(Subject { spec, .. }: &Subject) -> Result<(), String> {
    let scores = match &spec.model {
        Model::Unigram(unigram) => &unigram.scores[..],
        _ => &[],
    };
    let found = scores.iter().position(|score| !score.is_finite());
    let pieces = spec.model.pieces().map_or(&[][..], |pieces| &pieces.scores);
    match found.or_else(|| pieces.iter().position(|score| !score.is_finite())) {
        Some(index) => {
            let entry = spec.model.vocab().entry(index);
            Err(format!("the score of {} (id {}) is none", shown(entry.bytes), entry.id))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{PieceKind, Pieces, Unigram, Vocab};

    fn found(scores: &[f64], kinds: usize, pieces: &[f32]) -> String {
        let vocab: Vocab = [(0, &b"a"[..]), (1, b"b")].into_iter().collect();
        let pieces = Pieces { kinds: vec![PieceKind::Normal; kinds], scores: pieces.to_vec() };
        let (scores, pieces) = (scores.to_vec(), Some(pieces));
        let model = Unigram { vocab, scores, unk: None, byte_fallback: false, pieces };
        match Spec::new(Model::Unigram(model)).validate() {
            Ok(()) => String::new(),
            Err(error) => error.message.split_whitespace().nth(1).unwrap_or_default().to_owned(),
        }
    }

    #[test]
    fn scores_and_kinds_are_of_the_entries() {
        assert_eq!(found(&[0.0, -1.0], 2, &[0.0, -1.0]), "");
        assert_eq!(found(&[0.0], 2, &[0.0, -1.0]), "scores-match");
        assert_eq!(found(&[0.0, -1.0], 1, &[0.0, -1.0]), "pieces-match");
        assert_eq!(found(&[0.0, -1.0], 2, &[0.0]), "pieces-match");
        assert_eq!(found(&[0.0, f64::NAN], 2, &[0.0, 0.0]), "scores-finite");
        assert_eq!(found(&[0.0, 0.0], 2, &[0.0, f32::INFINITY]), "scores-finite");
    }
}
