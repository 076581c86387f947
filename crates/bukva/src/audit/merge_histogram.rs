//! How often each merge is applied to a text: the compression curve of every shorter vocabulary in one pass.

use crate::error::{Error, Kind, Result};
use crate::model::Encoder;
use crate::model::bpe::{BpeEncoder, Scratch};
use crate::monitor::{Monitor, Progress, Stage, Ticker};
use crate::pipeline::Tokenizer;
use crate::spec::{Bpe, Model};
use crate::train::WordTable;

/// Symbols before the first merge, and how many applications each further rank brings.
///
/// The merges of the first k ranks alone leave `symbols - applied[..k].sum()` tokens. In a pre-token, merging with
/// those alone goes the same way as with all, up to the first step of a later rank, where it ends, since a step
/// always takes the lowest rank there is. So every step counts for the highest rank that was applied up to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergeHistogram {
    /// Symbols before the first merge.
    pub symbols: u64,
    /// Applications that each rank brings, in rank order.
    pub applied: Vec<u64>,
}

impl Tokenizer {
    /// The histogram of texts, each encoded apart, without added tokens. Each distinct pre-token is merged once.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for models without merges; else as [`Tokenizer::encode_ordinary`].
    pub fn merge_histogram(&self, texts: &[&str], monitor: &mut dyn Monitor) -> Result<MergeHistogram> {
        let (Model::Bpe(bpe), Encoder::Bpe(encoder)) = (&self.spec().model, self.encoder()) else {
            return Err(Error::new(Kind::Unsupported, "only BPE has merges to count"));
        };
        let ranks = ranks(bpe);
        let table = self.count_pretokens(texts, &mut Ticker::new(monitor))?;
        let mut histogram = MergeHistogram { symbols: 0, applied: vec![0; ranks.len()] };
        let mut scratch = Scratch::new(encoder);
        let mut failed = None;
        table.for_each(|word| {
            if failed.is_none() {
                failed = add_word(encoder, &mut scratch, &ranks, word.bytes, word.count, &mut histogram).err();
            }
        });
        failed.map_or(Ok(histogram), Err)
    }

    fn count_pretokens(&self, texts: &[&str], ticker: &mut Ticker) -> Result<WordTable> {
        let mut table = WordTable::new();
        let mut done = 0;
        for text in texts {
            self.for_each_pretoken(text, &mut |pretoken| table.add(pretoken, 1, 0))?;
            done += text.len() as u64;
            ticker.tick(Progress { stage: Stage::Count, done, total: None })?;
        }
        Ok(table)
    }
}

fn add_word(
    encoder: &BpeEncoder,
    scratch: &mut Scratch,
    ranks: &[u32],
    word: &[u8],
    count: u64,
    histogram: &mut MergeHistogram,
) -> Result<()> {
    let symbols = encoder.merge_ranks(word, scratch, |highest| {
        histogram.applied[ranks.partition_point(|&rank| rank < highest)] += count;
    })?;
    histogram.symbols += count * symbols as u64;
    Ok(())
}

/// The ranks of all merges, each once.
fn ranks(bpe: &Bpe) -> Vec<u32> {
    let mut ranks: Vec<u32> = bpe.merges.iter().map(|merge| merge.rank).collect();
    ranks.dedup();
    ranks
}
