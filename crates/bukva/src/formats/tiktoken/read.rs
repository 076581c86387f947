//! Rank file → vocabulary → specification.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::FxHashMap;

use crate::error::{Error, Kind, Result, shown};
use crate::formats::encodings::{EMPTY_TOKEN, Encoding};
use crate::model::bpe::all_pairs_by_rank;
use crate::spec::{Alphabet, Bpe, Decoder, Model, Spec, Vocab};

/// How an empty token is written.
pub(super) const EMPTY: &str = "=";

/// A rank file with what `encoding` adds to it. O(size of the file + splits of the tokens).
///
/// # Errors
/// [`Kind::Format`] with the line where the file is damaged; [`Kind::Invariant`] if the added tokens do not fit the
/// ranks, such as a special token whose id is a rank of the file.
pub fn read_tiktoken(bytes: &[u8], encoding: Encoding) -> Result<Spec> {
    let Ranks { vocab, empty } = ranks(bytes, encoding.empty_token)?;
    let merges = all_pairs_by_rank(&vocab);
    let model = Bpe { ignore_merges: true, ..Bpe::new(Alphabet::Bytes, vocab, merges) };
    let spec = Spec {
        normalizer: encoding.normalizer,
        pretokenizer: encoding.pretokenizer,
        added_tokens: encoding.added_tokens,
        decoder: Some(Decoder::ByteLevel),
        unknown_fields: empty.map(|rank| (EMPTY_TOKEN.to_owned(), rank.into())).into_iter().collect(),
        ..Spec::new(Model::Bpe(model))
    };
    spec.validate()?;
    Ok(spec)
}

/// The tokens of a rank file in the order of its lines; ids are ranks, which may have gaps. O(size).
///
/// # Errors
/// [`Kind::Format`] with the line: no base64, no number, an empty token, a token or rank that was there before. Also
/// if a byte that UTF-8 text can have has no token.
pub fn read_ranks(bytes: &[u8]) -> Result<Vocab> {
    ranks(bytes, false).map(|ranks| ranks.vocab)
}

/// The tokens of a file, and the rank of the empty one.
struct Ranks {
    vocab: Vocab,
    empty: Option<u32>,
}

fn ranks(bytes: &[u8], empty_token: bool) -> Result<Ranks> {
    let (mut vocab, mut numbers, mut empty) = (Vocab::new(), Vec::new(), None);
    let mut token = Vec::new();
    for (number, line) in lines(bytes) {
        let rank = rank_line(line, &mut token).map_err(|error| error.at_line(number))?;
        match (token.is_empty(), empty) {
            (false, _) => {
                vocab.push(rank, &token);
                numbers.push(number);
            }
            (true, None) if empty_token => empty = Some((rank, number)),
            (true, Some((_, first))) => return Err(repeated("the empty token", first, number)),
            (true, None) => return Err(bad(format!("the token of rank {rank} is empty")).at_line(number)),
        }
    }
    check_repeats(&vocab, &numbers, empty)?;
    check_bytes(&vocab)?;
    Ok(Ranks { vocab, empty: empty.map(|(rank, _)| rank) })
}

/// The lines that are not empty, with their numbers.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut from = 0;
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let lines = ends.map(move |end| &bytes[std::mem::replace(&mut from, end + 1)..end]);
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    (1..).zip(lines).filter(|(_, line)| !line.is_empty())
}

/// Decodes one line into `token` and gives its rank.
fn rank_line(line: &[u8], token: &mut Vec<u8>) -> Result<u32> {
    let Some(space) = line.iter().position(|&byte| byte == b' ') else {
        return Err(bad(format!("{} is not a token in base64, a space and a rank", shown(line))));
    };
    let (encoded, digits) = (&line[..space], &line[space + 1..]);
    let rank = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    let Some(rank) = rank.and_then(|digits| digits.parse().ok()) else {
        return Err(bad(format!("rank {} is not a whole number from 0 to {}", shown(digits), u32::MAX)));
    };
    token.clear();
    if encoded == EMPTY.as_bytes() {
        return Ok(rank);
    }
    STANDARD.decode_vec(encoded, token).map_err(|error| bad(format!("{} is not base64: {error}", shown(encoded))))?;
    Ok(rank)
}

/// Checks that no token and no rank is there twice; `numbers` are the lines of the entries.
fn check_repeats(vocab: &Vocab, numbers: &[u64], empty: Option<(u32, u64)>) -> Result<()> {
    let mut tokens = FxHashMap::with_capacity_and_hasher(vocab.len(), Default::default());
    for (entry, &number) in vocab.iter().zip(numbers) {
        if let Some(first) = tokens.insert(entry.bytes, number) {
            return Err(repeated(&format!("token {}", shown(entry.bytes)), first, number));
        }
    }
    if let Some((first, second)) = vocab.repeated_id() {
        return Err(repeated(&format!("rank {}", vocab.entry(first).id), numbers[first], numbers[second]));
    }
    let Some((rank, number)) = empty else { return Ok(()) };
    match vocab.ids().iter().position(|&id| id == rank) {
        Some(entry) => {
            let (first, second) = (number.min(numbers[entry]), number.max(numbers[entry]));
            Err(repeated(&format!("rank {rank}"), first, second))
        }
        None => Ok(()),
    }
}

fn repeated(what: &str, first: u64, second: u64) -> Error {
    bad(format!("{what} was on line {first} already")).at_line(second)
}

fn check_bytes(vocab: &Vocab) -> Result<()> {
    let mut present = [false; 256];
    for entry in vocab.iter() {
        if let [byte] = entry.bytes {
            present[usize::from(*byte)] = true;
        }
    }
    // 0xC0, 0xC1 and 0xF5 to 0xFF are in no UTF-8 text.
    match (0..=0xf4).find(|&byte| !present[byte] && byte != 0xc0 && byte != 0xc1) {
        Some(byte) => Err(bad(format!(
            "byte 0x{byte:02x} has no token among {} lines: the file is cut short or not a rank file",
            vocab.len()
        ))),
        None => Ok(()),
    }
}

fn bad(message: String) -> Error {
    Error::new(Kind::Format, format!("rank file: {message}"))
}
