//! Units: what a first symbol stands for, a byte or a character, and tables from units to symbols.

use super::number::NO_SYMBOL;

const PAGE: usize = 256;
const PAGES: usize = 0x11_0000 / PAGE;

/// A table from byte or code point to symbol, in pages of 256. O(1) look-up; 4 KB and 1 KB a used page.
#[derive(Debug, Clone)]
pub(super) struct UnitTable {
    /// Page of each block of 256 units; page 0 is empty.
    page_of: Box<[u16]>,
    pages: Vec<[u32; PAGE]>,
}

impl UnitTable {
    /// A table in which no unit has a symbol.
    pub(super) fn new() -> Self {
        UnitTable { page_of: vec![0; PAGES].into_boxed_slice(), pages: vec![[NO_SYMBOL; PAGE]] }
    }

    /// The symbol of `unit`, or [`NO_SYMBOL`].
    #[inline]
    pub(super) fn get(&self, unit: u32) -> u32 {
        match self.page_of.get(unit as usize / PAGE) {
            Some(&page) => self.pages[usize::from(page)][unit as usize % PAGE],
            None => NO_SYMBOL,
        }
    }

    /// Gives `unit` a symbol. Units are at most 0x10FFFF.
    pub(super) fn set(&mut self, unit: u32, symbol: u32) {
        let page = &mut self.page_of[unit as usize / PAGE];
        if *page == 0 {
            *page = self.pages.len() as u16;
            self.pages.push([NO_SYMBOL; PAGE]);
        }
        self.pages[usize::from(*page)][unit as usize % PAGE] = symbol;
    }

    /// The symbols of the units 0 to 255.
    pub(super) fn first_page(&self) -> [u32; PAGE] {
        self.pages[usize::from(self.page_of[0])]
    }
}

/// The code point at the start of `bytes` and its length, or `None` where the sequence is cut off or `bytes` is empty.
/// Expects valid UTF-8: other bytes give some number, never a panic.
#[inline]
pub(super) fn code_point(bytes: &[u8]) -> Option<(u32, usize)> {
    let low = |index: usize| u32::from(bytes[index] & 0x3f);
    let lead = u32::from(*bytes.first()?);
    match lead {
        0..0x80 => Some((lead, 1)),
        ..0xe0 if bytes.len() >= 2 => Some(((lead & 0x1f) << 6 | low(1), 2)),
        0xe0..0xf0 if bytes.len() >= 3 => Some(((lead & 0x0f) << 12 | low(1) << 6 | low(2), 3)),
        0xf0.. if bytes.len() >= 4 => Some(((lead & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_point_is_read_as_std_reads_it() {
        for c in ('\0'..=char::MAX).step_by(7) {
            let text = format!("{c}x");
            assert_eq!(code_point(text.as_bytes()), Some((u32::from(c), c.len_utf8())));
            assert_eq!(code_point(&text.as_bytes()[..c.len_utf8() - 1]), None);
        }
    }

    #[test]
    fn tables_hold_what_was_set() {
        let mut table = UnitTable::new();
        for (unit, symbol) in [(0, 5), (0x10_ffff, 6), (0x436, 7)] {
            table.set(unit, symbol);
        }
        assert_eq!(
            [0, 0x10_ffff, 0x436, 1, 0x437, 0x11_0000].map(|unit| table.get(unit)),
            [5, 6, 7, NO_SYMBOL, NO_SYMBOL, NO_SYMBOL]
        );
    }
}
