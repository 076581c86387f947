//! Compiled tables in an image: written as they are, and used from where they lie.

use std::borrow::Cow;

use super::BpeEncoder;
use super::apart;
use super::characters::Characters;
use super::encoder::Sizes;
use super::joints::Joints;
use super::number::Numbering;
use super::outward::Ids;
use super::pairs::{Pairs, SYMBOL_BITS};
use super::rules::Rules;
use super::symbols::Symbols;
use crate::block::{Block, Bytes, Sections, damaged};
use crate::error::Result;
use crate::model::Excluded;
use crate::model::lookup::{Whole, next_serial};
use crate::spec::Bpe;

const IDS: &str = "bpe.ids";
const RANKS: &str = "bpe.ranks";

impl BpeEncoder {
    /// The compiled tables, by name, as an image holds them.
    pub fn sections(&self) -> Vec<Bytes<'_>> {
        let mut sections = vec![
            (IDS, Cow::Borrowed(bytemuck::cast_slice(&self.ids[..]))),
            (RANKS, Cow::Borrowed(bytemuck::cast_slice(&self.ranks))),
        ];
        sections.extend(self.pairs.sections());
        sections.extend(self.whole.sections());
        sections.extend(self.characters.iter().flat_map(Characters::sections));
        sections.extend(self.joints.iter().flat_map(Joints::sections));
        sections
    }

    /// The encoder whose compiled tables are in an image; `None` where the image has none. First symbols are found in
    /// the vocabulary anew, which is cheap. The tables are those of the same `excluded` ids.
    ///
    /// That the tables are those of `bpe` is taken on trust, as the image's checksum is right. That every index in
    /// them is in range is checked: whatever they hold, encoding ends and no index is out of bounds. O(slots).
    ///
    /// # Errors
    /// [`crate::Kind::Format`] for tables that contradict themselves or the vocabulary.
    pub fn of_sections(bpe: &Bpe, sections: &Sections, excluded: &Excluded) -> Result<Option<Self>> {
        if !sections.has(IDS) {
            return Ok(None);
        }
        let (ids, ranks): (Block<u32>, Block<u32>) = (sections.block(IDS)?, sections.block(RANKS)?);
        if ids.len().max(ranks.len()) >= 1 << SYMBOL_BITS {
            return Err(damaged(format!("{} symbols and {} ranks: too many", ids.len(), ranks.len())));
        }
        let mut numbering = Numbering::of_ids(&bpe.vocab, &ids);
        let symbols = Symbols::compile(bpe, &mut numbering)?;
        if numbering.len() != ids.len() {
            return Err(damaged(format!("{} symbols, and the vocabulary needs others", ids.len())));
        }
        let pairs = Pairs::of_sections(sections, ranks.len(), ids.len())?;
        let bytes = symbols.plain_bytes();
        let characters = bytes.map(|bytes| Characters::of_sections(sections, *bytes, ids.len())).transpose()?;
        let joints = Joints::of_sections(sections)?;
        let (whole, symbols) = (Whole::of_sections(sections)?, Box::new(symbols));
        let (ignore_merges, serial) = (bpe.ignore_merges, next_serial());
        let rules = Rules::of(bpe, excluded);
        let apart = apart::reachable(bpe, |id| numbering.known_symbol(id).is_some(), excluded);
        Ok(Some(BpeEncoder {
            rules,
            apart,
            symbols,
            pairs,
            characters,
            joints,
            whole,
            ids: Ids::new(ids),
            ranks,
            ignore_merges,
            serial,
            sizes: Sizes::default(),
        }))
    }
}
