//! `vocab.txt`: a token a line, as BERT was published, and BERT's stages.

use serde_json::{Value, json};

use super::bpe::index;
use super::config::Config;
use super::index::Index;
use super::options::write_added;
use super::raw::{RawFile, RawModel, RawVocab};
use super::read::spec_of;
use super::texts::Entries;
use crate::error::{Error, Kind, Result, quoted};
use crate::formats::encodings::{BERT_NAMES, Encoding};
use crate::formats::folder::SideFiles;
use crate::spec::Spec;

/// Classes that read a `vocab.txt` as BERT's.
const CLASSES: [&str; 8] = [
    "BertTokenizer",
    "ConvBertTokenizer",
    "DistilBertTokenizer",
    "ElectraTokenizer",
    "LayoutLMTokenizer",
    "MobileBertTokenizer",
    "RetriBertTokenizer",
    "SqueezeBertTokenizer",
];

/// Tokens that BERT names.
const ROLES: [(&str, &str); 5] = [
    ("unk_token", "[UNK]"),
    ("sep_token", "[SEP]"),
    ("pad_token", "[PAD]"),
    ("cls_token", "[CLS]"),
    ("mask_token", "[MASK]"),
];

/// How BERT's stages are set; the vocabulary does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bert {
    /// Text is made lower case.
    pub lowercase: bool,
    /// Accents are removed; `None` is as `lowercase`.
    pub strip_accents: Option<bool>,
    /// Chinese characters are words of their own.
    pub chinese_chars: bool,
}

impl Bert {
    /// As BERT was published, for text in lower case or as it is.
    pub fn published(lowercase: bool) -> Self {
        Bert { lowercase, strip_accents: None, chinese_chars: true }
    }

    /// What a named encoding says.
    ///
    /// # Errors
    /// [`Kind::Argument`] for an encoding of another kind.
    pub(in crate::formats) fn of_encoding(encoding: Encoding) -> Result<Self> {
        encoding.bert.ok_or_else(|| {
            let names = BERT_NAMES.join(" or ");
            Error::new(Kind::Argument, format!("a vocab.txt is read with the encoding {names}, not with another one"))
        })
    }

    /// What `tokenizer_config.json` says.
    ///
    /// # Errors
    /// [`Kind::Argument`] if there is none, or if it is of no class that reads BERT's vocabularies.
    pub(in crate::formats) fn of(config: &Config<'_>) -> Result<Self> {
        let lowercase: Option<bool> = config.option("do_lower_case")?;
        match config.class()? {
            Some(class) if CLASSES.contains(&class.as_str()) => {}
            None if lowercase.is_some() => {}
            class => return Err(unknown(config, class)),
        }
        Ok(Bert {
            lowercase: lowercase.unwrap_or(true),
            strip_accents: config.option("strip_accents")?,
            chinese_chars: config.option("tokenize_chinese_chars")?.unwrap_or(true),
        })
    }
}

fn unknown(config: &Config<'_>, class: Option<String>) -> Error {
    let why = match class {
        Some(class) => format!("tokenizer_class is {}", quoted(&class)),
        None if config.is_there() => "tokenizer_config.json names neither tokenizer_class nor do_lower_case".to_owned(),
        None => "there is no tokenizer_config.json beside it".to_owned(),
    };
    let message = format!(
        "vocab.txt holds tokens only, and {why}: name the encoding bert_uncased or bert_cased (classes that are known: {})",
        CLASSES.join(", ")
    );
    Error::new(Kind::Argument, message)
}

/// Reads a `vocab.txt`: the id of a token is the number of its line, from 0. O(size).
///
/// # Errors
/// [`Kind::Format`] with the line for a token that is there twice or text that is not UTF-8, or if a special token
/// that BERT needs is missing; [`Kind::Invariant`] if the tables do not fit together.
pub fn read_vocab_txt(vocab: &[u8], bert: Bert) -> Result<Spec> {
    read_with(vocab, bert, &Config(&SideFiles::default()))
}

/// As [`read_vocab_txt`], with the special and added tokens that the side files name.
pub(in crate::formats) fn read_with(vocab: &[u8], bert: Bert, config: &Config<'_>) -> Result<Spec> {
    let entries = lines(vocab)?;
    let index = index(&entries)?;
    let added = config.added_tokens(&entries, &index, &ROLES)?;
    let role = |at: usize| -> Result<(String, u32)> {
        let (name, default) = ROLES[at];
        let content = config.role(name, Some(default))?.unwrap_or_else(|| default.to_owned());
        let id = index.get(&content);
        let id = id.or_else(|| added.iter().find(|token| token.content == content).map(|token| token.id));
        let id = id.ok_or_else(|| bad(format!("it has no {}, which is the {name}", quoted(&content))))?;
        Ok((content, id))
    };
    let (unk, sep, cls) = (role(0)?, role(1)?, role(3)?);
    if index.get(&unk.0).is_none() {
        return Err(bad(format!("it has no {}, which is the unk_token", quoted(&unk.0))));
    }
    let added = added.iter().map(write_added).collect();
    spec_of(file(entries, bert, &unk.0, added, template(&cls, &sep)))
}

fn file(entries: Entries, bert: Bert, unk: &str, added: Vec<Value>, template: Value) -> RawFile {
    let model = json!({
        "type": "WordPiece",
        "unk_token": unk,
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    });
    let stages = json!({
        "added_tokens": added,
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": true,
            "handle_chinese_chars": bert.chinese_chars,
            "strip_accents": bert.strip_accents,
            "lowercase": bert.lowercase,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": template,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
    });
    RawFile::of(RawModel::of(RawVocab::Ids(entries), None, model), stages)
}

/// `[CLS] A [SEP]`, and `[CLS] A [SEP] B [SEP]`.
fn template((cls, cls_id): &(String, u32), (sep, sep_id): &(String, u32)) -> Value {
    let special = |name: &str, type_id: u32| json!({"SpecialToken": {"id": name, "type_id": type_id}});
    let sequence = |name: &str, type_id: u32| json!({"Sequence": {"id": name, "type_id": type_id}});
    let single = vec![special(cls, 0), sequence("A", 0), special(sep, 0)];
    let pair = [single.clone(), vec![sequence("B", 1), special(sep, 1)]].concat();
    json!({
        "type": "TemplateProcessing",
        "single": single,
        "pair": pair,
        "special_tokens": {
            (cls): {"id": cls, "ids": [cls_id], "tokens": [cls]},
            (sep): {"id": sep, "ids": [sep_id], "tokens": [sep]},
        },
    })
}

/// Tokens and their lines, without white space at the end. A line of white space is no token, for no word has any.
fn lines(bytes: &[u8]) -> Result<Entries> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| bad("it is not UTF-8".to_owned()).at_byte(error.valid_up_to() as u64))?;
    let tokens = text.lines().map(str::trim_end).zip(0..).filter(|(token, _)| !token.is_empty());
    let entries: Entries = tokens.collect();
    match Index::of(&entries).err() {
        None => Ok(entries),
        Some((first, second)) => {
            let (token, first, second) = (quoted(entries.text(first)), entries.id(first), entries.id(second));
            let message = format!("the token {token} stands on the lines {} and {}", first + 1, second + 1);
            Err(bad(message).at_line(u64::from(second) + 1))
        }
    }
}

fn bad(message: String) -> Error {
    Error::new(Kind::Format, format!("vocab.txt: {message}"))
}
