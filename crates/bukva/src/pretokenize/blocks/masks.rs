//! The classes of 64 bytes of text, one mask a class.

use super::rules::Rules;
use super::zones::{IDEOGRAPH, SYMBOL};
use crate::unicode::Flags;

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// Bit *i* of a mask tells of byte *i*. Every byte of a character has the classes of the character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::pretokenize) struct Masks {
    /// First bytes of characters.
    pub lead: u64,
    /// Bytes of characters beyond ASCII.
    pub beyond: u64,
    pub letter: u64,
    pub number: u64,
    pub space: u64,
    pub upper: u64,
    pub lower: u64,
    pub mark: u64,
    /// `\r` and `\n`.
    pub newline: u64,
    /// U+0020.
    pub blank: u64,
    pub apostrophe: u64,
    pub slash: u64,
    /// `[\p{P}\p{S}]`: only where there are zones, as the next.
    pub symbol: u64,
    /// Chinese characters and kana.
    pub ideograph: u64,
}

/// A kind of processor: what it tells of 64 bytes.
pub(super) trait Machine: Copy {
    /// # Safety
    /// The processor has the instructions.
    unsafe fn load(block: &[u8; BLOCK]) -> Self;

    /// The bytes that are `byte`.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn equal(self, byte: u8) -> u64;

    /// The bytes below `limit`, as signed numbers: those from 0x80 on come before all others.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn below(self, limit: u8) -> u64;

    /// The bytes from `first` to `last`, both ASCII or both not.
    ///
    /// # Safety
    /// The processor has the instructions.
    #[inline(always)]
    unsafe fn between(self, first: u8, last: u8) -> u64 {
        // SAFETY: as the caller says.
        unsafe { self.below(last + 1) & !self.below(first) }
    }
}

/// The end of a character that began in the block before: its flags and the bytes of it that are in this one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spill {
    bits: u8,
    extent: u64,
}

impl Masks {
    /// The classes of `text[at..at + 64]`, which 4 bytes follow at least. O(1) for ASCII, Cyrillic and most of Chinese,
    /// Japanese and Korean, else O(characters).
    ///
    /// # Safety
    /// The processor has the instructions of `M`.
    #[inline(always)]
    pub(super) unsafe fn of<R: Rules, M: Machine>(text: &[u8], at: usize, spill: &mut Spill) -> Self {
        let Some(block) = text[at..].first_chunk() else { return Masks::default() };
        // SAFETY: as the caller says.
        unsafe {
            let bytes = M::load(block);
            let (upper, lower) = (bytes.between(b'A', b'Z'), bytes.between(b'a', b'z'));
            let blank = bytes.equal(b' ');
            let mut masks = Masks {
                lead: !bytes.below(0xC0),
                beyond: bytes.below(0),
                letter: upper | lower,
                number: bytes.between(b'0', b'9'),
                space: bytes.between(b'\t', b'\r') | blank,
                upper,
                lower,
                mark: 0,
                newline: bytes.equal(b'\n') | bytes.equal(b'\r'),
                blank,
                apostrophe: bytes.equal(b'\''),
                slash: bytes.equal(b'/'),
                symbol: 0,
                ideograph: 0,
            };
            if R::ZONES {
                masks.symbol = bytes.between(b'!', b'~') & !(masks.letter | masks.number);
            }
            if masks.beyond != 0 {
                masks.add::<R>(spill.bits, spill.extent);
                *spill = Spill::default();
                let known = masks.add_common::<R, M>(bytes);
                masks.add_others::<R>(text, at, masks.beyond & masks.lead & !known, spill);
            }
            masks
        }
    }

