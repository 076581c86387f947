use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;
use crate::Kind;
use crate::spec::{Form, Normalizer as N, Pattern};

/// Characters that interact: jamo, syllables, marks of several classes, characters that decompose to marks or to
/// white space, compatibility forms, cased letters with long mappings, white space, and plain letters.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => prop::char::range(' ', '~'),
        3 => prop::sample::select(vec![' ', '\t', '\n', '\r', '\u{85}', '\u{a0}', '\u{2003}', '\u{2028}', '\u{3000}']),
        2 => prop::char::range('А', 'я'),
        3 => prop::char::range('\u{300}', '\u{36f}'),
        1 => prop::char::range('\u{c0}', '\u{24f}'),
        2 => prop_oneof![prop::char::range('ᄀ', 'ᄂ'), prop::char::range('ᅡ', 'ᅢ'), prop::char::range('ᆧ', 'ᆩ')],
        1 => prop::char::range('가', '갱'),
        3 => prop::sample::select(vec!['Σ', 'ς', 'σ', 'İ', 'ı', 'ẞ', 'ß', 'Å', 'K', 'ﬁ', 'ﬃ', 'ﷺ', 'ﹰ', '´', '¨', '\u{344}',
            '\u{345}', '\u{f73}', '\u{f81}', '\u{958}', '\u{9c7}', '\u{9be}', '\u{9d7}', '\u{1d15e}', '\u{1d165}',
            '\u{16d67}', '\u{16d63}', '½', '㎏', '０', 'ｶ', 'ﾞ', '゛', 'が', '\u{3099}', '\u{feff}', '\u{a7ce}']),
        1 => any::<char>(),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(character(), 0..24).prop_map(String::from_iter)
}

fn cuttable() -> impl Strategy<Value = N> {
    prop_oneof![
        form().prop_map(|form| N::Unicode { form }),
        Just(N::Lowercase),
        Just(N::CollapseWhitespace),
        Just(N::StripAccents),
        strip()
    ]
}

fn strip() -> impl Strategy<Value = N> {
    (any::<bool>(), any::<bool>()).prop_map(|(left, right)| N::Strip { left, right })
}

fn form() -> impl Strategy<Value = Form> {
    prop::sample::select(vec![Form::Nfc, Form::Nfd, Form::Nfkc, Form::Nfkd])
}

fn step() -> impl Strategy<Value = N> {
    let replace = |pattern, content: &str| N::Replace { pattern, content: content.into() };
    prop_oneof![
        4 => cuttable(),
        1 => Just(N::Prepend { content: "▁".into() }),
        1 => Just(replace(Pattern::Literal(" ".into()), "▁")),
        1 => Just(replace(Pattern::Literal("a".into()), "")),
        1 => Just(replace(Pattern::Literal(String::new()), "-")),
        1 => Just(replace(Pattern::Regex(r"(?<=\w)\b|\s++".into()), " a")),
        2 => of_files(),
    ]
}

/// The kinds that only files have.
fn of_files() -> impl Strategy<Value = N> {
    let map = charsmap::tests::build(&[
        ("a", "bb"),
        ("\t", " "),
        ("\r", ""),
        ("ﬁ", "fi"),
        ("e\u{301}", "é"),
        ("がx", "  "),
        ("Σ", "s "),
        ("\u{3000}", " "),
    ]);
    let (of_precompiled, of_model) = (map.clone(), map);
    prop_oneof![
        Just(N::ByteLevel),
        Just(N::Nmt),
        Just(N::Precompiled { charsmap: of_precompiled }),
        (any::<bool>(), any::<bool>(), any::<Option<bool>>(), any::<bool>()).prop_map(
            |(clean_text, handle_chinese_chars, strip_accents, lowercase)| N::Bert {
                clean_text,
                handle_chinese_chars,
                strip_accents,
                lowercase
            }
        ),
        any::<[bool; 5]>().prop_map(move |[mapped, dummy, remove_extra, escape, suffix]| N::SentencePiece {
            charsmap: if mapped { of_model.clone() } else { Vec::new() },
            add_dummy_prefix: dummy,
            remove_extra_whitespaces: remove_extra,
            escape_whitespaces: escape,
            whitespace_as_suffix: suffix,
        }),
    ]
}

fn sequence(step: impl Strategy<Value = N>) -> impl Strategy<Value = N> {
    prop::collection::vec(step, 1..4).prop_map(|items| N::Sequence { items })
}

fn compiled(spec: &N) -> Normalizer {
    Normalizer::compile(spec).unwrap()
}

/// Text outside the edits is the same, edits are in order, change something, and have no common ends.
fn check(text: &str, aligned: &Aligned) {
    let (mut old, mut new) = (0, 0);
    for Edit { original, normalized } in &aligned.edits {
        assert_eq!(text[old..original.start], aligned.text[new..normalized.start]);
        let changed = align::trimmed(&text[original.clone()], &aligned.text[normalized.clone()]);
        let whole = (0..original.len(), &aligned.text[normalized.clone()]);
        assert_eq!(changed, Some(whole), "the edit is minimal");
        (old, new) = (original.end, normalized.end);
    }
    assert_eq!(text[old..], aligned.text[new..]);
}

