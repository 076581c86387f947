//! The encoder against the literal definition and against the documented behaviour of `tokenizers`.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;

use super::canonical::{by_spines, one_by_one};
use super::long::LongWork;
use super::number::Numbering;
use super::pairs::Pairs;
use super::symbols::Symbols;
use super::*;
use crate::error::Kind;
use crate::model::random::Random;
use crate::model::{Excluded, Missing};
use crate::spec::{Alphabet, Bpe, EndOfWord, Merge, PieceKind, Pieces, Vocab};

/// The definition, word by word: find the lowest rank, leftmost first, replace, repeat.
fn merged(bpe: &Bpe, mut state: Vec<u32>) -> Vec<u32> {
    let mut merges: HashMap<(u32, u32), (u32, u32)> = HashMap::new();
    for merge in &bpe.merges {
        merges.entry((merge.left, merge.right)).or_insert((merge.rank, merge.product));
    }
    loop {
        let candidates = state.windows(2).enumerate();
        let known =
            candidates.filter_map(|(at, pair)| merges.get(&(pair[0], pair[1])).map(|found| (found.0, at, found.1)));
        let Some((_, at, product)) = known.min() else { return state };
        state.splice(at..at + 2, [product]);
    }
}

fn id_of(bpe: &Bpe, token: &[u8]) -> Option<u32> {
    bpe.vocab.iter().find(|entry| entry.bytes == token).map(|entry| entry.id)
}

/// First symbols of a model without fallback, by the definition.
fn first_symbols(bpe: &Bpe, piece: &str) -> Vec<u32> {
    let units: Vec<Vec<u8>> = match bpe.alphabet {
        Alphabet::Bytes => piece.bytes().map(|byte| vec![byte]).collect(),
        Alphabet::Chars => piece.chars().map(|c| c.to_string().into_bytes()).collect(),
    };
    let count = units.len();
    let mut symbols = Vec::new();
    for (index, mut unit) in units.into_iter().enumerate() {
        if let Some(prefix) = bpe.continuing_prefix.as_ref().filter(|_| index > 0) {
            unit.splice(0..0, prefix.bytes());
        }
        if let Some(end) = bpe.end_of_word.as_ref().filter(|end| end.attached && index + 1 == count) {
            unit.extend(end.marker.bytes());
        }
        let unknown = || bpe.unk.expect("a unit without token needs an unknown token");
        let symbol = id_of(bpe, &unit).unwrap_or_else(unknown);
        let repeats = Some(symbol) == bpe.unk && symbols.last() == Some(&symbol) && id_of(bpe, &unit).is_none();
        if !(bpe.fuse_unk && repeats) {
            symbols.push(symbol);
        }
    }
    if let Some(end) = bpe.end_of_word.as_ref().filter(|end| !end.attached && count > 0) {
        symbols.extend(id_of(bpe, end.marker.as_bytes()));
    }
    symbols
}

fn expected(bpe: &Bpe, piece: &str) -> Vec<u32> {
    match id_of(bpe, piece.as_bytes()).filter(|_| bpe.ignore_merges) {
        Some(id) => vec![id],
        None => merged(bpe, first_symbols(bpe, piece)),
    }
}

fn encoded(encoder: &BpeEncoder, scratch: &mut Scratch, piece: &str) -> Vec<u32> {
    let mut ids = vec![u32::MAX];
    encoder.encode(piece.as_bytes(), scratch, &mut ids).unwrap();
    ids.split_off(1)
}

