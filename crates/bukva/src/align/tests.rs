//! The expected places were read from `tokenizers` 0.23.3: a normalizer in Python that calls the method of the same
//! name, and the offsets of one token a character.

use proptest::prelude::*;

use super::*;

type Places = Vec<(u32, u32)>;

fn places(text: &AlignedText) -> (String, Places) {
    let spans = text.text().char_indices().map(|(at, c)| text.offsets(at..at + c.len_utf8()));
    (text.text().to_owned(), spans.map(|span| (span.start as u32, span.end as u32)).collect())
}

fn after(original: &str, change: impl Fn(&mut AlignedText)) -> (String, Places) {
    let mut text = AlignedText::new(original).unwrap();
    change(&mut text);
    places(&text)
}

fn expected(text: &str, places: &[(u32, u32)]) -> (String, Places) {
    (text.to_owned(), places.to_vec())
}

#[test]
fn removed_characters_leave_gaps() {
    let filtered = after(".éa.éb.x.", |text| text.filter(|c| !"é.".contains(c)));
    assert_eq!(filtered, expected("abx", &[(3, 4), (7, 8), (9, 10)]));
    let text = " \u{2003}é b \u{2003} ";
    assert_eq!(after(text, |text| text.strip(true, true)), expected("é b", &[(4, 6), (6, 7), (7, 8)]));
    let right = expected(" \u{2003}é b", &[(0, 1), (1, 4), (4, 6), (6, 7), (7, 8)]);
    assert_eq!(after(text, |text| text.strip(false, true)), right);
    assert_eq!(after(" \n", |text| text.strip(true, true)), expected("", &[]));
    assert_eq!(after("é", |text| text.clear()), expected("", &[]));
}

#[test]
fn added_characters_have_the_place_of_a_neighbour() {
    let lower = after("xİΣ", |text| text.expand(char::to_lowercase));
    assert_eq!(lower, expected("xi\u{307}σ", &[(0, 1), (1, 3), (1, 3), (3, 5)]));
    let prepended = after("éa", |text| text.prepend("▁_"));
    assert_eq!(prepended, expected("▁_éa", &[(0, 2), (0, 2), (0, 2), (2, 3)]));
    let appended = after("aé", |text| text.append("▁_"));
    assert_eq!(appended, expected("aé▁_", &[(0, 1), (1, 3), (1, 3), (1, 3)]));
    assert_eq!(after("éa", |text| text.prepend("")), expected("éa", &[(0, 0), (2, 3)]), "a curiosity of the reference");
    assert_eq!(after("", |text| text.prepend("x")), expected("", &[]));
}

#[test]
fn a_replacement_has_the_place_of_the_last_character() {
    let replaced = after("béaé", |text| text.replace(std::iter::once(1..4), "xyz"));
    assert_eq!(replaced, expected("bxyzé", &[(0, 1), (3, 4), (3, 4), (3, 4), (4, 6)]));
    let empty_matches = after("éabb", |text| text.replace([0..0, 2..2, 3..5], "-"));
    assert_eq!(empty_matches, expected("-é-a-", &[(0, 0), (0, 2), (0, 2), (2, 3), (4, 5)]));
    assert_eq!(after("aébé", |text| text.replace([1..3, 4..6], "")), expected("ab", &[(0, 1), (3, 4)]));
}

#[test]
fn changes_follow_each_other() {
    let result = after("éxé", |text| {
        text.expand(|c| if c == 'é' { vec!['e', '\u{301}'] } else { vec![c] }.into_iter());
        text.filter(|c| c != '\u{301}');
        text.append("é");
    });
    assert_eq!(result, expected("exeé", &[(0, 2), (2, 3), (3, 5), (3, 5)]));
}

#[test]
fn a_slice_keeps_the_places_of_the_whole() {
    let whole = AlignedText::new("aébc").unwrap();
    let mut slice = whole.slice(1..4);
    assert_eq!((slice.text(), slice.origin()), ("éb", 1..4));
    slice.prepend("▁");
    assert_eq!(places(&slice), expected("▁éb", &[(1, 3), (1, 3), (3, 4)]));
    slice.replace(std::iter::once(0..0), "-");
    assert_eq!(slice.offsets(0..1), 1..1, "text added at the start stands at the start of the slice");
    assert_eq!((slice.offsets(0..3), slice.offsets(2..2)), (1..3, 3..3));
    assert_eq!(whole.slice(2..3).text(), "", "not between characters");
    assert_eq!(whole.slice(9..12).text(), "");
}

#[test]
fn a_change_that_does_not_fit_is_bounded() {
    let too_many = after("a", |text| text.transform([('x', 0), ('y', 0), ('z', isize::MIN)], 7));
    assert_eq!(too_many, expected("xyz", &[(1, 1), (1, 1), (1, 1)]));
    assert_eq!(after("é", |text| text.transform_range(1..2, [('x', 0)], 0)), expected("é", &[(0, 2)]));
}

fn change() -> impl Strategy<Value = (char, isize)> {
    (prop::sample::select(vec!['a', 'é', '▁', '😀']), -3..=1isize)
}

/// The definition, one byte of the old text at a time.
fn naive(original: &str, range: Range<usize>, new: &[(char, isize)], removed: usize) -> (String, Places) {
    let (mut text, mut places) = (original[..range.start].to_owned(), Vec::new());
    let starts: Vec<usize> = original.char_indices().map(|(at, _)| at).chain([original.len()]).collect();
    let index = |byte| starts.iter().position(|&start| start == byte).unwrap();
    let place = |character: usize| match starts.get(character + 1) {
        Some(&end) => (starts[character] as u32, end as u32),
        None => (original.len() as u32, original.len() as u32),
    };
    places.extend((0..index(range.start)).map(place));
    let last = index(range.end);
    let mut next = (index(range.start) + removed).min(last);
    for &(c, change) in new {
        places.push(if change <= 0 { place(next) } else { next.checked_sub(1).map_or((0, 0), place) });
        if change <= 0 {
            next = (next + 1 + change.unsigned_abs()).min(last);
        }
        text.push(c);
    }
    places.extend((last..starts.len() - 1).map(place));
    (text + &original[range.end..], places)
}

proptest! {
    #[test]
    fn changes_equal_the_definition(
        original in prop::collection::vec(prop::sample::select(vec!['a', 'é', '▁', '😀']), 0..8),
        (a, b) in (0..9usize, 0..9usize),
        new in prop::collection::vec(change(), 0..8),
        removed in 0..4usize,
    ) {
        let original = String::from_iter(original);
        let starts: Vec<usize> = original.char_indices().map(|(at, _)| at).chain([original.len()]).collect();
        let (a, b) = (starts[a.min(starts.len() - 1)], starts[b.min(starts.len() - 1)]);
        let range = a.min(b)..a.max(b);
        let result = after(&original, |text| text.transform_range(range.clone(), new.iter().copied(), removed));
        prop_assert_eq!(result, naive(&original, range, &new, removed));
    }

    #[test]
    fn filters_and_maps_keep_places(text in "[aé▁😀 ]{0,12}") {
        let kept = after(&text, |text| text.filter(|c| c != 'é'));
        let whole = places(&AlignedText::new(&text).unwrap()).1;
        let expected: Vec<_> = text.chars().zip(whole).filter(|&(c, _)| c != 'é').collect();
        prop_assert_eq!(kept.0.chars().zip(kept.1).collect::<Vec<_>>(), expected);
        let mapped = after(&text, |text| text.map(|c| if c == 'é' { '😀' } else { c }));
        prop_assert_eq!(mapped.0, text.replace('é', "😀"));
    }
}
