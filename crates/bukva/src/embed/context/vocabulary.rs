//! Which words get a vector, and in which order.

use std::cmp::Reverse;

use super::ids::DROPPED;
use super::interner::Interner;
use crate::error::{Error, Kind, Result};

/// The words with a vector: by falling count, and where counts are equal in the order of their bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The words.
    pub words: Vec<String>,
    /// How often each stands in the corpus.
    pub counts: Vec<u64>,
    /// Words left out for their count.
    pub rare: u64,
}

impl Vocabulary {
    /// The words of all `interners` that stand there `min_count` times, and for each interner the new ids of its words.
    /// O(words · log words).
    ///
    /// # Errors
    /// [`Kind::Corpus`] if there are none.
    pub(super) fn of_words(mut interners: Vec<Interner>, min_count: u64) -> Result<(Self, Vec<Vec<u32>>)> {
        let mut all = std::mem::take(&mut interners[0]);
        let mut maps = vec![(0..all.len() as u32).collect::<Vec<_>>()];
        for other in &interners[1..] {
            let counts = other.counts();
            let mut add = |(number, &count): (u32, &u64)| {
                let word = other.word(number);
                all.add(word, 0..word.len(), count)
            };
            maps.push((0..).zip(&counts).map(&mut add).collect());
        }
        drop(interners);
        let counts = all.counts();
        let order = order(&counts, min_count, |number| all.word(number));
        let vocabulary = Vocabulary {
            words: order.iter().map(|&number| String::from_utf8_lossy(all.word(number)).into_owned()).collect(),
            counts: order.iter().map(|&number| counts[number as usize]).collect(),
            rare: (all.len() - order.len()) as u64,
        };
        vocabulary.check(&counts, min_count)?;
        let ranks = ranks(&order, all.len());
        for map in &mut maps {
            map.iter_mut().for_each(|number| *number = ranks[*number as usize]);
        }
        Ok((vocabulary, maps))
    }

    /// The tokens that stand there `min_count` times, named by `name`, and the new ids of all.
    ///
    /// # Errors
    /// [`Kind::Corpus`] if there are none.
    pub(super) fn of_tokens(
        counts: &[u64],
        min_count: u64,
        name: impl Fn(u32) -> String,
    ) -> Result<(Self, Vec<u32>, Vec<u32>)> {
        let order = order(counts, min_count, |id| id);
        let vocabulary = Vocabulary {
            words: order.iter().map(|&id| name(id)).collect(),
            counts: order.iter().map(|&id| counts[id as usize]).collect(),
            rare: counts.iter().filter(|&&count| count > 0).count() as u64 - order.len() as u64,
        };
        vocabulary.check(counts, min_count)?;
        let ranks = ranks(&order, counts.len());
        Ok((vocabulary, ranks, order))
    }

    fn check(&self, counts: &[u64], min_count: u64) -> Result<()> {
        if !self.words.is_empty() {
            return Ok(());
        }
        let most = counts.iter().max().copied().unwrap_or(0);
        let message = match self.rare {
            0 => "the corpus holds no words; look at word_pattern".to_owned(),
            rare => format!(
                "no word of the corpus stands there at least {min_count} times: of {rare} words the most frequent one \
                 comes {most} times; lower min_count"
            ),
        };
        Err(Error::new(Kind::Corpus, message))
    }
}

/// Numbers of the words that stay, by falling count, then by `name`.
fn order<N: Ord>(counts: &[u64], min_count: u64, name: impl Fn(u32) -> N) -> Vec<u32> {
    let stays = |&number: &u32| counts[number as usize] >= min_count.max(1);
    let mut order: Vec<u32> = (0..counts.len() as u32).filter(stays).collect();
    order.sort_unstable_by(|&a, &b| {
        let by_count = Reverse(counts[a as usize]).cmp(&Reverse(counts[b as usize]));
        by_count.then_with(|| name(a).cmp(&name(b)))
    });
    order
}

/// The place of each number in `order`, or [`DROPPED`].
fn ranks(order: &[u32], len: usize) -> Vec<u32> {
    let mut ranks = vec![DROPPED; len];
    for (rank, &number) in order.iter().enumerate() {
        ranks[number as usize] = rank as u32;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interner(words: &str) -> Interner {
        let mut interner = Interner::default();
        words.split(' ').for_each(|word| _ = interner.add(word.as_bytes(), 0..word.len(), 1));
        interner
    }

    #[test]
    fn words_are_ordered_by_count_then_bytes() {
        let interners = vec![interner("кот дом кот ель"), interner("дом ива кот дом ель")];
        let (vocabulary, maps) = Vocabulary::of_words(interners, 2).unwrap();
        assert_eq!(vocabulary.words, ["дом", "кот", "ель"]);
        assert_eq!((vocabulary.counts, vocabulary.rare), (vec![3, 3, 2], 1));
        assert_eq!(maps, [vec![1, 0, 2], vec![0, DROPPED, 1, 2]]);
    }

    #[test]
    fn tokens_keep_their_ids_in_a_list() {
        let (vocabulary, ranks, order) = Vocabulary::of_tokens(&[0, 5, 1, 5], 1, |id| id.to_string()).unwrap();
        assert_eq!((vocabulary.words, vocabulary.rare), (vec!["1".to_owned(), "3".to_owned(), "2".to_owned()], 0));
        assert_eq!((ranks, order), (vec![DROPPED, 0, 2, 1], vec![1, 3, 2]));
    }

    #[test]
    fn no_words_are_an_error() {
        let error = Vocabulary::of_words(vec![interner("кот кот дом")], 3).unwrap_err();
        assert!(error.kind == Kind::Corpus && error.message.contains("at least 3 times"), "{error}");
        assert!(error.message.contains("of 2 words the most frequent one comes 2 times"), "{error}");
        let error = Vocabulary::of_words(vec![Interner::default()], 3).unwrap_err();
        assert!(error.message.contains("holds no words"), "{error}");
    }
}
