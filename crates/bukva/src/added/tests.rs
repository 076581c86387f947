use rustc_hash::FxHashSet;

use super::*;
use crate::Kind;
use crate::spec::{Alphabet, Bpe, Model, Vocab};

fn compile(tokens: Vec<AddedToken>) -> AddedTokens {
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Chars, Vocab::new(), Vec::new())));
    spec.added_tokens = tokens;
    AddedTokens::compile(&spec, None).unwrap()
}

fn tokens(contents: &[(&str, bool)]) -> AddedTokens {
    let tokens = (0..).zip(contents);
    compile(tokens.map(|(id, &(text, special))| AddedToken { special, ..AddedToken::special(text, id) }).collect())
}

fn plain() -> SpecialPolicy {
    SpecialPolicy { allowed: Names::None, disallowed: Names::None }
}

fn found(tokens: &AddedTokens, text: &str, policy: &SpecialPolicy) -> Vec<(usize, usize, u32)> {
    let parts = tokens.parts_of_text(text, Recognise::Policy(policy)).unwrap();
    parts.iter().filter_map(|part| Some((part.start, part.end, part.id?))).collect()
}

#[test]
fn special_text_is_an_error_unless_allowed_or_plain() {
    let tokens = tokens(&[("<|end|>", true), ("<|end|>!", true)]);
    let error = tokens.parts_of_text("a<|end|>", Recognise::Policy(&SpecialPolicy::default())).unwrap_err();
    assert_eq!((error.kind, error.place.byte_offset), (Kind::SpecialToken, Some(1)));
    assert_eq!(found(&tokens, "a<|end|>", &plain()), []);
    let all = SpecialPolicy { allowed: Names::All, disallowed: Names::All };
    assert_eq!(found(&tokens, "a<|end|>!<|end|>", &all), [(1, 9, 1), (9, 16, 0)]);
    let named = Names::Some(FxHashSet::from_iter(["<|end|>".to_owned()]));
    let both = Recognise::Policy(&SpecialPolicy { allowed: Names::All, disallowed: named });
    assert_eq!(tokens.parts_of_text("a<|end|>", both).unwrap_err().kind, Kind::SpecialToken);
}

#[test]
fn a_token_left_as_plain_text_hides_no_other() {
    let tokens = tokens(&[("<a>b", true), ("b<c>", true), ("x", false)]);
    let only = Names::Some(FxHashSet::from_iter(["b<c>".to_owned()]));
    let policy = SpecialPolicy { allowed: only, disallowed: Names::None };
    assert_eq!(found(&tokens, "<a>b<c>x", &policy), [(3, 7, 1), (7, 8, 2)]);
}

#[test]
fn in_the_library_special_tokens_that_are_text_hide_others() {
    let tokens = tokens(&[("<a>b", true), ("b<c>", false)]);
    let parts = |special| tokens.parts_of_text("<a>b<c>", Recognise::Library { special }).unwrap();
    assert_eq!(parts(false), []);
    assert_eq!(parts(true), [Part { start: 0, end: 4, id: Some(0) }, Part { start: 4, end: 7, id: None }]);
}

#[test]
fn added_tokens_that_are_not_special_always_match() {
    let tokens = tokens(&[("foo", false), ("<s>", true), ("fo", false)]);
    assert_eq!(found(&tokens, "<s>foofo", &plain()), [(3, 6, 0), (6, 8, 2)]);
    assert_eq!(found(&tokens, "foofo", &SpecialPolicy::default()), [(0, 3, 0), (3, 5, 2)]);
}

#[test]
fn white_space_and_words() {
    let token = |text: &str, id, lstrip, rstrip, single_word| AddedToken {
        lstrip,
        rstrip,
        single_word,
        ..AddedToken::special(text, id)
    };
    let tokens = compile(vec![
        token("<l>", 0, true, false, false),
        token("<r>", 1, false, true, false),
        token("one", 2, false, false, true),
        token(" ", 3, false, false, false),
    ]);
    let all = SpecialPolicy { allowed: Names::All, disallowed: Names::None };
    assert_eq!(found(&tokens, "a\u{2003}\n<l>b", &all), [(1, 8, 0)]);
    assert_eq!(found(&tokens, "one.onez_one\u{301}", &all), [(0, 3, 2)]);
    // The blank lies in the white space that the token before it took: both are there.
    assert_eq!(found(&tokens, "<r> \n.", &all), [(0, 5, 1), (3, 4, 3)]);
    assert_eq!(found(&tokens, "<r>\n<l>", &all), [(0, 4, 1), (4, 7, 0)]);
    let blank = compile(vec![token(" ", 0, true, true, false)]);
    assert_eq!(found(&blank, "a  b", &all), [(1, 3, 0)], "the second blank is in the first token");
}
