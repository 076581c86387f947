//! How often each merge is applied to a text: the compression curve of every shorter vocabulary in one pass.

use rustc_hash::FxHashMap;

use crate::error::{Error, Kind, Result};
use crate::model::Encoder;
use crate::model::bpe::{BpeEncoder, canonical_pairs};
use crate::monitor::{Monitor, Progress, Stage, Ticker};
use crate::pipeline::Tokenizer;
use crate::spec::{Bpe, Merge, Model};
use crate::train::WordTable;

/// Symbols before the first merge, and how often the merge of each place in rank order is applied.
///
/// The first k merges alone leave `symbols - applied[..k].sum()` tokens: each application takes one token away, and
/// where every merge builds on earlier ones, merges are applied in the order of their ranks, so leaving out the later
/// ones changes nothing before them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergeHistogram {
    /// Symbols before the first merge.
    pub symbols: u64,
    /// Applications of each merge, in rank order.
    pub applied: Vec<u64>,
}

impl Tokenizer {
    /// The histogram of texts, each encoded apart, without added tokens. Each distinct pre-token is merged once.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for models without merges, and for merges that do not build on earlier ones alone;
    /// else as [`Tokenizer::encode_ordinary`].
    pub fn merge_histogram(&self, texts: &[&str], monitor: &mut dyn Monitor) -> Result<MergeHistogram> {
        let (Model::Bpe(bpe), Encoder::Bpe(encoder)) = (&self.spec().model, &self.encoder) else {
            return Err(Error::new(Kind::Unsupported, "only BPE has merges to count"));
        };
        let merges = ordered_merges(bpe)?;
        let table = self.count_pretokens(texts, &mut Ticker::new(monitor))?;
        let mut histogram = MergeHistogram { symbols: 0, applied: vec![0; merges.len()] };
        let mut failed = None;
        table.for_each(|word| {
            if failed.is_none() {
                failed = add_word(encoder, &merges, word.bytes, word.count, &mut histogram).err();
            }
        });
        failed.map_or(Ok(histogram), Err)
    }

    fn count_pretokens(&self, texts: &[&str], ticker: &mut Ticker) -> Result<WordTable> {
        let mut table = WordTable::new();
        let mut done = 0;
        for text in texts {
            let normalized = match &self.normalizer {
                Some(normalizer) => normalizer.apply(text)?,
                None => std::borrow::Cow::Borrowed(*text),
            };
            self.splitter.for_each(&normalized, |from, to| table.add(&normalized.as_bytes()[from..to], 1, 0))?;
            done += text.len() as u64;
            ticker.tick(Progress { stage: Stage::Count, done, total: None })?;
        }
        Ok(table)
    }
}

fn add_word(
    encoder: &BpeEncoder,
    merges: &[Merge],
    word: &[u8],
    count: u64,
    histogram: &mut MergeHistogram,
) -> Result<()> {
    let trace = encoder.trace(word)?;
    histogram.symbols += count * trace.symbols.len() as u64;
    for step in &trace.steps {
        if let Ok(place) = merges.binary_search_by_key(&step.rank, |merge| merge.rank) {
            histogram.applied[place] += count;
        }
    }
    Ok(())
}

/// The merges that can happen, one a product, if each builds on earlier ones alone.
fn ordered_merges(bpe: &Bpe) -> Result<Vec<Merge>> {
    let merges = canonical_pairs(bpe)?;
    let mut rank_of: FxHashMap<u32, u32> = FxHashMap::default();
    for merge in &merges {
        let made_later = |id: u32| rank_of.get(&id).is_some_and(|&rank| rank >= merge.rank);
        let repeated = rank_of.contains_key(&merge.product);
        if repeated || made_later(merge.left) || made_later(merge.right) {
            let message = format!(
                "the merge of rank {} does not build on earlier merges alone, so the vocabularies before it are no \
                 prefixes of this one",
                merge.rank
            );
            return Err(Error::new(Kind::Unsupported, message));
        }
        rank_of.insert(merge.product, merge.rank);
    }
    Ok(merges)
}
