//! The model of a specification as the field `model` of `tokenizer.json`.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value, json};

use super::tokens::{Tokens, cannot_hold, mapped};
use crate::error::Result;
use crate::formats::Loss;
use crate::formats::tiktoken::same_ids::first_difference;
use crate::spec::{Alphabet, Bpe, Merge, Model, Spec, Unigram};

/// A model's small fields, and its tables.
pub(super) struct ModelFile<'a> {
    pub(super) fields: Value,
    tokens: &'a Tokens,
    tables: Tables<'a>,
}

/// What stands in the file besides the fields.
enum Tables<'a> {
    /// Token and id.
    Ids,
    /// Token and id, and merges.
    IdsAndMerges(&'a [Merge]),
    /// Token and score; the id is the place.
    Scores(Vec<f64>),
}

impl<'a> ModelFile<'a> {
    /// The model of `spec` with the texts of its tokens, and what the format cannot hold of it.
    ///
    /// # Errors
    /// [`crate::Kind::Loss`] if the format cannot hold the model at all.
    pub(super) fn of(spec: &'a Spec, tokens: &'a Tokens) -> Result<(Self, Vec<Loss>)> {
        let file = |fields, tables| ModelFile { fields, tokens, tables };
        let unk_text = |unk: Option<u32>| unk.map(|id| text_of(id, tokens, spec));
        Ok(match &spec.model {
            Model::Bpe(bpe) => {
                let fields = bpe_fields(bpe, unk_text(bpe.unk));
                tokens.check_merges(bpe, fields["continuing_subword_prefix"].as_str().unwrap_or(""))?;
                (file(fields, Tables::IdsAndMerges(&bpe.merges)), equal_ranks_loss(bpe)?.into_iter().collect())
            }
            Model::WordPiece(model) => {
                let fields = json!({
                    "type": "WordPiece",
                    "unk_token": unk_text(model.unk).unwrap_or_default(),
                    "continuing_subword_prefix": model.continuing_prefix,
                    "max_input_chars_per_word": model.max_chars_per_word,
                });
                (file(fields, Tables::Ids), Vec::new())
            }
            Model::WordLevel(model) => {
                // The format asks for an unknown token; one that is in no vocabulary makes the library refuse the text.
                let unk = unk_text(model.unk).unwrap_or_default();
                (file(json!({"type": "WordLevel", "unk_token": unk}), Tables::Ids), Vec::new())
            }
            Model::Unigram(model) => {
                let scores = unigram_scores(model, tokens)?;
                let fields = json!({
                    "type": "Unigram",
                    "unk_id": model.unk,
                    "byte_fallback": model.byte_fallback,
                });
                (file(fields, Tables::Scores(scores)), Vec::new())
            }
        })
    }
}

fn text_of(id: u32, tokens: &Tokens, spec: &Spec) -> String {
    let added = || spec.added_tokens.iter().find(|token| token.id == id).map(|token| token.content.as_str());
    tokens.text(id).or_else(added).unwrap_or_default().to_owned()
}

fn bpe_fields(bpe: &Bpe, unk: Option<String>) -> Value {
    let affix = |text: &str| match bpe.alphabet {
        Alphabet::Bytes => mapped(text.as_bytes()),
        Alphabet::Chars => text.to_owned(),
    };
    let suffix = bpe.end_of_word.as_ref().filter(|end| end.attached).map(|end| affix(&end.marker));
    json!({
        "type": "BPE",
        "dropout": bpe.dropout,
        "unk_token": unk,
        "continuing_subword_prefix": bpe.continuing_prefix.as_deref().map(affix),
        "end_of_word_suffix": suffix,
        "fuse_unk": bpe.fuse_unk,
        "byte_fallback": bpe.byte_fallback,
        "ignore_merges": bpe.ignore_merges,
    })
}

/// The format gives every merge a rank of its own. Where several share one, that may change ids: it is checked.
fn equal_ranks_loss(bpe: &Bpe) -> Result<Option<Loss>> {
    if bpe.merges.windows(2).all(|pair| pair[0].rank < pair[1].rank) {
        return Ok(None);
    }
    let mut ranked = bpe.clone();
    ranked.merges.edit(|merges| (0..).zip(merges).for_each(|(rank, merge)| merge.rank = rank));
    let depends_on_place = bpe.end_of_word.is_some() || bpe.continuing_prefix.is_some();
    let same = !depends_on_place && first_difference(bpe, &ranked)?.is_none();
    let detail = "several merges have one rank, and in the file each has its own; ids of some texts may change";
    Ok((!same).then(|| Loss::new("merges", detail)))
}

/// Scores in the order of ids, which the file does not name: it needs every id from 0 on.
fn unigram_scores(model: &Unigram, tokens: &Tokens) -> Result<Vec<f64>> {
    if let Some(id) = (0..).zip(&tokens.entries).find_map(|(place, (_, id))| (place != *id).then_some(place)) {
        let reason =
            format!("a Unigram vocabulary is a list, where the id is the place, and id {id} is not at its own");
        return Err(cannot_hold(&reason));
    }
    if let Some(score) = model.scores.iter().find(|score| !score.is_finite()) {
        return Err(cannot_hold(&format!("the score {score} is no number of JSON")));
    }
    let mut scores = model.scores.clone();
    // Added tokens that got a place: never found by the model, for no text reaches it with them.
    let lowest = scores.iter().copied().fold(0.0, f64::min);
    scores.resize(tokens.entries.len(), lowest);
    Ok(scores)
}

/// The model as the file has it: small fields first, then the tables.
pub(super) struct ModelOutput<'a> {
    pub(super) fields: &'a Map<String, Value>,
    pub(super) model: &'a ModelFile<'a>,
}

impl Serialize for ModelOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.fields {
            map.serialize_entry(name, value)?;
        }
        let tokens = self.model.tokens;
        match &self.model.tables {
            Tables::Ids => map.serialize_entry("vocab", &VocabOutput(&tokens.entries))?,
            Tables::IdsAndMerges(merges) => {
                map.serialize_entry("vocab", &VocabOutput(&tokens.entries))?;
                map.serialize_entry("merges", &MergesOutput { tokens, merges })?;
            }
            Tables::Scores(scores) => {
                map.serialize_entry("vocab", &ScoresOutput { entries: &tokens.entries, scores })?;
            }
        }
        map.end()
    }
}

/// `{"token": id}`.
pub(super) struct VocabOutput<'a>(pub(super) &'a [(String, u32)]);

impl Serialize for VocabOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(text, id)| (text, id)))
    }
}

/// `[["token", score]]`.
struct ScoresOutput<'a> {
    entries: &'a [(String, u32)],
    scores: &'a [f64],
}

impl Serialize for ScoresOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entries.iter().zip(self.scores).map(|((text, _), score)| (text, score)))
    }
}

/// `[["left", "right"]]`.
struct MergesOutput<'a> {
    tokens: &'a Tokens,
    merges: &'a [Merge],
}

impl Serialize for MergesOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |id| self.tokens.text(id).unwrap_or_default();
        let mut seq = serializer.serialize_seq(Some(self.merges.len()))?;
        for merge in self.merges {
            seq.serialize_element(&[text(merge.left), text(merge.right)])?;
        }
        seq.end()
    }
}
