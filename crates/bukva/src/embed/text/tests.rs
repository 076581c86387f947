use proptest::prelude::*;

use super::*;
use crate::error::{Error, Kind};

fn table(text: &str) -> Result<(Vec<String>, Vec<f32>), Error> {
    let form = sniff(text.as_bytes(), true).expect("a form");
    let table = read(text.as_bytes(), form, &mut ())?;
    Ok((table.iter_words().map(str::to_owned).collect(), table.matrix))
}

fn message(text: &str) -> String {
    let error = table(text).unwrap_err();
    assert_eq!(error.kind, Kind::Format);
    error.to_string()
}

#[test]
fn forms_are_sniffed() {
    let header = Header { rows: 2, dim: 3, len: 4 };
    for (text, header, dim) in [
        ("2 3\na 1 2 3\nb 1 2 3\n", Some(header), 3),
        ("2 3\na 1 2 3 \nb 1 2 3 \n", Some(header), 3),
        ("a 1 2 3\nb c 1 2 3\n", None, 3),
        (". . . 1 2 3\nb 1 2 3\n", None, 3),
        ("2 3\n4 5\n", None, 1),
        ("a\t1\t2\n", None, 2),
    ] {
        assert_eq!(sniff(text.as_bytes(), true), Some(Form { header, dim, words: true }), "{text:?}");
    }
    assert_eq!(sniff(b"1 2 3\n4 5 6\n", false), Some(Form { header: None, dim: 3, words: false }));
    for text in ["", "\n\n", "word\n"] {
        assert_eq!(sniff(text.as_bytes(), true), None, "{text:?}");
    }
    assert_eq!(Header::of(b"-1 3\n"), None);
    assert_eq!(Header::of(b"1 2 3\n"), None);
    assert_eq!(Header::of(b"1 0\n"), None);
}

#[test]
fn words_with_spaces_are_parted_from_the_right() {
    let (words, matrix) = table("4 2\nnew york 0.5 -1\n1 2 3 4\n x 5 6\n 7 8\r\n").unwrap();
    assert_eq!(words, ["new york", "1 2", " x", ""]);
    assert_eq!(matrix, [0.5, -1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let (words, matrix) = table("a\t1\t2\nb c\t3\t4\n").unwrap();
    assert_eq!((words, matrix), (vec!["a".to_owned(), "b c".to_owned()], vec![1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn damage_names_the_row() {
    for (text, expected) in [
        ("2 3\na 1 2 3\nb 1 2", "the file stops in the middle of row 1 (\"b\"): 2 numbers of 3 (line 3)"),
        ("2 3\na 1 2 3\nb", "the file stops in the middle of row 1 (\"b\"): 0 numbers of 3 (line 3)"),
        ("2 3\na 1 2", "the file stops in the middle of row 0 (\"a\"): 2 numbers of 3 (line 2)"),
        ("2 3", "the header states 2 rows, but the file ends after 0; it is cut short (line 1)"),
        ("2 3\n", "the header states 2 rows, but the file ends after 0; it is cut short (line 1)"),
        ("2 3\na 1 2 3\nb 1\nc 1 2 3\n", "row 1 (\"b\") has 1 numbers, the header says 3 (line 3)"),
        ("3 3\na 1 2 3\nb 1 2 3\n", "the header states 3 rows, but the file ends after 2; it is cut short (line 3)"),
        (
            "1 3\na 1 2 3\nb 1 2 3\n",
            "the header states 1 rows, but more follow; the file is damaged or two in one (line 3)",
        ),
        ("2 3\na 1 2 3\nb 1 x 3\n", "row 1: number 2 of 3 is \"x\", which is no number (line 3)"),
        ("a 1 2 3\nb 1  3\n", "row 1: number 2 of 3 is \"\", which is no number (line 2)"),
    ] {
        assert_eq!(message(text), expected, "{text:?}");
    }
    let long = "a 1 2\n".repeat(70) + "b 1\n" + "c 1 2\n";
    assert_eq!(message(&long), "row 70 (\"b\") has 1 numbers, the rows before have 2 (line 71)");
}

#[test]
fn words_must_be_text() {
    let bytes = b"1 1\n\xff 1\n";
    let error = read(bytes, sniff(bytes, true).unwrap(), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "the word of row 0, \"\u{fffd}\", is not UTF-8 (line 2)");
}

#[test]
fn a_declared_size_does_not_allocate() {
    let text = format!("{} 2\na 1 2\n", usize::MAX);
    assert!(message(&text).contains("ends after 1"));
}

#[test]
fn numbers_alone() {
    let form = sniff(b"1\t2\n3\t4\n", false).unwrap();
    assert_eq!(read(b"1\t2\n3\t4\n", form, &mut ()).unwrap().matrix, [1.0, 2.0, 3.0, 4.0]);
    let long = read(b"1\t2\n3\t4\t5\n", form, &mut ()).unwrap_err();
    assert_eq!(long.to_string(), "row 1 has more than the 2 numbers of the rows before (line 2)");
}

#[test]
fn reading_stops_when_asked() {
    let text = "a 1\n".repeat(1 << 20);
    let form = sniff(text.as_bytes(), true).unwrap();
    let mut stopping = |_: crate::monitor::Progress| false;
    let stopped = read(text.as_bytes(), form, &mut stopping);
    assert!(stopped.is_ok() || stopped.unwrap_err().kind == Kind::Cancelled);
}

proptest! {
    #[test]
    fn what_is_written_is_read(rows in prop::collection::vec(("[^\\n]{0,6}[^ \\t\\r\\n]", prop::collection::vec(prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO, 3)), 1..20)) {
        let mut bytes = format!("{} 3\n", rows.len()).into_bytes();
        for (word, row) in &rows {
            write_row(Some(word), row, ' ', &mut bytes);
        }
        let form = Form { header: Header::of(&bytes), dim: 3, words: true };
        let table = read(&bytes, form, &mut ()).unwrap();
        let words: Vec<&str> = table.iter_words().collect();
        prop_assert_eq!(words, rows.iter().map(|row| row.0.as_str()).collect::<Vec<_>>());
        let expected: Vec<u32> = rows.iter().flat_map(|row| row.1.iter().map(|x| x.to_bits())).collect();
        prop_assert_eq!(table.matrix.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn any_bytes_are_a_table_or_an_error(text in "[ab 0-9.\\n\\t-]{0,60}", words: bool) {
        if let Some(form) = sniff(text.as_bytes(), words)
            && let Ok(table) = read(text.as_bytes(), form, &mut ())
        {
            prop_assert_eq!(table.matrix.len(), table.ends.len() * form.dim);
        }
    }
}