/// Every way to encode must give what the definition gives.
fn check(bpe: &Bpe, pieces: &[String]) {
    let encoder = BpeEncoder::compile(bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    for piece in pieces {
        let ids = expected(bpe, piece);
        for _ in 0..2 {
            assert_eq!(encoded(&encoder, &mut scratch, piece), ids, "{piece:?}");
            assert_eq!(encoder.count(piece.as_bytes(), &mut scratch).unwrap(), ids.len(), "{piece:?}");
        }
        let trace = encoder.trace(piece.as_bytes()).unwrap();
        assert_eq!(trace.ids, ids, "{piece:?}");
        assert!(trace.whole || trace.symbols.len() == trace.ids.len() + trace.steps.len());
        assert_eq!(trace.lengths.len(), trace.ids.len());
        assert_eq!(trace.lengths.iter().sum::<usize>(), piece.len());
        let mut tokens = Vec::new();
        encoder.tokens(piece.as_bytes(), &mut scratch, &mut tokens).unwrap();
        let spans = tokens.iter().map(|token| (token.id, (token.end - token.start) as usize));
        assert!(spans.eq(trace.ids.iter().copied().zip(trace.lengths.iter().copied())), "{piece:?}");
        assert_eq!(long_way(bpe, &bpe.merges, piece), merged(bpe, first_symbols(bpe, piece)), "{piece:?}");
        assert_eq!(long_way(bpe, &canonical_pairs(bpe).unwrap(), piece), merged(bpe, first_symbols(bpe, piece)));
    }
}

/// Many pieces at once must give what they give one by one.
fn check_spans(bpe: &Bpe, pieces: &[String]) {
    let encoder = BpeEncoder::compile(bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    let text = pieces.concat();
    let mut start = 0;
    let spans = pieces.iter().map(|piece| {
        start += piece.len();
        (start - piece.len(), start)
    });
    let spans: Vec<_> = spans.collect();
    let ids: Vec<u32> = pieces.iter().flat_map(|piece| expected(bpe, piece)).collect();
    for _ in 0..2 {
        let mut out = Vec::new();
        encoder.encode_spans(text.as_bytes(), &spans, &mut scratch, &mut out).unwrap();
        assert_eq!(out, ids);
        assert_eq!(encoder.count_spans(text.as_bytes(), &spans, &mut scratch), Ok(ids.len()));
    }
}

/// The merging for long pieces, whatever the length, with the given merges.
fn long_way(bpe: &Bpe, merges: &[Merge], piece: &str) -> Vec<u32> {
    let mut numbering = Numbering::new(&bpe.vocab);
    let symbols = Symbols::compile(bpe, &mut numbering).unwrap();
    let pairs = Pairs::build(&numbering.merges(merges).unwrap());
    let mut state = Vec::new();
    symbols.start(piece.as_bytes(), Missing::Refused, &mut state).unwrap();
    LongWork::default().merge(&pairs, &mut state, |_, _, _| {});
    state.into_iter().map(|symbol| numbering.id(symbol)).collect()
}

/// How ranks are given to merges.
#[derive(Debug, Clone, Copy)]
enum Ranks {
    /// As in a rank file: by token, shared by all its splits.
    ByToken,
    /// As in a merge list: every merge its own.
    Unique,
    /// Shared by all splits of a token, in any order of tokens.
    Shared,
}

/// A model over bytes or characters: letters, then tokens glued from earlier tokens, and every split as a merge.
fn model(alphabet: Alphabet, glue: &[(usize, usize)], ranks: Ranks, order: &[u32]) -> Bpe {
    let letters: Vec<Vec<u8>> = match alphabet {
        Alphabet::Bytes => (0..=255).map(|byte| vec![byte]).collect(),
        Alphabet::Chars => "abж語".chars().map(|c| c.to_string().into_bytes()).collect(),
    };
    // Gluing draws from the bytes that the texts are made of.
    let mut parts: Vec<Vec<u8>> = match alphabet {
        Alphabet::Bytes => "abжд語言".bytes().map(|byte| vec![byte]).collect(),
        Alphabet::Chars => letters.clone(),
    };
    let mut tokens = letters;
    // Whole characters, which random glue seldom makes.
    let characters: &[&[u8]] = &["ж".as_bytes(), "語".as_bytes(), &"語".as_bytes()[..2], &"語".as_bytes()[1..]];
    if alphabet == Alphabet::Bytes && !glue.len().is_multiple_of(3) {
        tokens.extend(characters.iter().map(|token| token.to_vec()));
        parts.extend(characters.iter().map(|token| token.to_vec()));
    }
    for &(left, right) in glue {
        let token = [parts[left % parts.len()].clone(), parts[right % parts.len()].clone()].concat();
        if token.len() <= 24 && !tokens.contains(&token) {
            parts.push(token.clone());
            tokens.push(token);
        }
    }
    let vocab: Vocab = tokens.iter().zip(0..).map(|(token, id)| (id, &token[..])).collect();
    let mut merges = all_pairs_by_rank(&vocab);
    let mixed = |index: usize| (order[index % order.len()], index as u32);
    match ranks {
        Ranks::ByToken => {}
        Ranks::Shared => {
            let key = |merge: &Merge| mixed(merge.product as usize);
            let products: BTreeMap<(u32, u32), u32> = merges.iter().map(|merge| (key(merge), merge.product)).collect();
            let rank_of: HashMap<u32, u32> = products.values().copied().zip((0..).step_by(3)).collect();
            merges.iter_mut().for_each(|merge| merge.rank = rank_of[&merge.product]);
            merges.sort_by_key(|merge| merge.rank);
        }
        Ranks::Unique => {
            let mut shuffled: Vec<_> = merges.iter().enumerate().map(|(index, &merge)| (mixed(index), merge)).collect();
            shuffled.sort_by_key(|item| item.0);
            merges = shuffled.into_iter().zip(0..).map(|((_, merge), rank)| Merge { rank, ..merge }).collect();
        }
    }
    Bpe::new(alphabet, vocab, merges)
}

fn ranks() -> impl Strategy<Value = Ranks> {
    prop_oneof![Just(Ranks::ByToken), Just(Ranks::Unique), Just(Ranks::Shared)]
}

fn pieces(characters: &'static str) -> impl Strategy<Value = Vec<String>> {
    let one = prop::sample::select(characters.chars().collect::<Vec<_>>());
    let length = prop_oneof![Just(3), Just(12), Just(90)];
    let piece = length.prop_flat_map(move |longest| prop::collection::vec(one.clone(), 0..longest));
    let piece = piece.prop_map(|chars| chars.into_iter().collect());
    prop::collection::vec(piece, 1..20)
}

fn glue() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..1000_usize, 0..1000_usize), 0..60)
}

