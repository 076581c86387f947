//! The same where numbers and runs of Chinese characters and kana are cut out first, as DeepSeek does: what stands
//! between two borders is a text of its own. A border, here *wall*, is always a start, and what stands before it sees
//! the end of a text.

use super::masks::{Machine, Masks};
use super::rules::Sight;
use super::starts::{behind, digits_at_end, flood, lead_to_newline, threes};

/// The bit of `[\p{P}\p{S}]` among a character's classes, beside those of letters (and marks), numbers and white space.
pub(in crate::pretokenize) const SYMBOL: u8 = 8;
/// The bit of Chinese characters and kana.
pub(in crate::pretokenize) const IDEOGRAPH: u8 = 128;

impl Masks {
    /// Adds Chinese characters and kana, of which `letters` are the first bytes among others; returns those of
    /// `letters` that the bytes do not tell.
    ///
    /// # Safety
    /// The processor has the instructions of `M`.
    #[inline(always)]
    pub(super) unsafe fn add_zone<M: Machine>(&mut self, bytes: M, letters: u64) -> u64 {
        // SAFETY: as the caller says.
        unsafe {
            // The zone ends with U+9FA5; from U+9F80 on is left to the table.
            let unknown = letters & bytes.equal(0xE9) & !(bytes.below(0xBE) >> 1);
            // Below U+4E00 are rare Chinese characters, above U+A000 is Korean.
            let outside = bytes.equal(0xE4) & bytes.below(0xB8) >> 1 | bytes.between(0xEB, 0xEC);
            let inside = letters & !unknown & !outside;
            self.ideograph |= inside | inside << 1 | inside << 2;
            unknown
        }
    }
}

/// A block that was looked at, for the one behind it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::pretokenize) struct Zoned {
    masks: Masks,
    /// Neither letters nor numbers nor white space nor symbols.
    other: u64,
    /// Newlines that symbols take along.
    taken: u64,
    /// Symbols that take ASCII letters along.
    leader: u64,
    /// ASCII letters that a symbol takes along.
    led: u64,
    /// Digits, modulo 3, of the run that ends the block.
    digits: u32,
}

impl Zoned {
    /// Where pre-tokens start in a block: exact, unless it is hard.
    #[inline(always)]
    pub(in crate::pretokenize) fn starts(&mut self, &Sight { here, next, .. }: &Sight) -> Option<u64> {
        let last = *self;
        let (letter, number, space, symbol, newline) =
            (here.letter, here.number, here.space, here.symbol, here.newline);
        let other = !(letter | number | space | symbol);
        let wall = here.lead & (here.ideograph ^ behind(here.ideograph, last.masks.ideograph));

        let after_letter = behind(letter, last.masks.letter);
        let after_space = behind(space, last.masks.space);
        let after_symbol = behind(symbol, last.masks.symbol);
        let after_newline = behind(newline, last.masks.newline);
        let after_blank = behind(here.blank, last.masks.blank);
        let after_other = behind(other, last.other);

        let ascii = letter & !here.beyond;
        let symbol_start = symbol & (!after_symbol | wall) & !after_blank;
        let leader = symbol_start & !here.beyond & ahead(ascii, next.letter & !next.beyond);
        let after_leader = behind(leader, last.leader);
        let led = flood(after_leader | last.led >> 63 & ascii & 1, ascii);
        let after_led = behind(led, last.led) & letter & here.beyond;
        let word = letter & !after_letter & !(after_space & !after_newline | after_other | after_leader);

        let taken = flood(newline & after_symbol & !wall | last.taken >> 63 & newline & 1, newline);
        let inline = space & !newline;
        let indents = inline & after_newline;
        // Only what no wall follows leaves its last character to a word or a symbol.
        let leaves = inline & ahead(!(space | number | here.ideograph), !(next.space | next.number | next.ideograph));
        let spaces = space & !after_space & !taken | indents | first_bytes(leaves, here);

        let threes = threes(number, last.masks.number, last.digits);
        let hard = (number & here.beyond)
            | last.masks.number & last.masks.beyond & (1 << 63)
            | space & here.beyond & (1 << 63)
            | other & here.lead & after_other
            | lead_to_newline(inline, indents & !behind(taken, last.taken), newline, next);

        *self = Zoned { masks: *here, other, taken, leader, led, digits: digits_at_end(number, last.digits) };
        let found = wall | symbol_start | word | after_led | spaces | threes | other & !after_other;
        (hard == 0).then_some(found)
    }
}

/// The bits of `mask` one place before: bit *i* tells of the byte behind *i*.
#[inline(always)]
fn ahead(mask: u64, next: u64) -> u64 {
    mask >> 1 | next << 63
}

/// The first bytes of the characters of white space that end at `ends`: of one, two or three bytes.
#[inline(always)]
fn first_bytes(ends: u64, here: &Masks) -> u64 {
    match ends & here.beyond {
        0 => ends,
        beyond => ends & !beyond | here.lead & here.beyond & (beyond >> 1 | beyond >> 2),
    }
}
