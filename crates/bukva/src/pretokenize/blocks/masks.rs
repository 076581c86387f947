//! The classes of 64 bytes of text, one mask a class.

use crate::unicode::{Classes, Flags};

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// Bit *i* of a mask tells of byte *i*. Every byte of a character has the classes of the character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Masks {
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
}

/// The masks of the ASCII characters of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ascii {
    pub upper: u64,
    pub lower: u64,
    pub digit: u64,
    pub space: u64,
    pub newline: u64,
    pub blank: u64,
    pub apostrophe: u64,
    pub slash: u64,
    /// Bytes of 0x80 and above.
    pub beyond: u64,
    /// Bytes from 0x80 to 0xBF.
    pub continuation: u64,
}

/// A kind of processor.
pub(super) trait Machine {
    /// # Safety
    /// The processor has the instructions.
    unsafe fn ascii(block: &[u8; BLOCK]) -> Ascii;

    /// The masks of the bits of [`COLLECTED`] in a block of [`Flags`].
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn collect(flags: &[u8; BLOCK]) -> [u64; COLLECTED.len()];
}

/// What is taken from the class table.
pub(super) const COLLECTED: [Flags; 6] =
    [Flags::LETTER, Flags::NUMBER, Flags::SPACE, Flags::UPPER, Flags::LOWER, Flags::MARK];

/// The flags of a character that began in the block before, for its bytes in this one.
pub(super) type Spill = [u8; 4];

impl Masks {
    /// The classes of `text[at..at + 64]`, which 4 bytes follow at least. O(1) for ASCII, else O(characters beyond it).
    ///
    /// # Safety
    /// The processor has the instructions of `M`.
    #[inline(always)]
    pub(super) unsafe fn of<M: Machine>(text: &[u8], at: usize, spill: &mut Spill) -> Self {
        let Some(block) = text[at..].first_chunk() else { return Masks::default() };
        // SAFETY: as the caller says.
        let ascii = unsafe { M::ascii(block) };
        let mut masks = Masks {
            lead: !ascii.continuation,
            beyond: ascii.beyond,
            letter: ascii.upper | ascii.lower,
            number: ascii.digit,
            space: ascii.space,
            upper: ascii.upper,
            lower: ascii.lower,
            mark: 0,
            newline: ascii.newline,
            blank: ascii.blank,
            apostrophe: ascii.apostrophe,
            slash: ascii.slash,
        };
        if ascii.beyond != 0 {
            let flags = flags_beyond(text, at, ascii.beyond & !ascii.continuation, spill);
            // SAFETY: as the caller says.
            let found = unsafe { M::collect(&flags) };
            let [letter, number, space, upper, lower, mark] = found.map(|mask| mask & ascii.beyond);
            masks.letter |= letter;
            masks.number |= number;
            masks.space |= space;
            masks.upper |= upper;
            masks.lower |= lower;
            masks.mark |= mark;
        }
        masks
    }
}

/// The flags of the characters that begin at `leads`, at each of their bytes; anything at the bytes of others.
#[inline(always)]
fn flags_beyond(text: &[u8], at: usize, mut leads: u64, spill: &mut Spill) -> [u8; BLOCK] {
    let classes = Classes::v16();
    let mut flags = [0_u8; BLOCK + size_of::<Spill>()];
    flags[..4].copy_from_slice(spill);
    while leads != 0 {
        let place = leads.trailing_zeros() as usize % BLOCK;
        leads &= leads - 1;
        let Some(bytes) = text[at + place..].first_chunk() else { break };
        // Four at once: what is too much is overwritten by the next character, or masked.
        flags[place..place + 4].copy_from_slice(&[classes.of(code_point(bytes)).bits(); 4]);
    }
    spill.copy_from_slice(&flags[BLOCK..]);
    std::array::from_fn(|at| flags[at])
}

/// The first character of valid UTF-8 that begins beyond ASCII.
#[inline(always)]
fn code_point(&[first, second, third, fourth]: &[u8; 4]) -> u32 {
    let [lead, second, third, fourth] = [first, second & 0x3F, third & 0x3F, fourth & 0x3F].map(u32::from);
    match first {
        ..0xE0 => (lead & 0x1F) << 6 | second,
        ..0xF0 => (lead & 0x0F) << 12 | second << 6 | third,
        _ => (lead & 0x07) << 18 | second << 12 | third << 6 | fourth,
    }
}
