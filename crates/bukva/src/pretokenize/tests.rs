//! The scanners against the regular expressions that define them, on the engine that runs any expression.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::named::NAMED;
use super::*;
use crate::Kind;

pub(super) fn pieces<'t>(splitter: &Splitter, text: &'t str) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    splitter.for_each(text, |from, to| pieces.push(&text[from..to])).unwrap();
    pieces
}

/// The definition: every match of the expression, in order.
fn defined(regex: &fancy_regex::Regex, text: &str) -> Vec<String> {
    regex.find_iter(text).map(|found| found.unwrap().as_str().to_owned()).collect()
}

fn oracle(pattern: &str) -> fancy_regex::Regex {
    fancy_regex::RegexBuilder::new(pattern).backtrack_limit(usize::MAX).build().unwrap()
}

/// A splitter and the expression that defines it.
type Defined = (Splitter, fancy_regex::Regex);

/// Every scanner with its definition, compiled once.
static SCANNERS: LazyLock<Vec<Defined>> = LazyLock::new(|| {
    let named = NAMED.into_iter().map(|named| (Splitter::named(named), oracle(named.regex())));
    named.chain([(Splitter::Words, oracle(r"\w+|[^\w\s]+")), (Splitter::Whitespace, oracle(r"\S+"))]).collect()
});

/// Every named expression on the engine for any expression.
static ENGINES: LazyLock<Vec<Defined>> = LazyLock::new(|| {
    let compile = |pattern: &str| Splitter::Regex {
        regex: RegexSplitter::compile(pattern).unwrap(),
        behavior: Behavior::Isolated,
        invert: false,
    };
    NAMED.into_iter().map(|named| (compile(named.regex()), oracle(named.regex()))).collect()
});

/// Characters that sit at the borders of the patterns' classes.
fn text() -> impl Strategy<Value = String> {
    let telling = "  \n\r\t'''sStTlLvVrReEmMdDſaAbZёЁжЖ1٣²Ⅷ中あー\u{301}\u{903}\u{20dd}ʰªǅ/.,!_-–“’\u{a0}\u{3000}\u{2028}\u{85}\u{200d}\u{fe0f}😀\0";
    let telling: Vec<char> = telling.chars().collect();
    let one = prop_oneof![8 => prop::sample::select(telling), 1 => any::<char>()];
    prop::collection::vec(one, 0..24).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn scanners_equal_their_regular_expressions(text in text()) {
        for (splitter, definition) in SCANNERS.iter() {
            prop_assert_eq!(pieces(splitter, &text), defined(definition, &text), "{:?}", splitter);
        }
    }

    #[test]
    fn the_regex_engine_equals_the_definition(text in text()) {
        for (splitter, definition) in ENGINES.iter() {
            prop_assert_eq!(pieces(splitter, &text), defined(definition, &text), "{:?}", splitter);
        }
    }

    #[test]
    fn a_text_may_be_cut_at_its_last_cut_whatever_follows(head in text(), tail in text()) {
        for (splitter, _) in SCANNERS.iter() {
            let Some(place) = splitter.last_cut(&head) else { continue };
            let whole = format!("{head}{tail}");
            let (first, second) = whole.split_at(place);
            let mut parts = pieces(splitter, first);
            parts.extend(pieces(splitter, second));
            prop_assert_eq!(parts, pieces(splitter, &whole), "{:?} cut at {}", splitter, place);
        }
    }
}

#[test]
fn every_code_point_in_telling_contexts() {
    for named in NAMED {
        let (splitter, regex) = (Splitter::named(named), oracle(named.regex()));
        let mut text = String::new();
        for character in (0..0x3_2000u32).filter_map(char::from_u32) {
            text.clear();
            for part in ["a", "B", " ", "1", ".", "'s", "\n", "  "] {
                text.push(character);
                text.push_str(part);
            }
            assert_eq!(pieces(&splitter, &text), defined(&regex, &text), "{} {text:?}", named.name());
        }
    }
}

#[test]
fn empty_text_has_no_pretokens() {
    assert!(pieces(&Splitter::Whole, "").is_empty());
    assert_eq!(pieces(&Splitter::Whole, "a b"), ["a b"]);
}

#[test]
fn a_sequence_splits_the_pieces_again() {
    let items = vec![
        spec::Pretokenizer::isolated(Pattern::Regex(r"\p{N}{1,3}".into())),
        spec::Pretokenizer::Whitespace,
        spec::Pretokenizer::isolated(Pattern::Literal("-".into())),
    ];
    let splitter = Splitter::compile(Some(&spec::Pretokenizer::Sequence { items })).unwrap();
    assert_eq!(pieces(&splitter, "ab 12345 c-d"), ["ab", "123", "45", "c", "-", "d"]);
    assert!(!splitter.keeps_everything());
}

#[test]
fn a_pattern_is_a_name_or_a_valid_expression() {
    assert_eq!(pretokenizer_of("words").unwrap(), spec::Pretokenizer::Words);
    let misspelt = pretokenizer_of("gpt4").unwrap_err();
    assert_eq!(misspelt.kind, Kind::Pattern);
    assert!(misspelt.message.contains("o200k"), "{misspelt}");
    assert_eq!(pretokenizer_of(r"\p{L").unwrap_err().kind, Kind::Pattern);
}

#[test]
fn hopeless_backtracking_is_an_error_not_a_hang() {
    let splitter = Splitter::compile(Some(&pretokenizer_of(r"^(?:a(?!x)|aa?)+b").unwrap())).unwrap();
    let error = splitter.for_each(&"a".repeat(64), |_, _| ()).unwrap_err();
    assert_eq!(error.kind, Kind::Pattern);
}
