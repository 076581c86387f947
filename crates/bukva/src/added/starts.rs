//! How added tokens begin: most text has no such place.

/// The first two bytes of every pattern.
#[derive(Debug)]
pub(super) struct Starts {
    /// The first byte, where it is one and the same.
    only: Option<u8>,
    /// First bytes.
    first: Box<[bool; 256]>,
    /// The second bytes behind each of them, a bit each.
    second: Box<[[u64; 4]; 256]>,
}

/// Bytes that are looked at together.
const STRIDE: usize = 16;

impl Starts {
    /// O(patterns). None of them is empty.
    pub(super) fn of(patterns: &[String]) -> Self {
        let mut starts = Starts { only: None, first: Box::new([false; 256]), second: Box::new([[0; 4]; 256]) };
        for pattern in patterns {
            let (first, second) = (usize::from(pattern.as_bytes()[0]), pattern.as_bytes().get(1));
            starts.first[first] = true;
            match second {
                Some(second) => starts.second[first][usize::from(second / 64)] |= 1 << (second % 64),
                None => starts.second[first] = [u64::MAX; 4],
            }
        }
        let mut firsts = (0..=255).filter(|&byte| starts.first[usize::from(byte)]);
        starts.only = firsts.next().filter(|_| firsts.next().is_none());
        starts
    }

    /// The first place of `text` where a pattern may begin. O(n).
    #[inline]
    pub(super) fn first_in(&self, text: &[u8]) -> Option<usize> {
        match self.only {
            Some(byte) => memchr::memchr(byte, text),
            None => self.search(text),
        }
    }

    fn search(&self, text: &[u8]) -> Option<usize> {
        for (number, stride) in text.chunks(STRIDE).enumerate() {
            let any = stride.iter().fold(false, |any, &byte| any | self.first[usize::from(byte)]);
            if any {
                let base = number * STRIDE;
                let place = (base..base + stride.len()).find(|&at| self.may_begin(&text[at..]));
                if place.is_some() {
                    return place;
                }
            }
        }
        None
    }

    fn may_begin(&self, text: &[u8]) -> bool {
        let first = usize::from(text[0]);
        let follows = |second: &u8| self.second[first][usize::from(second / 64)] >> (second % 64) & 1 == 1;
        self.first[first] && text.get(1).map_or(self.second[first] == [u64::MAX; 4], follows)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_pattern_begins_before(
            patterns in prop::collection::vec("[a-c<ж]{1,3}", 1..5),
            text in "[a-d<ж]{0,60}",
        ) {
            let starts = Starts::of(&patterns);
            let begins = |at: &usize| patterns.iter().any(|pattern| text.as_bytes()[*at..].starts_with(pattern.as_bytes()));
            let first = (0..text.len()).find(begins);
            let found = starts.first_in(text.as_bytes());
            prop_assert!(first.is_none() || found.is_some_and(|found| Some(found) <= first), "{found:?} {first:?}");
        }
    }
}
