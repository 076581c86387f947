//! Which of several pairs with the same count is merged first.
//!
//! A rule is a plug-in of the trainer: it gives every pair a key, and the smallest key wins. The key of an existing
//! pair may only grow while merges go on. That one condition makes a lazy heap exact: a candidate whose key has grown
//! is put back with its new key when it reaches the top.

/// A rule for ties. The highest count always comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TieBreak {
    /// The smallest (left id, right id). Ids: special tokens, then the alphabet by code point (bytes by the code
    /// point of GPT-2's printable character), then merges in order. Source: `BpeTrainer` of the `tokenizers` library.
    #[default]
    Huggingface,
    /// The smallest (left id, right id), where the id of a byte is its value. Source: rustbpe, bpeasy.
    RawBytes,
    /// The pair whose first occurrence in the corpus, as merged so far, is earliest. Source: minbpe.
    FirstSeen,
    /// The shorter product, then the smaller UTF-8 string. Source: SentencePiece.
    SentencePiece,
}

impl TieBreak {
    /// All rules, in the order of the documentation.
    pub const ALL: [TieBreak; 4] =
        [TieBreak::Huggingface, TieBreak::FirstSeen, TieBreak::SentencePiece, TieBreak::RawBytes];

    /// The name in options and messages.
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::Huggingface => "huggingface",
            TieBreak::RawBytes => "raw_bytes",
            TieBreak::FirstSeen => "first_seen",
            TieBreak::SentencePiece => "sentencepiece",
        }
    }

    /// The rule called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Whether special tokens have the first ids; else they have the last.
    pub fn specials_first(self) -> bool {
        matches!(self, TieBreak::Huggingface | TieBreak::SentencePiece)
    }

    /// Whether no two tokens may spell the same bytes.
    pub(super) fn unique_texts(self) -> bool {
        self.specials_first()
    }
}

/// Two neighbouring token ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(super) struct Pair {
    /// Id of the left token.
    pub(super) left: u32,
    /// Id of the right token.
    pub(super) right: u32,
}

impl Pair {
    pub(super) fn new(left: u32, right: u32) -> Self {
        Pair { left, right }
    }

    /// Both ids in one number that orders as the pair does.
    #[inline]
    pub(super) fn code(self) -> u64 {
        u64::from(self.left) << 32 | u64::from(self.right)
    }
}

/// Where a pair stands in the corpus: word by word, then by the place in the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    /// Grows with the first place of the word.
    pub(super) word: u64,
    /// Symbols of the alphabet before it: unlike its index, this never changes.
    pub(super) offset: u32,
}

/// What a rule may ask about a pair.
pub(super) trait Sight {
    /// Where the pair occurs first now.
    fn first(&mut self) -> Occurrence;
    /// Symbols of the alphabet in the product, and its bytes.
    fn product(&self) -> (u32, Box<[u8]>);
}

/// The key of a rule. Pairs of equal key fall back on their ids.
pub(super) trait Rule {
    /// Smaller wins.
    type Key: Ord + Clone;
    /// Whether the key of an existing pair can grow.
    const GROWS: bool;
    /// The key of the pair as the corpus is now.
    fn key(sight: &mut impl Sight) -> Self::Key;
}

/// Smallest ids: nothing beside the ids themselves.
pub(super) struct ById;

impl Rule for ById {
    type Key = ();
    const GROWS: bool = false;
    fn key(_: &mut impl Sight) {}
}

/// Earliest occurrence.
pub(super) struct ByPlace;

impl Rule for ByPlace {
    type Key = Occurrence;
    const GROWS: bool = true;
    fn key(sight: &mut impl Sight) -> Occurrence {
        sight.first()
    }
}

/// Shortest product, then smallest bytes: UTF-8 orders as code points do.
pub(super) struct ByText;

impl Rule for ByText {
    type Key = (u32, Box<[u8]>);
    const GROWS: bool = false;
    fn key(sight: &mut impl Sight) -> Self::Key {
        sight.product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for rule in TieBreak::ALL {
            assert_eq!(TieBreak::from_name(rule.name()), Some(rule));
        }
        assert_eq!(TieBreak::from_name("random"), None);
    }
}
