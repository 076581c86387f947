//! Cells in an order without meaning.

use crate::embed::context::random::Random;
use crate::embed::cooccurrence::Cooccurrences;
use crate::error::{Error, Kind, Result};

/// Cells of a block, about: 48 KB.
const BLOCK: usize = 4096;

/// A cell of the matrix.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) value: f32,
}

/// All cells in blocks. Each cell was put into a block drawn at random, so a block is a sample of the whole matrix.
///
/// An epoch takes blocks in an order of its own, and the cells of each too: all of it inside of the cache. Source of the
/// way: C. Rao 1961 and M. Sandelius 1962, who shuffle by throwing into heaps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blocks {
    cells: Vec<Cell>,
    /// Where each block ends.
    ends: Vec<usize>,
    seed: u64,
}

impl Blocks {
    /// Throws the cells into blocks. O(cells) time, 12 bytes a cell.
    ///
    /// # Errors
    /// [`Kind::Training`] if memory is short.
    pub(super) fn new(counts: &Cooccurrences, seed: u64) -> Result<Self> {
        let blocks = u32::try_from(counts.len().div_ceil(BLOCK).max(1)).map_err(|_| no_room(counts.len()))?;
        let mut cells = Vec::new();
        cells.try_reserve_exact(counts.len()).map_err(|_| no_room(counts.len()))?;
        cells.resize(counts.len(), Cell::default());
        // The same numbers twice: first for the sizes of the blocks, then for the cells.
        let draws = Random::new(seed, &[0]);
        let mut ends = vec![0; blocks as usize];
        let mut random = draws.clone();
        (0..counts.len()).for_each(|_| ends[random.below(blocks) as usize] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut random = draws;
        for row in 0..counts.words() {
            for at in counts.row(row) {
                let end = &mut ends[random.below(blocks) as usize];
                cells[*end] = Cell { row: row as u32, column: counts.columns[at], value: counts.values[at] };
                *end += 1;
            }
        }
        Ok(Blocks { cells, ends, seed })
    }

    /// All cells, block by block.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The order of the blocks in an epoch.
    pub(super) fn order(&self, epoch: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.ends.len() as u32).collect();
        shuffle(&mut order, &mut Random::new(self.seed, &[u64::from(epoch) + 1]));
        order
    }

    /// The cells of a block in their order in an epoch.
    pub(super) fn block(&self, epoch: u32, block: u32, to: &mut Vec<Cell>) {
        let block = block as usize;
        let start = block.checked_sub(1).map_or(0, |before| self.ends[before]);
        to.clear();
        to.extend_from_slice(&self.cells[start..self.ends[block]]);
        shuffle(to, &mut Random::new(self.seed, &[u64::from(epoch) + 1, block as u64]));
    }
}

/// Every order is as likely as the others. Source: R. Durstenfeld, *Algorithm 235*, 1964.
fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u32 + 1) as usize);
    }
}

fn no_room(cells: usize) -> Error {
    Error::new(Kind::Training, format!("no memory for {cells} cells in random order; raise min_count or lower window"))
}
