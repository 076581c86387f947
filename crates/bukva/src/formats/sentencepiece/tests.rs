use proptest::prelude::*;

use super::folder::add_side_files;
use super::message::kind_number;
use super::wire::{put_bytes, put_float, put_number};
use super::{read_sentencepiece, write_sentencepiece};
use crate::error::Kind;
use crate::formats::folder::SideFiles;
use crate::formats::hf::config::Config;
use crate::spec::{Model, Normalizer, PieceKind, Postprocessor, Spec};

type Row<'a> = (&'a str, f32, PieceKind);

const SMALL: [Row<'static>; 8] = [
    ("<unk>", 0.0, PieceKind::Unknown),
    ("<s>", 0.0, PieceKind::Control),
    ("<sep>", 0.0, PieceKind::UserDefined),
    ("ab", -1.0, PieceKind::Normal),
    ("aba", -2.0, PieceKind::Normal),
    ("a", -3.0, PieceKind::Normal),
    ("b", -3.0, PieceKind::Normal),
    ("bb", -1.0, PieceKind::Unused),
];

fn piece((text, score, kind): Row<'_>, out: &mut Vec<u8>) {
    let mut piece = Vec::new();
    put_bytes(1, text.as_bytes(), &mut piece);
    put_float(2, score, &mut piece);
    if kind != PieceKind::Normal {
        put_number(3, kind_number(kind), &mut piece);
    }
    put_bytes(1, &piece, out);
}

