//! The big tables of a `tokenizer.json` straight from its bytes.
//!
//! A reader for files of the usual shape: it gives up, with `None`, where anything is not as it should be, and
//! [`super::raw`] then reads the file again and says what is wrong. What it accepts means the same to both. A string is
//! copied into its block eight bytes at a time, and the block is checked to be UTF-8 once.

use serde_json::{Map, Value};

use super::merge_texts::MergeTexts;
use super::raw::{RawFile, RawModel, RawVocab};
use super::texts::{Entries, Texts};
use crate::formats::json::{Cursor, Strings};

/// The whole file. O(size).
pub(super) fn file(bytes: &[u8]) -> Option<RawFile> {
    let mut cursor = Cursor::new(bytes);
    let mut file = RawFile::default();
    cursor.object(|cursor, name| match name {
        b"model" => once(&mut file.model, model(cursor)?),
        _ => field(cursor, name, &mut file.fields),
    })?;
    cursor.is_at_end().then_some(file)
}

/// A vocabulary that is a file of its own. O(size).
pub(super) fn vocab_file(bytes: &[u8]) -> Option<RawVocab> {
    let mut cursor = Cursor::new(bytes);
    let vocab = vocab(&mut cursor)?;
    cursor.is_at_end().then_some(vocab)
}

fn model(cursor: &mut Cursor<'_>) -> Option<RawModel> {
    let mut model = RawModel::default();
    cursor.object(|cursor, name| match name {
        b"vocab" => once(&mut model.vocab, vocab(cursor)?),
        b"merges" => once(&mut model.merges, merges(cursor)?),
        _ => field(cursor, name, &mut model.fields),
    })?;
    Some(model)
}

fn once<T>(slot: &mut Option<T>, value: T) -> Option<()> {
    slot.replace(value).is_none().then_some(())
}

fn field(cursor: &mut Cursor<'_>, name: &[u8], fields: &mut Map<String, Value>) -> Option<()> {
    let (name, value) = (std::str::from_utf8(name).ok()?, cursor.value()?);
    fields.insert(name.to_owned(), value).is_none().then_some(())
}

fn vocab(cursor: &mut Cursor<'_>) -> Option<RawVocab> {
    let mut tokens = Strings::default();
    match cursor.peek()? {
        b'{' => {
            let mut ids = Vec::new();
            cursor.members(&mut tokens, |cursor| cursor.whole_number().map(|id| ids.push(id)))?;
            Some(RawVocab::Ids(Entries::of(texts(tokens)?, ids)))
        }
        _ => {
            let mut scores = Vec::new();
            cursor.list(|cursor| {
                cursor.byte(b'[')?;
                cursor.string(&mut tokens)?;
                cursor.byte(b',')?;
                scores.push(cursor.number()?);
                cursor.byte(b']')
            })?;
            Some(RawVocab::Scores(texts(tokens)?, scores))
        }
    }
}

/// Merges, all of which are two tokens.
fn merges(cursor: &mut Cursor<'_>) -> Option<MergeTexts> {
    let mut halves = Strings::default();
    cursor.list(|cursor| match cursor.peek()? {
        b'[' => {
            cursor.byte(b'[')?;
            let left = cursor.string(&mut halves)?;
            cursor.byte(b',')?;
            let right = cursor.string(&mut halves)?;
            cursor.byte(b']')?;
            (left > 0 && right > 0).then_some(())
        }
        _ => {
            cursor.string(&mut halves)?;
            halves.split_last(b' ')
        }
    })?;
    Some(MergeTexts::of(texts(halves)?))
}

