//! What the side files of a folder say of a tokenizer whose own file holds only tables.
//!
//! The rules are those of `transformers` 5: `added_tokens_decoder` of `tokenizer_config.json` says everything about
//! added tokens, and where it is missing `special_tokens_map.json` and `added_tokens.json` do.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::bpe::index;
use super::index::Index;
use super::numbering::number_in_map;
use super::texts::Entries;
use crate::error::{Error, Kind, Result, quoted};
use crate::formats::folder::SideFiles;
use crate::spec::AddedToken;

/// The file that says most.
const CONFIG: &str = "tokenizer_config.json";
const MAP: &str = "special_tokens_map.json";
const DECODER: &str = "added_tokens_decoder";

/// The parts that special tokens play, in the order in which they are added.
const ROLES: [&str; 7] = ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

/// A number that no token has: it gets one later.
const UNNUMBERED: u32 = u32::MAX;

/// The side files, with typed access.
pub(in crate::formats) struct Config<'a>(pub(in crate::formats) &'a SideFiles);

impl Config<'_> {
    /// Whether there is a `tokenizer_config.json`.
    pub(in crate::formats) fn is_there(&self) -> bool {
        self.0.0.contains_key(CONFIG)
    }

    /// The name of the class that reads the folder, without the `Fast` at its end.
    pub(in crate::formats) fn class(&self) -> Result<Option<String>> {
        let class: Option<String> = self.option("tokenizer_class")?;
        Ok(class.map(|class| class.strip_suffix("Fast").unwrap_or(&class).to_owned()))
    }

    /// An option of `tokenizer_config.json`; `null` counts as missing.
    pub(in crate::formats) fn option<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.0.field(CONFIG, name) else { return Ok(None) };
        T::deserialize(value)
            .map(Some)
            .map_err(|error| bad(CONFIG, format!("{name} has the value {}: {error}", quoted(&value.to_string()))))
    }

    /// The text of the token that plays `role`; `null` in the file means that none does.
    pub(in crate::formats) fn role(&self, role: &str, default: Option<&str>) -> Result<Option<String>> {
        Ok(self.role_token(role, default)?.map(|token| token.content))
    }

    fn role_token(&self, role: &str, default: Option<&str>) -> Result<Option<AddedToken>> {
        let at = |file: &'static str| Some((file, self.0.0.get(file)?.get(role)?));
        let in_map = if self.0.field(CONFIG, DECODER).is_none() { at(MAP) } else { None };
        match in_map.or_else(|| at(CONFIG)) {
            Some((_, Value::Null)) => Ok(None),
            Some((file, value)) => special(value, file, role).map(Some),
            None => Ok(default.map(|content| AddedToken::special(content, UNNUMBERED))),
        }
    }

    /// Every added token with its id, for a vocabulary of `entries`; `defaults` are the roles that the class fills.
    ///
    /// # Errors
    /// [`Kind::Format`] for a token that is damaged, has two ids, or whose id is another token's.
    pub(super) fn added_tokens(
        &self,
        entries: &Entries,
        index: &Index<'_>,
        defaults: &[(&str, &str)],
    ) -> Result<Vec<AddedToken>> {
        let mut tokens = self.numbered_tokens()?;
        let mut roles = Vec::new();
        for role in ROLES {
            let default = defaults.iter().find(|(name, _)| *name == role).map(|(_, content)| *content);
            roles.extend(self.role_token(role, default)?);
        }
        let extra = self.extra_tokens()?;
        for token in &mut tokens {
            token.special |= roles.iter().any(|role| role.content == token.content);
        }
        for mut token in roles.into_iter().chain(extra) {
            if tokens.iter().all(|known| known.content != token.content) {
                token.id = index.get(&token.content).unwrap_or(UNNUMBERED);
                tokens.push(token);
            }
        }
        number_in_map(&mut tokens, entries, index).map_err(|error| error.in_source(CONFIG))?;
        tokens.sort_by_key(|token| token.id);
        Ok(tokens)
    }

    /// As [`Config::added_tokens`], for a model that names its own roles.
    pub(in crate::formats) fn tokens_beside(&self, entries: &Entries) -> Result<Vec<AddedToken>> {
        self.added_tokens(entries, &index(entries)?, &[])
    }

    /// Added tokens that a file gives a number, in its order.
    fn numbered_tokens(&self) -> Result<Vec<AddedToken>> {
        let mut tokens = match self.option::<Map<String, Value>>(DECODER)? {
            Some(list) => list.iter().map(|(id, value)| decoder_entry(id, value)).collect::<Result<Vec<_>>>()?,
            None => self.added_tokens_json()?,
        };
        tokens.sort_by_key(|token| token.id);
        Ok(tokens)
    }

    fn added_tokens_json(&self) -> Result<Vec<AddedToken>> {
        const FILE: &str = "added_tokens.json";
        let Some(Value::Object(list)) = self.0.0.get(FILE) else { return Ok(Vec::new()) };
        let mut special: Vec<AddedToken> = self.extra_tokens()?;
        for role in ROLES {
            special.extend(self.role_token(role, None)?);
        }
        let token = |(content, id): (&String, &Value)| {
            let number = id.as_u64().and_then(|id| u32::try_from(id).ok());
            let id = number.ok_or_else(|| bad(FILE, format!("{} has the id {id}, which is none", quoted(content))))?;
            let special = special.iter().any(|token| token.content == *content);
            Ok(AddedToken { special, normalized: !special, ..AddedToken::special(content, id) })
        };
        list.iter().map(token).collect()
    }

    /// Special tokens that play no role.
    fn extra_tokens(&self) -> Result<Vec<AddedToken>> {
        const NAMES: [&str; 2] = ["extra_special_tokens", "additional_special_tokens"];
        let find = |file: &'static str| NAMES.iter().find_map(|name| Some((file, *name, self.0.field(file, name)?)));
        match find(CONFIG).or_else(|| find(MAP)) {
            Some((file, name, Value::Array(list))) => list.iter().map(|value| special(value, file, name)).collect(),
            Some((file, name, Value::Object(named))) => {
                named.values().map(|value| special(value, file, name)).collect()
            }
            Some((file, name, other)) => Err(bad(file, format!("{name} is {other}; expected a list of tokens"))),
            None => Ok(Vec::new()),
        }
    }
}

