use proptest::prelude::*;

use super::*;
use crate::spec::{AddedToken, Alphabet, Bpe, Model, Vocab};

/// Ids 0..256 are the bytes, 256 and 257 pieces of characters, 258 special.
fn bytes_decoder() -> TextDecoder {
    let mut vocab: Vocab =
        (0..=255u8).map(|byte| (u32::from(byte), vec![byte])).fold(Vocab::new(), |mut vocab, (id, bytes)| {
            vocab.push(id, &bytes);
            vocab
        });
    vocab.push(256, "ё".as_bytes());
    vocab.push(257, &[0xD1, 0x91, 0xD1]);
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, Vec::new())));
    spec.added_tokens.push(AddedToken::special("<end>", 258));
    TextDecoder::compile(&spec).unwrap()
}

fn chars_decoder(decoder: Decoder) -> TextDecoder {
    let vocab: Vocab = [(0, &b"ab_"[..]), (1, b"_"), (2, b"c")].into_iter().collect();
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Chars, vocab, Vec::new())));
    spec.decoder = Some(decoder);
    TextDecoder::compile(&spec).unwrap()
}

fn marker_decoder() -> TextDecoder {
    chars_decoder(Decoder::EndOfWord { suffix: "_".into() })
}

#[test]
fn strict_names_the_byte_and_replace_marks_it() {
    let decoder = bytes_decoder();
    let error = decoder.text(&[0x61, 0xff, 0x62], Invalid::Strict, false).unwrap_err();
    assert_eq!((error.kind, error.place.byte_offset), (Kind::Encoding, Some(1)));
    assert_eq!(decoder.text(&[0x61, 0xff, 0x62], Invalid::Replace, false).unwrap(), "a\u{fffd}b");
    assert_eq!(decoder.text(&[0x61, 258, 0x62], Invalid::Strict, true).unwrap(), "ab");
    assert_eq!(decoder.text(&[0x61, 258], Invalid::Strict, false).unwrap(), "a<end>");
}

#[test]
fn an_unknown_id_is_named_with_its_place_and_the_range() {
    let error = bytes_decoder().bytes(&[1, 4000], false).unwrap_err();
    assert_eq!(error.kind, Kind::UnknownId);
    let message = error.to_string();
    assert!(message.contains("4000") && message.contains("0..259") && message.contains("id number 1"), "{message}");
}

#[test]
fn the_marker_is_a_space_between_words_and_nothing_at_the_end() {
    let decoder = marker_decoder();
    assert_eq!(decoder.text(&[0, 2, 1], Invalid::Strict, false).unwrap(), "ab c");
    assert_eq!(decoder.text(&[2, 1, 0], Invalid::Strict, false).unwrap(), "c ab");
}

#[test]
fn a_space_between_tokens_is_none_at_the_end() {
    let decoder = chars_decoder(Decoder::SpaceBetween);
    assert_eq!(decoder.text(&[0, 2, 1], Invalid::Strict, false).unwrap(), "ab_ c _");
    assert_eq!(streamed(&decoder, &[0, 2, 1], Invalid::Strict, false).unwrap(), "ab_ c _");
}

#[test]
fn a_stream_holds_back_an_incomplete_character_and_ends_explicitly() {
    let decoder = bytes_decoder();
    let mut stream = StreamDecoder::new(Invalid::Strict, false);
    assert_eq!(stream.push(&decoder, 0xd1).unwrap(), "");
    assert_eq!(stream.push(&decoder, 0x91).unwrap(), "ё");
    assert_eq!(stream.push(&decoder, 0xd1).unwrap(), "");
    assert_eq!(stream.finish(&decoder).unwrap_err().place.byte_offset, Some(2));
    assert_eq!(stream.finish(&decoder).unwrap(), "");
}

fn streamed(decoder: &TextDecoder, ids: &[u32], invalid: Invalid, skip: bool) -> Result<String> {
    let mut stream = StreamDecoder::new(invalid, skip);
    let mut text = String::new();
    for &id in ids {
        text += &stream.push(decoder, id)?;
    }
    Ok(text + &stream.finish(decoder)?)
}

proptest! {
    #[test]
    fn a_stream_gives_what_decoding_at_once_gives(
        ids in prop::collection::vec(prop_oneof![0u32..259, 0xc0u32..0xf8, 0x80u32..0xc0, Just(256), Just(257)], 0..30),
        skip in any::<bool>(),
    ) {
        let decoder = bytes_decoder();
        let whole = decoder.text(&ids, Invalid::Replace, skip).unwrap();
        prop_assert_eq!(streamed(&decoder, &ids, Invalid::Replace, skip).unwrap(), whole);
        let strict = decoder.text(&ids, Invalid::Strict, skip);
        let stream = streamed(&decoder, &ids, Invalid::Strict, skip);
        prop_assert_eq!(strict.map_err(|e| e.place.byte_offset), stream.map_err(|e| e.place.byte_offset));
    }

    #[test]
    fn a_stream_with_a_marker_too(ids in prop::collection::vec(0u32..3, 0..12)) {
        let decoder = marker_decoder();
        let whole = decoder.text(&ids, Invalid::Strict, false).unwrap();
        prop_assert_eq!(streamed(&decoder, &ids, Invalid::Strict, false).unwrap(), whole);
    }
}
