//! A double-array trie: byte strings with a number each, walked byte by byte.
//!
//! Every node has a place in one array. The child of a node by byte `b` is at `base ^ b`, and knows its parent, so one
//! step is one load and one comparison. Source: Aoe 1989; the XOR form is that of Yata's darts-clone.

const NONE: u32 = u32::MAX;
/// Free places that are tried before the array grows.
const TRIES: usize = 32;

/// A read-only trie. 12 bytes a node, and few places left free.
#[derive(Debug)]
pub(in crate::model) struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    base: u32,
    parent: u32,
    value: u32,
}

const FREE: Node = Node { base: 0, parent: NONE, value: NONE };

impl Trie {
    /// The node of the empty string.
    pub(in crate::model) const ROOT: u32 = 0;

    /// Builds a trie of `keys` with their values, which are below `u32::MAX`; of equal keys the last counts. The empty
    /// key is left out. O(n log n) for n bytes of keys.
    pub(in crate::model) fn build(mut keys: Vec<(&[u8], u32)>) -> Self {
        keys.sort_by(|left, right| left.0.cmp(right.0));
        let mut builder = Builder { nodes: vec![FREE; 256], free: 1 };
        builder.nodes[0].parent = Self::ROOT;
        let mut open = vec![(Self::ROOT, 0, 0..keys.len())];
        let mut children = Vec::new();
        while let Some((node, depth, range)) = open.pop() {
            builder.note_values(node, depth, &keys[range.clone()]);
            children.clear();
            split(&keys, depth, range, &mut children);
            builder.place(node, &children);
            let base = builder.nodes[node as usize].base;
            let below = children.drain(..).map(|(byte, range)| (base ^ u32::from(byte), depth + 1, range));
            open.extend(below);
        }
        Trie { nodes: builder.nodes }
    }

    /// The node behind `byte`. O(1).
    #[inline]
    pub(in crate::model) fn step(&self, node: u32, byte: u8) -> Option<u32> {
        let child = self.nodes[node as usize].base ^ u32::from(byte);
        // The root is its own parent, and nobody's child.
        let found = self.nodes.get(child as usize)?.parent == node && child != Self::ROOT;
        found.then_some(child)
    }

    /// The value of the key that ends at `node`.
    #[inline]
    pub(in crate::model) fn value(&self, node: u32) -> Option<u32> {
        let value = self.nodes[node as usize].value;
        (value != NONE).then_some(value)
    }

    /// The node behind all of `bytes`. O(bytes).
    pub(in crate::model) fn walk(&self, from: u32, bytes: &[u8]) -> Option<u32> {
        bytes.iter().try_fold(from, |node, &byte| self.step(node, byte))
    }

    /// The value of the key `bytes`. O(bytes).
    pub(in crate::model) fn get(&self, bytes: &[u8]) -> Option<u32> {
        self.walk(Self::ROOT, bytes).and_then(|node| self.value(node))
    }

    /// Tells `found` the length and value of every key that `bytes` begin with, the shortest first. O(longest key).
    #[inline]
    pub(in crate::model) fn prefixes(&self, bytes: &[u8], mut found: impl FnMut(usize, u32)) {
        let mut node = Self::ROOT;
        for (length, &byte) in (1..).zip(bytes) {
            let Some(child) = self.step(node, byte) else { return };
            node = child;
            if let Some(value) = self.value(node) {
                found(length, value);
            }
        }
    }
}

/// The ranges of keys by their byte at `depth`; keys that end there are left out.
fn split(
    keys: &[(&[u8], u32)],
    depth: usize,
    range: std::ops::Range<usize>,
    out: &mut Vec<(u8, std::ops::Range<usize>)>,
) {
    for index in range {
        let Some(&byte) = keys[index].0.get(depth) else { continue };
        match out.last_mut() {
            Some((last, keys)) if *last == byte => keys.end = index + 1,
            _ => out.push((byte, index..index + 1)),
        }
    }
}

struct Builder {
    nodes: Vec<Node>,
    /// No place below it is free.
    free: usize,
}

impl Builder {
    fn note_values(&mut self, node: u32, depth: usize, keys: &[(&[u8], u32)]) {
        let ending = keys.iter().take_while(|key| key.0.len() == depth && depth > 0);
        ending.for_each(|key| self.nodes[node as usize].value = key.1);
    }

    /// Gives the children of `node` their places.
    fn place(&mut self, node: u32, children: &[(u8, std::ops::Range<usize>)]) {
        let Some(&(first, _)) = children.first() else { return };
        let base = self.base_for(first, children);
        self.nodes[node as usize].base = base as u32;
        for &(byte, _) in children {
            self.nodes[base ^ usize::from(byte)].parent = node;
        }
        while self.free < self.nodes.len() && !self.is_free(self.free) {
            self.free += 1;
        }
    }

    fn is_free(&self, place: usize) -> bool {
        self.nodes[place].parent == NONE
    }

    /// A base at which the places of all children are free; a new block of 256 if none is found soon.
    fn base_for(&mut self, first: u8, children: &[(u8, std::ops::Range<usize>)]) -> usize {
        let free = (self.free..self.nodes.len()).filter(|&place| self.is_free(place));
        let bases = free.map(|place| place ^ usize::from(first)).take(TRIES);
        let fits = |base: &usize| children.iter().all(|(byte, _)| self.is_free(base ^ usize::from(*byte)));
        if let Some(base) = { bases }.find(fits) {
            return base;
        }
        let base = self.nodes.len();
        self.nodes.resize(base + 256, FREE);
        base
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_a_map_finds(
            keys in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0_u8, 1, 97, 98, 255]), 0..6), 0..80),
            text in prop::collection::vec(prop::sample::select(vec![0_u8, 1, 97, 98, 255]), 0..12),
        ) {
            let pairs: Vec<_> = keys.iter().zip(0..).map(|(key, value)| (&key[..], value)).collect();
            let map: BTreeMap<&[u8], u32> = pairs.iter().copied().filter(|pair| !pair.0.is_empty()).collect();
            let trie = Trie::build(pairs);
            for key in &keys {
                prop_assert_eq!(trie.get(key), map.get(&key[..]).copied());
            }
            let mut found = Vec::new();
            trie.prefixes(&text, |length, value| found.push((length, value)));
            let expected = (1..=text.len()).filter_map(|length| map.get(&text[..length]).map(|&value| (length, value)));
            prop_assert!(expected.eq(found));
        }
    }

    #[test]
    fn many_keys_take_little_room() {
        let keys: Vec<String> =
            (0..50_000_u32).map(|number| format!("{:x}", number.wrapping_mul(2_654_435_761))).collect();
        let trie = Trie::build(keys.iter().zip(0..).map(|(key, value)| (key.as_bytes(), value)).collect());
        assert!(keys.iter().zip(0..).all(|(key, value)| trie.get(key.as_bytes()) == Some(value)));
        let used = trie.nodes.iter().filter(|node| node.parent != NONE).count();
        assert!(used * 10 > trie.nodes.len() * 8, "{used} of {}", trie.nodes.len());
    }
}
