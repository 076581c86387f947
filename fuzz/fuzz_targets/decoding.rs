//! All ways of decoding agree with the bytes of each id, one after the other: at once, as text, id by id, as UTF-16. The
//! first byte says how many ids there are and how long they spell, the next one picks options, the rest are ids.
#![no_main]

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use bukva::decode::{Invalid, StreamDecoder};
use bukva::pipeline::Tokenizer;
use bukva::spec::{AddedToken, Alphabet, Bpe, Model, Spec, Vocab};
use libfuzzer_sys::fuzz_target;

/// Text of which tokens are cut, characters apart: of every length in UTF-8, and longer than a row of the table.
const TEXT: &str = "a long token that no row holds, слово, 中文字, 🙂👩🏽‍🚀 é e\u{301} \0\u{fffd}\r\n";

static TOKENIZERS: LazyLock<Mutex<BTreeMap<u8, Tokenizer>>> = LazyLock::new(Mutex::default);

/// Bytes, pieces of the text of every length up to 40, and special tokens; ids have gaps.
fn tokenizer(seed: u8) -> Tokenizer {
    let (step, gap) = (u32::from(seed % 5) + 1, usize::from(seed / 5) % 7 + 1);
    let mut vocab = Vocab::new();
    (0..=255_u8).for_each(|byte| vocab.push(u32::from(byte) * step, &[byte]));
    for (number, start) in (0..TEXT.len()).step_by(gap).enumerate() {
        let end = TEXT.len().min(start + number % 40 + 1);
        vocab.push(2000 + number as u32 * step, &TEXT.as_bytes()[start..end]);
    }
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, Vec::new())));
    spec.added_tokens = vec![AddedToken::special("<s>", 1999), AddedToken::special("<🙂>", 5000)];
    Tokenizer::new(spec).expect("a valid specification")
}

fuzz_target!(|data: &[u8]| {
    let [seed, options, rest @ ..] = data else { return };
    let mut tokenizers = TOKENIZERS.lock().expect("no panic before");
    let decoder = tokenizers.entry(seed % 35).or_insert_with(|| tokenizer(seed % 35)).decoder();
    let known = decoder.table().ids();
    let pick = |pair: &[u8]| known[usize::from(u16::from_le_bytes([pair[0], pair[1]])) % known.len()];
    let mut ids: Vec<u32> = rest.chunks_exact(2).map(pick).collect();
    // Long runs of ids take another way than short ones.
    if options & 4 != 0 && !ids.is_empty() {
        ids = ids.repeat(1 + 3000 / ids.len());
    }
    let (skip, invalid) = (options & 1 != 0, if options & 2 != 0 { Invalid::Replace } else { Invalid::Strict });

    let kept = ids.iter().filter(|&&id| !(skip && decoder.is_skipped(id)));
    let bytes: Vec<u8> = kept.flat_map(|&id| decoder.token(id).expect("a known id")).copied().collect();
    assert_eq!(decoder.bytes(&ids, skip).expect("known ids"), bytes);

    let (valid, lossy) = (std::str::from_utf8(&bytes), String::from_utf8_lossy(&bytes));
    let expected = match invalid {
        Invalid::Replace => Some(lossy.as_ref()),
        Invalid::Strict => valid.ok(),
    };
    assert_eq!(decoder.text(&ids, invalid, skip).ok().as_deref(), expected);

    let mut stream = StreamDecoder::new(invalid, skip);
    let mut parts: Result<Vec<String>, _> = ids.iter().map(|&id| stream.push(decoder, id)).collect();
    if let Ok(parts) = &mut parts {
        match stream.finish(decoder) {
            Ok(last) => parts.push(last),
            Err(_) => assert_eq!(expected, None),
        }
    }
    if let Some(expected) = expected {
        assert_eq!(parts.expect("valid text").concat(), expected);
    } else if let Ok(parts) = parts {
        assert!(lossy.starts_with(&parts.concat()), "what was valid came out before the error");
    }

    if let Some(units) = decoder.utf16_le(&ids, skip) {
        let expected: Vec<u8> = valid.expect("units of valid text").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(units, expected);
    }

    let wrong = [&ids[..], &[u32::MAX - 1]].concat();
    assert!(decoder.bytes(&wrong, skip).is_err() && decoder.text(&wrong, invalid, skip).is_err());
});