    /// Adds the letters of the scripts that can be told by their bytes alone; returns where they begin. Of the last
    /// bytes of a block none is looked at, for the rest of the character is not there.
    ///
    /// # Safety
    /// The processor has the instructions of `M`.
    #[inline(always)]
    unsafe fn add_common<R: Rules, M: Machine>(&mut self, bytes: M) -> u64 {
        let inside = u64::MAX >> 2;
        // SAFETY: as the caller says.
        unsafe {
            let mut known = 0;
            let (d0, d1) = (bytes.equal(0xD0) & inside, bytes.equal(0xD1) & inside);
            if d0 | d1 != 0 {
                // U+0400 to U+042F are capitals, U+0430 to U+045F are small.
                let capital = d0 & bytes.below(0xB0) >> 1;
                let small = d0 & !capital | d1 & bytes.below(0xA0) >> 1;
                known = capital | small;
                self.upper |= capital | capital << 1;
                self.lower |= small | small << 1;
                self.letter |= known | known << 1;
            }
            let three = (bytes.between(0xE3, 0xE9) | bytes.between(0xEB, 0xEC)) & inside;
            if three != 0 {
                let e3 = bytes.equal(0xE3);
                // U+4DC0 to U+4DFF are hexagrams.
                let hexagram = bytes.equal(0xE4) & bytes.equal(0xB7) >> 1;
                // U+3041 to U+3096, U+30A1 to U+30FA, U+30FC to U+30FF.
                let kana = bytes.equal(0x81) >> 1 & !(bytes.equal(0x80) >> 2)
                    | bytes.equal(0x82) >> 1 & (bytes.below(0x97) | !bytes.below(0xA1)) >> 2
                    | bytes.equal(0x83) >> 1 & !(bytes.equal(0xBB) >> 2);
                let mut letters = three & !hexagram & (!e3 | kana);
                if R::ZONES {
                    letters &= !self.add_zone(bytes, letters);
                }
                known |= letters;
                self.letter |= letters | letters << 1 | letters << 2;
            }
            known
        }
    }

    /// Adds the characters that begin at `leads`, by the table of classes.
    #[inline(always)]
    fn add_others<R: Rules>(&mut self, text: &[u8], at: usize, mut leads: u64, spill: &mut Spill) {
        if leads == 0 {
            return;
        }
        let classes = R::classes();
        while leads != 0 {
            let place = leads.trailing_zeros() as usize % BLOCK;
            leads &= leads - 1;
            let Some(bytes) = text[at + place..].first_chunk() else { break };
            let (code, length) = code_point(bytes);
            let (bits, extent) = (classes(code), (1 << length) - 1);
            self.add::<R>(bits, extent << place);
            if place + length > BLOCK {
                *spill = Spill { bits, extent: extent >> (BLOCK - place) };
            }
        }
    }

    /// Adds the classes `bits` at `extent`.
    #[inline(always)]
    fn add<R: Rules>(&mut self, bits: u8, extent: u64) {
        let if_in = |bit: u8| extent & (u64::from(bits >> bit.trailing_zeros()) & 1).wrapping_neg();
        self.letter |= if_in(Flags::LETTER.bits());
        self.number |= if_in(Flags::NUMBER.bits());
        self.space |= if_in(Flags::SPACE.bits());
        if R::ZONES {
            self.symbol |= if_in(SYMBOL);
            self.ideograph |= if_in(IDEOGRAPH);
            return;
        }
        self.upper |= if_in(Flags::UPPER.bits());
        self.lower |= if_in(Flags::LOWER.bits());
        self.mark |= if_in(Flags::MARK.bits());
    }
}

/// The first character of valid UTF-8 that begins beyond ASCII, and its length.
#[inline(always)]
fn code_point(&[first, second, third, fourth]: &[u8; 4]) -> (u32, usize) {
    let [lead, second, third, fourth] = [first, second & 0x3F, third & 0x3F, fourth & 0x3F].map(u32::from);
    match first {
        0..0xE0 => ((lead & 0x1F) << 6 | second, 2),
        0xE0..0xF0 => ((lead & 0x0F) << 12 | second << 6 | third, 3),
        _ => ((lead & 0x07) << 18 | second << 12 | third << 6 | fourth, 4),
    }
}
