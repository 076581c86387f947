//! `vocab.json` and `merges.txt` with the stages of the class that `tokenizer_config.json` names.
//!
//! The stages are those that `transformers` 5 builds for the class. What the class does not say, the files must.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::bpe::index;
use super::config::Config;
use super::options::write_added;
use super::raw::{RawFile, RawModel, RawVocab, read_vocab};
use super::read::spec_of;
use super::texts::Entries;
use super::vocab_merges::merge_lines;
use super::{pattern, postprocessor};
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::{AddedToken, NamedPattern, Postprocessor, Spec, Template, TemplateItem};

/// A class with its stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Gpt2,
    Roberta,
    Clip,
    Qwen2,
}

const CLASSES: [(&str, Class); 7] = [
    ("GPT2Tokenizer", Class::Gpt2),
    ("RobertaTokenizer", Class::Roberta),
    ("BartTokenizer", Class::Roberta),
    ("LongformerTokenizer", Class::Roberta),
    ("LEDTokenizer", Class::Roberta),
    ("CLIPTokenizer", Class::Clip),
    ("Qwen2Tokenizer", Class::Qwen2),
];

/// CLIP's expression.
const CLIP: &str = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+";

impl Class {
    fn of(config: &Config<'_>) -> Result<Self> {
        let name = config.class()?;
        let found = CLASSES.iter().find(|(known, _)| Some(*known) == name.as_deref());
        found.map(|(_, class)| *class).ok_or_else(|| {
            let why = match name {
                Some(name) => format!("tokenizer_class is {}, which is not known", quoted(&name)),
                None if config.is_there() => "tokenizer_config.json names no tokenizer_class".to_owned(),
                None => "there is no tokenizer_config.json beside them".to_owned(),
            };
            let known: Vec<&str> = CLASSES.iter().map(|(known, _)| *known).collect();
            let message = format!(
                "vocab.json and merges.txt hold the tables only, and {why} (known: {}): name an encoding ({}), or give \
                 the pattern and the special tokens",
                known.join(", "),
                crate::formats::encodings::NAMES.join(", ")
            );
            Error::new(Kind::Argument, message)
        })
    }

    /// The special tokens that the class names where the files do not.
    fn roles(self) -> &'static [(&'static str, &'static str)] {
        const END: &str = "<|endoftext|>";
        match self {
            Class::Gpt2 => &[("bos_token", END), ("eos_token", END), ("unk_token", END)],
            Class::Roberta => &[
                ("bos_token", "<s>"),
                ("eos_token", "</s>"),
                ("unk_token", "<unk>"),
                ("sep_token", "</s>"),
                ("pad_token", "<pad>"),
                ("cls_token", "<s>"),
                ("mask_token", "<mask>"),
            ],
            Class::Clip => {
                &[("bos_token", "<|startoftext|>"), ("eos_token", END), ("unk_token", END), ("pad_token", END)]
            }
            Class::Qwen2 => &[("eos_token", END), ("unk_token", END), ("pad_token", END)],
        }
    }
}

/// Reads the two files with the stages of the class. O(size).
///
/// # Errors
/// [`Kind::Argument`] if the class is not known; otherwise as [`super::read_vocab_merges`].
pub(in crate::formats) fn read_vocab_merges_of_class(vocab: &[u8], merges: &[u8], config: &Config<'_>) -> Result<Spec> {
    let class = Class::of(config)?;
    let RawVocab::Ids(entries) = read_vocab(vocab).map_err(|error| error.in_source("vocab.json"))? else {
        let message = "vocab.json: an object of token and id was expected";
        return Err(Error::new(Kind::Format, message).in_source("vocab.json"));
    };
    let folder = Folder::of(class, config, &entries)?;
    let model = json!({
        "type": "BPE",
        "unk_token": folder.unk(),
        "end_of_word_suffix": if class == Class::Clip { Some("</w>") } else { None },
    });
    let stages = folder.stages()?;
    let model = RawModel::of(RawVocab::Ids(entries), Some(merge_lines(merges)?), model);
    spec_of(RawFile::of(model, stages))
}

/// What stands beside the tables.
struct Folder<'c> {
    class: Class,
    config: &'c Config<'c>,
    added: Vec<AddedToken>,
    ids: BTreeMap<&'static str, (String, u32)>,
}

impl<'c> Folder<'c> {
    fn of(class: Class, config: &'c Config<'c>, entries: &Entries) -> Result<Self> {
        let index = index(entries)?;
        let added = config.added_tokens(entries, &index, class.roles())?;
        let mut folder = Folder { class, config, added, ids: BTreeMap::new() };
        for role in ["bos_token", "eos_token", "sep_token", "cls_token", "unk_token"] {
            let Some(content) = folder.role(role)? else { continue };
            let added = folder.added.iter().find(|token| token.content == content).map(|token| token.id);
            if let Some(id) = index.get(&content).or(added) {
                folder.ids.insert(role, (content, id));
            }
        }
        Ok(folder)
    }

