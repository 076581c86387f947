//! The three splits of DeepSeek V3 and R1, each on the pieces of the one before, in one pass:
//!
//! 1. `\p{N}{1,3}`; 2. `[一-龥぀-ゟ゠-ヿ]+`;
//! 3. `[!-/:-@\[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`.
//!
//! The third sees each piece of the first two as a text of its own: numbers, which it leaves as they are, runs of the
//! second, which it cuts at the few marks and symbols among them, and what lies between. So a character of another
//! *zone* is like the end of the text. What no branch matches, control characters above all, stays together as a piece
//! up to where one does.

use std::sync::LazyLock;

use super::blocks::{self, Rules, Sight, Zoned};
use super::reader::Reader;
use crate::spec::{Pattern, Pretokenizer};
use crate::unicode::Flags;
use crate::unicode::categories::class;
use crate::unicode::table::ByteTable;

/// What a character is to the three expressions; the bits are those that masks know.
type Kind = u8;

const OTHER: Kind = 0;
const NUMBER: Kind = Flags::NUMBER.bits();
/// `[\p{L}\p{M}]`.
const WORD: Kind = Flags::LETTER.bits();
/// `[\p{P}\p{S}]`.
const SYMBOL: Kind = blocks::SYMBOL;
const SPACE: Kind = Flags::SPACE.bits();
const NEWLINE: Kind = 16;
/// No character, or one of another zone.
const END: Kind = 32;
/// Added to the kind of a character that the second expression takes.
const IDEOGRAPH: Kind = blocks::IDEOGRAPH;

pub(super) static KINDS: LazyLock<ByteTable> = LazyLock::new(|| {
    let classes = [
        (r"[\p{N}--[一-龥\u{3040}-ヿ]]", NUMBER),
        (r"[[\p{L}\p{M}]--[一-龥\u{3040}-ヿ]]", WORD),
        (r"[[\p{P}\p{S}]--[一-龥\u{3040}-ヿ]]", SYMBOL),
        (r"[\s--[\r\n]]", SPACE),
        (r"[\r\n]", NEWLINE),
        (r"[[\p{L}\p{M}]&&[一-龥\u{3040}-ヿ]]", IDEOGRAPH | WORD),
        (r"[[\p{P}\p{S}]&&[一-龥\u{3040}-ヿ]]", IDEOGRAPH | SYMBOL),
        (r"[[一-龥\u{3040}-ヿ]--[\p{L}\p{M}\p{P}\p{S}]]", IDEOGRAPH | OTHER),
    ];
    let mut runs: Vec<(u32, u32, u8)> = Vec::new();
    for (pattern, kind) in classes {
        runs.extend(class(pattern).into_iter().map(|(first, last)| (first, last, kind)));
    }
    runs.sort_unstable();
    ByteTable::of(runs)
});

/// The expressions as the file has them.
pub(super) const SPLITS: [&str; 3] = [
    r"\p{N}{1,3}",
    "[一-龥\u{3040}-ゟ゠-ヿ]+",
    concat!(
        r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|"##,
        "[^\r\n",
        r"\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+",
        "[\r\n]*|",
        r"\s*",
        "[\r\n]+|",
        r"\s+(?!\S)|\s+",
    ),
];

/// Whether the items of a sequence begin with these splits.
pub(super) fn begins(items: &[Pretokenizer]) -> bool {
    let split = |pattern: &str| Pretokenizer::isolated(Pattern::Regex(pattern.to_owned()));
    items.len() >= SPLITS.len() && items.iter().zip(SPLITS).all(|(item, pattern)| *item == split(pattern))
}

/// How many items of a sequence they are.
pub(super) const ITEMS: usize = SPLITS.len();

pub(super) struct DeepSeek;

impl Rules for DeepSeek {
    const ZONES: bool = true;

    type Before = Zoned;

    #[inline(always)]
    fn classes() -> impl Fn(u32) -> u8 {
        let kinds: &ByteTable = &KINDS;
        |code| kinds.get(code)
    }

    #[inline(always)]
    fn starts(before: &mut Zoned, sight: &Sight) -> Option<u64> {
        before.starts(sight)
    }

    #[inline]
    fn next(text: &Reader, start: usize) -> usize {
        Kinds { text, table: &KINDS }.next(start)
    }
}

/// A text with the kinds of its characters at hand.
struct Kinds<'t> {
    text: &'t Reader<'t>,
    table: &'t ByteTable,
}

