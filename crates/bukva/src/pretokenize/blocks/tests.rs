//! Masks, by every kind of instructions, against the rule that reads characters.

use proptest::prelude::*;

use super::super::cl100k::Cl100k;
use super::super::deepseek::DeepSeek;
use super::super::gpt2::Gpt2;
use super::super::o200k::O200k;
use super::*;

/// A character for each class that a pattern or a contraction tells apart, of each length in UTF-8.
const TELLING: &str =
    "aAs  \n\r\t'1/.,zZélЖжё中あʰªǅ\u{301}\u{903}٣²Ⅷ«—。😀ſ\u{a0}\u{3000}\u{85}・\u{3097}한\0\u{200b}";

/// What texts are made of.
fn part() -> impl Strategy<Value = String> {
    let telling: Vec<char> = TELLING.chars().collect();
    const WORDS: &[&str] = &[
        " the",
        " он",
        "HTTPServer",
        "camelCase",
        "iPhone",
        "it's",
        "WE'LL",
        "y'all've",
        "'s's",
        "x'sſ",
        "中文字",
        " カタカナ。",
        "    ",
        "\n\n",
        "\n    ",
        "\r\n",
        " \n \n",
        ".\n/",
        "...\n\n",
        "//",
        "12345678",
        "1 234",
        "٣٤٥٦",
        "...",
        " --",
        "—",
        "e\u{301}te",
        "\t\t",
        "日本語ABCテスト",
        "Ünïcödé",
        " («Да»)",
        "’s",
        "𝒳𝓎",
        "1a2b",
        ".fooé",
        " .foo",
        "\u{3000}\u{3000}中",
        " \u{a0} 한",
        "ジョン・スミス、",
        "龥龦㐀䷀",
        "，（１）！",
        "\u{200b}\u{200b}字",
        "\0x\u{1}\u{2}y",
        "\n  12",
        "❤\u{fe0f}\u{200d}🔥",
    ];
    prop_oneof![
        4 => prop::sample::select(telling).prop_map(String::from),
        8 => prop::sample::select(WORDS).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
        1 => (prop::sample::select(vec!["a", " ", "\n", "1", "!", "Ж", "中", "\u{301}", "A", "'"]), 0..150_usize)
            .prop_map(|(character, count)| character.repeat(count)),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(part(), 0..120).prop_map(|parts| parts.concat())
}

type Spans = Vec<(usize, usize)>;

fn read<R: Rules>(text: &str) -> Spans {
    let mut spans = Vec::new();
    by_rule::<R>(&Reader::new(text), 0, text.len(), &mut |from, to| spans.push((from, to)));
    spans
}

/// By every kind of instructions that this processor has.
fn masked<R: Rules>(text: &str) -> Vec<Spans> {
    let (reader, mut found) = (Reader::new(text), vec![Vec::new()]);
    // SAFETY: every processor has what this needs.
    unsafe { by_blocks::<R, Portable>(&reader, text.as_bytes(), &mut |from, to| found[0].push((from, to))) };
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        let mut spans = Vec::new();
        // SAFETY: the processor has the instructions.
        unsafe { by_avx2::<R>(&reader, text.as_bytes(), &mut |from, to| spans.push((from, to))) };
        found.push(spans);
    }
    found
}

#[track_caller]
fn check<R: Rules>(text: &str) {
    let expected = read::<R>(text);
    for found in masked::<R>(text) {
        if let Some(place) = (0..expected.len()).find(|&place| found.get(place) != expected.get(place)) {
            let (start, end) = expected[place];
            let from = (0..=start).rev().filter(|&at| text.is_char_boundary(at)).nth(40).unwrap_or(0);
            panic!("{:?} at {start}..{end}: {:?}, after {:?}", found.get(place), &text[start..end], &text[from..start]);
        }
        assert_eq!(found.len(), expected.len());
    }
}

fn check_all(text: &str) {
    check::<Gpt2>(text);
    check::<Cl100k<3, true>>(text);
    check::<Cl100k<3, false>>(text);
    check::<Cl100k<1, false>>(text);
    check::<O200k>(text);
    check::<DeepSeek>(text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn masks_equal_the_rule(text in text()) {
        check_all(&text);
    }
}

#[test]
fn every_three_telling_characters_at_every_place_of_a_block() {
    let telling: Vec<char> = TELLING.chars().collect();
    let mut all = String::new();
    for &first in &telling {
        for &second in &telling {
            for &third in &telling {
                all.extend([first, second, third]);
                all.push_str(if all.len().is_multiple_of(3) { " b" } else { "x-" });
            }
        }
    }
    for shift in 0..BLOCK {
        check_all(&("q".repeat(shift) + &all));
    }
}

#[test]
fn every_code_point_among_others() {
    let mut text = String::new();
    for character in (0..0x11_0000).filter_map(char::from_u32) {
        text.push(character);
        text.push_str(if u32::from(character).is_multiple_of(2) { "b " } else { ".B" });
    }
    check_all(&text);
}

#[test]
fn the_kinds_of_instructions_see_the_same() {
    for byte in 0..=255_u8 {
        let block: [u8; BLOCK] = std::array::from_fn(|place| if place % 3 == 0 { byte } else { place as u8 * 4 + 1 });
        for limit in 0..=255_u8 {
            let is = |test: &dyn Fn(u8) -> bool| (0..BLOCK).fold(0, |mask, at| mask | u64::from(test(block[at])) << at);
            let (equal, below) = (is(&|byte| byte == limit), is(&|byte| (byte as i8) < limit as i8));
            // SAFETY: every processor has what this needs.
            unsafe {
                let block = Portable::load(&block);
                assert_eq!((block.equal(limit), block.below(limit)), (equal, below));
            }
            #[cfg(target_arch = "x86_64")]
            if has_avx2() {
                // SAFETY: the processor has the instructions.
                unsafe {
                    let block = avx2::Avx2::load(&block);
                    assert_eq!((block.equal(limit), block.below(limit)), (equal, below));
                }
            }
        }
    }
}
