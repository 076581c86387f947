//! Masks by whole numbers of eight bytes: any processor.

use super::masks::{BLOCK, Machine};

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable([u8; BLOCK]);

impl Machine for Portable {
    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        Portable(*block)
    }

    #[inline(always)]
    unsafe fn equal(self, byte: u8) -> u64 {
        gathered(self.0.map(|other| u8::from(other == byte)))
    }

    #[inline(always)]
    unsafe fn below(self, limit: u8) -> u64 {
        gathered(self.0.map(|byte| u8::from((byte as i8) < limit as i8)))
    }
}

/// The lowest bits of 64 bytes, the first byte's lowest.
#[inline(always)]
fn gathered(bits: [u8; BLOCK]) -> u64 {
    let mut mask = 0;
    for (number, bytes) in bits.as_chunks::<8>().0.iter().enumerate() {
        // Brings the lowest bit of each byte into the highest byte.
        let bits = u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * number);
    }
    mask
}
