use proptest::prelude::*;

use super::layout::{Section, join};
use super::*;
use crate::Kind;
use crate::formats::arbitrary;
use crate::spec::{Alphabet, Bpe, Merge, Model, Normalizer, Vocab};

fn small() -> Spec {
    let vocab: Vocab = [(0, b"a".as_slice()), (1, b"b"), (7, b"ab")].into_iter().collect();
    let merges = vec![Merge { rank: 3, left: 0, right: 1, product: 7 }];
    Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, merges)))
}

fn image(spec: &Spec) -> Vec<u8> {
    write_image(spec).unwrap().files.remove(0).bytes
}

fn message(bytes: &[u8]) -> String {
    let error = read_image(bytes).unwrap_err();
    assert_eq!(error.kind, Kind::Format, "{error}");
    error.to_string()
}

/// The same bytes with the right checksum: damage that the checksum does not see.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    hash.update(&bytes[..24]);
    hash.update(&bytes[32..]);
    bytes[24..32].copy_from_slice(&hash.digest().to_le_bytes());
    bytes
}

proptest! {
    #[test]
    fn reading_gives_what_was_written(spec in arbitrary::spec()) {
        prop_assert_eq!(read_image(&image(&spec)).unwrap(), spec);
    }

    #[test]
    fn one_changed_bit_is_an_error(spec in arbitrary::spec(), at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = image(&spec);
        let at = at.index(bytes.len());
        bytes[at] ^= 1u8 << bit;
        prop_assert_eq!(read_image(&bytes).unwrap_err().kind, Kind::Format);
    }

    #[test]
    fn any_damage_with_a_right_checksum_is_an_error_or_a_specification(
        spec in arbitrary::spec(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = image(&spec);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = read_image(&resealed(bytes)) {
            prop_assert_eq!(error.kind, Kind::Format);
        }
    }

    #[test]
    fn any_bytes_are_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(read_image(&bytes).unwrap_err().kind, Kind::Format);
    }
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = image(&small());
    for length in 0..bytes.len() {
        message(&bytes[..length]);
    }
    message(&[bytes.as_slice(), b"x"].concat());
}

#[test]
fn sections_are_aligned() {
    let bytes = image(&small());
    let count = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    for entry in bytes[32..32 + 32 * count].chunks(32) {
        assert_eq!(u64::from_le_bytes(entry[16..24].try_into().unwrap()) % 8, 0);
    }
    assert_eq!(bytes.len() % 8, 0);
}

#[test]
fn the_message_says_what_is_wrong() {
    let bytes = image(&small());
    assert!(message(b"{}").contains("not those of a bukva image"));
    assert!(message(&bytes[..bytes.len() - 8]).contains("truncated"));
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert!(message(&newer).contains("image version 2; this bukva reads version 1"));
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert!(message(&changed).contains("checksum"));
}

#[test]
fn huge_declared_numbers_are_refused_before_they_are_used() {
    for (range, what) in [(12..16, "sections"), (48..56, "section"), (56..64, "section")] {
        let mut bytes = image(&small());
        bytes[range].fill(0xff);
        assert!(message(&resealed(bytes)).contains(what));
    }
}

#[test]
fn missing_unknown_and_repeated_sections_are_named() {
    let section = |name| Section { name, bytes: b"{}".to_vec() };
    assert!(message(&join(&[])).contains("\"spec\" is missing"));
    assert!(message(&join(&[section("later")])).contains("\"later\""));
    assert!(message(&join(&[section("spec"), section("spec")])).contains("twice"));
}

#[test]
fn a_number_that_json_cannot_hold_is_refused() {
    let mut spec = small();
    let Model::Bpe(bpe) = &mut spec.model else { unreachable!() };
    bpe.dropout = Some(f32::INFINITY);
    assert_eq!(write_image(&spec).unwrap_err().kind, Kind::Invariant);
}

#[test]
fn nesting_deeper_than_the_reader_goes_is_refused() {
    let mut spec = small();
    let deep = (0..100).fold(Normalizer::Lowercase, |inner, _| Normalizer::Sequence { items: vec![inner] });
    spec.normalizer = Some(deep);
    assert_eq!(write_image(&spec).unwrap_err().kind, Kind::Invariant);
}
