//! The compiled character map of SentencePiece: a double-array trie of sought texts, and what they become.
//!
//! Layout: the size of the trie in bytes (u32, little endian), its units (u32 each), and the new texts, each ended by
//! a zero byte. A value of the trie is the place of a text. A unit holds a label (8 bits), whether a value hangs on
//! it (bit 8), and the offset of its children (22 bits, scaled by 256 if bit 9 is set); a value has bit 31 set.
//! Source: the layout of darts-clone, which SentencePiece uses.

use crate::error::{Error, Kind, Result};

/// A character map, checked: no look-up leaves its tables. 4 bytes a unit.
#[derive(Debug, Clone)]
pub(super) struct Charsmap {
    units: Vec<u32>,
    texts: String,
}

const VALUE: u32 = 1 << 31;
const HAS_VALUE: u32 = 1 << 8;
const SCALED: u32 = 1 << 9;

impl Charsmap {
    /// Reads a map. O(size).
    ///
    /// # Errors
    /// [`Kind::Format`] for one that is cut short, whose texts are not UTF-8, or whose values lie between characters.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let Some((size, rest)) = bytes.split_first_chunk::<4>() else {
            return Err(bad(format!("it has {} bytes; the size of its trie alone takes 4", bytes.len())));
        };
        let size = u32::from_le_bytes(*size) as usize;
        let Some((trie, texts)) = rest.split_at_checked(size / 4 * 4).filter(|_| size >= 4) else {
            return Err(bad(format!("its trie has {size} bytes; expected 4 to {}", rest.len())));
        };
        let texts = std::str::from_utf8(texts).map_err(|error| {
            bad(format!("its texts are not UTF-8 at byte {}", 4 + trie.len() + error.valid_up_to()))
        })?;
        let units = trie.as_chunks::<4>().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        let map = Charsmap { units, texts: texts.to_owned() };
        map.check_values()?;
        Ok(map)
    }

    fn check_values(&self) -> Result<()> {
        let value = |unit: &&u32| *unit & VALUE != 0 && !self.texts.is_char_boundary((*unit & !VALUE) as usize);
        match self.units.iter().find(value) {
            None => Ok(()),
            Some(unit) => {
                let (place, length) = (unit & !VALUE, self.texts.len());
                Err(bad(format!(
                    "a value is byte {place} of its texts, which is between no characters of {length} bytes"
                )))
            }
        }
    }

    /// Sought texts that `text` starts with, shortest first, with their length and what they become. Ends at a zero
    /// byte. O(longest sought text).
    pub(super) fn prefixes<'m, 't>(&'m self, text: &'t [u8]) -> impl Iterator<Item = (usize, &'m str)> + use<'m, 't> {
        let mut node = self.children(0);
        let walk = text.iter().take_while(|&&byte| byte != 0).map_while(move |&byte| {
            let at = node? ^ u32::from(byte);
            let unit = *self.units.get(at as usize)?;
            if !is_label(unit, byte) {
                return None;
            }
            node = Some(at ^ offset(unit));
            Some(if unit & HAS_VALUE != 0 { node.and_then(|node| self.text(node)) } else { None })
        });
        walk.enumerate().filter_map(|(index, text)| Some((index + 1, text?)))
    }

    /// Whether some sought text starts with `text`, or is it. O(length of the text).
    pub(super) fn leads_to(&self, text: &[u8]) -> bool {
        let mut node = self.children(0);
        for &byte in text {
            let at = node.map(|node| node ^ u32::from(byte));
            let unit = at.and_then(|at| self.units.get(at as usize)).filter(|unit| is_label(**unit, byte));
            node = at.zip(unit).map(|(at, &unit)| at ^ offset(unit));
        }
        node.is_some()
    }

    fn children(&self, node: usize) -> Option<u32> {
        self.units.get(node).map(|&unit| offset(unit))
    }

    fn text(&self, node: u32) -> Option<&str> {
        let place = self.units.get(node as usize)? & !VALUE;
        let rest = self.texts.get(place as usize..)?;
        Some(&rest[..memchr::memchr(0, rest.as_bytes()).unwrap_or(rest.len())])
    }
}

fn is_label(unit: u32, byte: u8) -> bool {
    unit & (VALUE | 0xff) == u32::from(byte)
}

