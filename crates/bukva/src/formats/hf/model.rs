//! The model of `tokenizer.json`.

use rustc_hash::FxHashSet;

use super::bpe::{byte_vocab, index, merges, unmapped_text};
use super::fields::{Fields, Unknown, bad};
use super::index::Index;
use super::numbering::{number_in_list, number_in_map};
use super::raw::{RawModel, RawVocab};
use super::texts::Entries;
use crate::error::Result;
use crate::spec::{
    AddedToken, Alphabet, Bpe, EndOfWord, Merge, Model, Unigram, Vocab, VocabEntry, WordLevel, WordPiece,
};

const AT: &str = "/model";

/// Where the name of an unknown token is kept that no token has.
pub(super) const UNK_NAME: &str = "/model/unk_token";

/// Reads the model; `mapped` says that characters of GPT-2's map come to it. A BPE then sees the bytes, unless its
/// tables are not all made of such characters.
///
/// `added` get the ids of [`number`], and a model without the unknown token it names has none: unknown text
/// is then an error, as in the library.
pub(super) fn read(raw: RawModel, mapped: bool, added: &mut Vec<AddedToken>, unknown: &mut Unknown) -> Result<Model> {
    let kind = kind(&raw)?;
    match kind.as_str() {
        "BPE" => read_bpe(raw, mapped, added, unknown).map(Model::Bpe),
        "WordPiece" => read_word_piece(raw, added, unknown).map(Model::WordPiece),
        "WordLevel" => read_word_level(raw, added, unknown).map(Model::WordLevel),
        "Unigram" => read_unigram(raw, added, unknown).map(Model::Unigram),
        _ => Err(Fields::of(raw.fields.into(), AT)?.unsupported(&kind)),
    }
}

/// The field `type`; older files lack it, and are known by the fields that only one model has.
fn kind(raw: &RawModel) -> Result<String> {
    if let Some(kind) = raw.fields.get("type") {
        return kind.as_str().map(str::to_owned).ok_or_else(|| bad("/model/type must be a string"));
    }
    let kind = if raw.merges.is_some() {
        "BPE"
    } else if matches!(raw.vocab, Some(RawVocab::Scores(..))) {
        "Unigram"
    } else if raw.fields.contains_key("max_input_chars_per_word") {
        "WordPiece"
    } else if raw.vocab.is_some() && raw.fields.contains_key("unk_token") {
        "WordLevel"
    } else {
        return Err(bad("/model/type is missing; expected BPE, WordPiece, WordLevel or Unigram"));
    };
    Ok(kind.to_owned())
}

fn ids(vocab: Option<RawVocab>) -> Result<Entries> {
    match vocab {
        Some(RawVocab::Ids(ids)) => Ok(ids),
        Some(RawVocab::Scores(..)) => Err(bad("/model/vocab must be an object of token and id, and is a list")),
        None => Err(bad("/model/vocab is missing")),
    }
}

fn fields(raw: &mut RawModel) -> Result<Fields> {
    let mut fields = Fields::of(std::mem::take(&mut raw.fields).into(), AT)?;
    fields.take("type");
    Ok(fields)
}

fn read_bpe(mut raw: RawModel, mapped: bool, added: &mut Vec<AddedToken>, unknown: &mut Unknown) -> Result<Bpe> {
    let mut fields = fields(&mut raw)?;
    let entries = ids(raw.vocab)?;
    let index = index(&entries)?;
    number_in_map(added, &entries, &index)?;
    let mut affix = |name| -> Result<Option<String>> {
        let text: Option<String> = fields.optional(name)?;
        Ok(text.filter(|text| !text.is_empty()))
    };
    let affixes = Affixes { prefix: affix("continuing_subword_prefix")?, suffix: affix("end_of_word_suffix")? };
    let raw_merges = raw.merges.ok_or_else(|| bad("/model/merges is missing"))?;
    let merges = merges(&raw_merges, &entries, &index, affixes.prefix.as_deref().unwrap_or(""))?;
    let byte_fallback = fields.or("byte_fallback", false)?;
    let in_bytes = if mapped { byte_tables(&entries, &merges, added, &affixes, byte_fallback) } else { None };
    let unk = read_unk(&mut fields, &index, added, unknown)?;
    let (alphabet, vocab, affixes) = match in_bytes {
        Some((vocab, affixes)) => (Alphabet::Bytes, vocab, affixes),
        None => (Alphabet::Chars, entries.into_vocab(), affixes),
    };
    let bpe = Bpe {
        unk,
        fuse_unk: fields.or("fuse_unk", false)?,
        byte_fallback,
        ignore_merges: fields.or("ignore_merges", false)?,
        continuing_prefix: affixes.prefix,
        end_of_word: affixes.suffix.map(|marker| EndOfWord { marker, attached: true }),
        dropout: read_dropout(&mut fields)?,
        ..Bpe::new(alphabet, vocab, merges)
    };
    fields.finish(unknown);
    Ok(bpe)
}

