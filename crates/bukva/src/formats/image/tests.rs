use proptest::prelude::*;

use super::layout::join;
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
        assert_eq!(u64::from_le_bytes(entry[16..24].try_into().unwrap()) % 64, 0);
    }
    assert_eq!(bytes.len() % 64, 0);
}

#[test]
fn the_message_says_what_is_wrong() {
    let bytes = image(&small());
    assert!(message(b"{}").contains("not those of a bukva image"));
    assert!(message(&bytes[..bytes.len() - 8]).contains("truncated"));
    let mut newer = bytes.clone();
    newer[8] = 4;
    assert!(message(&newer).contains("image version 4; this bukva reads version 3"));
    newer[8] = 1;
    assert!(message(&newer).contains("make the image anew"));
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
    let section = |name| (name, b"{}".as_slice().into());
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

/// A model over all bytes, with long tokens, a character of two symbols and an added token.
fn compiled() -> Spec {
    let mut vocab: Vocab = (0..=255_u8).map(|byte| (u32::from(byte), [byte])).fold(Vocab::new(), |mut vocab, entry| {
        vocab.push(entry.0, &entry.1);
        vocab
    });
    let mut merges = Vec::new();
    let words = ["ab", "abab", "abababab", "ж", "abababababababab", "ababababababababж"];
    for (id, word) in (256..).zip(words) {
        let bytes = word.as_bytes();
        let cut = if word.len() % 4 == 2 && bytes.len() > 2 { bytes.len() - 2 } else { bytes.len() / 2 };
        let id_of = |part: &[u8]| vocab.iter().find(|entry| entry.bytes == part).unwrap().id;
        merges.push(Merge { rank: id, left: id_of(&bytes[..cut]), right: id_of(&bytes[cut..]), product: id });
        vocab.push(id, bytes);
    }
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, merges)));
    spec.added_tokens.push(crate::spec::AddedToken::special("<end>", 300));
    spec
}

const TEXTS: [&str; 4] = ["abababababababababж", "ababab жж аб", "x", "ababababababababababababababababababababж"];

fn ids(tokenizer: &Tokenizer, text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    tokenizer.encode_ordinary(text, &mut ids).unwrap();
    ids
}

#[test]
fn an_image_works_as_what_it_was_made_from() {
    let spec = compiled();
    let made = Tokenizer::new(spec.clone()).unwrap();
    let bytes = image(&spec);
    assert_eq!(bytes, image_of(&made).unwrap());
    let path = std::env::temp_dir().join(format!("bukva-image-{}.bukva", std::process::id()));
    std::fs::write(&path, &bytes).unwrap();
    for loaded in [load_image(&bytes).unwrap(), open_image(&path).unwrap()] {
        assert_eq!(*loaded.spec(), spec);
        assert_eq!(fingerprint(loaded.spec()).unwrap(), fingerprint(&spec).unwrap());
        for text in TEXTS {
            assert_eq!(ids(&loaded, text), ids(&made, text));
            assert_eq!(loaded.decoder().bytes(&ids(&made, text), false).unwrap(), text.as_bytes());
        }
        assert_eq!(loaded.decoder().token(300).unwrap(), b"<end>");
        assert_eq!(image_of(&loaded).unwrap(), bytes);
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn an_empty_file_is_no_image() {
    let path = std::env::temp_dir().join(format!("bukva-empty-{}.bukva", std::process::id()));
    std::fs::write(&path, b"").unwrap();
    assert_eq!(open_image(&path).unwrap_err().kind, Kind::Format);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(open_image(&path).unwrap_err().kind, Kind::Io);
}

/// The range of a section's bytes.
fn place(bytes: &[u8], name: &str) -> std::ops::Range<usize> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let entry = (32..).step_by(32).find(|&at| bytes[at..].starts_with(name.as_bytes())).unwrap();
    number(entry + 16)..number(entry + 16) + number(entry + 24)
}

#[test]
fn tables_with_a_wrong_index_or_without_an_end_are_refused() {
    let bytes = image(&compiled());
    for (name, filling) in [
        ("bpe.pairs", 0x01),
        ("bpe.corner", 0x05),
        ("bpe.products", 0xff),
        ("bpe.whole", 0x00),
        ("bpe.characters", 0x02),
        ("bpe.long.slots", 0x00),
        ("bpe.long.slots", 0x7f),
        ("bpe.long.ends", 0x70),
        ("bpe.ids", 0x01),
    ] {
        let mut damaged = bytes.clone();
        damaged[place(&bytes, name)].fill(filling);
        let error = load_image(&resealed(damaged)).map(|_| name).unwrap_err();
        assert_eq!(error.kind, Kind::Format, "{name}");
    }
}

proptest! {
    #[test]
    fn crafted_tables_never_panic(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        section in prop::sample::select(vec![
            "bpe.ids", "bpe.ranks", "bpe.pairs", "bpe.corner", "bpe.products", "bpe.whole", "bpe.long.slots",
            "bpe.long.ends", "bpe.long.ids", "bpe.long.bytes", "bpe.characters", "bpe.sets", "tokens.starts",
            "tokens.bytes", "vocab.ids", "vocab.ends", "merges",
        ]),
    ) {
        let mut bytes = image(&compiled());
        let range = place(&bytes, section);
        for (at, byte) in damage {
            let at = range.start + at.index(range.len());
            bytes[at] = byte;
        }
        match load_image(&resealed(bytes)) {
            Ok(tokenizer) => {
                for text in TEXTS {
                    let mut ids = Vec::new();
                    let _ = tokenizer.encode_ordinary(text, &mut ids);
                    let _ = tokenizer.decoder().bytes(&ids, false);
                    let _ = tokenizer.explain(text, &Default::default());
                }
            }
            Err(error) => prop_assert!([Kind::Format, Kind::Invariant].contains(&error.kind), "{error}"),
        }
    }
}
