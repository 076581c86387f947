//! Prints `src/unicode/tables_16.rs`: runs of code points with equal class flags.
//!
//! The classes come from `regex-syntax`, whose tables are Unicode 16 in the locked version; a test of the
//! `unicode` module compares every code point with it again.
//! Run: `cargo run -p bukva --example unicode_tables > crates/bukva/src/unicode/tables_16.rs`

use regex_syntax::hir::{Class, HirKind};

/// Class expressions in the order of the bits of a flag byte, lowest first.
const CLASSES: [&str; 8] = [r"\p{L}", r"\p{N}", r"\s", r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"\p{M}", r"\w", r"[^\p{Cn}]"];

fn flags() -> Vec<u8> {
    let mut flags = vec![0u8; 0x11_0000];
    for (bit, class) in CLASSES.iter().enumerate() {
        let hir = regex_syntax::parse(class).expect("a valid class");
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else { panic!("{class} is not a class") };
        for range in class.ranges() {
            for code in range.start() as u32..=range.end() as u32 {
                flags[code as usize] |= 1 << bit;
            }
        }
    }
    flags
}

fn main() {
    println!(
        "//! Class flags of Unicode 16.0: made by `cargo run -p bukva --example unicode_tables`; not edited by hand.\n"
    );
    println!("/// First code point of a run and the flags of every code point in it, up to the next run.");
    println!("#[rustfmt::skip]");
    println!("pub(super) static RUNS: &[(u32, u8)] = &[");
    let flags = flags();
    let starts = (0..flags.len()).filter(|&at| at == 0 || flags[at] != flags[at - 1]);
    let runs: Vec<String> = starts.map(|at| format!("({at:#x}, {:#04x})", flags[at])).collect();
    for line in runs.chunks(8) {
        println!("    {},", line.join(", "));
    }
    println!("];");
}