/// What the model puts before and behind parts of words.
struct Affixes {
    prefix: Option<String>,
    suffix: Option<String>,
}

/// The texts of a model as bytes. `None` if one of them is made of other characters, or if bytes could be missing and
/// would be spelled by `<0x..>` tokens: those of the mapped characters then.
fn byte_tables(
    entries: &Entries,
    merges: &[Merge],
    added: &[AddedToken],
    affixes: &Affixes,
    byte_fallback: bool,
) -> Option<(Vocab, Affixes)> {
    let vocab = byte_vocab(entries, merges, added).ok()?;
    let single = |entry: VocabEntry| <[u8; 1]>::try_from(entry.bytes).ok();
    if byte_fallback && vocab.iter().filter_map(single).collect::<FxHashSet<_>>().len() < 256 {
        return None;
    }
    let unmapped = |affix: &Option<String>| affix.as_deref().map(unmapped_text).transpose().ok();
    Some((vocab, Affixes { prefix: unmapped(&affixes.prefix)?, suffix: unmapped(&affixes.suffix)? }))
}

fn read_dropout(fields: &mut Fields) -> Result<Option<f32>> {
    let dropout: Option<f32> = fields.optional("dropout")?;
    match dropout {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(bad(format!("{} is {value}; a probability is from 0 to 1", fields.place("dropout"))))
        }
        _ => Ok(dropout),
    }
}

/// The id of `unk_token`, from the vocabulary or the added tokens. A name that neither has is kept for the writer.
fn read_unk(
    fields: &mut Fields,
    index: &Index<'_>,
    added: &[AddedToken],
    unknown: &mut Unknown,
) -> Result<Option<u32>> {
    let Some(unk): Option<String> = fields.optional("unk_token")? else { return Ok(None) };
    let id = index.get(&unk);
    let id = id.or_else(|| added.iter().find(|token| token.content == unk).map(|token| token.id));
    if id.is_none() {
        unknown.insert(UNK_NAME.to_owned(), unk.into());
    }
    Ok(id)
}

/// An empty name is how the lack of an unknown token is written.
fn forget_empty_name(unknown: &mut Unknown) {
    if unknown.get(UNK_NAME).is_some_and(|name| name == "") {
        unknown.remove(UNK_NAME);
    }
}

fn read_word_piece(mut raw: RawModel, added: &mut Vec<AddedToken>, unknown: &mut Unknown) -> Result<WordPiece> {
    let mut fields = fields(&mut raw)?;
    let entries = ids(raw.vocab)?;
    let index = index(&entries)?;
    number_in_map(added, &entries, &index)?;
    let unk = read_unk(&mut fields, &index, added, unknown)?;
    forget_empty_name(unknown);
    let model = WordPiece {
        vocab: entries.into_vocab(),
        unk,
        continuing_prefix: fields.or("continuing_subword_prefix", "##".to_owned())?,
        max_chars_per_word: fields.or("max_input_chars_per_word", 100)?,
    };
    fields.finish(unknown);
    Ok(model)
}

fn read_word_level(mut raw: RawModel, added: &mut Vec<AddedToken>, unknown: &mut Unknown) -> Result<WordLevel> {
    let mut fields = fields(&mut raw)?;
    let entries = ids(raw.vocab)?;
    let index = index(&entries)?;
    number_in_map(added, &entries, &index)?;
    let unk = read_unk(&mut fields, &index, &[], unknown)?;
    forget_empty_name(unknown);
    let model = WordLevel { vocab: entries.into_vocab(), unk, pieces: None };
    fields.finish(unknown);
    Ok(model)
}

fn read_unigram(mut raw: RawModel, added: &mut Vec<AddedToken>, unknown: &mut Unknown) -> Result<Unigram> {
    let mut fields = fields(&mut raw)?;
    let Some(RawVocab::Scores(texts, scores)) = raw.vocab else {
        return Err(bad("/model/vocab must be a list of token and score"));
    };
    number_in_list(added, &texts)?;
    let ids = (0..texts.len() as u32).collect();
    let vocab = Entries::of(texts, ids).into_vocab();
    let unk = fields.optional("unk_id")?;
    let model = Unigram { vocab, scores, unk, byte_fallback: fields.or("byte_fallback", false)?, pieces: None };
    fields.finish(unknown);
    Ok(model)
}