fn order() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..1000_u32, 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn bytes_follow_the_definition(
        glue in glue(), ranks in ranks(), order in order(), ignore in any::<bool>(), pieces in pieces("aabbжд語言 é")
    ) {
        let bpe = Bpe { ignore_merges: ignore, ..model(Alphabet::Bytes, &glue, ranks, &order) };
        check(&bpe, &pieces);
        check_spans(&bpe, &pieces);
    }

    #[test]
    fn characters_follow_the_definition(
        glue in glue(), ranks in ranks(), order in order(), fuse_unk in any::<bool>(), pieces in pieces("aabbж語z")
    ) {
        let mut bpe = Bpe { fuse_unk, ..model(Alphabet::Chars, &glue, ranks, &order) };
        bpe.vocab.push(900, b"<unk>");
        bpe.unk = Some(900);
        check(&bpe, &pieces);
    }

    #[test]
    fn a_separate_marker_follows_the_definition(
        glue in glue(), ranks in ranks(), order in order(), pieces in pieces("aabbж語")
    ) {
        let mut bpe = model(Alphabet::Chars, &glue, ranks, &order);
        bpe.vocab.push(900, b"</w>");
        bpe.vocab.push(901, b"a</w>");
        bpe.vocab.push(902, b"ba</w>");
        let rank = bpe.merges.last().map_or(0, |merge| merge.rank + 1);
        let id = |token: &[u8]| id_of(&bpe, token).unwrap();
        let (a, b) = (id(b"a"), id(b"b"));
        bpe.merges.push(Merge { rank, left: a, right: 900, product: 901 });
        bpe.merges.push(Merge { rank: rank + 1, left: b, right: 901, product: 902 });
        bpe.end_of_word = Some(EndOfWord { marker: "</w>".into(), attached: false });
        check(&bpe, &pieces);
    }
}

/// A small model over characters: tokens with ids from 0, merges by rank.
fn small(tokens: &[&str], merges: &[(&str, &str, &str)]) -> Bpe {
    let vocab: Vocab = tokens.iter().zip(0..).map(|(token, id)| (id, token.as_bytes())).collect();
    let id = |token: &str| tokens.iter().position(|&other| other == token).unwrap() as u32;
    let merges = merges.iter().zip(0..).map(|(&(left, right, product), rank)| Merge {
        rank,
        left: id(left),
        right: id(right),
        product: id(product),
    });
    let merges: Vec<Merge> = merges.collect();
    Bpe::new(Alphabet::Chars, vocab, merges)
}

