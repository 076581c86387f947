//! Prints `src/normalize/young.rs`: characters that count in the Unicode forms and were assigned after Unicode 5.0.
//!
//! Ages come from `regex-syntax`, decompositions and classes from `unicode-normalization`, both Unicode 16 in the
//! locked versions; a test of the module compares every character with them again.
//! Run: `cargo run -p bukva --example young_characters > crates/bukva/src/normalize/young.rs`

use std::collections::BTreeMap;

use regex_syntax::hir::{Class, HirKind};
use unicode_normalization::char::{canonical_combining_class, decompose_compatible, is_combining_mark};
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// The first major version in whose `.0` each character is.
fn ages() -> BTreeMap<char, u8> {
    let mut ages = BTreeMap::new();
    for major in 5..=16 {
        let hir = regex_syntax::parse(&format!(r"\p{{Age:{major}.0}}")).expect("a valid class");
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else { panic!("no class") };
        let characters = class.ranges().iter().flat_map(|range| range.start()..=range.end());
        characters.for_each(|c| _ = ages.entry(c).or_insert(major));
    }
    ages
}

/// The character, if it is more than an inert starter, and what it starts with: a first part composes.
fn active(c: char) -> Vec<char> {
    let mut first = None;
    decompose_compatible(c, |part| {
        first.get_or_insert(part);
    });
    let composes_back = is_nfc_quick(std::iter::once(c)) != IsNormalized::Yes;
    let counts = first != Some(c) || composes_back || canonical_combining_class(c) != 0 || is_combining_mark(c);
    if counts { [c].into_iter().chain(first).collect() } else { Vec::new() }
}

fn main() {
    let ages = ages();
    let mut young: Vec<char> =
        ages.iter().filter(|&(_, &age)| age > 5).flat_map(|(&c, _)| active(c)).filter(|c| ages[c] > 5).collect();
    young.sort_unstable();
    young.dedup();
    let mut runs: Vec<(u32, u32, u8)> = Vec::new();
    for c in young {
        match runs.last_mut() {
            Some((_, last, age)) if *last + 1 == c as u32 && *age == ages[&c] => *last = c as u32,
            _ => runs.push((c as u32, c as u32, ages[&c])),
        }
    }
    println!("//! Made by `cargo run -p bukva --example young_characters`; not edited by hand.\n");
    println!(
        "/// Characters that are more to the Unicode forms than starters that neither decompose nor compose, and were"
    );
    println!("/// not in Unicode 5.0: first and last of each run, and the first major version that had them.");
    println!("#[rustfmt::skip]");
    println!("pub(super) static RUNS: &[(u32, u32, u8)] = &[");
    let items: Vec<String> = runs.iter().map(|(first, last, age)| format!("({first:#x}, {last:#x}, {age})")).collect();
    for line in items.chunks(5) {
        println!("    {},", line.join(", "));
    }
    println!("];");
}
