//! Which n-grams a word has, and what numbers they get.

use super::hash::{BASIS, fnv1a, murmur3};
use crate::error::{Error, Kind, Result};

/// Characters of an n-gram at most: what keeps the n-grams of a long word few.
pub const MOST_CHARS: u32 = 64;
/// Numbers that one hash of floret gives.
pub const MOST_HASHES: u32 = 4;
/// Buckets at most: numbers of fastText are signed.
const MOST_BUCKETS: u32 = i32::MAX as u32;

/// How n-grams become numbers of buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// One bucket by fastText's hash. Words have rows of their own beside those of their n-grams.
    FastText,
    /// Several buckets by one MurmurHash3, so that a small table tells many n-grams apart. The word between its marks is
    /// hashed as its n-grams are and has no row of its own. Source: the code of floret.
    Floret {
        /// Buckets for each: 1 to [`MOST_HASHES`].
        count: u32,
    },
}

/// The n-grams of a word, as numbers.
///
/// N-grams are of the characters (code points) of the word between `<` and `>`; a mark alone is none.
///
/// Source: P. Bojanowski, E. Grave, A. Joulin, T. Mikolov, *Enriching Word Vectors with Subword Information*, 2017.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// Characters of an n-gram at least; 1 or more.
    pub minn: u32,
    /// And at most; up to [`MOST_CHARS`].
    pub maxn: u32,
    /// Number of buckets.
    pub bucket: u32,
    /// How an n-gram is numbered.
    pub hashing: Hashing,
}

impl Scheme {
    /// Looks whether words can be taken apart with these.
    ///
    /// # Errors
    /// [`Kind::Argument`] that names the option, its value and what it may be.
    pub fn check(&self) -> Result<()> {
        let Scheme { minn, maxn, bucket, hashing } = *self;
        within("minn", minn, 1, MOST_CHARS)?;
        within("maxn", maxn, minn, MOST_CHARS)?;
        within("bucket", bucket, 1, MOST_BUCKETS)?;
        match hashing {
            Hashing::FastText => Ok(()),
            Hashing::Floret { count } => within("hash_count", count, 1, MOST_HASHES),
        }
    }

    /// Whether words have rows of their own.
    pub fn has_word_rows(&self) -> bool {
        self.hashing == Hashing::FastText
    }

    /// Calls `emit` with the bucket of each n-gram, in the order of fastText; those that stand twice come twice.
    /// O(bytes · maxn).
    pub fn for_each_bucket(&self, word: &str, mut emit: impl FnMut(u32)) {
        let marked = format!("<{word}>");
        if let Hashing::Floret { count } = self.hashing {
            self.murmur(marked.as_bytes(), count, &mut emit);
        }
        for (start, _) in marked.char_indices() {
            self.for_each_from(&marked, start, &mut emit);
        }
    }

    /// The n-grams that start at a place.
    fn for_each_from(&self, marked: &str, start: usize, emit: &mut impl FnMut(u32)) {
        let (mut hash, rest) = (BASIS, &marked[start..]);
        for (number, (at, char)) in (1..=self.maxn).zip(rest.char_indices()) {
            let end = at + char.len_utf8();
            hash = fnv1a(hash, &rest.as_bytes()[at..end]);
            let is_mark = number == 1 && (start == 0 || end == rest.len());
            if number < self.minn || is_mark {
                continue;
            }
            match self.hashing {
                Hashing::FastText => emit(hash % self.bucket),
                Hashing::Floret { count } => self.murmur(&rest.as_bytes()[..end], count, emit),
            }
        }
    }

    fn murmur(&self, bytes: &[u8], count: u32, emit: &mut impl FnMut(u32)) {
        murmur3(bytes, BASIS).iter().take(count as usize).for_each(|hash| emit(hash % self.bucket));
    }
}

fn within(name: &str, value: u32, least: u32, most: u32) -> Result<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let message = format!("the {name:?} parameter must be from {least} to {most}; got {value} instead");
    Err(Error::new(Kind::Argument, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(word: &str, hashing: Hashing, bucket: u32) -> Vec<u32> {
        let mut found = Vec::new();
        Scheme { minn: 2, maxn: 4, bucket, hashing }.for_each_bucket(word, |bucket| found.push(bucket));
        found
    }

    /// Numbers of `Model.get_subwords` of fasttext 0.9.2, less the words before the buckets.
    #[test]
    fn buckets_are_those_of_fasttext() {
        let cases: [(&str, &[u32]); 4] = [
            ("где", &[246, 178, 257, 416, 951, 531, 738, 68, 248]),
            ("a", &[750, 600, 806]),
            ("日本", &[687, 587, 759, 409, 157, 717]),
            ("", &[367]),
        ];
        for (word, expected) in cases {
            assert_eq!(buckets(word, Hashing::FastText, 1000), expected, "{word}");
        }
    }

    /// The same of floret 0.10.5 with two hashes.
    #[test]
    fn buckets_are_those_of_floret() {
        let with = Hashing::Floret { count: 2 };
        assert_eq!(buckets("a", with, 100), [5, 22, 5, 84, 5, 22, 81, 78]);
        assert_eq!(buckets("日本", with, 100), [40, 97, 12, 46, 39, 38, 40, 97, 19, 8, 60, 90, 13, 88]);
        assert_eq!(buckets("a", Hashing::Floret { count: 4 }, 100).len(), 16);
    }

    #[test]
    fn schemes_that_cannot_work_are_named() {
        let sound = Scheme { minn: 3, maxn: 6, bucket: 9, hashing: Hashing::Floret { count: 2 } };
        assert_eq!(sound.check(), Ok(()));
        for (name, scheme) in [
            ("minn", Scheme { minn: 0, ..sound }),
            ("maxn", Scheme { maxn: 2, ..sound }),
            ("maxn", Scheme { maxn: 65, ..sound }),
            ("bucket", Scheme { bucket: 0, ..sound }),
            ("bucket", Scheme { bucket: 1 << 31, ..sound }),
            ("hash_count", Scheme { hashing: Hashing::Floret { count: 5 }, ..sound }),
        ] {
            let error = scheme.check().unwrap_err();
            assert!(error.kind == Kind::Argument && error.message.contains(&format!("{name:?}")), "{error}");
        }
    }
}