fn texts(strings: Strings) -> Option<Texts> {
    Texts::of(strings.bytes, strings.ends)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formats::hf::raw::from_json;

    /// What a file says, for comparison.
    fn said(file: &RawFile) -> String {
        let Some(model) = &file.model else { return format!("{:?}", file.fields) };
        let vocab = match &model.vocab {
            None => String::new(),
            Some(RawVocab::Ids(entries)) => format!("{:?}", entries.iter().collect::<Vec<_>>()),
            Some(RawVocab::Scores(texts, scores)) => {
                let bits: Vec<u64> = scores.iter().map(|score| score.to_bits()).collect();
                format!("{:?}", texts.iter().zip(bits).collect::<Vec<_>>())
            }
        };
        format!("{:?} {:?} {vocab} {:?}", file.fields, model.fields, model.merges)
    }

    fn agree(text: &[u8]) -> bool {
        let (scanned, parsed) = (file(text), from_json::<RawFile>(text));
        match (&scanned, &parsed) {
            (Some(scanned), Ok(parsed)) => assert_eq!(said(scanned), said(parsed)),
            (Some(_), Err(error)) => panic!("{} is accepted, and {}", String::from_utf8_lossy(text), error.message),
            (None, _) => {}
        }
        scanned.is_some()
    }

    const FILE: &str = "{\"version\": \"1.0\", \"added_tokens\":[], \"model\" : {\n\t\"type\":\"BPE\",\"vocab\": {\"a\": 0,\r\n  \
        \"\\u0436\\ud83d\\ude00\\n\\/\\\"\": 1, \"ж12345678\":2}, \"merges\" :[\"a b\", [\"ab\",\"\\u0020c\"]], \"x\": [1.5, null]},\n \"z\": true}\n";

    #[test]
    fn the_usual_shape_is_read() {
        assert!(agree(FILE.as_bytes()));
        for scores in
            ["[]", "[[\"a\",-1.5]]", " [ [ \"a\" , 0 ] , [\"▁b\",-9.514063835144043],[\"c\",1e-7],[\"d\",-0]] "]
        {
            assert!(agree(format!("{{\"model\":{{\"vocab\":{scores}}}}}").as_bytes()), "{scores}");
        }
        for empty in ["{}", "{\"model\":{}}", "{\"model\":{\"vocab\":{},\"merges\":[]}}"] {
            assert!(agree(empty.as_bytes()), "{empty}");
        }
    }

    #[test]
    fn what_is_wrong_is_left_to_the_other_reader() {
        for vocab in [
            "{\"a\":1.0}",
            "{\"a\":-1}",
            "{\"a\":01}",
            "{\"a\":4294967296}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{a:1}",
            "[[\"a\"]]",
            "[[\"a\",.5]]",
            "[[\"a\",1.]]",
            "[[\"a\",1e999]]",
            "[[\"a\",01]]",
            "[[\"a\",1e]]",
            "[[\"a\",+1]]",
            "{\"\\ud800\":1}",
            "{\"\\x\":1}",
            "{\"\\u12g4\":1}",
            "{\"\n\":1}",
            "{\"a",
            "{\"a\\",
            "null",
            "",
            "[",
            "{",
        ] {
            assert!(!agree(format!("{{\"model\":{{\"vocab\":{vocab}}}}}").as_bytes()), "{vocab}");
        }
        for merges in [
            "[\"a\"]",
            "[\"a b c\"]",
            "[\" b\"]",
            "[\"a \"]",
            "[[\"a\"]]",
            "[[\"a\",\"b\",\"c\"]]",
            "[[\"\",\"b\"]]",
            "null",
        ] {
            assert!(!agree(format!("{{\"model\":{{\"merges\":{merges}}}}}").as_bytes()), "{merges}");
        }
        for file in [
            "{\"model\":{},\"model\":{}}",
            "{\"a\":1,\"a\":1}",
            "{} x",
            "[]",
            "{\"model\":{\"vocab\":{},\"vocab\":{}}}",
        ] {
            assert!(!agree(file.as_bytes()), "{file}");
        }
        // One string ends inside a character, and the next begins there.
        assert!(!agree(b"{\"model\":{\"vocab\":{\"\xd0\":1,\"\xb6\":2}}}"));
    }

    proptest! {
        #[test]
        fn both_readers_read_the_same(place in 0..FILE.len(), byte in any::<u8>(), cut in 0..FILE.len()) {
            let mut changed = FILE.as_bytes().to_vec();
            changed[place] = byte;
            agree(&changed);
            agree(&FILE.as_bytes()[..cut]);
        }

        #[test]
        fn any_texts_are_read(texts in prop::collection::vec(any::<String>(), 0..6), numbers in prop::collection::vec(any::<f64>(), 6)) {
            let pairs: Vec<(&String, f64)> = texts.iter().zip(numbers).filter(|pair| pair.1.is_finite()).collect();
            let file = serde_json::json!({"model": {"vocab": pairs}});
            prop_assert!(agree(&serde_json::to_vec(&file).unwrap()));
            prop_assert!(agree(&serde_json::to_vec_pretty(&file).unwrap()));
        }
    }
}