impl Kinds<'_> {
    /// The kind of the character at `at`, whatever its zone, and the place behind it.
    #[inline]
    fn any(&self, at: usize) -> (Kind, usize) {
        if at >= self.text.len() {
            return (END, at);
        }
        let byte = self.text.byte(at);
        let (code, next) = if byte < 0x80 { (u32::from(byte), at + 1) } else { self.text.beyond_ascii(at, byte) };
        (self.table.get(code), next)
    }

    /// The kind of the character at `at` if it is of the zone, and the place behind it.
    #[inline]
    fn at(&self, at: usize, zone: Kind) -> (Kind, usize) {
        match self.any(at) {
            (NUMBER, _) => (END, at),
            (kind, next) if kind & IDEOGRAPH == zone => (kind & !IDEOGRAPH, next),
            _ => (END, at),
        }
    }

    /// The end of the pre-token that starts at `start`.
    fn next(&self, start: usize) -> usize {
        // Most are ASCII letters, alone or behind a space.
        let first = start + usize::from(self.text.byte(start) == b' ');
        if self.text.byte(first).is_ascii_alphabetic() {
            let end = self.text.ascii_letters(first + 1);
            return if self.text.byte(end) < 0x80 { end } else { self.run(end, 0, WORD) };
        }
        let (kind, after) = self.any(start);
        if kind == NUMBER {
            return self.digits(after);
        }
        let (first, zone) = (kind & !IDEOGRAPH, kind & IDEOGRAPH);
        let (second, behind) = self.at(after, zone);
        match first {
            WORD => self.run(after, zone, WORD),
            SYMBOL if self.is_ascii_word(start, after) => self.text.ascii_letters(after),
            SYMBOL => self.symbols(after, zone),
            SPACE | OTHER if second == WORD => self.run(behind, zone, WORD),
            SPACE if second == SYMBOL && self.text.byte(start) == b' ' => self.symbols(behind, zone),
            SPACE | NEWLINE => self.white_space(start, zone),
            _ => self.unmatched(after, zone),
        }
    }

    /// The end of `\p{N}{1,3}` whose first digit is already read.
    fn digits(&self, at: usize) -> usize {
        match self.any(at) {
            (NUMBER, next) => match self.any(next) {
                (NUMBER, last) => last,
                _ => next,
            },
            _ => at,
        }
    }

    /// The end of the run of a kind.
    #[inline]
    fn run(&self, mut at: usize, zone: Kind, kind: Kind) -> usize {
        loop {
            let (found, next) = self.at(at, zone);
            if found != kind {
                return at;
            }
            at = next;
        }
    }

    /// Whether an ASCII symbol stands before an ASCII letter.
    fn is_ascii_word(&self, start: usize, after: usize) -> bool {
        self.text.byte(start) < 0x80 && self.text.byte(after).is_ascii_alphabetic()
    }

    /// The end of `[\p{P}\p{S}]+[\r\n]*` whose first character is already read.
    fn symbols(&self, at: usize, zone: Kind) -> usize {
        self.run(self.run(at, zone, SYMBOL), zone, NEWLINE)
    }

    /// The end of `\s*[\r\n]+|\s+(?!\S)|\s+`.
    fn white_space(&self, start: usize, zone: Kind) -> usize {
        let (mut end, mut last, mut after_newline) = (start, start, None);
        let behind = loop {
            let (kind, next) = self.at(end, zone);
            match kind {
                NEWLINE => after_newline = Some(next),
                SPACE => {}
                other => break other,
            }
            (last, end) = (end, next);
        };
        match after_newline {
            Some(newline) => newline,
            None if behind == END || last == start => end,
            None => last,
        }
    }

    /// The end of what no branch matches: where one may match again, or the text ends for the third expression.
    fn unmatched(&self, mut at: usize, zone: Kind) -> usize {
        loop {
            let (kind, next) = self.at(at, zone);
            if kind != OTHER || self.at(next, zone).0 == WORD {
                return at;
            }
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pretokenize::Splitter;

    fn items() -> Vec<Pretokenizer> {
        SPLITS.map(|pattern| Pretokenizer::isolated(Pattern::Regex(pattern.to_owned()))).to_vec()
    }

    /// The three expressions, each on the pieces of the one before.
    static ORACLE: LazyLock<Splitter> = LazyLock::new(|| {
        let compile = |item: &Pretokenizer| Splitter::compile(Some(item)).unwrap();
        Splitter::Sequence(items().iter().map(compile).collect())
    });

    static SCANNER: LazyLock<Splitter> = LazyLock::new(Splitter::deepseek);

    fn pieces(splitter: &Splitter, text: &str) -> Vec<(usize, usize)> {
        let mut pieces = Vec::new();
        splitter.for_each(text, |from, to| pieces.push((from, to))).unwrap();
        pieces
    }

    fn text() -> impl Strategy<Value = String> {
        let telling = "  \n\r\t''.!«—aAbZéжЖ1٣²Ⅷ中々あー・゛\u{3099}゠한\u{301}\u{903}ʰ\u{a0}\u{3000}\u{85}\u{200d}\u{fe0f}😀\0\u{7}\u{e000}\u{378}$€`~龥龦";
        let telling: Vec<char> = telling.chars().collect();
        let one = prop_oneof![10 => prop::sample::select(telling), 1 => any::<char>()];
        prop::collection::vec(one, 0..30).prop_map(String::from_iter)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6000))]

        #[test]
        fn one_pass_equals_the_three_expressions(text in text()) {
            prop_assert_eq!(pieces(&SCANNER, &text), pieces(&ORACLE, &text));
        }

        #[test]
        fn a_text_may_be_cut_at_its_last_cut(head in text(), tail in text()) {
            if let Some(place) = SCANNER.last_cut(&head) {
                let whole = format!("{head}{tail}");
                let mut parts = pieces(&ORACLE, &whole[..place]);
                parts.extend(pieces(&ORACLE, &whole[place..]).into_iter().map(|(from, to)| (place + from, place + to)));
                prop_assert_eq!(parts, pieces(&ORACLE, &whole));
            }
        }
    }

    #[test]
    fn every_code_point_in_telling_contexts() {
        let mut text = String::new();
        for character in (0..0x3_2000).filter_map(char::from_u32) {
            text.clear();
            for part in ["a", " ", "1", ".", "\n", "  ", "中", "\0", "\u{301}"] {
                text.push(character);
                text.push_str(part);
            }
            assert_eq!(pieces(&SCANNER, &text), pieces(&ORACLE, &text), "{text:?}");
        }
    }

    #[test]
    fn the_sequence_is_recognised() {
        let sequence = Pretokenizer::Sequence { items: items() };
        assert!(matches!(Splitter::compile(Some(&sequence)).unwrap(), Splitter::DeepSeek(_)));
        let other = Pretokenizer::Sequence { items: items()[..2].to_vec() };
        assert!(matches!(Splitter::compile(Some(&other)).unwrap(), Splitter::Sequence(_)));
    }
}
