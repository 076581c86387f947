use proptest::prelude::*;

use super::*;
use crate::spec::{AddedToken, Alphabet, Bpe, Model, Pattern, PrependScheme, Vocab};

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

/// The definition of every decoder, piece by piece on whole lists.
fn naive(decoder: &Decoder, pieces: Vec<String>) -> Vec<String> {
    let count = pieces.len();
    let each = |rewrite: &dyn Fn(usize, &str) -> String| {
        pieces.iter().enumerate().map(|(index, piece)| rewrite(index, piece)).collect::<Vec<_>>()
    };
    match decoder {
        Decoder::Sequence { items } => items.iter().fold(pieces, |pieces, item| naive(item, pieces)),
        Decoder::EndOfWord { suffix } => {
            each(&|index, piece| piece.replace(suffix, if index + 1 == count { "" } else { " " }))
        }
        Decoder::WordPiece { prefix, .. } => each(&|index, piece| match piece.strip_prefix(prefix.as_str()) {
            _ if index == 0 => piece.to_owned(),
            Some(rest) => rest.to_owned(),
            None => format!(" {piece}"),
        }),
        Decoder::Metaspace { replacement, .. } => {
            each(&|index, piece| piece.replace(*replacement, if index == 0 { "" } else { " " }))
        }
        Decoder::Strip { content, start, stop } => each(&|_, piece| {
            let mut piece = piece;
            for _ in 0..*start {
                piece = piece.strip_prefix(*content).unwrap_or(piece);
            }
            for _ in 0..*stop {
                piece = piece.strip_suffix(*content).unwrap_or(piece);
            }
            piece.to_owned()
        }),
        Decoder::Replace { pattern: Pattern::Literal(sought), content } => {
            each(&|_, piece| piece.replace(sought, content))
        }
        Decoder::SpaceBetween => each(&|index, piece| format!("{piece}{}", if index + 1 == count { "" } else { " " })),
        Decoder::Fuse => vec![pieces.concat()],
        Decoder::ByteLevel => {
            let bytes: Vec<u8> =
                pieces.iter().flat_map(|piece| texts::unmapped(piece.as_bytes()).into_owned()).collect();
            vec![String::from_utf8_lossy(&bytes).into_owned()]
        }
        Decoder::ByteFallback => {
            let (mut out, mut run) = (Vec::new(), Vec::new());
            for piece in pieces.iter().map(Some).chain([None]) {
                match piece.and_then(|piece| flow::byte_of(piece.as_bytes())) {
                    Some(byte) => run.push(byte),
                    None => {
                        match String::from_utf8(std::mem::take(&mut run)) {
                            Ok(text) if text.is_empty() => {}
                            Ok(text) => out.push(text),
                            Err(bad) => out.extend(bad.as_bytes().iter().map(|_| "\u{fffd}".to_owned())),
                        }
                        out.extend(piece.cloned());
                    }
                }
            }
            out
        }
        Decoder::Ctc { pad_token, word_delimiter_token, .. } => {
            let mut pieces = pieces;
            pieces.dedup();
            let spoken = |piece: String| piece.replace(pad_token, "").replace(word_delimiter_token, " ");
            pieces.into_iter().map(spoken).filter(|piece| !piece.is_empty()).collect()
        }
        other => panic!("{other:?} is not in this test"),
    }
}

const TEXTS: [&str; 16] =
    ["a", "▁", "▁a", "##b", "b_", "_", "<0xD1>", "<0x91>", "<0x20>", "<pad>", "|", "é", "Ġa", "Ñ", "ĳ", " ▁ "];

fn texts_decoder(decoder: Decoder) -> TextDecoder {
    let vocab: Vocab = (0..).zip(TEXTS).map(|(id, text)| (id, text.as_bytes())).collect();
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Chars, vocab, Vec::new())));
    spec.decoder = Some(decoder);
    TextDecoder::compile(&spec).unwrap()
}