/// One entry of `added_tokens_decoder`.
fn decoder_entry(id: &str, value: &Value) -> Result<AddedToken> {
    let place = format!("{DECODER}/{id}");
    let number = id.parse().map_err(|error| bad(CONFIG, format!("{DECODER} has the key {}: {error}", quoted(id))))?;
    let token = described(value, CONFIG, &place)?;
    let special = value.get("special").and_then(Value::as_bool).unwrap_or(false);
    let normalized = value.get("normalized").and_then(Value::as_bool).unwrap_or(!special);
    Ok(AddedToken { id: number, special, normalized, ..token })
}

/// A special token: its text, or an object with its flags.
fn special(value: &Value, file: &str, place: &str) -> Result<AddedToken> {
    match value {
        Value::String(content) => Ok(AddedToken::special(content, UNNUMBERED)),
        _ => described(value, file, place),
    }
}

/// A special token that an object describes.
fn described(value: &Value, file: &str, place: &str) -> Result<AddedToken> {
    let Some(content) = value.get("content").and_then(Value::as_str) else {
        return Err(bad(file, format!("{place} is {}; expected a token", quoted(&value.to_string()))));
    };
    let flag = |name: &str| match value.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(bad(file, format!("{place}/{name} is {other}; expected true or false"))),
    };
    let token = AddedToken::special(content, UNNUMBERED);
    Ok(AddedToken {
        normalized: flag("normalized")?,
        lstrip: flag("lstrip")?,
        rstrip: flag("rstrip")?,
        single_word: flag("single_word")?,
        ..token
    })
}

fn bad(file: &str, message: String) -> Error {
    Error::new(Kind::Format, format!("{file}: {message}")).in_source(file)
}
