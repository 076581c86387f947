use proptest::prelude::*;

use super::*;
use crate::align::AlignedText;
use crate::spec::{Pattern, PrependScheme, Pretokenizer as P};

fn metaspace(prepend_scheme: PrependScheme, split: bool) -> P {
    P::Metaspace { replacement: '▁', prepend_scheme, split }
}

fn byte_level(add_prefix_space: bool, use_regex: bool) -> P {
    P::ByteLevel { add_prefix_space, use_regex, trim_offsets: true }
}

fn split(regex: &str, behavior: Behavior, invert: bool) -> P {
    P::Split { pattern: Pattern::Regex(regex.to_owned()), behavior, invert }
}

fn sequence(items: &[P]) -> P {
    P::Sequence { items: items.to_vec() }
}

/// The texts of all pre-tokens of a whole input.
fn pieces(spec: &P, bytes: bool, text: &str) -> Vec<String> {
    let compiled = Pretokenizer::compile(Some(spec), bytes).unwrap();
    let rewritten = compiled.run(text, text.chars().next().map_or(0, char::len_utf8)).unwrap();
    rewritten.pieces.iter().map(|&(from, to)| rewritten.text[from..to].to_owned()).collect()
}

#[test]
fn metaspace_marks_spaces_and_beginnings() {
    use PrependScheme::*;
    let text = "Hey  my▁friend ";
    assert_eq!(pieces(&metaspace(Always, true), false, text), ["▁Hey", "▁", "▁my", "▁friend", "▁"]);
    assert_eq!(pieces(&metaspace(Never, true), false, text), ["Hey", "▁", "▁my", "▁friend", "▁"]);
    assert_eq!(pieces(&metaspace(Always, false), false, text), ["▁Hey▁▁my▁friend▁"]);
    assert_eq!(pieces(&metaspace(Always, true), false, " a"), ["▁a"]);
    let words = sequence(&[P::Whitespace, metaspace(Always, true)]);
    assert_eq!(pieces(&words, false, " a b▁c\n"), ["▁a", "▁b", "▁c"]);
    let first = sequence(&[P::Digits { individual: true }, metaspace(First, true)]);
    assert_eq!(pieces(&first, false, "1a2"), ["▁1", "a", "2"]);
    let spaces = P::Metaspace { replacement: ' ', prepend_scheme: Always, split: true };
    assert_eq!(pieces(&spaces, false, "a b"), [" a", " b"]);
}

#[test]
fn bytes_are_mapped_unless_the_model_sees_them() {
    let last = sequence(&[P::Digits { individual: true }, byte_level(true, true)]);
    assert_eq!(pieces(&last, true, "é1 a"), [" é", " 1", " a"]);
    assert_eq!(pieces(&last, false, "é1 a"), ["ĠÃ©", "Ġ1", "Ġa"]);
    let inner = sequence(&[byte_level(false, false), split("Ġ", Behavior::MergedWithNext, false)]);
    assert_eq!(pieces(&inner, true, "é a"), ["Ã©", "Ġa"]);
    let compiled = Pretokenizer::compile(Some(&byte_level(false, true)), true).unwrap();
    assert!(matches!(compiled.splitter(), Some(Splitter::Named(NamedPattern::Gpt2, _))), "nothing is rewritten");
}

#[test]
fn what_cannot_be_is_an_error() {
    let error = Pretokenizer::compile(Some(&P::FixedLength { length: 0 }), false).unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert_eq!(Splitter::compile(Some(&metaspace(PrependScheme::Never, true))).unwrap_err().kind, Kind::Unsupported);
}

fn behavior() -> impl Strategy<Value = Behavior> {
    use Behavior::*;
    prop::sample::select(vec![Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous])
}

fn one() -> impl Strategy<Value = P> {
    let scheme = prop::sample::select(vec![PrependScheme::Always, PrependScheme::Never, PrependScheme::First]);
    let regex = prop::sample::select(vec!["a", "é+", r"\s", "(?=a)", "x*", r"\p{L}+", "▁", ""]);
    prop_oneof![
        (prop::sample::select(vec!['▁', 'é', 'a', ' ']), scheme, any::<bool>())
            .prop_map(|(replacement, prepend_scheme, split)| P::Metaspace { replacement, prepend_scheme, split }),
        (any::<bool>(), any::<bool>()).prop_map(|(prefix, regex)| byte_level(prefix, regex)),
        (regex, behavior(), any::<bool>()).prop_map(|(regex, behavior, invert)| split(regex, behavior, invert)),
        behavior().prop_map(|behavior| P::Punctuation { behavior }),
        any::<bool>().prop_map(|individual| P::Digits { individual }),
        (1usize..4).prop_map(|length| P::FixedLength { length }),
        prop::sample::select(vec![P::Bert, P::Words, P::Whitespace, P::UnicodeScripts]),
        prop::sample::select(vec!['a', ' ', '▁']).prop_map(|delimiter| P::CharDelimiter { delimiter }),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let telling = "  aab éя中ア1½.,-_▁▁\n\u{301}\u{2003}ー😀Ġ";
    prop::collection::vec(prop::sample::select(telling.chars().collect::<Vec<_>>()), 0..12).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn both_ways_give_the_same_texts(
        items in prop::collection::vec(one(), 0..4),
        bytes in any::<bool>(),
        (before, text) in (text(), text()),
    ) {
        let compiled = Pretokenizer::compile(Some(&P::Sequence { items }), bytes).unwrap();
        let whole = format!("{before}{text}");
        let aligned = AlignedText::new(&whole).unwrap().slice(before.len()..whole.len());
        let origin = if before.is_empty() { text.chars().next().map_or(0, char::len_utf8) } else { 0 };
        let rewritten = compiled.run(&text, origin).unwrap();
        let fast: Vec<&str> = rewritten.pieces.iter().map(|&(from, to)| &rewritten.text[from..to]).collect();
        let faithful = compiled.split_hf(aligned).unwrap();
        prop_assert_eq!(&fast, &faithful.iter().map(AlignedText::text).collect::<Vec<_>>());
        prop_assert!(fast.iter().all(|piece| !piece.is_empty()));

        let with_changes = compiled.run_aligned(&text, origin).unwrap();
        prop_assert_eq!((&rewritten.text, &rewritten.pieces), (&with_changes.text, &with_changes.pieces));
        let mut last = 0;
        for at in 0..=with_changes.text.len() {
            let original = with_changes.original_of(at);
            prop_assert!(last <= original && original <= text.len());
            last = original;
        }
        prop_assert_eq!(last, text.len());
    }
}
