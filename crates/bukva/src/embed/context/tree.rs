//! Hierarchical softmax: a word as a path through a binary tree, a decision at each node.
//!
//! A node has a vector, and p(right | x) = σ(x·node) for its first branch. A frequent word has a short path.
//!
//! Sources: F. Morin, Y. Bengio, *Hierarchical Probabilistic Neural Network Language Model*, 2005; D. Huffman 1952 (the
//! tree); the code of word2vec (ties, and which branch counts as right).

use std::cmp::Reverse;

use crate::error::{Error, Kind, Result};

/// What a word or a node hangs on: twice the number of the node above, plus 1 on its second branch; [`TOP`] for nothing.
pub type Link = i64;
/// The link of what hangs on nothing.
pub const TOP: Link = -1;
/// Nodes of a path at most. A tree of counts of 64 bits has 92; each growth adds as many.
const DEEPEST: usize = 1024;

/// The path of each word. 5 bytes for each node of a path and 8 for each word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    nodes: usize,
    ends: Vec<usize>,
    path: Vec<u32>,
    is_first: Vec<bool>,
}

impl Tree {
    /// The paths of words, from the links of words and of all nodes; a node hangs on a later one, the last on nothing.
    /// O(length of all paths).
    ///
    /// # Errors
    /// [`Kind::Argument`] for links that are no tree.
    pub fn new(words: &[Link], nodes: &[Link]) -> Result<Self> {
        check(words, nodes)?;
        let mut tree =
            Tree { nodes: nodes.len(), ends: Vec::with_capacity(words.len()), path: vec![], is_first: vec![] };
        for &word in words {
            let (start, mut link) = (tree.path.len(), word);
            while link != TOP {
                tree.path.push((link >> 1) as u32);
                tree.is_first.push(link & 1 == 0);
                link = nodes[(link >> 1) as usize];
                if tree.path.len() - start > DEEPEST {
                    return Err(Error::new(Kind::Argument, format!("a tree of words is deeper than {DEEPEST}")));
                }
            }
            tree.path[start..].reverse();
            tree.is_first[start..].reverse();
            tree.ends.push(tree.path.len());
        }
        Ok(tree)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.ends.len()
    }

    /// Nodes of all paths together.
    pub fn path_nodes(&self) -> usize {
        self.path.len()
    }

    /// The nodes of a word's path from the top, and whether it takes the first branch of each.
    ///
    /// # Panics
    /// If there is no such word.
    #[inline]
    pub(super) fn path(&self, word: u32) -> impl Iterator<Item = (u32, bool)> {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        let range = start..self.ends[word];
        self.path[range.clone()].iter().copied().zip(self.is_first[range].iter().copied())
    }
}

fn check(words: &[Link], nodes: &[Link]) -> Result<()> {
    let last = nodes.len().saturating_sub(1);
    let above = |link: Link, least: usize| (least as i64..nodes.len() as i64).contains(&(link >> 1));
    let sound_node =
        |(number, &link): (usize, &Link)| if number == last { link == TOP } else { above(link, number + 1) };
    let sound_word = |&link: &Link| if nodes.is_empty() { link == TOP } else { above(link, 0) };
    if u32::try_from(nodes.len()).is_ok() && nodes.iter().enumerate().all(sound_node) && words.iter().all(sound_word) {
        return Ok(());
    }
    Err(Error::new(Kind::Argument, "the links of words and nodes are no tree; train from the start"))
}

