//! The encoder by other ways than the fastest, for tests that take each in turn.

use super::BpeEncoder;
use super::encoder::Sizes;
use super::general::General;
use crate::model::Excluded;
use crate::model::lookup::Whole;
use crate::paths::{Merging, Paths};
use crate::spec::Bpe;

impl BpeEncoder {
    /// The same encoder by the ways of `paths`; `bpe` and `excluded` are what it was compiled from.
    pub(in crate::model) fn by(mut self, bpe: &Bpe, excluded: &Excluded, paths: &Paths) -> Self {
        if !paths.whole {
            self.whole = self.least_whole(bpe, excluded);
        }
        if !matches!(paths.merging, Merging::Automatic | Merging::Together) {
            self.sizes.turns = 0;
        }
        match paths.merging {
            Merging::Automatic | Merging::Alone => {}
            Merging::Bytes => (self.characters, self.joints) = (None, None),
            Merging::Together => self.joints = None,
            Merging::Short => self.sizes.few = 1,
            Merging::Long => self.sizes = Sizes { few: 1, short: 1, ..self.sizes },
            Merging::Runs => self.sizes.runs = 2,
            Merging::General => self.rules.general = Some(General::of(bpe, excluded)),
        }
        self
    }

    /// The pieces that are one token whatever the merges say.
    fn least_whole(&self, bpe: &Bpe, excluded: &Excluded) -> Whole {
        let entries = bpe.vocab.iter().filter(|entry| !excluded.has(entry.id));
        let taken = entries.filter(|entry| bpe.ignore_merges || self.rules.frozen_id(entry.bytes) == Some(entry.id));
        Whole::build(taken.map(|entry| (entry.bytes, entry.id)))
    }
}
