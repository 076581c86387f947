//! The engine against the definition.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::spec;
use crate::train::WordTable;

type Words_ = Vec<(String, u64)>;

/// Words in corpus order, each at its own place.
fn table(words: &[(String, u64)]) -> Words {
    let mut table = WordTable::new();
    words.iter().enumerate().for_each(|(place, (word, count))| table.add(word.as_bytes(), *count, place as u64));
    table.into_words_by_place()
}

fn trained(words: &[(String, u64)], options: &BpeOptions) -> Trained {
    train_bpe(table(words), options, &mut ()).unwrap()
}

/// Left text, right text and count of each merge.
type Listed = Vec<(Vec<u8>, Vec<u8>, u64)>;

fn listed(trained: &Trained) -> Listed {
    let text: BTreeMap<u32, &[u8]> = trained.vocab.iter().map(|entry| (entry.id, entry.bytes)).collect();
    let merges = trained.merges.iter().zip(&trained.counts);
    merges.map(|(merge, &count)| (text[&merge.left].to_vec(), text[&merge.right].to_vec(), count)).collect()
}

/// The definition, word for word: count everything, choose, replace, again.
struct Naive<'a> {
    options: &'a BpeOptions,
    texts: Vec<Vec<u8>>,
    lengths: Vec<u32>,
    words: Vec<(Vec<u32>, u64)>,
    dropped: HashSet<(u32, u32)>,
}

impl<'a> Naive<'a> {
    fn new(words: &[(String, u64)], options: &'a BpeOptions) -> Self {
        let mut symbols: Vec<Vec<u8>> = match options.alphabet {
            spec::Alphabet::Bytes => (0..=255u8).map(|byte| vec![byte]).collect(),
            spec::Alphabet::Chars => {
                let chars: std::collections::BTreeSet<String> = words
                    .iter()
                    .flat_map(|word| word.0.chars().map(String::from))
                    .chain(options.end_of_word.clone())
                    .collect();
                chars.into_iter().map(String::into_bytes).collect()
            }
        };
        if options.tie_break == TieBreak::Huggingface && options.alphabet == spec::Alphabet::Bytes {
            symbols.sort_by_key(|byte| {
                let printable = matches!(byte[0], 33..=126 | 161..=172 | 174..=255);
                (if printable { 0 } else { 256 }) + u32::from(byte[0])
            });
        }
        let id = |text: &[u8]| symbols.iter().position(|symbol| symbol == text).unwrap() as u32;
        let spell = |word: &str| -> Vec<u32> {
            let symbols: Vec<Vec<u8>> = match options.alphabet {
                spec::Alphabet::Bytes => word.bytes().map(|byte| vec![byte]).collect(),
                spec::Alphabet::Chars => word.chars().map(|c| c.to_string().into_bytes()).collect(),
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
            (std::cmp::Reverse(*count), a, b, *pair)
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

    fn run(mut self, merges: usize) -> Listed {
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

fn corpora() -> impl Strategy<Value = Words_> {
    let counts = prop_oneof![
        4 => 1u64..4,
        2 => 1u64..300,
        1 => (1u64 << 31)..(1u64 << 34),
        1 => (1u64 << 40)..(1u64 << 45)
    ];
    let letters = prop_oneof![Just("[a]"), Just("[ab]"), Just("[abж]"), Just("[<a/>]")];
    letters.prop_flat_map(move |letters| {
        let word = proptest::string::string_regex(&format!("{letters}{{1,12}}")).unwrap();
        prop::collection::vec((word, counts.clone()), 1..12)
    })
}

fn rules() -> impl Strategy<Value = TieBreak> {
    prop::sample::select(TieBreak::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_engine_is_the_definition_on_bytes(words in corpora(), tie_break in rules(), merges in 1u32..60,
                                             min_frequency in 0u64..4, length in prop::option::of(1u32..8)) {
        let options = BpeOptions { tie_break, min_frequency, max_token_length: length, ..BpeOptions::new(Limit::Merges(merges)) };
        prop_assert_eq!(listed(&trained(&words, &options)), Naive::new(&words, &options).run(merges as usize));
    }

    #[test]
    fn the_engine_is_the_definition_on_characters(words in corpora(), tie_break in rules(), merges in 1u32..60,
                                                  marker in prop::option::of(prop::sample::select(vec!["_", "a", "<a>", "</w>"]))) {
        let end_of_word = marker.map(String::from);
        let options = BpeOptions { tie_break, end_of_word, alphabet: spec::Alphabet::Chars, ..BpeOptions::new(Limit::Merges(merges)) };
        prop_assert_eq!(listed(&trained(&words, &options)), Naive::new(&words, &options).run(merges as usize));
    }

    #[test]
    fn long_words_are_words(words in corpora(), long in prop::collection::vec(("[ab]{500,900}", 1u64..3), 1..3),
                            tie_break in rules(), at in 0usize..12) {
        let mut words = words;
        let at = at.min(words.len());
        words.splice(at..at, long);
        let options = BpeOptions { tie_break, ..BpeOptions::new(Limit::Merges(30)) };
        prop_assert_eq!(listed(&trained(&words, &options)), Naive::new(&words, &options).run(30));
    }
}
