//! The ids of added tokens, as the library gives them.
//!
//! It takes the id of the vocabulary where that has the token's text, else the next number from the vocabulary's size
//! on; the id that stands beside the token is not looked at. A token without text is left out, and one that is there
//! again replaces the first.

use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::bad;
use super::index::Index;
use super::texts::{Entries, Texts};
use crate::error::{Result, quoted};
use crate::spec::AddedToken;

/// Gives `added` the ids of the library. O(added tokens), and O(entries) where a number differs from the file's.
///
/// # Errors
/// [`crate::Kind::Format`] if the file gives a token two ids, or an id two tokens: the library then takes one of them
/// with a warning or without.
fn number<'t>(
    added: &mut Vec<AddedToken>,
    size: usize,
    id_of: impl Fn(&str) -> Option<u32>,
    entries: impl Iterator<Item = (&'t str, u32)> + Clone,
) -> Result<()> {
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    let mut numbered: Vec<AddedToken> = Vec::with_capacity(added.len());
    let mut next = size as u32;
    for mut token in added.drain(..).filter(|token| !token.content.is_empty()) {
        let content = quoted(&token.content);
        if let Some(&place) = places.get(&token.content) {
            let id = numbered[place].id;
            numbered[place] = AddedToken { id, ..token };
            continue;
        }
        match id_of(&token.content) {
            Some(id) if id != token.id => {
                return Err(bad(format!("{content} has id {} in /added_tokens and id {id} in /model/vocab", token.id)));
            }
            Some(_) => {}
            None => {
                if token.id != next
                    && let Some((text, id)) = entries.clone().find(|(_, id)| *id == token.id)
                {
                    let text = quoted(text);
                    return Err(bad(format!("id {id} is {content} in /added_tokens and {text} in /model/vocab")));
                }
                token.id = next;
                next = next.saturating_add(1);
            }
        }
        places.insert(token.content.clone(), numbered.len());
        numbered.push(token);
    }
    *added = numbered;
    Ok(())
}

/// As [`number`], with the index of a vocabulary.
pub(super) fn number_in_map(added: &mut Vec<AddedToken>, entries: &Entries, index: &Index<'_>) -> Result<()> {
    number(added, entries.len(), |text| index.get(text), entries.iter())
}

/// As [`number`], for a vocabulary where the id is the place.
pub(super) fn number_in_list(added: &mut Vec<AddedToken>, texts: &Texts) -> Result<()> {
    let list = texts.iter().zip(0..);
    let contents: FxHashSet<String> = added.iter().map(|token| token.content.clone()).collect();
    // Of entries with one text the last one counts, as in the library.
    let ids: FxHashMap<&str, u32> = list.clone().filter(|(text, _)| contents.contains(*text)).collect();
    number(added, texts.len(), |text| ids.get(text).copied(), list)
}
