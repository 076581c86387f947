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
    let mut ranks = Ranks { vocab: Vocab::new(), empty: None };
    let mut lines = Lines::default();
    let mut token = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        let number = index as u64 + 1;
        let rank = rank_line(line, &mut token).map_err(|error| error.at_line(number))?;
        lines.note(&token, rank, number)?;
        match token.is_empty() {
            false => ranks.vocab.push(rank, &token),
            true if empty_token => ranks.empty = Some(rank),
            true => return Err(bad(format!("the token of rank {rank} is empty")).at_line(number)),
        }
    }
    check_bytes(&ranks.vocab)?;
    Ok(ranks)
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

/// The lines on which tokens and ranks were seen.
#[derive(Default)]
struct Lines {
    tokens: FxHashMap<Box<[u8]>, u64>,
    ranks: FxHashMap<u32, u64>,
}

impl Lines {
    fn note(&mut self, token: &[u8], rank: u32, line: u64) -> Result<()> {
        if let Some(first) = self.tokens.insert(token.into(), line) {
            return Err(bad(format!("token {} was on line {first} already", shown(token))).at_line(line));
        }
        match self.ranks.insert(rank, line) {
            Some(first) => Err(bad(format!("rank {rank} was on line {first} already")).at_line(line)),
            None => Ok(()),
        }
    }
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
