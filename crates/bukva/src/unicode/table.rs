//! A small number for every code point.

const PAGE: usize = 256;
const PAGES: usize = 0x11_0000 / PAGE;

/// A number for every code point, in pages of 256; equal to 0 where none was given. O(1) look-up; 4 KB and 256 bytes a
/// page in use.
#[derive(Debug)]
pub(crate) struct ByteTable {
    /// Page of each block of 256 code points; page 0 is empty.
    page_of: Box<[u16]>,
    pages: Vec<[u8; PAGE]>,
}

impl ByteTable {
    /// A table of runs: first and last code point, and their number. O(bytes of the table).
    pub(crate) fn of(runs: impl IntoIterator<Item = (u32, u32, u8)>) -> Self {
        let mut table = ByteTable { page_of: vec![0; PAGES].into_boxed_slice(), pages: vec![[0; PAGE]] };
        for (first, last, number) in runs {
            table.set_run(first as usize, last as usize, number);
        }
        table
    }

    fn set_run(&mut self, first: usize, last: usize, number: u8) {
        for number_of_page in first / PAGE..=last / PAGE {
            let Some(page) = self.page_of.get_mut(number_of_page) else { return };
            if *page == 0 {
                *page = self.pages.len() as u16;
                self.pages.push([0; PAGE]);
            }
            let start = number_of_page * PAGE;
            let inside = first.max(start) - start..=last.min(start + PAGE - 1) - start;
            self.pages[usize::from(*page)][inside].fill(number);
        }
    }

    /// The number of a code point.
    #[inline]
    pub(crate) fn get(&self, code: u32) -> u8 {
        match self.page_of.get(code as usize / PAGE) {
            Some(&page) => self.pages[usize::from(page)][code as usize % PAGE],
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_their_number_and_nothing_else_has_one() {
        let table = ByteTable::of([(3, 300, 7), (0x10_ffff, 0x10_ffff, 9), (0x500, 0x500, 1)]);
        let expected = |code: u32| match code {
            3..=300 => 7,
            0x500 => 1,
            0x10_ffff => 9,
            _ => 0,
        };
        assert!((0..0x11_0100).all(|code| table.get(code) == expected(code)));
    }
}
