//! Masks by whole numbers of eight bytes: any processor.

use super::masks::{Ascii, BLOCK, COLLECTED, Machine};
use crate::pretokenize::reader::{HIGH, ONES};

/// Any processor.
pub(super) struct Portable;

impl Machine for Portable {
    #[inline(always)]
    unsafe fn ascii(block: &[u8; BLOCK]) -> Ascii {
        let is = |byte: u8| gathered(block, |bytes| between(bytes, byte, byte));
        let blank = is(b' ');
        Ascii {
            upper: gathered(block, |bytes| between(bytes, b'A', b'Z')),
            lower: gathered(block, |bytes| between(bytes, b'a', b'z')),
            digit: gathered(block, |bytes| between(bytes, b'0', b'9')),
            space: gathered(block, |bytes| between(bytes, b'\t', b'\r')) | blank,
            newline: is(b'\n') | is(b'\r'),
            blank,
            apostrophe: is(b'\''),
            slash: is(b'/'),
            beyond: gathered(block, |bytes| bytes),
            continuation: gathered(block, |bytes| bytes & !(bytes << 1)),
        }
    }

    #[inline(always)]
    unsafe fn collect(flags: &[u8; BLOCK]) -> [u64; COLLECTED.len()] {
        COLLECTED.map(|flag| gathered(flags, |bytes| bytes << (7 - flag.bits().trailing_zeros())))
    }
}

/// The highest bits of what `test` makes of each eight bytes.
#[inline(always)]
fn gathered(block: &[u8; BLOCK], test: impl Fn(u64) -> u64) -> u64 {
    let mut mask = 0;
    for (number, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
        let bits = (test(u64::from_le_bytes(*bytes)) & HIGH) >> 7;
        // Brings the lowest bit of each byte into the highest byte, the first byte's lowest.
        mask |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * number);
    }
    mask
}

/// The highest bit of every byte from `first` to `last`, ASCII both.
#[inline(always)]
fn between(bytes: u64, first: u8, last: u8) -> u64 {
    let low = bytes & !HIGH;
    let from_first = low + ONES * u64::from(0x80 - first);
    let beyond_last = low + ONES * u64::from(0x7f - last);
    from_first & !beyond_last & !bytes
}