fn offset(unit: u32) -> u32 {
    (unit >> 10) << if unit & SCALED != 0 { 8 } else { 0 }
}

fn bad(what: String) -> Error {
    Error::new(Kind::Format, format!("the compiled character map is damaged: {what}"))
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    /// The map of `pairs` in the simplest layout: the first offset that fits.
    pub(crate) fn build(pairs: &[(&str, &str)]) -> Vec<u8> {
        let pairs: BTreeMap<&[u8], &str> = pairs.iter().map(|&(old, new)| (old.as_bytes(), new)).collect();
        let mut texts = String::new();
        let mut values = BTreeMap::new();
        for (&old, new) in &pairs {
            values.insert(old, texts.len() as u32);
            texts.push_str(new);
            texts.push('\0');
        }
        let mut units = BTreeMap::from([(0, 0)]);
        place(&values, b"", 0, &mut units);
        let size = units.keys().max().map_or(1, |last| last + 1);
        let trie: Vec<u8> = (0..size).flat_map(|unit| units.get(&unit).unwrap_or(&0).to_le_bytes()).collect();
        [&(trie.len() as u32).to_le_bytes()[..], &trie, texts.as_bytes()].concat()
    }

    fn place(values: &BTreeMap<&[u8], u32>, prefix: &[u8], node: u32, units: &mut BTreeMap<u32, u32>) {
        let longer = values.keys().filter(|old| old.starts_with(prefix) && old.len() > prefix.len());
        let bytes: BTreeSet<u8> = longer.map(|old| old[prefix.len()]).collect();
        let value = values.get(prefix);
        let mut wanted: Vec<u32> = bytes.iter().map(|&byte| u32::from(byte)).collect();
        wanted.extend(value.map(|_| 0));
        let fits = |offset: &u32| wanted.iter().all(|label| !units.contains_key(&(node ^ offset ^ label)));
        let offset = (1..1 << 21).find(fits).unwrap();
        *units.get_mut(&node).unwrap() |= offset << 10 | if value.is_some() { HAS_VALUE } else { 0 };
        for &label in &wanted {
            units.insert(node ^ offset ^ label, if label == 0 { value.unwrap() | VALUE } else { label });
        }
        for &byte in &bytes {
            place(values, &[prefix, &[byte]].concat(), node ^ offset ^ u32::from(byte), units);
        }
    }

    #[test]
    fn a_map_is_read_as_it_was_built() {
        let map = Charsmap::read(&build(&[("a", "1"), ("ab", ""), ("é", "e\u{301}"), ("abcd", "4")])).unwrap();
        let found =
            |text: &str| map.prefixes(text.as_bytes()).map(|(at, new)| (at, new.to_owned())).collect::<Vec<_>>();
        assert_eq!(found("abcde"), [(1, "1".into()), (2, String::new()), (4, "4".into())]);
        assert_eq!(found("éa"), [(2, "e\u{301}".into())]);
        assert_eq!(found("b"), []);
        assert!(map.leads_to(b"abc") && !map.leads_to(b"ac") && map.leads_to("é".as_bytes()));
    }

    #[test]
    fn what_is_wrong_with_a_map_is_said() {
        let message = |bytes: &[u8]| Charsmap::read(bytes).unwrap_err().message;
        assert!(message(&[1, 0]).contains("it has 2 bytes"));
        assert!(message(&[0, 0, 0, 0, 65]).contains("its trie has 0 bytes"));
        assert!(message(&[8, 0, 0, 0, 0, 0, 0, 0]).contains("its trie has 8 bytes; expected 4 to 4"));
        assert!(message(&[4, 0, 0, 0, 0, 0, 0, 0, 65, 0xff]).contains("not UTF-8 at byte 9"));
        assert!(message(&[4, 0, 0, 0, 9, 0, 0, 0x80, 65, 0]).contains("a value is byte 9"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[ab\u{e9}\u{0}]{0,9}") {
            let units = (bytes.len() / 8 * 4) as u32;
            for map in [bytes.clone(), [&units.to_le_bytes()[..], &bytes].concat()] {
                if let Ok(map) = Charsmap::read(&map) {
                    map.prefixes(text.as_bytes()).for_each(drop);
                    map.leads_to(text.as_bytes());
                }
            }
        }
    }
}