fn file(rows: &[Row<'_>], algorithm: u64) -> Vec<u8> {
    let (mut out, mut trainer, mut rules) = (Vec::new(), Vec::new(), Vec::new());
    rows.iter().for_each(|&row| piece(row, &mut out));
    put_bytes(1, b"corpus.txt", &mut trainer);
    put_number(3, algorithm, &mut trainer);
    put_bytes(44, b"?", &mut trainer);
    put_bytes(2, &trainer, &mut out);
    put_bytes(1, b"nmt", &mut rules);
    put_bytes(2, b"\0\0\0\0map", &mut rules);
    put_number(4, 0, &mut rules);
    put_number(99, 7, &mut rules);
    put_bytes(3, &rules, &mut out);
    put_bytes(200, b"unknown", &mut out);
    out
}

fn merges(spec: &Spec) -> Vec<(u32, u32, u32, u32)> {
    let Model::Bpe(bpe) = &spec.model else { panic!("no BPE") };
    bpe.merges.iter().map(|merge| (merge.rank, merge.left, merge.right, merge.product)).collect()
}

#[test]
fn merges_follow_the_scores() {
    let spec = read_sentencepiece(&file(&SMALL, 2)).unwrap();
    assert_eq!(merges(&spec), [(0, 5, 6, 3), (0, 6, 6, 7), (1, 3, 5, 4)]);
    assert_eq!(
        spec.added_tokens.iter().map(|token| (token.id, token.special)).collect::<Vec<_>>(),
        [(0, true), (1, true), (2, false)]
    );
    let Some(Normalizer::SentencePiece { charsmap, add_dummy_prefix, remove_extra_whitespaces, .. }) = spec.normalizer
    else {
        panic!("no normalizer")
    };
    assert_eq!((charsmap.as_slice(), add_dummy_prefix, remove_extra_whitespaces), (&b"\0\0\0\0map"[..], true, false));
}

#[test]
fn an_unchanged_model_is_the_same_file() {
    for algorithm in 1..=4 {
        let bytes = file(&SMALL, algorithm);
        let spec = read_sentencepiece(&bytes).unwrap();
        let written = write_sentencepiece(&spec).unwrap();
        assert_eq!(written.losses, []);
        assert_eq!(written.files[0].bytes, bytes);
    }
}

#[test]
fn odd_order_and_explicit_defaults_are_kept() {
    let (mut bytes, mut odd) = (Vec::new(), Vec::new());
    put_bytes(2, &[], &mut bytes);
    put_number(3, 1, &mut odd);
    put_bytes(1, b"x", &mut odd);
    put_bytes(9, b"y", &mut odd);
    put_bytes(1, &odd, &mut bytes);
    piece(SMALL[0], &mut bytes);
    put_bytes(5, &[], &mut bytes);
    let spec = read_sentencepiece(&bytes).unwrap();
    assert_eq!(write_sentencepiece(&spec).unwrap().files[0].bytes, bytes);
}

#[test]
fn contradictions_are_named() {
    use PieceKind::{Byte, Control, Normal, Unknown};
    for (rows, said) in [
        (&[("a", 0.0, Normal)][..], "no piece has the type unknown"),
        (&[("a", 0.0, Unknown), ("b", 0.0, Unknown)], "pieces[1] is the unknown piece, and so is pieces[0]"),
        (&[("a", 0.0, Unknown), ("b", 0.0, Normal), ("b", 0.0, Normal)], "pieces[2] is \"b\", and so is pieces[1]"),
        (&[("a", 0.0, Unknown), ("", 0.0, Control)], "pieces[1] is empty"),
        (&[("a", 0.0, Unknown), ("<0x00>", 0.0, Byte)], "byte_fallback is off"),
        (&[("a", f32::NAN, Unknown)], "score is NaN"),
    ] {
        let error = read_sentencepiece(&file(rows, 1)).unwrap_err();
        assert_eq!(error.kind, Kind::Format);
        assert!(error.message.contains(said), "{error}");
        assert!(error.place.byte_offset.is_some(), "{error}");
    }
    let error = read_sentencepiece(&file(&[("a", 0.0, Unknown), ("bc", 0.0, Normal)], 2)).unwrap_err();
    assert_eq!(error.kind, Kind::Unsupported);
    assert_eq!(read_sentencepiece(&file(&SMALL, 9)).unwrap_err().kind, Kind::Unsupported);
}

#[test]
fn every_truncation_is_an_error_or_a_smaller_model() {
    let bytes = file(&SMALL, 2);
    for end in 0..bytes.len() {
        if let Err(error) = read_sentencepiece(&bytes[..end]) {
            assert!(error.place.byte_offset.is_some_and(|at| at <= end as u64), "{end}: {error}");
        }
    }
}

#[test]
fn a_declared_length_allocates_nothing() {
    let error = read_sentencepiece(b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f").unwrap_err();
    assert!(error.message.contains("where 0 bytes are left"), "{error}");
}

/// Any spec that is read is written and read again as it was.
fn survives(bytes: &[u8]) {
    if let Ok(spec) = read_sentencepiece(bytes) {
        let written = write_sentencepiece(&spec).unwrap();
        assert_eq!(read_sentencepiece(&written.files[0].bytes).unwrap(), spec);
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_a_model_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        survives(&bytes);
    }

    #[test]
    fn flipped_bits_are_a_model_or_an_error(flips in proptest::collection::vec((any::<prop::sample::Index>(), 0_u32..8), 1..4)) {
        let mut bytes = file(&SMALL, 2);
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
        }
        survives(&bytes);
    }
}

#[test]
fn side_files_of_a_folder_add_tokens_and_a_template() {
    let config = serde_json::json!({
        "add_bos_token": true, "bos_token": "<s>", "pad_token": "<pad>",
        "added_tokens_decoder": {
            "1": {"content": "<s>", "special": true, "normalized": false, "lstrip": true},
            "8": {"content": "<x>", "special": false, "normalized": true, "rstrip": true},
        },
    });
    let with = |config: serde_json::Value| {
        let files = SideFiles([("tokenizer_config.json".to_owned(), config)].into());
        let mut spec = read_sentencepiece(&file(&SMALL, 2))?;
        add_side_files(&mut spec, &Config(&files)).map(|()| spec)
    };
    let spec = with(config.clone()).unwrap();
    let flags: Vec<(u32, &str, bool, bool)> = spec
        .added_tokens
        .iter()
        .map(|token| (token.id, token.content.as_str(), token.special, token.lstrip || token.rstrip))
        .collect();
    let expected =
        [(0, "<unk>", true, false), (1, "<s>", true, true), (2, "<sep>", false, false), (8, "<x>", false, true)];
    assert_eq!(flags[..4], expected);
    assert_eq!(flags[4], (9, "<pad>", true, false));
    let Some(Postprocessor::Template(template)) = &spec.postprocessor else { panic!("no template") };
    assert_eq!((template.single.len(), template.pair.len()), (2, 4));
    let contradiction = serde_json::json!({"added_tokens_decoder": {"3": {"content": "a"}}});
    assert_eq!(with(contradiction).unwrap_err().kind, Kind::Format);
    let missing = with(serde_json::json!({"add_eos_token": true})).unwrap_err();
    assert!(missing.message.contains("add_eos_token is true, and the model has no \"</s>\""), "{missing}");
}