fn expect(bpe: &Bpe, cases: &[(&str, &[u32])]) {
    let encoder = BpeEncoder::compile(bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    for _ in 0..2 {
        for &(piece, ids) in cases {
            assert_eq!(encoded(&encoder, &mut scratch, piece), ids, "{piece:?}");
            assert_eq!(encoder.trace(piece.as_bytes()).unwrap().ids, ids, "{piece:?}");
        }
    }
}

// The expected ids below were written down from tokenizers 0.23.3.

const ABC: &[(&str, &str, &str)] = &[("a", "b", "ab"), ("ab", "c", "abc")];

#[test]
fn what_has_no_token_is_refused_or_left_out() {
    const LONG: &str = "▁axxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxb";
    let bpe = small(&["a", "b", "ab", "▁"], &[("a", "b", "ab")]);
    let encoder = BpeEncoder::compile(&bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    // The whole piece is one part, for what is left out may join across any place.
    for (piece, expected) in [("axb", &[(2, 0, 2)][..]), ("xx", &[]), (LONG, &[(3, 0, 3), (2, 3, 5)])] {
        scratch.missing = Missing::LeftOut;
        let (mut ids, mut tokens) = (Vec::new(), Vec::new());
        encoder.encode(piece.as_bytes(), &mut scratch, &mut ids).unwrap();
        encoder.tokens(piece.as_bytes(), &mut scratch, &mut tokens).unwrap();
        assert_eq!(encoder.count(piece.as_bytes(), &mut scratch).unwrap(), ids.len());
        scratch.missing = Missing::Refused;
        let error = encoder.encode(piece.as_bytes(), &mut scratch, &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind, Kind::UnknownCharacter, "{piece}");
        let places: Vec<_> = tokens.iter().map(|token| (token.id, token.start, token.end)).collect();
        assert_eq!(places, expected);
        assert_eq!(ids, places.iter().map(|place| place.0).collect::<Vec<_>>());
    }
}

#[test]
fn unknown_characters_one_by_one_or_fused() {
    let mut bpe = Bpe { unk: Some(0), ..small(&["<unk>", "a", "b", "c", "ab", "abc"], ABC) };
    expect(&bpe, &[("abc", &[5]), ("xaby", &[0, 4, 0]), ("xx", &[0, 0]), ("xaxx", &[0, 1, 0, 0]), ("aéx", &[1, 0, 0])]);
    bpe.fuse_unk = true;
    expect(&bpe, &[("", &[]), ("xx", &[0]), ("xaxx", &[0, 1, 0]), ("xé", &[0]), ("éa", &[0, 1]), ("cab", &[3, 4])]);
}

#[test]
fn byte_tokens_stand_for_unknown_characters() {
    let tokens = ["<unk>", "a", "b", "c", "ab", "abc", "<0xC3>", "<0xA9>", "<0x78>"];
    let bpe = Bpe { unk: Some(0), fuse_unk: true, byte_fallback: true, ..small(&tokens, ABC) };
    expect(&bpe, &[("xaby", &[8, 4, 0]), ("xx", &[8, 8]), ("éa", &[6, 7, 1]), ("aéx", &[1, 6, 7, 8])]);
    // Byte tokens overtake an unknown character that waits for more of its kind.
    expect(&bpe, &[("zé", &[6, 7, 0]), ("zzéz", &[6, 7, 0]), ("éz", &[6, 7, 0]), ("zxz", &[8, 0])]);
}

#[test]
fn a_character_with_some_of_its_byte_tokens_is_unknown() {
    let tokens = ["<unk>", "a", "b", "c", "ab", "abc", "<0xC3>", "<0x78>"];
    let bpe = Bpe { unk: Some(0), fuse_unk: true, byte_fallback: true, ..small(&tokens, ABC) };
    expect(&bpe, &[("é", &[0]), ("xé", &[7, 0]), ("éx", &[7, 0]), ("ééx", &[7, 0]), ("aéx", &[1, 7, 0])]);
}

#[test]
fn an_attached_marker_is_part_of_the_last_character() {
    let tokens = ["<unk>", "a", "b", "c", "a</w>", "b</w>", "c</w>", "ab", "ab</w>", "abc</w>"];
    let merges = [("a", "b", "ab"), ("a", "b</w>", "ab</w>"), ("ab", "c</w>", "abc</w>")];
    let mut bpe = Bpe { unk: Some(0), ..small(&tokens, &merges) };
    bpe.end_of_word = Some(EndOfWord { marker: "</w>".into(), attached: true });
    let cases: &[(&str, &[u32])] =
        &[("ab", &[8]), ("abc", &[9]), ("abab", &[7, 8]), ("a", &[4]), ("ax", &[1, 0]), ("xa", &[0, 4]), ("", &[])];
    expect(&bpe, cases);
    expect(&Bpe { alphabet: Alphabet::Bytes, ..bpe }, cases);
}

#[test]
fn a_continuing_prefix_marks_all_but_the_first() {
    let tokens = ["<unk>", "a", "b", "c", "##a", "##b", "##c", "ab", "##bc", "abc"];
    let merges = [("a", "##b", "ab"), ("##b", "##c", "##bc"), ("ab", "##c", "abc")];
    let bpe = Bpe { unk: Some(0), continuing_prefix: Some("##".into()), ..small(&tokens, &merges) };
    expect(
        &bpe,
        &[("ab", &[7]), ("abc", &[9]), ("bbc", &[2, 8]), ("cba", &[3, 5, 4]), ("xa", &[0, 4]), ("ax", &[1, 0])],
    );
}

#[test]
fn several_merges_may_make_one_token() {
    let merges = [
        ("b", "a", "ba"),
        ("a", "b", "ab"),
        ("ab", "a", "aba"),
        ("a", "ba", "aba"),
        ("b", "ab", "bab"),
        ("ba", "b", "bab"),
    ];
    let bpe = small(&["a", "b", "ab", "ba", "aba", "bab"], &merges);
    expect(&bpe, &[("aba", &[4]), ("bab", &[5]), ("abab", &[4, 1]), ("babab", &[3, 5]), ("aaba", &[0, 4])]);
    expect(&bpe, &[("abaab", &[4, 2]), ("bbabba", &[1, 5, 3])]);
}

#[test]
fn entries_come_whole_where_merges_are_ignored() {
    let bpe = Bpe { ignore_merges: true, ..small(&["a", "b", "c", "ab", "abc", "bc"], &[("b", "c", "bc")]) };
    expect(&bpe, &[("abc", &[4]), ("ab", &[3]), ("abcc", &[0, 5, 2]), ("aabc", &[0, 0, 5]), ("bc", &[5])]);
}

#[test]
fn an_unknown_character_without_unknown_token_is_an_error() {
    let bpe = small(&["a", "ж"], &[]);
    let encoder = BpeEncoder::compile(&bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    let mut ids = vec![7];
    let error = encoder.encode("aжё".as_bytes(), &mut scratch, &mut ids).unwrap_err();
    assert_eq!((error.kind, error.place.byte_offset), (Kind::UnknownCharacter, Some(3)));
    assert!(error.message.contains("\"ё\" (U+0451)"), "{error}");
    assert_eq!(ids, [7]);
    let error = encoder.encode_spans("aaaё".as_bytes(), &[(0, 1), (1, 5)], &mut scratch, &mut ids).unwrap_err();
    assert_eq!(error.place.byte_offset, Some(3));
    assert_eq!(encoder.count("ё".as_bytes(), &mut scratch).unwrap_err().kind, Kind::UnknownCharacter);
    assert_eq!(encoder.count("ж".as_bytes(), &mut scratch), Ok(1));
}

#[test]
fn scratch_of_another_encoder_starts_anew() {
    let first = BpeEncoder::compile(&small(&["a", "b", "c", "ab"], &[("a", "b", "ab")]), &Excluded::none()).unwrap();
    let second = BpeEncoder::compile(&small(&["b", "a", "c"], &[]), &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&first);
    assert_eq!(encoded(&first, &mut scratch, "abc"), [3, 2]);
    assert_eq!(encoded(&second, &mut scratch, "abc"), [1, 0, 2]);
}

#[test]
fn a_missing_marker_is_an_error() {
    let end = EndOfWord { marker: "</w>".into(), attached: false };
    let error =
        BpeEncoder::compile(&Bpe { end_of_word: Some(end), ..small(&["a"], &[]) }, &Excluded::none()).unwrap_err();
    assert!(error.kind == Kind::Invariant && error.message.contains("</w>"));
}

#[test]
fn prefixes_of_the_merges_are_counted_from_one_run() {
    let bpe = small(&["a", "b", "ab", "abab", "ba"], &[("a", "b", "ab"), ("b", "a", "ba"), ("ab", "ab", "abab")]);
    let encoder = BpeEncoder::compile(&bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    let mut ranks = Vec::new();
    let first = encoder.merge_ranks(b"ababba", &mut scratch, |rank| ranks.push(rank)).unwrap();
    assert_eq!((first, &ranks[..]), (6, &[0, 0, 1, 2][..]));
    for count in 0..=3 {
        let part = Bpe { merges: bpe.merges[..count].to_vec().into(), ..bpe.clone() };
        let fewer = ranks.iter().filter(|&&rank| (rank as usize) < count).count();
        assert_eq!(expected(&part, "ababba").len(), first - fewer);
    }
}

#[test]
fn every_split_is_a_merge_of_a_rank_file() {
    let vocab: Vocab = [(0, &b"a"[..]), (1, b"b"), (5, b"ab"), (9, b"aba"), (7, b"ba")].into_iter().collect();
    let merge = |rank, left, right| Merge { rank, left, right, product: rank };
    let merges = all_pairs_by_rank(&vocab);
    assert_eq!(merges, [merge(5, 0, 1), merge(7, 1, 0), merge(9, 0, 7), merge(9, 5, 0)]);
    let bpe = Bpe::new(Alphabet::Chars, vocab, merges);
    assert_eq!(canonical_pairs(&bpe).unwrap(), [merge(5, 0, 1), merge(7, 1, 0), merge(9, 5, 0)]);
}

#[test]
fn long_pieces_take_no_time() {
    let bpe = model(Alphabet::Bytes, &[(0, 0), (8, 8), (9, 9), (0, 1), (1, 0), (10, 8)], Ranks::ByToken, &[0]);
    let encoder = BpeEncoder::compile(&bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    let text = "a".repeat(1_000_000);
    let trace = encoder.trace(text.as_bytes()).unwrap();
    assert_eq!(trace.ids.len(), encoder.count(text.as_bytes(), &mut scratch).unwrap());
}

#[test]
fn tokens_longer_than_a_short_piece_are_reached() {
    let tokens: Vec<String> = (0..9).map(|power| "a".repeat(1 << power)).chain(["b".into()]).collect();
    let vocab: Vocab = tokens.iter().zip(0..).map(|(token, id)| (id, token.as_bytes())).collect();
    let merges = all_pairs_by_rank(&vocab);
    let bpe = Bpe::new(Alphabet::Chars, vocab, merges);
    assert_eq!(canonical_pairs(&bpe).unwrap(), bpe.merges[..]);
    let text = "a".repeat(700) + "b" + &"a".repeat(65);
    expect(&bpe, &[(&text, &[8, 8, 7, 5, 4, 3, 2, 9, 6, 0]), (&"a".repeat(256), &[8]), (&"a".repeat(64), &[6])]);
}

fn sentencepiece(pieces: &[(&str, f32, PieceKind)]) -> Bpe {
    let vocab: Vocab = pieces.iter().zip(0..).map(|(piece, id)| (id, piece.0.as_bytes())).collect();
    let mut merges = all_pairs_by_rank(&vocab);
    merges.retain(|merge| matches!(pieces[merge.product as usize].2, PieceKind::Normal | PieceKind::Unused));
    let rank = |merge: &Merge| (-pieces[merge.product as usize].1) as u32;
    merges.iter_mut().for_each(|merge| merge.rank = rank(merge));
    merges.sort_by_key(|merge| merge.rank);
    let (kinds, scores) = pieces.iter().map(|piece| (piece.2, piece.1)).unzip();
    Bpe {
        unk: Some(0),
        fuse_unk: true,
        pieces: Some(Pieces { kinds, scores }),
        ..Bpe::new(Alphabet::Chars, vocab, merges)
    }
}

/// Long pieces of few runs, now and then with something else in them.
fn runs() -> impl Strategy<Value = Vec<String>> {
    let run = (prop::sample::select(vec!["a", "b", "a", "b", "ж"]), 60..170_usize);
    let piece = prop::collection::vec(run.prop_map(|(unit, count)| unit.repeat(count)), 3..5);
    prop::collection::vec(piece.prop_map(|runs| runs.concat()), 1..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn long_runs_merge_as_the_definition_says(
        glue in prop::collection::vec((0..40_usize, 0..40_usize), 0..40),
        ranks in ranks(),
        order in prop::collection::vec(0..100_u32, 1..40),
        pieces in runs(),
    ) {
        let bpe = model(Alphabet::Bytes, &glue, ranks, &order);
        let encoder = BpeEncoder::compile(&bpe, &Excluded::none()).unwrap();
        let mut scratch = Scratch::new(&encoder);
        for piece in &pieces {
            prop_assert_eq!(encoded(&encoder, &mut scratch, piece), expected(&bpe, piece));
        }
    }
}

fn encoded_everywhere(bpe: &Bpe, text: &str) -> Vec<u32> {
    let encoder = BpeEncoder::compile(bpe, &Excluded::none()).unwrap();
    let mut scratch = Scratch::new(&encoder);
    let ids = encoded(&encoder, &mut scratch, text);
    assert_eq!(encoded(&encoder, &mut scratch, text), ids);
    let mut tokens = Vec::new();
    encoder.tokens(text.as_bytes(), &mut scratch, &mut tokens).unwrap();
    assert_eq!(tokens.iter().map(|token| token.id).collect::<Vec<_>>(), ids);
    assert_eq!(tokens.last().map_or(0, |token| token.end as usize), text.len());
    assert_eq!(encoder.trace(text.as_bytes()).unwrap().ids, ids);
    let mut sampled = Vec::new();
    let sampler = BpeSampler::compile(bpe, &Excluded::none()).unwrap();
    sampler.sample(text.as_bytes(), 0.0, &mut Random::new(1), &mut sampled).unwrap();
    assert_eq!(sampled, ids);
    ids
}

#[test]
fn user_defined_pieces_are_taken_before_any_merge() {
    use PieceKind::{Normal, Unknown, UserDefined};
    let pieces = [("?", 0.0, Unknown), ("a", -9.0, Normal), ("b", -9.0, Normal), ("ab", -1.0, Normal)];
    let more = [("ba", -2.0, UserDefined), ("aba", -3.0, Normal), ("bab", 0.0, UserDefined)];
    let bpe = sentencepiece(&[&pieces[..], &more].concat());
    assert_eq!(encoded_everywhere(&bpe, "aba"), [1, 4]);
    assert_eq!(encoded_everywhere(&bpe, "ababab"), [1, 6, 3]);
    assert_eq!(encoded_everywhere(&bpe, "xyab"), [0, 3]);
}

#[test]
fn equal_scores_merge_from_the_left() {
    use PieceKind::{Normal, Unknown};
    let letters = [("?", 0.0, Unknown), ("a", -9.0, Normal), ("b", -9.0, Normal)];
    let bpe = sentencepiece(&[&letters[..], &[("ab", -1.0, Normal), ("ba", -1.0, Normal)]].concat());
    assert_eq!(encoded_everywhere(&bpe, "aba"), [3, 1]);
    assert_eq!(encoded_everywhere(&bpe, "bab"), [4, 2]);
}

#[test]
fn unused_pieces_are_taken_apart() {
    use PieceKind::{Normal, Unknown, Unused};
    let letters = [("?", 0.0, Unknown), ("a", -9.0, Normal), ("b", -9.0, Normal)];
    let bpe =
        sentencepiece(&[&letters[..], &[("ab", -1.0, Unused), ("abb", -2.0, Normal), ("aab", -3.0, Unused)]].concat());
    assert_eq!(encoded_everywhere(&bpe, "ab"), [1, 2]);
    assert_eq!(encoded_everywhere(&bpe, "abb"), [4]);
    assert_eq!(encoded_everywhere(&bpe, "aab"), [1, 1, 2]);
}

#[test]
fn all_merges_left_out_leave_first_symbols() {
    let bpe = small(&["a", "b", "ab"], &[("a", "b", "ab")]);
    let (sampler, mut random) = (BpeSampler::compile(&bpe, &Excluded::none()).unwrap(), Random::new(3));
    let mut whole = 0;
    for _ in 0..10_000 {
        let mut ids = Vec::new();
        sampler.sample(b"ab", 0.3, &mut random, &mut ids).unwrap();
        whole += u32::from(ids == [2]);
    }
    assert!((f64::from(whole) / 10_000.0 - 0.7).abs() < 0.02, "{whole}");
    let mut ids = Vec::new();
    sampler.sample(b"abab", 1.0, &mut random, &mut ids).unwrap();
    assert_eq!(ids, [0, 1, 0, 1]);
}

proptest! {
    #[test]
    fn long_pieces_are_cut_without_a_change(
        glue in prop::collection::vec((0..12_usize, 0..12_usize), 0..14),
        text in prop::collection::vec(prop::sample::select(vec!["a", "b", "▁", "▁a", "ж", "x"]), 0..80),
        order in order(),
    ) {
        let mut tokens: Vec<String> = ["a", "b", "▁", "ж"].map(str::to_owned).to_vec();
        for (left, right) in glue {
            let token = tokens[left % tokens.len()].clone() + &tokens[right % tokens.len()];
            if token.len() < 16 && !tokens.contains(&token) {
                tokens.push(token);
            }
        }
        tokens.push("<unk>".to_owned());
        let vocab: Vocab = tokens.iter().zip(0..).map(|(token, id)| (id, token.as_bytes())).collect();
        let mut merges = all_pairs_by_rank(&vocab);
        merges.sort_by_key(|merge| (order[merge.product as usize % order.len()], merge.product));
        let mut rank = 0;
        for index in 1..merges.len() {
            rank += u32::from(merges[index].product != merges[index - 1].product);
            merges[index].rank = rank;
        }
        merges.first_mut().into_iter().for_each(|merge| merge.rank = 0);
        let unk = Some(tokens.len() as u32 - 1);
        for fuse_unk in [false, true] {
            let bpe = Bpe { unk, fuse_unk, ..Bpe::new(Alphabet::Chars, vocab.clone(), merges.clone()) };
            let encoder = BpeEncoder::compile(&bpe, &Excluded::none()).unwrap();
            let ids = encoded(&encoder, &mut Scratch::new(&encoder), &text.concat());
            prop_assert_eq!(ids, expected(&bpe, &text.concat()));
        }
    }
}

proptest! {
    #[test]
    fn the_fast_way_to_canonical_pairs_is_exact(
        alphabet in prop_oneof![Just(Alphabet::Bytes), Just(Alphabet::Chars)],
        glue in glue(),
        ranks in ranks(),
        order in prop::collection::vec(0..50_u32, 1..80),
    ) {
        let bpe = model(alphabet, &glue, ranks, &order);
        let mut numbering = Numbering::new(&bpe.vocab);
        let symbols = Symbols::compile(&bpe, &mut numbering).unwrap();
        if let Some(found) = by_spines(&bpe, &symbols, &numbering).unwrap() {
            prop_assert_eq!(found.merges(), one_by_one(&bpe, &symbols, numbering).unwrap());
        }
    }
}

#[test]
fn halves_that_are_made_later_are_doubtful() {
    let fast = |words: &[&str]| {
        let tokens = (b'a'..=b'e').map(|byte| vec![byte]).chain(words.iter().map(|word| word.as_bytes().to_vec()));
        let tokens: Vec<Vec<u8>> = tokens.collect();
        let vocab: Vocab = (0..).zip(&tokens).map(|(id, token)| (id, &token[..])).collect();
        let bpe = Bpe::new(Alphabet::Chars, vocab.clone(), all_pairs_by_rank(&vocab));
        let mut numbering = Numbering::new(&bpe.vocab);
        let symbols = Symbols::compile(&bpe, &mut numbering).unwrap();
        by_spines(&bpe, &symbols, &numbering).unwrap().map(|found| found.merges().len())
    };
    assert_eq!(fast(&["ab", "abc", "cd", "abcd", "aa", "aaa"]), Some(6));
    // "abc" is made of "a" and "bc", which comes later.
    assert_eq!(fast(&["abc", "bc"]), Some(2));
    // "abcd" could only be made of "ab" and "cd", which comes later, but "bc" comes before both.
    assert_eq!(fast(&["bc", "abcd", "ab", "cd"]), Some(3));
    // It is also made of "ab", which comes first: "bc" never is part of it.
    assert_eq!(fast(&["ab", "abc", "bc"]), Some(3));
    // "abcd" would need "ab" and "cd", but "bc" comes first: it cannot happen.
    assert_eq!(fast(&["bc", "ab", "cd", "abcd"]), Some(3));
}
