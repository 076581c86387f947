//! A double-array trie: byte strings with a number each, walked byte by byte.
//!
//! Every node has a place in one array. The child of a node by byte `b` is at `base ^ b`, and knows its parent, so one
//! step is one load and one comparison. Source: Aoe 1989; the XOR form is that of Yata's darts-clone.

use super::order::{head, order};

const NONE: u32 = u32::MAX;
/// Free places that are tried, at two ends, before the array grows.
const TRIES: usize = 16;
/// Places by which it grows: children of one node lie in one block.
const BLOCK: usize = 256;

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
    pub(in crate::model) fn build(keys: Vec<(&[u8], u32)>) -> Self {
        let keys = sorted(keys);
        let mut builder = Builder::new();
        let mut open = vec![(Self::ROOT, 0, 0..keys.len())];
        let mut children = Vec::new();
        while let Some((node, depth, range)) = open.pop() {
            if let [(key, value)] = keys[range.clone()] {
                builder.chain(node, &key[depth..], value);
                continue;
            }
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

/// Keys in order; equal ones stay in theirs.
fn sorted(keys: Vec<(&[u8], u32)>) -> Vec<(&[u8], u32)> {
    let key = |place: u32| keys[place as usize].0;
    let places = order(keys.iter().map(|(key, _)| head(*key)).collect(), |one, two| key(one).cmp(key(two)));
    places.into_iter().map(|place| keys[place as usize]).collect()
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
    /// Places in use, a bit each.
    taken: Vec<u64>,
    /// No place below it is free.
    free: usize,
}

impl Builder {
    fn new() -> Self {
        let mut builder = Builder { nodes: Vec::new(), taken: Vec::new(), free: 0 };
        builder.grow();
        builder.take(Trie::ROOT as usize, Trie::ROOT);
        builder.pass_taken();
        builder
    }

    fn note_values(&mut self, node: u32, depth: usize, keys: &[(&[u8], u32)]) {
        let ending = keys.iter().take_while(|key| key.0.len() == depth && depth > 0);
        ending.for_each(|key| self.nodes[node as usize].value = key.1);
    }

    /// Hangs the rest of the only key below `node` on it: each byte takes the lowest free place.
    fn chain(&mut self, mut node: u32, rest: &[u8], value: u32) {
        for &byte in rest {
            let child = self.free as u32;
            self.nodes[node as usize].base = child ^ u32::from(byte);
            self.take(child as usize, node);
            self.pass_taken();
            node = child;
        }
        if node != Trie::ROOT {
            self.nodes[node as usize].value = value;
        }
    }

    /// Gives the children of `node` their places.
    fn place(&mut self, node: u32, children: &[(u8, std::ops::Range<usize>)]) {
        if children.is_empty() {
            return;
        }
        let base = self.base_for(children);
        self.nodes[node as usize].base = base as u32;
        for &(byte, _) in children {
            self.take(base ^ usize::from(byte), node);
        }
        self.pass_taken();
    }

    fn take(&mut self, place: usize, parent: u32) {
        self.nodes[place].parent = parent;
        self.taken[place / 64] |= 1 << (place % 64);
    }

    /// Moves `free` on to a place that is free, a new one if need be.
    fn pass_taken(&mut self) {
        let mut word = self.free / 64;
        let mut free = !self.taken[word] & u64::MAX << (self.free % 64);
        while free == 0 {
            word += 1;
            if word == self.taken.len() {
                self.grow();
            }
            free = !self.taken[word];
        }
        self.free = word * 64 + free.trailing_zeros() as usize;
    }

    /// The first free place from `start` on.
    #[inline]
    fn next_free(&self, start: usize) -> Option<usize> {
        let mut word = start / 64;
        let mut free = !*self.taken.get(word)? & u64::MAX << (start % 64);
        while free == 0 {
            word += 1;
            free = !*self.taken.get(word)?;
        }
        Some(word * 64 + free.trailing_zeros() as usize)
    }

    /// Adds a block of free places, and gives the first.
    fn grow(&mut self) -> usize {
        let first = self.nodes.len();
        self.nodes.resize(first + BLOCK, FREE);
        self.taken.resize((first + BLOCK) / 64, 0);
        first
    }

    fn is_free(&self, place: usize) -> bool {
        self.taken[place / 64] >> (place % 64) & 1 == 0
    }

    /// A base at which the places of all children are free: one of the lowest, or in the last block, or in a new one.
    fn base_for(&mut self, children: &[(u8, std::ops::Range<usize>)]) -> usize {
        let (first, others) = (usize::from(children[0].0), &children[1..]);
        if others.is_empty() {
            return self.free ^ first;
        }
        let last_block = self.nodes.len() - BLOCK;
        for start in [self.free, last_block.max(self.free)] {
            let mut next = self.next_free(start);
            for _ in 0..TRIES {
                let Some(place) = next else { break };
                let base = place ^ first;
                if others.iter().all(|(byte, _)| self.is_free(base ^ usize::from(*byte))) {
                    return base;
                }
                next = self.next_free(place + 1);
            }
        }
        self.grow()
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
