//! The definition of BPE training, word for word: count everything, choose, replace, again.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::super::{BpeOptions, TieBreak};
use super::Listed;
use crate::spec::Alphabet;

/// The state of a run.
pub(super) struct Naive<'a> {
    options: &'a BpeOptions,
    texts: Vec<Vec<u8>>,
    lengths: Vec<u32>,
    words: Vec<(Vec<u32>, u64)>,
    dropped: HashSet<(u32, u32)>,
}

impl<'a> Naive<'a> {
    pub(super) fn new(words: &[(String, u64)], options: &'a BpeOptions) -> Self {
        let mut symbols: Vec<Vec<u8>> = match options.alphabet {
            Alphabet::Bytes => (0..=255u8).map(|byte| vec![byte]).collect(),
            Alphabet::Chars => {
                let chars: BTreeSet<String> = words
                    .iter()
                    .flat_map(|word| word.0.chars().map(String::from))
                    .chain(options.end_of_word.clone())
                    .collect();
                chars.into_iter().map(String::into_bytes).collect()
            }
        };
        if options.tie_break == TieBreak::Huggingface && options.alphabet == Alphabet::Bytes {
            symbols.sort_by_key(|byte| {
                let printable = matches!(byte[0], 33..=126 | 161..=172 | 174..=255);
                (if printable { 0 } else { 256 }) + u32::from(byte[0])
            });
        }
        let id = |text: &[u8]| symbols.iter().position(|symbol| symbol == text).unwrap() as u32;
        let spell = |word: &str| -> Vec<u32> {
            let symbols: Vec<Vec<u8>> = match options.alphabet {
                Alphabet::Bytes => word.bytes().map(|byte| vec![byte]).collect(),
                Alphabet::Chars => word.chars().map(|c| c.to_string().into_bytes()).collect(),
            };
            let marker = options.end_of_word.iter().map(|marker| marker.clone().into_bytes());
            symbols.into_iter().chain(marker).map(|symbol| id(&symbol)).collect()
        };
        let mut unique: Vec<(String, u64)> = Vec::new();
        for (word, count) in words.iter().filter(|word| !word.0.is_empty()) {
            match unique.iter_mut().find(|known| known.0 == *word) {
                Some(known) => known.1 += count,
                None => unique.push((word.clone(), *count)),
            }
        }
        let words = unique.iter().map(|(word, count)| (spell(word), *count)).collect();
        let lengths = vec![1; symbols.len()];
        Naive { options, texts: symbols, lengths, words, dropped: HashSet::new() }
    }

    fn admits(&self, pair: (u32, u32)) -> bool {
        let length = self.lengths[pair.0 as usize] + self.lengths[pair.1 as usize];
        let short = match (self.options.tie_break, self.options.max_token_length) {
            (TieBreak::Huggingface, Some(limit)) => length < limit || length == 2,
            (TieBreak::SentencePiece, None) => length <= 16,
            (_, limit) => length <= limit.unwrap_or(u32::MAX),
        };
        short && !self.dropped.contains(&pair)
    }

    /// Count and first position in the walk of each pair.
    fn counts(&self) -> BTreeMap<(u32, u32), (u64, usize)> {
        let mut counts = BTreeMap::new();
        let mut walked = 0;
        for (word, count) in &self.words {
            for pair in word.windows(2).map(|two| (two[0], two[1])) {
                walked += 1;
                if self.admits(pair) {
                    counts.entry(pair).or_insert((0, walked)).0 += count;
                }
            }
        }
        counts
    }

    fn text(&self, pair: (u32, u32)) -> Vec<u8> {
        [&self.texts[pair.0 as usize][..], &self.texts[pair.1 as usize]].concat()
    }

    fn best(&self) -> Option<((u32, u32), u64)> {
        let counts = self.counts();
        let rank = |(pair, (count, first)): (&(u32, u32), &(u64, usize))| {
            let length = self.lengths[pair.0 as usize] + self.lengths[pair.1 as usize];
            let (a, b) = match self.options.tie_break {
                TieBreak::FirstSeen => (*first as u64, Vec::new()),
                TieBreak::SentencePiece => (u64::from(length), self.text(*pair)),
                _ => (0, Vec::new()),
            };
            (Reverse(*count), a, b, *pair)
        };
        let best = counts.iter().min_by_key(|&entry| rank(entry))?;
        (best.1.0 >= self.options.min_frequency).then_some((*best.0, best.1.0))
    }

    fn replace(&mut self, pair: (u32, u32), product: u32) {
        for (word, _) in &mut self.words {
            let mut at = 0;
            while at + 1 < word.len() {
                if (word[at], word[at + 1]) == pair {
                    word.splice(at..at + 2, [product]);
                }
                at += 1;
            }
        }
    }

    pub(super) fn run(mut self, merges: usize) -> Listed {
        let mut listed = Vec::new();
        while listed.len() < merges {
            let Some((pair, count)) = self.best() else { break };
            let text = self.text(pair);
            let unique = matches!(self.options.tie_break, TieBreak::Huggingface | TieBreak::SentencePiece);
            if unique && self.texts.contains(&text) {
                self.dropped.insert(pair);
                continue;
            }
            listed.push((self.texts[pair.0 as usize].clone(), self.texts[pair.1 as usize].clone(), count));
            self.texts.push(text);
            self.lengths.push(self.lengths[pair.0 as usize] + self.lengths[pair.1 as usize]);
            self.replace(pair, self.texts.len() as u32 - 1);
        }
        listed
    }
}
