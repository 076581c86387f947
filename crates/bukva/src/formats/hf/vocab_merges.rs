//! `vocab.json` and `merges.txt`: the tables of a BPE, as GPT-2 was published.

use super::bpe::{byte_vocab, index, merges};
use super::fields::bad;
use super::index::Index;
use super::merge_texts::MergeTexts;
use super::raw::{RawVocab, read_vocab};
use super::tokens::{Tokens, cannot_hold};
use super::write_model::VocabOutput;
use crate::error::{Error, Kind, Result, quoted};
use crate::formats::encodings::Encoding;
use crate::formats::losses::beyond_model;
use crate::formats::{File, Loss, Written};
use crate::spec::{AddedToken, Alphabet, Bpe, Decoder, EndOfWord, Model, Spec};

const HEADER: &str = "#version";

/// How the tables are to be read; the files do not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// Bytes through GPT-2's map, or characters.
    pub alphabet: Alphabet,
    /// The marker at the end of words, where there is one.
    pub end_of_word: Option<EndOfWord>,
    /// The token for characters that have none.
    pub unk: Option<String>,
}

impl Default for Spelling {
    /// GPT-2's: bytes, no marker, nothing unknown.
    fn default() -> Self {
        Spelling { alphabet: Alphabet::Bytes, end_of_word: None, unk: None }
    }
}

/// Reads the two files, with the pattern and the added tokens of `encoding`. O(size).
///
/// # Errors
/// [`Kind::Format`] with the token or the line where a file is damaged; [`Kind::Invariant`] if the tables and the
/// added tokens do not fit together.
pub fn read_vocab_merges(vocab: &[u8], merges_txt: &[u8], encoding: Encoding, spelling: Spelling) -> Result<Spec> {
    let vocab = read_vocab(vocab).map_err(|error| error.in_source("vocab.json"))?;
    let RawVocab::Ids(entries) = vocab else {
        return Err(bad("an object of token and id was expected").in_source("vocab.json"));
    };
    let index = index(&entries)?;
    agree(&encoding.added_tokens, &index)?;
    let merges = merges(&merge_lines(merges_txt)?, &entries, &index, "")?;
    let byte_level = spelling.alphabet == Alphabet::Bytes;
    let unk = spelling.unk.map(|unk| {
        let id = index.get(&unk);
        id.ok_or_else(|| Error::new(Kind::Argument, format!("the unknown token {} has no id", quoted(&unk))))
    });
    let vocab = match byte_level {
        true => byte_vocab(&entries, &merges, &encoding.added_tokens)?,
        false => entries.clone().into_vocab(),
    };
    let unk = unk.transpose()?;
    let end_of_word = spelling.end_of_word;
    let decoder = match &end_of_word {
        Some(end) => Some(Decoder::EndOfWord { suffix: end.marker.clone() }),
        None => byte_level.then_some(Decoder::ByteLevel),
    };
    let model = Bpe { unk, end_of_word, ..Bpe::new(spelling.alphabet, vocab, merges) };
    let spec = Spec {
        normalizer: encoding.normalizer,
        pretokenizer: encoding.pretokenizer,
        added_tokens: encoding.added_tokens,
        decoder,
        ..Spec::new(Model::Bpe(model))
    };
    spec.validate()?;
    Ok(spec)
}

/// An encoding names ids, and so does the vocabulary.
fn agree(added: &[AddedToken], index: &Index<'_>) -> Result<()> {
    for token in added {
        if let Some(id) = index.get(&token.content).filter(|&id| id != token.id) {
            let content = quoted(&token.content);
            let message = format!("{content} has id {id} in the vocabulary and id {} in the encoding", token.id);
            return Err(Error::new(Kind::Format, message).in_source("vocab.json"));
        }
    }
    Ok(())
}

/// The lines of `merges.txt`, without its header and empty lines.
pub(super) fn merge_lines(bytes: &[u8]) -> Result<MergeTexts> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to() as u64;
        Error::new(Kind::Format, "merges.txt is not UTF-8").at_byte(at).in_source("merges.txt")
    })?;
    let mut merges = MergeTexts::default();
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() || (number == 1 && line.starts_with(HEADER)) {
            continue;
        }
        match line.split_once(' ') {
            Some((left, right)) if !left.is_empty() && !right.is_empty() && !right.contains(' ') => {
                merges.push_pair(left, right);
            }
            _ => {
                let message = format!("{} is not two tokens with a space between", quoted(line));
                return Err(Error::new(Kind::Format, message).at_line(number).in_source("merges.txt"));
            }
        }
    }
    Ok(merges)
}

/// Writes the two files. Added tokens get a place in `vocab.json`, as GPT-2's has them.
///
/// # Errors
/// [`Kind::Loss`] if the tokenizer cannot be written so: another model, a token with a space or a line end,
/// two tokens with one text.
pub fn write_vocab_merges(spec: &Spec) -> Result<Written> {
    spec.validate()?;
    let Model::Bpe(bpe) = &spec.model else { return Err(cannot_hold("the model is not BPE")) };
    let mut losses = beyond_model(spec, &[]);
    losses.extend(model_losses(bpe));
    let mut tokens = Tokens::of(&spec.model, &spec.added_tokens, None)?;
    for token in &spec.added_tokens {
        if tokens.text(token.id).is_none() {
            tokens.push(token.content.clone(), token.id);
        }
    }
    tokens.check_unique()?;
    let vocab = serde_json::to_vec(&VocabOutput(&tokens.entries)).map_err(|error| cannot_hold(&error.to_string()))?;
    let merges = merges_text(bpe, &tokens)?.into_bytes();
    let file = |name: &str, bytes| File { name: name.to_owned(), bytes };
    let files = vec![file("vocab.json", vocab), file("merges.txt", merges)];
    Ok(Written { files, losses })
}

fn merges_text(bpe: &Bpe, tokens: &Tokens) -> Result<String> {
    let mut out = format!("{HEADER}: 0.2\n");
    for merge in &bpe.merges {
        let (left, right) = (tokens.text(merge.left).unwrap_or_default(), tokens.text(merge.right).unwrap_or_default());
        let breaks = |text: &str| text.contains([' ', '\n', '\r']);
        if breaks(left) || breaks(right) || left.starts_with(HEADER) {
            let pair = format!("{} {}", quoted(left), quoted(right));
            return Err(cannot_hold(&format!("the merge {pair} cannot be a line of merges.txt")));
        }
        out.push_str(&format!("{left} {right}\n"));
    }
    Ok(out)
}

fn model_losses(bpe: &Bpe) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut lost = |what, is_lost: bool, detail: &str| {
        if is_lost {
            losses.push(Loss::new(what, detail));
        }
    };
    let equal = bpe.merges.windows(2).any(|pair| pair[0].rank == pair[1].rank);
    lost("merges", equal, "several merges have one rank, and in the file each has its own");
    lost("end of word", bpe.end_of_word.is_some(), "name the marker when you load the files");
    lost("unknown token", bpe.unk.is_some(), "name it when you load the files");
    lost("continuing prefix", bpe.continuing_prefix.is_some(), "the files do not name it");
    let options = bpe.fuse_unk || bpe.byte_fallback || bpe.ignore_merges || bpe.dropout.is_some();
    lost("model options", options, "fuse_unk, byte_fallback, ignore_merges and dropout have no place in the files");
    losses
}
