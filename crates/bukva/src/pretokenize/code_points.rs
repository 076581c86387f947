//! Code points between representatives of all classes: every scanner against the regular expression of its pattern.
//!
//! The tables of the scanners make classes of the code points; what the patterns name by itself is a class of its own.
//! Three characters in a row are every context of length 3.

use std::collections::BTreeSet;

use super::deepseek;
use super::named::NAMED;
use super::tests::pieces;
use super::*;
use crate::paths::Scanner;
use crate::unicode::Classes;

/// What contractions and branches name by itself.
const NAMED_CHARACTERS: &str = "'/\r\n sStTmMdDlLvVrReEſ";

/// What all code points are compared among: a letter, a number, white space of both sorts, a symbol.
const FEW: &str = "a1 \n.";

/// Bytes of text that are compared at once.
const PAGE: usize = 64 * 1024;

/// A pattern with all its scanners.
struct Family {
    name: &'static str,
    scanners: Vec<Splitter>,
    definition: Splitter,
}

fn families() -> Vec<Family> {
    let all = [Scanner::Characters, Scanner::Portable, Scanner::Avx2];
    let family = |name: &'static str, splitter: &dyn Fn() -> Splitter| Family {
        name,
        // A processor without AVX2 has no such scanner.
        scanners: all.into_iter().filter_map(|scanner| splitter().by(scanner).ok()).collect(),
        definition: splitter().by(Scanner::Regex).unwrap(),
    };
    let named = NAMED.into_iter().map(|pattern| family(pattern.name(), &|| Splitter::named(pattern)));
    named.chain([family("DeepSeek", &Splitter::deepseek)]).collect()
}

/// The first character of each class that a table or a pattern tells apart, for each length in UTF-8.
fn representatives() -> Vec<char> {
    let mut classes = BTreeSet::new();
    let class = |character: char| {
        let code = u32::from(character);
        let flags = Classes::v16().of(code).bits();
        (flags, deepseek::KINDS.get(code), character.len_utf8(), NAMED_CHARACTERS.find(character))
    };
    ('\0'..=char::MAX).filter(|&character| classes.insert(class(character))).collect()
}

/// Compares texts of many short contexts, page by page.
struct Comparison {
    families: Vec<Family>,
    page: String,
}

impl Comparison {
    fn new() -> Self {
        Comparison { families: families(), page: String::new() }
    }

    /// A code point before, between and behind two others, each time at another place of a block.
    fn around(&mut self, code: char, one: char, two: char) {
        for context in [[code, one, two], [one, code, two], [one, two, code]] {
            self.page.extend(context);
            self.page.push_str(if self.page.len().is_multiple_of(3) { " b" } else { "x-" });
        }
        if self.page.len() >= PAGE {
            self.turn();
        }
    }

    fn turn(&mut self) {
        for Family { name, scanners, definition } in &self.families {
            let expected = pieces(definition, &self.page);
            for scanner in scanners {
                let found = pieces(scanner, &self.page);
                if let Some((at, (ours, right))) = (0..).zip(found.iter().zip(&expected)).find(|(_, (a, b))| a != b) {
                    let before: String = expected[expected.len().min(at).saturating_sub(6)..at].concat();
                    panic!("{name}, {scanner:?}: {ours:?} instead of {right:?} behind {before:?}");
                }
                assert_eq!(found.len(), expected.len(), "{name}, {scanner:?}");
            }
        }
        self.page.clear();
    }
}

/// So many code points, always the same, every second of them below U+3000.
fn sample(number: usize) -> impl Iterator<Item = char> {
    let mut state = 7_u64;
    let draws = std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let limit = if state >> 63 == 0 { 0x3000 } else { 0x11_0000 };
        char::from_u32((state >> 33) as u32 % limit)
    });
    draws.flatten().take(number)
}

#[test]
fn a_sample_of_code_points_between_all_classes() {
    let (all, mut comparison) = (representatives(), Comparison::new());
    assert!(all.len() > 40, "{}", all.len());
    for code in sample(16) {
        for &one in &all {
            for &two in &all {
                comparison.around(code, one, two);
            }
        }
    }
    comparison.turn();
}

#[test]
#[ignore = "minutes: every three classes, and every code point between every two of a few"]
fn all_code_points_and_all_classes() {
    let (all, mut comparison) = (representatives(), Comparison::new());
    for &code in &all {
        for &one in &all {
            for &two in &all {
                comparison.around(code, one, two);
            }
        }
    }
    for code in '\0'..=char::MAX {
        for one in FEW.chars() {
            for two in FEW.chars() {
                comparison.around(code, one, two);
            }
        }
    }
    comparison.turn();
}
