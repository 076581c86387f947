//! Tokens of a specification as the texts of a file.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bpe::is_one_mapped;
use super::byte_level;
use super::end_of_word::Mark;
use crate::error::{Error, Kind, Result, quoted, shown};
use crate::formats::Loss;
use crate::spec::{AddedToken, Alphabet, Bpe, Model, Spec};

/// The texts of a model's tokens, in the order of the vocabulary, then of added tokens that need a place in it.
pub(super) struct Tokens {
    pub(super) entries: Vec<(String, u32)>,
    by_id: FxHashMap<u32, usize>,
}

impl Tokens {
    /// Spells every token.
    ///
    /// # Errors
    /// [`Kind::Loss`] if two tokens have one text, or a token of characters is not text.
    pub(super) fn of(model: &Model, added: &[AddedToken], mark: Option<&Mark>) -> Result<Self> {
        let byte_level = match model {
            Model::Bpe(bpe) if bpe.alphabet == Alphabet::Bytes => Some(plain_ids(bpe, added)),
            _ => None,
        };
        let mut tokens = Tokens { entries: Vec::with_capacity(model.vocab().len()), by_id: FxHashMap::default() };
        for entry in model.vocab().iter() {
            let as_text = byte_level.as_ref().is_none_or(|plain| plain.contains(&entry.id));
            let text = if as_text { utf8(entry.bytes, entry.id)? } else { mapped(entry.bytes) };
            tokens.push(mark.map_or(text.clone(), |mark| mark.apply(&text)), entry.id);
        }
        tokens.check_unique()?;
        Ok(tokens)
    }

    pub(super) fn push(&mut self, text: String, id: u32) {
        self.by_id.insert(id, self.entries.len());
        self.entries.push((text, id));
    }

    /// The text of an id, where the file has one.
    pub(super) fn text(&self, id: u32) -> Option<&str> {
        self.by_id.get(&id).map(|&index| self.entries[index].0.as_str())
    }

    pub(super) fn check_unique(&self) -> Result<()> {
        let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
        for (text, id) in &self.entries {
            if let Some(first) = seen.insert(text, *id) {
                return Err(cannot_hold(&format!("ids {first} and {id} would both be written {}", quoted(text))));
            }
        }
        Ok(())
    }

    /// Checks that every merge spells its product in the texts of the file too.
    pub(super) fn check_merges(&self, bpe: &Bpe, prefix: &str) -> Result<()> {
        for merge in &bpe.merges {
            let text = |id| self.text(id).unwrap_or_default();
            let right = text(merge.right);
            let right = right.strip_prefix(prefix).unwrap_or(right);
            if text(merge.product).strip_prefix(text(merge.left)) != Some(right) {
                let product = quoted(text(merge.product));
                return Err(cannot_hold(&format!("the merge of rank {} would not spell {product}", merge.rank)));
            }
        }
        Ok(())
    }
}

/// Added tokens in the vocabulary that no merge uses: written as the text they are, not through the map.
fn plain_ids(bpe: &Bpe, added: &[AddedToken]) -> FxHashSet<u32> {
    let own = added.iter().filter(|token| !is_one_mapped(&token.content));
    let mut plain: FxHashSet<u32> = own.map(|token| token.id).collect();
    for merge in &bpe.merges {
        for id in [merge.left, merge.right, merge.product] {
            plain.remove(&id);
        }
    }
    plain
}

/// Added tokens as the library will number them, and the aliases it cannot keep.
///
/// On loading, an added token that the model has takes the model's id, any other the next number after the
/// vocabulary's size. So where ids would come out otherwise, the tokens get a place in the vocabulary.
pub(super) fn place_added<'s>(spec: &'s Spec, tokens: &mut Tokens) -> Result<(Vec<&'s AddedToken>, Vec<Loss>)> {
    let (mut kept, mut losses, mut seen) = (Vec::new(), Vec::new(), FxHashMap::default());
    for token in &spec.added_tokens {
        match seen.insert(token.id, &token.content) {
            None => kept.push(token),
            Some(first) => {
                losses.push(Loss::new(
                    "alias",
                    format!("{:?}, another name of id {} beside {first:?}", token.content, token.id),
                ));
                seen.insert(token.id, first);
            }
        }
    }
    let outside: Vec<&AddedToken> = kept.iter().copied().filter(|token| tokens.text(token.id).is_none()).collect();
    let next = tokens.entries.len() as u64;
    let in_order = (next..).zip(&outside).all(|(id, token)| u64::from(token.id) == id);
    if !in_order {
        outside.iter().for_each(|token| tokens.push(token.content.clone(), token.id));
    }
    check_names(&kept, tokens)?;
    Ok((kept, losses))
}

/// The library looks an added token up by its text: that must not be another token's.
fn check_names(added: &[&AddedToken], tokens: &Tokens) -> Result<()> {
    tokens.check_unique()?;
    let texts: FxHashMap<&str, u32> = tokens.entries.iter().map(|(text, id)| (text.as_str(), *id)).collect();
    for token in added {
        match texts.get(token.content.as_str()) {
            Some(&id) if id != token.id => {
                let content = quoted(&token.content);
                return Err(cannot_hold(&format!("ids {id} and {} would both be written {content}", token.id)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Bytes through GPT-2's map.
pub(super) fn mapped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    byte_level::push_text(bytes, &mut text);
    text
}

fn utf8(bytes: &[u8], id: u32) -> Result<String> {
    let text = std::str::from_utf8(bytes);
    text.map(str::to_owned).map_err(|_| cannot_hold(&format!("token {} (id {id}) is not text", shown(bytes))))
}

/// An error: the format has no place for this.
pub(super) fn cannot_hold(reason: &str) -> Error {
    Error::new(Kind::Loss, format!("tokenizer.json cannot hold this tokenizer: {reason}; save it as .bukva"))
}