    fn role(&self, role: &str) -> Result<Option<String>> {
        let default = self.class.roles().iter().find(|(name, _)| *name == role).map(|(_, content)| *content);
        self.config.role(role, default)
    }

    /// Only CLIP's model has one: it was built over characters of words.
    fn unk(&self) -> Option<&str> {
        if self.class == Class::Clip { self.ids.get("unk_token").map(|(text, _)| text.as_str()) } else { None }
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool> {
        Ok(self.config.option(name)?.unwrap_or(default))
    }

    /// Text and id of the token that plays `role`.
    fn token(&self, role: &str) -> Result<&(String, u32)> {
        self.ids.get(role).ok_or_else(|| {
            let message = format!("tokenizer_config.json names no {role}, which the class needs");
            Error::new(Kind::Format, message)
        })
    }

    fn stages(&self) -> Result<Value> {
        let add_prefix_space = self.flag("add_prefix_space", false)?;
        let byte_level = |add_prefix_space: bool, use_regex: bool| json!({"type": "ByteLevel", "add_prefix_space": add_prefix_space, "trim_offsets": true, "use_regex": use_regex});
        let sequence = |split: Value, last: Value| json!({"type": "Sequence", "pretokenizers": [split, last]});
        let (normalizer, pretokenizer) = match self.class {
            Class::Gpt2 | Class::Roberta => (Value::Null, byte_level(add_prefix_space, true)),
            Class::Qwen2 => {
                let split = json!({"type": "Split", "pattern": {"Regex": pattern::regex(NamedPattern::Qwen2)},
                    "behavior": "Isolated", "invert": false});
                (json!({"type": "NFC"}), sequence(split, byte_level(add_prefix_space, false)))
            }
            Class::Clip => {
                let split = json!({"type": "Split", "pattern": {"Regex": CLIP}, "behavior": "Removed", "invert": true});
                let spaces = json!({"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "});
                let steps = json!([{"type": "NFC"}, spaces, {"type": "Lowercase"}]);
                (json!({"type": "Sequence", "normalizers": steps}), sequence(split, byte_level(false, true)))
            }
        };
        Ok(json!({
            "added_tokens": self.added.iter().map(write_added).collect::<Vec<_>>(),
            "normalizer": normalizer,
            "pre_tokenizer": pretokenizer,
            "post_processor": self.postprocessor(add_prefix_space)?,
            "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        }))
    }

    fn postprocessor(&self, add_prefix_space: bool) -> Result<Value> {
        let roberta = |sep: &(String, u32), cls: &(String, u32), trim_offsets: bool, add_prefix_space: bool| {
            json!({"type": "RobertaProcessing", "sep": sep, "cls": cls, "trim_offsets": trim_offsets,
                "add_prefix_space": add_prefix_space})
        };
        match self.class {
            Class::Roberta => {
                let trim_offsets = self.flag("trim_offsets", true)?;
                Ok(roberta(self.token("sep_token")?, self.token("cls_token")?, trim_offsets, add_prefix_space))
            }
            Class::Clip => Ok(roberta(self.token("eos_token")?, self.token("bos_token")?, false, false)),
            Class::Gpt2 | Class::Qwen2 => {
                let token = |flag: &str, role: &str| -> Result<Option<&(String, u32)>> {
                    Ok(if self.flag(flag, false)? { self.ids.get(role) } else { None })
                };
                let template = template(token("add_bos_token", "bos_token")?, token("add_eos_token", "eos_token")?);
                Ok(postprocessor::write(&Postprocessor::Template(template)))
            }
        }
    }
}

/// A text between a first and a last token, where there are such; tokens are a text with an id.
pub(in crate::formats) fn template(first: Option<&(String, u32)>, last: Option<&(String, u32)>) -> Template {
    let special = |(name, id): &(String, u32), type_id| TemplateItem::Special {
        name: name.clone(),
        ids: vec![*id],
        tokens: vec![name.clone()],
        type_id,
    };
    let around = |text: TemplateItem, type_id: u32| -> Vec<TemplateItem> {
        let special = |token| special(token, type_id);
        first.map(special).into_iter().chain([text]).chain(last.map(special)).collect()
    };
    let single = around(TemplateItem::A { type_id: 0 }, 0);
    let pair = [single.clone(), around(TemplateItem::B { type_id: 1 }, 1)].concat();
    Template { single, pair }
}
