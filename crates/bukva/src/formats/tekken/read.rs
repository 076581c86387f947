//! `tekken.json` → specification.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::KEPT;
use super::special::{DEPRECATED, filled};
use crate::error::{Error, Kind, Result, quoted, shown};
use crate::formats::hf::raw::offset;
use crate::model::bpe::all_pairs_by_rank;
use crate::pretokenize::pretokenizer_of;
use crate::spec::{AddedToken, Alphabet, Bpe, Decoder, Model, Spec, Vocab};

/// Versions that `mistral-common` 1.13 knows; those before the mark may leave out their special tokens.
const VERSIONS: [&str; 7] = ["v1", "v2", "v3", "v7", "v11", "v13", "v15"];
const OLD_VERSIONS: usize = 4;

#[derive(Deserialize)]
struct File<'a> {
    config: Config,
    #[serde(borrow)]
    vocab: Vec<Token<'a>>,
    special_tokens: Option<Vec<Value>>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Deserialize)]
struct Config {
    pattern: String,
    default_vocab_size: u32,
    default_num_special_tokens: u32,
    version: String,
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Token<'a> {
    rank: u32,
    #[serde(borrow)]
    token_bytes: Cow<'a, str>,
    #[serde(rename = "token_str")]
    _text: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Special {
    rank: u32,
    token_str: String,
}

/// Reads a `tekken.json`. O(size + splits of the tokens).
///
/// Tokens beyond `default_vocab_size` are left out: no id of them can come out. Settings for images and sound, and
/// fields that are not known, are kept in [`Spec::unknown_fields`].
///
/// # Errors
/// [`Kind::Format`] with the field where the file is damaged or contradicts itself; [`Kind::Unsupported`] for a
/// version that is not known; [`Kind::Pattern`] for an expression that cannot be compiled.
pub fn read_tekken(bytes: &[u8]) -> Result<Spec> {
    let file: File<'_> = serde_json::from_slice(bytes).map_err(|error| {
        let at = offset(bytes, error.line(), error.column());
        bad(error.to_string()).at_line(error.line() as u64).at_byte(at)
    })?;
    let version = VERSIONS.iter().position(|&version| version == file.config.version);
    let Some(version) = version else {
        let found = quoted(&file.config.version);
        let message = format!("tekken.json: config.version is {found}; known are {}", VERSIONS.join(", "));
        return Err(Error::new(Kind::Unsupported, message));
    };
    let count = file.config.default_num_special_tokens;
    let added_tokens = special_tokens(file.special_tokens.as_deref(), version < OLD_VERSIONS, count)?;
    let vocab = vocab(&file)?;
    let merges = all_pairs_by_rank(&vocab);
    let model = Bpe { ignore_merges: true, ..Bpe::new(Alphabet::Bytes, vocab, merges) };
    let spec = Spec {
        pretokenizer: Some(pretokenizer_of(&file.config.pattern)?),
        added_tokens,
        decoder: Some(Decoder::ByteLevel),
        unknown_fields: [(KEPT.to_owned(), kept(file))].into(),
        ..Spec::new(Model::Bpe(model))
    };
    spec.validate()?;
    Ok(spec)
}

/// Everything but pattern and tokens, as it stands.
fn kept(file: File<'_>) -> Value {
    let mut config = file.config.other;
    config.insert("version".into(), file.config.version.into());
    // The writer counts the tokens that it writes.
    config.shift_remove("num_vocab_tokens");
    let mut kept = file.other;
    kept.insert("config".into(), config.into());
    kept.insert("special_tokens".into(), file.special_tokens.map_or(Value::Null, Value::Array));
    kept.into()
}

fn special_tokens(listed: Option<&[Value]>, is_old: bool, count: u32) -> Result<Vec<AddedToken>> {
    let Some(listed) = listed else {
        if !is_old {
            return Err(bad("special_tokens is missing; only versions up to v7 may leave it out"));
        }
        return filled((0..).zip(DEPRECATED).map(|(id, text)| AddedToken::special(text, id)).collect(), count);
    };
    let read = |(index, value): (u32, &Value)| {
        let place = |what: String| bad(format!("special_tokens[{index}]{what}"));
        let token = Special::deserialize(value).map_err(|error| place(format!(": {error}")))?;
        if token.rank != index {
            return Err(place(format!(".rank is {}; ranks count from 0 in the order of the list", token.rank)));
        }
        Ok(AddedToken::special(token.token_str, index))
    };
    filled((0..).zip(listed).map(read).collect::<Result<_>>()?, count)
}

/// The ordinary tokens, with ids after the special ones.
fn vocab(file: &File<'_>) -> Result<Vocab> {
    let (first, size) = (file.config.default_num_special_tokens, file.config.default_vocab_size);
    let count = size.checked_sub(first).map(|count| count as usize).filter(|&count| count <= file.vocab.len());
    let Some(count) = count else {
        let message = format!(
            "config.default_vocab_size is {size}, with {first} special tokens and {} entries of vocab",
            file.vocab.len()
        );
        return Err(bad(message));
    };
    if count < 256 {
        let message = format!(
            "config.default_vocab_size is {size}, which leaves {count} tokens beside {first} special ones; the first 256 \
             are the bytes"
        );
        return Err(bad(message));
    }
    let (mut vocab, mut bytes, mut seen) = (Vocab::new(), Vec::new(), FxHashMap::default());
    for (index, token) in (0_u32..).zip(&file.vocab[..count]) {
        let place = |what: String| bad(format!("vocab[{index}]{what}"));
        if token.rank != index {
            return Err(place(format!(".rank is {}; ranks count from 0 in the order of the list", token.rank)));
        }
        bytes.clear();
        let decoded = STANDARD.decode_vec(token.token_bytes.as_bytes(), &mut bytes);
        decoded
            .map_err(|error| place(format!(".token_bytes {} is not base64: {error}", quoted(&token.token_bytes))))?;
        if index < 256 && bytes != [index as u8] {
            return Err(place(format!(".token_bytes is {}; the first 256 tokens are the bytes", shown(&bytes))));
        }
        if let Some(before) = seen.insert(bytes.clone(), index) {
            return Err(place(format!(" is {}, and so is vocab[{before}]", shown(&bytes))));
        }
        let id = first.checked_add(index).ok_or_else(|| place(" has an id beyond 32 bits".to_owned()))?;
        vocab.push(id, &bytes);
    }
    Ok(vocab)
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(Kind::Format, format!("tekken.json: {}", message.into()))
}