fn any_decoder() -> impl Strategy<Value = Decoder> {
    let literal = |sought: &str, content: &str| Decoder::Replace {
        pattern: Pattern::Literal(sought.into()),
        content: content.into(),
    };
    let strip = |content, start, stop| Decoder::Strip { content, start, stop };
    prop::sample::select(vec![
        Decoder::EndOfWord { suffix: "_".into() },
        Decoder::WordPiece { prefix: "##".into(), cleanup: false },
        Decoder::Metaspace { replacement: '▁', prepend_scheme: PrependScheme::Always, split: true },
        strip(' ', 1, 0),
        strip('▁', 2, 1),
        strip('a', 0, 2),
        literal("▁", " "),
        literal("a", ""),
        Decoder::SpaceBetween,
        Decoder::Fuse,
        Decoder::ByteLevel,
        Decoder::ByteFallback,
        Decoder::Ctc { pad_token: "<pad>".into(), word_delimiter_token: "|".into(), cleanup: true },
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_chain_is_its_definition_at_once_and_in_a_stream(
        items in prop::collection::vec(any_decoder(), 1..5),
        ids in prop::collection::vec(0u32..TEXTS.len() as u32, 0..12),
    ) {
        let chain = Decoder::Sequence { items };
        let decoder = texts_decoder(chain.clone());
        let pieces = ids.iter().map(|&id| TEXTS[id as usize].to_owned()).collect();
        let whole = naive(&chain, pieces).concat();
        prop_assert_eq!(decoder.text(&ids, Invalid::Replace, false).unwrap(), whole.clone());
        prop_assert_eq!(streamed(&decoder, &ids, Invalid::Replace, false).unwrap(), whole);
    }
}

#[test]
fn a_sentencepiece_chain_gives_text_out_as_soon_as_it_is_certain() {
    let strip = Decoder::Strip { content: ' ', start: 1, stop: 0 };
    let spaces = Decoder::Replace { pattern: Pattern::Literal("▁".into()), content: " ".into() };
    let decoder = texts_decoder(Decoder::Sequence { items: vec![spaces, Decoder::ByteFallback, Decoder::Fuse, strip] });
    let mut stream = StreamDecoder::new(Invalid::Replace, false);
    let given: Vec<String> = [2, 2, 6, 7, 0].iter().map(|&id| stream.push(&decoder, id).unwrap()).collect();
    assert_eq!(given, ["a", " a", "", "", "ёa"]);
    assert_eq!(stream.push(&decoder, 6).unwrap() + &stream.finish(&decoder).unwrap(), "\u{fffd}");
    assert_eq!(decoder.bytes(&[6], false).unwrap(), [0xd1]);
    assert_eq!(decoder.text(&[0, 6], Invalid::Strict, false).unwrap_err().place.byte_offset, Some(1));
}

#[test]
fn a_byte_level_vocabulary_is_bytes_or_the_characters_of_its_file() {
    let vocab: Vocab = [(0, &b" a"[..]), (1, &[0xd1]), (2, &[0x91])].into_iter().collect();
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, Vec::new())));
    spec.added_tokens.push(AddedToken { special: false, ..AddedToken::special("éé", 3) });
    let text =
        |spec: &Spec, ids: &[u32]| TextDecoder::compile(spec).unwrap().text(ids, Invalid::Replace, false).unwrap();
    assert_eq!(text(&spec, &[0, 1, 2, 3]), " aёéé");
    spec.decoder = Some(Decoder::ByteLevel);
    assert_eq!(text(&spec, &[0, 1, 2, 3]), " aё\u{fffd}\u{fffd}");
    spec.decoder = Some(Decoder::Sequence { items: vec![Decoder::ByteLevel, Decoder::Fuse] });
    assert_eq!(text(&spec, &[0, 1, 2, 3]), " aё\u{fffd}\u{fffd}");
    spec.decoder = Some(Decoder::Sequence { items: vec![Decoder::Mapped, Decoder::SpaceBetween] });
    assert_eq!(text(&spec, &[0, 1, 3]), "Ġa Ñ éé");
    spec.decoder = Some(Decoder::Sequence { items: vec![Decoder::Mapped, Decoder::ByteLevel] });
    assert_eq!(text(&spec, &[0, 1, 2]), " aё");
}
