//! All segmentations of a text at once: every piece at every place, linked at the places between characters.

use super::best::Step;
use super::entries::{Entries, UNKNOWN};
use super::heap::Agenda;
use crate::model::char_len;
use crate::model::random::Random;

/// Hypotheses after which the search for more is narrowed, as in SentencePiece 0.2.3, and how many are kept.
const MOST: usize = 10_000;
const KEPT: usize = 512;

/// One piece at one place.
#[derive(Debug, Clone, Copy)]
struct Node {
    step: Step,
    score: f64,
    /// The sum of the best path that ends with this node.
    best: f64,
}

/// The pieces of a text by the place where they end, in the order in which they begin. O(bytes × longest piece).
#[derive(Debug)]
pub(super) struct Lattice<'a> {
    entries: &'a Entries,
    nodes: Vec<Node>,
    /// Numbers of the nodes that end at each byte.
    ending: Vec<Vec<u32>>,
}

/// A path from some node to the end of the text.
#[derive(Debug, Clone, Copy)]
struct Hypothesis {
    /// The first node; `None` at the start of the text.
    node: Option<u32>,
    /// The hypothesis that it prolongs.
    next: usize,
    sum: f64,
}

impl<'a> Lattice<'a> {
    /// The lattice of `text`, valid UTF-8, of at least one character.
    pub(super) fn new(entries: &'a Entries, text: &[u8]) -> Self {
        let mut lattice = Lattice { entries, nodes: Vec::new(), ending: vec![Vec::new(); text.len() + 1] };
        let mut start = 0;
        while start < text.len() {
            let before = lattice.best_before(start);
            let length = char_len(text, start);
            let mut single = false;
            entries.trie.prefixes(&text[start..], |long, entry| {
                lattice.insert(before, start, long, entry, entries.lattice_score(entry));
                single |= long == length;
            });
            if !single {
                lattice.insert(before, start, length, UNKNOWN, entries.unknown_score);
            }
            start += length;
        }
        lattice
    }

    fn insert(&mut self, before: f64, start: usize, length: usize, entry: u32, score: f64) {
        let end = start + length;
        self.ending[end].push(self.nodes.len() as u32);
        let step = Step { entry, start: start as u32, end: end as u32 };
        self.nodes.push(Node { step, score, best: self.entries.add(before, score) });
    }

    fn best_before(&self, place: usize) -> f64 {
        if place == 0 {
            return 0.0;
        }
        let sums = self.ending[place].iter().map(|&node| self.nodes[node as usize].best);
        sums.fold(f64::NEG_INFINITY, f64::max)
    }

    /// At most `n` paths of the highest sums, the highest first, each with its sum. An A* search from the end, with
    /// the exact sum of the best path from the start as estimate. Equal sums come as in SentencePiece.
    pub(super) fn best(&self, n: usize) -> Vec<(Vec<Step>, f64)> {
        let mut made = vec![Hypothesis { node: None, next: 0, sum: 0.0 }];
        let mut agenda = Agenda::default();
        let mut found = Vec::new();
        let end = self.ending.len() - 1;
        self.prolong(0, end, &mut made, &mut agenda);
        while found.len() < n
            && let Some(top) = agenda.pop()
        {
            match made[top].node {
                None => found.push(self.path(&made, top)),
                Some(node) => {
                    let start = self.nodes[node as usize].step.start as usize;
                    self.prolong(top, start, &mut made, &mut agenda);
                }
            }
            if agenda.len() >= MOST {
                agenda.keep(KEPT.min(n * 10));
            }
        }
        found
    }

    /// Adds every node that ends where the hypothesis `top` begins.
    fn prolong(&self, top: usize, place: usize, made: &mut Vec<Hypothesis>, agenda: &mut Agenda) {
        let sum = made[top].sum;
        if place == 0 {
            made.push(Hypothesis { node: None, next: top, sum });
            return agenda.push(sum, made.len() - 1);
        }
        for &number in &self.ending[place] {
            let node = &self.nodes[number as usize];
            made.push(Hypothesis { node: Some(number), next: top, sum: self.entries.add(node.score, sum) });
            agenda.push(self.entries.add(node.best, sum), made.len() - 1);
        }
    }

    fn path(&self, made: &[Hypothesis], top: usize) -> (Vec<Step>, f64) {
        let (mut steps, mut total) = (Vec::new(), 0.0);
        let mut at = made[top].next;
        while let Some(number) = made[at].node {
            let node = &self.nodes[number as usize];
            total = self.entries.add(total, node.score);
            steps.push(node.step);
            at = made[at].next;
        }
        (steps, total)
    }

    /// A path with probability in proportion to exp(`alpha` × its sum): sums of all paths to each place forward, then
    /// one choice a piece backward. O(nodes).
    pub(super) fn sample(&self, alpha: f64, random: &mut Random) -> Vec<Step> {
        let forward = self.forward(alpha);
        let (mut steps, mut place) = (Vec::new(), self.ending.len() - 1);
        while place > 0 {
            let weight = |number: &u32| {
                let node = &self.nodes[*number as usize];
                (forward[node.step.start as usize] + alpha * node.score - forward[place]).exp()
            };
            let weights: Vec<f64> = self.ending[place].iter().map(weight).collect();
            let chosen = self.ending[place][random.next_index(&weights)];
            let step = self.nodes[chosen as usize].step;
            steps.push(step);
            place = step.start as usize;
        }
        steps.reverse();
        steps
    }

    /// For each place the logarithm of the summed weights of all paths to it.
    fn forward(&self, alpha: f64) -> Vec<f64> {
        let mut forward = vec![f64::NEG_INFINITY; self.ending.len()];
        forward[0] = 0.0;
        for place in 1..self.ending.len() {
            let weight = |&number: &u32| {
                let node = &self.nodes[number as usize];
                forward[node.step.start as usize] + alpha * node.score
            };
            let highest = self.ending[place].iter().map(weight).fold(f64::NEG_INFINITY, f64::max);
            if highest > f64::NEG_INFINITY {
                let sum: f64 = self.ending[place].iter().map(|number| (weight(number) - highest).exp()).sum();
                forward[place] = highest + sum.ln();
            }
        }
        forward
    }
}
