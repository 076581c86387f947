//! The hash functions that n-grams are numbered by.

/// What [`fnv1a`] starts from, and the seed of floret's hashes.
pub(super) const BASIS: u32 = 2_166_136_261;

/// Takes bytes into a hash of fastText: FNV-1a of 32 bits, but for bytes above 127, which it extends as signed numbers.
///
/// Source: G. Fowler, L. Noll, K. Vo, *The FNV Non-Cryptographic Hash Algorithm*; the signs by experiment with fastText
/// 0.9.2.
pub(super) fn fnv1a(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ byte.cast_signed() as u32).wrapping_mul(16_777_619))
}

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// MurmurHash3 of 128 bits in its form for 64-bit processors, as four numbers of 32 bits. O(bytes).
///
/// Source: A. Appleby, *MurmurHash3*, 2011 (public domain).
pub(super) fn murmur3(bytes: &[u8], seed: u32) -> [u32; 4] {
    let (mut a, mut b) = (u64::from(seed), u64::from(seed));
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        a ^= first(number(&block[..8]));
        a = a.rotate_left(27).wrapping_add(b).wrapping_mul(5).wrapping_add(0x52dc_e729);
        b ^= second(number(&block[8..]));
        b = b.rotate_left(31).wrapping_add(a).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (low, high) = tail.split_at(tail.len().min(8));
    b ^= second(number(high));
    a ^= first(number(low));
    (a, b) = (a ^ bytes.len() as u64, b ^ bytes.len() as u64);
    a = a.wrapping_add(b);
    b = b.wrapping_add(a);
    (a, b) = (mixed(a), mixed(b));
    a = a.wrapping_add(b);
    b = b.wrapping_add(a);
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

/// Up to eight bytes as a number, the lowest first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn first(number: u64) -> u64 {
    number.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn second(number: u64) -> u64 {
    number.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ bits >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ bits >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of `Model.get_subwords` of the package fasttext 0.9.2, with 1000 buckets behind 11 words.
    #[test]
    fn hashes_are_those_of_fasttext() {
        let bucket = |text: &str| fnv1a(BASIS, text.as_bytes()) % 1000 + 11;
        assert_eq!(["<a", "<a>", "a>"].map(bucket), [761, 611, 817]);
        assert_eq!(["<г", "<гд", "<где", "где>", "日本>"].map(bucket), [257, 189, 268, 542, 168]);
    }

    /// The same of floret 0.10.5, with 100 buckets: two hashes for each.
    #[test]
    fn hashes_are_those_of_floret() {
        let buckets = |text: &str| murmur3(text.as_bytes(), BASIS).map(|hash| hash % 100 + 11);
        for (text, expected) in
            [("<a>", [16, 33]), ("<a", [16, 95]), ("<где>", [102, 26]), ("<日本>", [51, 108]), ("本>", [24, 99])]
        {
            assert_eq!(buckets(text)[..2], expected, "{text}");
        }
    }

    /// Numbers of `hash128(bytes, 1)` of the package mmh3 5.
    #[test]
    fn texts_of_any_length_are_hashed_as_by_mmh3() {
        let text: Vec<u8> = (0..=40).collect();
        let cases = [
            (0, [0x6eff_5cb5, 0x4610_abe5, 0x78f8_3583, 0x5162_2daa]),
            (8, [0x856a_f835, 0x4ca8_62fa, 0x4fff_be9c, 0xf138_4439]),
            (15, [0x3f50_efc7, 0x158d_4fc7, 0x0cd6_11a5, 0x6a58_e24b]),
            (16, [0xebbd_a214, 0x9615_6ad3, 0x3103_3c8a, 0xe2b1_0a62]),
            (31, [0xa9df_7dc3, 0x3ef0_8ab7, 0xcf39_7ede, 0x154c_0d77]),
            (41, [0xac6a_56d4, 0xd3a8_124f, 0x68d3_f8b7, 0xb68f_9f5f]),
        ];
        for (length, expected) in cases {
            assert_eq!(murmur3(&text[..length], 1), expected, "{length} bytes");
        }
    }
}
