//! Character classes of Unicode 16, the version of tiktoken 0.14 and Hugging Face tokenizers 0.23.
//!
//! A two-stage table gives the flags of a code point in two loads; equal blocks are stored once (about 60 KB in
//! all). It is built from the runs of `tables_16.rs` on first use, in well under a millisecond.

pub mod byte_chars;
pub(crate) mod categories;
mod graphemes;
mod punctuation;
mod scripts;
pub(crate) mod table;
mod tables_16;

use std::sync::LazyLock;

pub use graphemes::graphemes;
pub(crate) use graphemes::{each_grapheme_of_17, stands_alone};
pub use punctuation::is_punctuation;
pub(crate) use punctuation::punctuation_runs;
pub use scripts::script;

/// The classes of one code point, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// No class.
    pub const NONE: Flags = Flags(0);
    /// `\p{L}`.
    pub const LETTER: Flags = Flags(1);
    /// `\p{N}`.
    pub const NUMBER: Flags = Flags(2);
    /// `\s`: the property White_Space.
    pub const SPACE: Flags = Flags(4);
    /// `[\p{Lu}\p{Lt}]`.
    pub const UPPER: Flags = Flags(8);
    /// `\p{Ll}`.
    pub const LOWER: Flags = Flags(16);
    /// `\p{M}`.
    pub const MARK: Flags = Flags(32);
    /// `\w`.
    pub const WORD: Flags = Flags(64);
    /// Not `\p{Cn}`.
    pub const ASSIGNED: Flags = Flags(128);

    /// The set as a number with eight bits.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Both sets together.
    #[inline(always)]
    pub const fn or(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Whether any class of `set` is among these.
    #[inline(always)]
    pub const fn any(self, set: Flags) -> bool {
        self.0 & set.0 != 0
    }
}

const BLOCK: usize = 256;
const BLOCKS: usize = 0x11_0000 / BLOCK;

/// The flags of every code point.
pub struct Classes {
    block_of: [u16; BLOCKS],
    blocks: Vec<[u8; BLOCK]>,
}

static CLASSES: LazyLock<Classes> = LazyLock::new(Classes::build);

impl Classes {
    /// The table of Unicode 16.
    pub fn v16() -> &'static Classes {
        &CLASSES
    }

    /// Flags of a code point; none above U+10FFFF. O(1).
    #[inline(always)]
    pub fn of(&self, code: u32) -> Flags {
        match self.block_of.get(code as usize / BLOCK) {
            Some(&block) => Flags(self.blocks[usize::from(block)][code as usize % BLOCK]),
            None => Flags(0),
        }
    }

    /// Flags of an ASCII character. O(1).
    #[inline(always)]
    pub fn of_ascii(&self, byte: u8) -> Flags {
        // The block of the lowest code points is always the first.
        Flags(self.blocks[0][usize::from(byte)])
    }

    fn build() -> Classes {
        let mut classes = Classes { block_of: [0; BLOCKS], blocks: Vec::new() };
        // Most blocks lie in one run, and are known by its flags.
        let mut of_one_run: [Option<u16>; 256] = [None; 256];
        let mut run = 0;
        for number in 0..BLOCKS {
            let (start, flags) = ((number * BLOCK) as u32, tables_16::RUNS[run].1);
            let block = if end_of(run) >= start + BLOCK as u32 {
                run += usize::from(end_of(run) == start + BLOCK as u32);
                *of_one_run[usize::from(flags)].get_or_insert_with(|| classes.add([flags; BLOCK]))
            } else {
                let block = fill_block(start, &mut run);
                classes.add(block)
            };
            classes.block_of[number] = block;
        }
        classes
    }

    fn add(&mut self, block: [u8; BLOCK]) -> u16 {
        self.blocks.push(block);
        (self.blocks.len() - 1) as u16
    }
}

/// Where a run ends; the last one has no end.
fn end_of(run: usize) -> u32 {
    tables_16::RUNS.get(run + 1).map_or(u32::MAX, |next| next.0)
}

/// The flags of one block; `run` is the run that holds its first code point, and moves on.
fn fill_block(start: u32, run: &mut usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut at = 0;
    while at < BLOCK {
        let next = end_of(*run);
        let end = BLOCK.min((next - start) as usize);
        block[at..end].fill(tables_16::RUNS[*run].1);
        *run += usize::from(end < BLOCK || next == start + BLOCK as u32);
        at = end;
    }
    block
}

/// Whether Unicode 16 assigns the character.
pub fn is_assigned(character: char) -> bool {
    Classes::v16().of(character as u32).any(Flags::ASSIGNED)
}

/// Whether the character is white space (the property White_Space).
pub fn is_space(character: char) -> bool {
    Classes::v16().of(character as u32).any(Flags::SPACE)
}

/// Whether the character is a number (`\p{N}`) in Unicode 17, the version of `tokenizers`' `Digits`: to those of
/// Unicode 16 it adds two runs.
pub fn is_numeric(character: char) -> bool {
    Classes::v16().of(character as u32).any(Flags::NUMBER)
        || matches!(character, '\u{11de0}'..='\u{11de9}' | '\u{16ff4}'..='\u{16ff6}')
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::{Class, HirKind};

    use super::*;

    /// The regex engine and the scanners must agree; this fails when a dependency moves to other tables.
    #[test]
    fn the_table_equals_the_classes_of_the_regex_engine() {
        let classes = [
            (r"\p{L}", Flags::LETTER),
            (r"\p{N}", Flags::NUMBER),
            (r"\s", Flags::SPACE),
            (r"[\p{Lu}\p{Lt}]", Flags::UPPER),
            (r"\p{Ll}", Flags::LOWER),
            (r"\p{M}", Flags::MARK),
            (r"\w", Flags::WORD),
            (r"[^\p{Cn}]", Flags::ASSIGNED),
        ];
        for (pattern, flag) in classes {
            let hir = regex_syntax::parse(pattern).unwrap();
            let HirKind::Class(Class::Unicode(class)) = hir.kind() else { panic!("{pattern}") };
            let mut inside = vec![false; 0x11_0000];
            for range in class.ranges() {
                inside[range.start() as usize..=range.end() as usize].fill(true);
            }
            for (code, &expected) in inside.iter().enumerate() {
                if char::from_u32(code as u32).is_some() {
                    assert_eq!(Classes::v16().of(code as u32).any(flag), expected, "{pattern} U+{code:04X}");
                }
            }
        }
    }

    /// Unicode 16.0 assigns 154,998 graphic and format characters; with 65 controls, 137,468 private-use code
    /// points and 2,048 surrogates that is every code point outside Cn (source: the standard's own count).
    #[test]
    fn the_table_is_unicode_16() {
        let assigned = (0..0x11_0000).filter(|&code| Classes::v16().of(code).any(Flags::ASSIGNED)).count();
        let surrogates = (0xD800..0xE000).filter(|&code| Classes::v16().of(code).any(Flags::ASSIGNED)).count();
        assert_eq!(assigned - surrogates, 154_998 + 65 + 137_468);
        assert!(is_assigned('\u{1c89}'), "U+1C89 is new in Unicode 16");
        assert!(!is_assigned('\u{a7ce}'), "U+A7CE is new in Unicode 17");
    }
}
