//! Every scanner equals the regular expression that defines it, and a text may be cut at its last cut.
#![no_main]

use std::sync::LazyLock;

use bukva::pretokenize::{Splitter, named::NAMED};
use libfuzzer_sys::fuzz_target;

static DEFINED: LazyLock<Vec<(Splitter, fancy_regex::Regex)>> = LazyLock::new(|| {
    let regex = |text: &str| fancy_regex::RegexBuilder::new(text).backtrack_limit(usize::MAX).build().expect("valid");
    let named = NAMED.into_iter().map(|named| (Splitter::Named(named), regex(named.regex())));
    named.chain([(Splitter::Words, regex(r"\w+|[^\w\s]+")), (Splitter::Whitespace, regex(r"\S+"))]).collect()
});

fn pieces(splitter: &Splitter, text: &str) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    splitter.for_each(text, |from, to| pieces.push((from, to))).expect("scanners do not fail");
    pieces
}

fuzz_target!(|text: &str| {
    for (splitter, regex) in DEFINED.iter() {
        let whole = pieces(splitter, text);
        let defined: Vec<_> = regex
            .find_iter(text)
            .map(|found| found.expect("no limit"))
            .map(|found| (found.start(), found.end()))
            .collect();
        assert_eq!(whole, defined, "{splitter:?}");
        if let Some(cut) = splitter.last_cut(text) {
            let mut parts = pieces(splitter, &text[..cut]);
            parts.extend(pieces(splitter, &text[cut..]).iter().map(|(from, to)| (from + cut, to + cut)));
            assert_eq!(parts, whole, "{splitter:?} cut at {cut}");
        }
    }
});