fn check_places(text: &str, aligned: &Aligned) {
    let ends: Vec<usize> = aligned.text.char_indices().map(|(at, _)| at).chain([aligned.text.len()]).collect();
    let images: Vec<usize> = ends.iter().map(|&at| aligned.original_of(at)).collect();
    assert!(images.windows(2).all(|pair| pair[0] <= pair[1]), "{images:?}");
    assert!(images.iter().all(|&at| text.is_char_boundary(at)), "{images:?}");
    assert_eq!(images[0], 0);
    assert!(aligned.text.is_empty() || images[images.len() - 1] == text.len(), "{images:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn forms_equal_the_definition(text in text()) {
        let form = |form| compiled(&N::Unicode { form }).apply(&text).unwrap().into_owned();
        prop_assert_eq!(form(Form::Nfc), text.nfc().to_string());
        prop_assert_eq!(form(Form::Nfd), text.nfd().to_string());
        prop_assert_eq!(form(Form::Nfkc), text.nfkc().to_string());
        prop_assert_eq!(form(Form::Nfkd), text.nfkd().to_string());
    }

    #[test]
    fn lower_case_is_by_character(text in text()) {
        let lower = |c: char| if crate::unicode::is_assigned(c) { c.to_lowercase().to_string() } else { c.to_string() };
        let expected: String = text.chars().map(lower).collect();
        prop_assert_eq!(compiled(&N::Lowercase).apply(&text).unwrap(), expected);
    }

    #[test]
    fn alignments_hold(text in text(), spec in prop_oneof![step(), sequence(step())]) {
        let normalizer = compiled(&spec);
        let aligned = normalizer.apply_aligned(&text).unwrap();
        prop_assert_eq!(&normalizer.apply(&text).unwrap(), &aligned.text);
        check(&text, &aligned);
        check_places(&text, &aligned);
    }

    #[test]
    fn the_two_ways_give_the_same_text(text in text(), spec in prop_oneof![step(), sequence(step())]) {
        for versions in [UnicodeVersions::default(), UnicodeVersions::tokenizers()] {
            let normalizer = Normalizer::compile_with(&spec, &versions, &["ab", "<s>"]).unwrap();
            let mut aligned = AlignedText::new(&text).unwrap();
            normalizer.apply_hf(&mut aligned).unwrap();
            prop_assert_eq!(&normalizer.apply(&text).unwrap(), aligned.text());
            prop_assert_eq!(aligned.spans().len(), aligned.text().len());
            let spans = aligned.spans();
            prop_assert!(spans.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1));
        }
    }

    #[test]
    fn parts_may_be_normalized_apart(text in text(), spec in sequence(cuttable())) {
        let normalizer = compiled(&spec);
        let whole = normalizer.apply(&text).unwrap();
        for (at, after) in text.char_indices().skip(1) {
            let before = text[..at].chars().next_back().unwrap();
            if normalizer.cuts_between(before, after) {
                let left = normalizer.apply_part(&text[..at], Part { starts: true, ends: false }).unwrap();
                let right = normalizer.apply_part(&text[at..], Part { starts: false, ends: true }).unwrap();
                prop_assert_eq!(left.into_owned() + &right, whole.as_ref(), "cut at {}", at);
            }
        }
    }
}

#[test]
fn text_that_does_not_change_is_borrowed() {
    for (name, text) in [
        ("nfc", "Привет, мир! 한국어 é"),
        ("nfkd", "plain"),
        ("lowercase", "привет ß \u{a7ce}"),
        ("collapse_whitespace", "a b c"),
        ("strip", "a b"),
    ] {
        let normalizer = compiled(&from_name(name).unwrap());
        assert!(matches!(normalizer.apply(text).unwrap(), Cow::Borrowed(_)), "{name}");
    }
}

#[test]
fn each_kind_does_what_it_says() {
    let run = |spec: N, text: &str| compiled(&spec).apply(text).unwrap().into_owned();
    assert_eq!(run(N::Lowercase, "ПРИВЕТ ΟΔΟΣ İ"), "привет οδοσ i\u{307}");
    assert_eq!(run(N::CollapseWhitespace, "\ta \n b\u{a0}"), " a b ");
    assert_eq!(run(N::Strip { left: true, right: false }, " a "), "a ");
    assert_eq!(run(N::Strip { left: true, right: true }, " \n "), "");
    assert_eq!(run(N::StripAccents, "e\u{301}\u{903}x"), "ex");
    assert_eq!(run(N::Prepend { content: "▁".into() }, ""), "");
    assert_eq!(run(N::Prepend { content: "▁".into() }, "a"), "▁a");
    let pattern = Pattern::Regex("[0-9]++".into());
    assert_eq!(run(N::Replace { pattern, content: "$0".into() }, "a12b3"), "a$0b$0");
}

#[test]
fn what_cannot_run_is_refused() {
    let kind = |spec: N| Normalizer::compile(&spec).unwrap_err().kind;
    assert_eq!(kind(N::Precompiled { charsmap: vec![1, 2] }), Kind::Format);
    let replace = |pattern| N::Replace { pattern, content: String::new() };
    assert_eq!(kind(replace(Pattern::Regex("(".into()))), Kind::Pattern);
    assert_eq!(kind(N::Sequence { items: vec![N::Lowercase, replace(Pattern::Regex("[".into()))] }), Kind::Pattern);
}
