//! The reader takes any text of vectors, with words or without: a table or a typed error, never a panic; and the scan for
//! near rows takes any table of finite numbers.
#![no_main]

use bukva::embed::nearest::Codes;
use bukva::embed::text::{read, sniff};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for words in [true, false] {
        let Some(form) = sniff(data, words) else { continue };
        let Ok(table) = read(data, form, &mut ()) else { continue };
        assert_eq!(table.matrix.len(), table.ends.len() * table.dim);
        assert_eq!(table.iter_words().count(), table.ends.len());
        if table.matrix.iter().all(|number| number.is_finite()) && !table.ends.is_empty() {
            let codes = Codes::new(&table.matrix, table.dim).expect("whole rows");
            let found = codes.candidates(&table.matrix[..table.dim], 3, usize::MAX, &[]).expect("a row of the table");
            assert!(found.len() >= table.ends.len().min(3));
        }
    }
});
