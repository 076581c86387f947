//! Excluded tokens taken apart: what merges make of a special token's text is spelled by what it was made of.
//!
//! The token may come about on the way to a longer one, so every other id stays what it is without the exclusion.

use super::BpeEncoder;
use super::general::{Part, Skipped};
use super::long::LongWork;
use crate::error::Result;
use crate::model::{Excluded, Missing};
use crate::spec::Bpe;

/// A token as it came about.
#[derive(Debug, Clone, Copy)]
struct Node {
    part: Part,
    /// The nodes it was merged from.
    halves: Option<[usize; 2]>,
}

/// Those excluded ids that merging may end in. An unknown token stands for what has no token, which is no match.
pub(super) fn reachable(bpe: &Bpe, is_symbol: impl Fn(u32) -> bool, excluded: &Excluded) -> Option<Box<Excluded>> {
    let is_made = |id| bpe.merges.iter().any(|merge| merge.product == id);
    let found = excluded.filtered(|id| is_symbol(id) && (Some(id) != bpe.unk || is_made(id)));
    (!found.is_empty()).then(|| Box::new(found))
}

impl BpeEncoder {
    /// Whether the model gives other ids than without excluded ones. Those in the vocabulary that no merge makes are found
    /// only where pieces are looked up whole. O(vocabulary).
    pub(in crate::model) fn lacks(&self, bpe: &Bpe, excluded: &Excluded) -> bool {
        let looks_up = bpe.ignore_merges || bpe.pieces.is_some();
        self.apart.is_some() || looks_up && excluded.touches(&bpe.vocab)
    }

    /// Whether an id is among `ids` that no text becomes.
    #[inline]
    pub(super) fn is_met(&self, ids: &[u32]) -> bool {
        self.apart.as_ref().is_some_and(|excluded| ids.iter().any(|&id| excluded.has(id)))
    }

    /// Merges one part of a piece, and takes apart what is excluded. O(n log n) for n first symbols.
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] for a unit whose only token is excluded, where nothing stands for unknown ones.
    #[cold]
    pub(super) fn parts_apart(&self, part: &[u8], missing: Missing) -> Result<Vec<Part>> {
        let started = self.symbols.start_with_lengths(part, missing)?;
        let leaf = |(symbol, length): (u32, usize)| (self.ids.of(symbol), length);
        if let Some(general) = &self.rules.general {
            let parts: Vec<Part> = started.into_iter().map(leaf).collect();
            return self.replaced(part, general.merge(&parts, Skipped::IsGone, || false));
        }
        let mut nodes: Vec<Node> = started.iter().map(|&unit| Node { part: leaf(unit), halves: None }).collect();
        let mut symbols: Vec<u32> = started.into_iter().map(|unit| unit.0).collect();
        let mut node_at: Vec<Option<usize>> = (0..nodes.len()).map(Some).collect();
        LongWork::default().merge(&self.pairs, &mut symbols, |rank, left, right| {
            let (left, right) = (left.place as usize, right.place as usize);
            let Some((one, two)) = node_at[left].zip(node_at[right].take()) else { return };
            let id = self.ids.of(self.pairs.product(rank));
            node_at[left] = Some(nodes.len());
            nodes.push(Node { part: (id, nodes[one].part.1 + nodes[two].part.1), halves: Some([one, two]) });
        });
        let mut open: Vec<usize> = node_at.into_iter().flatten().rev().collect();
        let mut parts = Vec::new();
        while let Some(node) = open.pop().map(|node| nodes[node]) {
            match node.halves {
                Some([one, two]) if self.is_met(&[node.part.0]) => open.extend([two, one]),
                _ => parts.push(node.part),
            }
        }
        self.replaced(part, parts)
    }

    /// The parts, where those that are excluded and not made of others are replaced by what stands for an unknown unit.
    fn replaced(&self, piece: &[u8], parts: Vec<Part>) -> Result<Vec<Part>> {
        let unknown = self.symbols.unknown_id(&self.ids);
        let (mut out, mut at) = (Vec::with_capacity(parts.len()), 0);
        for (id, length) in parts {
            // What has no length is a marker, which no text spells.
            if Some(id) == unknown || length == 0 || !self.is_met(&[id]) {
                out.push((id, length));
            } else {
                let found = self.symbols.stand_ins(&piece[at..at + length], at)?;
                out.extend(found.into_iter().map(|(symbol, length)| (self.ids.of(symbol), length)));
            }
            at += length;
        }
        Ok(out)
    }
}
