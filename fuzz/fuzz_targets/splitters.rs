//! Every scanner, by every kind of instructions, equals the regular expression that defines it, and a text may be cut
//! at its last cut. Short texts are looked at repeated too: scanners see blocks of 64 bytes only in long ones.
#![no_main]

use std::sync::LazyLock;

use bukva::paths::Scanner;
use bukva::pretokenize::{Splitter, named::NAMED};
use libfuzzer_sys::fuzz_target;

/// Scanners, and the definition of all of them.
type Family = (Vec<Splitter>, fancy_regex::Regex);

/// A splitter by every kind of instructions; a processor without AVX2 has one less.
fn scanners(splitter: impl Fn() -> Splitter) -> Vec<Splitter> {
    let all = [Scanner::Characters, Scanner::Portable, Scanner::Avx2, Scanner::Regex];
    all.into_iter().filter_map(|scanner| splitter().by(scanner).ok()).collect()
}

static NAMED_FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let regex = |text: &str| fancy_regex::RegexBuilder::new(text).backtrack_limit(usize::MAX).build().expect("valid");
    let named = NAMED.into_iter().map(|named| (scanners(|| Splitter::named(named)), regex(named.regex())));
    let others = [(vec![Splitter::Words], regex(r"\w+|[^\w\s]+")), (vec![Splitter::Whitespace], regex(r"\S+"))];
    named.chain(others).collect()
});

/// DeepSeek's three expressions are no single one: the last of these runs them in turn.
static DEEPSEEK: LazyLock<Vec<Splitter>> = LazyLock::new(|| scanners(Splitter::deepseek));

/// Bytes of a text that has several blocks.
const LONG: usize = 600;

fn pieces(splitter: &Splitter, text: &str) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    splitter.for_each(text, |from, to| pieces.push((from, to))).expect("scanners do not fail");
    pieces
}

fn check(splitter: &Splitter, text: &str, defined: &[(usize, usize)]) {
    let whole = pieces(splitter, text);
    assert_eq!(whole, defined, "{splitter:?}");
    if let Some(cut) = splitter.last_cut(text) {
        let mut parts = pieces(splitter, &text[..cut]);
        parts.extend(pieces(splitter, &text[cut..]).iter().map(|(from, to)| (from + cut, to + cut)));
        assert_eq!(parts, whole, "{splitter:?} cut at {cut}");
    }
}

fn check_all(text: &str) {
    for (scanners, regex) in NAMED_FAMILIES.iter() {
        let found = regex.find_iter(text).map(|found| found.expect("no limit"));
        let defined: Vec<_> = found.map(|found| (found.start(), found.end())).collect();
        scanners.iter().for_each(|scanner| check(scanner, text, &defined));
    }
    let defined = DEEPSEEK.last().map_or_else(Vec::new, |definition| pieces(definition, text));
    DEEPSEEK.iter().for_each(|scanner| check(scanner, text, &defined));
}

fuzz_target!(|text: &str| {
    check_all(text);
    if !text.is_empty() && text.len() < LONG / 2 {
        check_all(&text.repeat(LONG / text.len()));
    }
});