/// Huffman's tree of new words, in which a tree that is there is one leaf with the count `total`. Gives the links of all
/// words, new ones last, and of all nodes. With no tree, the one of word2vec. O(words · log words).
///
/// # Errors
/// [`Kind::Argument`] for links that are no tree.
pub fn grow(words: &[Link], nodes: &[Link], total: u64, counts: &[u64]) -> Result<(Vec<Link>, Vec<Link>)> {
    check(words, nodes)?;
    let (old, base) = (words.len(), nodes.len());
    let (mut words, mut nodes) = (words.to_vec(), nodes.to_vec());
    words.resize(old + counts.len(), TOP);
    let mut leaves: Vec<(u64, Option<usize>)> =
        counts.iter().enumerate().map(|(number, &count)| (count, Some(old + number))).collect();
    if old > 0 {
        leaves.push((total, None));
    }
    leaves.sort_by_key(|&(count, _)| Reverse(count));
    let (mut sums, mut inner): (Vec<u64>, usize) = (Vec::with_capacity(leaves.len()), 0);
    for made in 0..leaves.len().saturating_sub(1) {
        let mut sum = 0u64;
        for branch in 0..2 {
            let link = (2 * (base + made) + branch) as Link;
            let rarest = leaves.last().filter(|leaf| sums.get(inner).is_none_or(|&sum| leaf.0 < sum)).copied();
            if let Some((count, leaf)) = rarest {
                leaves.pop();
                sum = sum.saturating_add(count);
                match leaf {
                    Some(word) => words[word] = link,
                    None if base > 0 => nodes[base - 1] = link,
                    None => words[0] = link,
                }
            } else {
                sum = sum.saturating_add(sums[inner]);
                nodes[base + inner] = link;
                inner += 1;
            }
        }
        sums.push(sum);
        nodes.push(TOP);
    }
    Ok((words, nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(words: &[Link], nodes: &[Link]) -> Vec<String> {
        let tree = Tree::new(words, nodes).unwrap();
        let code = |word| tree.path(word).map(|(_, is_first)| if is_first { '0' } else { '1' }).collect();
        (0..words.len() as u32).map(code).collect()
    }

    #[test]
    fn frequent_words_have_short_codes() {
        let (words, nodes) = grow(&[], &[], 0, &[45, 16, 13, 12, 9, 5]).unwrap();
        // The example of Cormen et al., *Introduction to Algorithms*, with the branches of word2vec.
        assert_eq!(codes(&words, &nodes), ["0", "111", "101", "100", "1101", "1100"]);
        assert_eq!(Tree::new(&words, &nodes).unwrap().path_nodes(), 1 + 3 * 3 + 2 * 4);
    }

    #[test]
    fn one_word_has_no_decision_and_none_no_tree() {
        assert_eq!(grow(&[], &[], 0, &[7]).unwrap(), (vec![TOP], vec![]));
        assert_eq!(grow(&[], &[], 0, &[]).unwrap(), (vec![], vec![]));
        assert_eq!(codes(&[TOP], &[]), [""]);
    }

    #[test]
    fn a_tree_grows_and_keeps_its_nodes() {
        let (words, nodes) = grow(&[], &[], 0, &[5, 3, 2]).unwrap();
        let before = codes(&words, &nodes);
        let (words, nodes) = grow(&words, &nodes, 10, &[4, 1]).unwrap();
        let after = codes(&words, &nodes);
        assert_eq!((words.len(), nodes.len()), (5, 4));
        assert!(before.iter().zip(&after).all(|(old, new)| new.ends_with(old) && new.len() == old.len() + 1));
        assert_eq!(grow(&words, &nodes, 15, &[]).unwrap(), (words, nodes));
        let (words, nodes) = grow(&[TOP], &[], 9, &[1]).unwrap();
        assert_eq!(codes(&words, &nodes), ["1", "0"]);
    }

    #[test]
    fn links_that_are_no_tree_are_refused() {
        for (words, nodes) in [
            (vec![0], vec![]),
            (vec![2], vec![TOP]),
            (vec![TOP], vec![TOP]),
            (vec![-2], vec![TOP]),
            (vec![0], vec![0]),
            (vec![0], vec![0, TOP]),
            (vec![0], vec![4, TOP]),
            (vec![i64::MAX], vec![TOP]),
        ] {
            assert_eq!(Tree::new(&words, &nodes).unwrap_err().kind, Kind::Argument, "{words:?} {nodes:?}");
        }
    }
}
