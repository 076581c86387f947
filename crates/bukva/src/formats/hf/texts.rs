//! Many texts in one block, and texts with an id each.

use crate::spec::Vocab;

/// Texts, one behind the other. 8 bytes a text beside its own.
#[derive(Debug, Clone, Default)]
pub(in crate::formats) struct Texts {
    joined: String,
    ends: Vec<u64>,
}

impl Texts {
    /// Texts whose bytes are joined, with the end of each; `None` if one of them is not UTF-8. The ends rise, and the
    /// last is the length of `bytes`. O(bytes).
    pub(super) fn of(bytes: Vec<u8>, ends: Vec<u64>) -> Option<Self> {
        let joined = String::from_utf8(bytes).ok()?;
        let whole = ends.iter().all(|&end| joined.is_char_boundary(end as usize));
        whole.then_some(Texts { joined, ends })
    }

    /// Adds a text at the end.
    pub(super) fn push(&mut self, text: &str) {
        self.joined.push_str(text);
        self.ends.push(self.joined.len() as u64);
    }

    /// Number of texts.
    pub(in crate::formats) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text at `index`, in the order of adding. O(1).
    #[inline]
    pub(in crate::formats) fn get(&self, index: usize) -> &str {
        self.stretch(index, 1)
    }

    /// `count` texts from `first` on, joined. O(1).
    #[inline]
    pub(super) fn stretch(&self, first: usize, count: usize) -> &str {
        let start = first.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.joined[start as usize..self.ends[first + count - 1] as usize]
    }

    /// All texts, joined.
    #[inline]
    pub(super) fn joined(&self) -> &str {
        &self.joined
    }

    /// Whether the text at `index`, which begins at `start`, is `text`.
    #[inline]
    pub(super) fn is_at(&self, index: usize, start: usize, text: &str) -> bool {
        self.joined.as_bytes().get(start..start + text.len()) == Some(text.as_bytes())
            && self.ends[index] == (start + text.len()) as u64
    }

    /// All texts in order.
    pub(in crate::formats) fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// Texts with an id each.
#[derive(Debug, Clone, Default)]
pub(in crate::formats) struct Entries {
    texts: Texts,
    ids: Vec<u32>,
}

impl Entries {
    /// Texts and as many ids.
    pub(super) fn of(texts: Texts, ids: Vec<u32>) -> Self {
        Entries { texts, ids }
    }

    /// Adds an entry at the end.
    pub(super) fn push(&mut self, text: &str, id: u32) {
        self.texts.push(text);
        self.ids.push(id);
    }

    /// All texts in order.
    #[inline]
    pub(super) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The text of the entry at `index`.
    #[inline]
    pub(super) fn text(&self, index: usize) -> &str {
        self.texts.get(index)
    }

    /// The id of the entry at `index`.
    #[inline]
    pub(super) fn id(&self, index: usize) -> u32 {
        self.ids[index]
    }

    /// All ids in order.
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// All entries in order.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> + Clone {
        self.texts.iter().zip(self.ids.iter().copied())
    }

    /// The entries as tokens of characters. O(1).
    pub(super) fn into_vocab(self) -> Vocab {
        Vocab::of_parts(self.ids, self.texts.ends, self.texts.joined.into_bytes())
    }
}

impl<'t> FromIterator<(&'t str, u32)> for Entries {
    fn from_iter<I: IntoIterator<Item = (&'t str, u32)>>(entries: I) -> Self {
        let mut all = Entries::default();
        entries.into_iter().for_each(|(text, id)| all.push(text, id));
        all
    }
}
