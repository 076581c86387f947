//! `tokenizer.ggml.model` = `bert`: WordPiece.
//!
//! llama.cpp spells the vocabulary in its own way: a token that begins a word has the mark of a space before it, one
//! that continues a word has nothing. Here the first lose their mark and the others get `##` again.

use rustc_hash::FxHashMap;

use super::ends::{BOS, special};
use super::metadata::Metadata;
use super::tokens::{TOKENS, Token, Tokens};
use super::wire::bad;
use crate::error::{Result, quoted};
use crate::spec::{
    AddedToken, Decoder, Model, Normalizer, PieceKind, Postprocessor, Pretokenizer, Spec, Template, TemplateItem,
    UnicodeVersions, Vocab, WordPiece,
};

const PREFIX: &str = "##";
const SPACE: char = '\u{2581}';

const LOWERCASE: &str = "tokenizer.ggml.normalizer.lowercase";
const STRIP_ACCENTS: &str = "tokenizer.ggml.normalizer.strip_accents";
const CLS: &str = "tokenizer.ggml.cls_token_id";
/// The misspelling is the format's.
const SEP: &str = "tokenizer.ggml.seperator_token_id";
const UNKNOWN: &str = "tokenizer.ggml.unknown_token_id";
const PAD: &str = "tokenizer.ggml.padding_token_id";
const MASK: &str = "tokenizer.ggml.mask_token_id";
const ADD_BOS: &str = "tokenizer.ggml.add_bos_token";
const ADD_SEP: &str = "tokenizer.ggml.add_sep_token";

/// Longer words are unknown: BERT's limit, of which the format does not speak.
const MAX_CHARS_PER_WORD: u32 = 100;

/// The specification of a WordPiece vocabulary.
///
/// # Errors
/// [`crate::Kind::Format`] with the key and the byte: an id that is no token, two tokens that are one word.
pub(super) fn spec(metadata: &Metadata<'_>, tokens: &Tokens<'_>) -> Result<Spec> {
    let named = Named::read(metadata, tokens)?;
    let lowercase = metadata.flag(LOWERCASE, true)?;
    let strip_accents = metadata.field(STRIP_ACCENTS).map(|_| metadata.flag(STRIP_ACCENTS, lowercase)).transpose()?;
    let model = WordPiece {
        vocab: vocab(tokens, &named)?,
        unk: Some(named.unk.id),
        continuing_prefix: PREFIX.to_owned(),
        max_chars_per_word: MAX_CHARS_PER_WORD,
    };
    Ok(Spec {
        normalizer: Some(Normalizer::Bert { clean_text: true, handle_chinese_chars: true, strip_accents, lowercase }),
        pretokenizer: Some(Pretokenizer::Bert),
        added_tokens: added(tokens, &named),
        postprocessor: template(metadata, &named)?,
        decoder: Some(Decoder::WordPiece { prefix: PREFIX.to_owned(), cleanup: true }),
        unicode: UnicodeVersions::tokenizers(),
        ..Spec::new(Model::WordPiece(model))
    })
}

/// The tokens that have a part of their own.
struct Named<'t, 'a> {
    cls: Option<&'t Token<'a>>,
    sep: Option<&'t Token<'a>>,
    unk: &'t Token<'a>,
    others: [Option<&'t Token<'a>>; 2],
}

impl<'t, 'a> Named<'t, 'a> {
    /// By their ids in the file, and where it has none by those of BERT, as in llama.cpp.
    fn read(metadata: &Metadata<'a>, tokens: &'t Tokens<'a>) -> Result<Self> {
        let token = |key: &str, usual: u32, text: &str| {
            let named = tokens.named(metadata, key)?;
            Ok(named.or_else(|| tokens.get(usual).filter(|token| token.text == text)))
        };
        let first = if metadata.field(CLS).is_some() { CLS } else { BOS };
        let unk = token(UNKNOWN, 100, "[UNK]")?;
        Ok(Named {
            cls: token(first, 101, "[CLS]")?,
            sep: token(SEP, 102, "[SEP]")?,
            unk: unk.ok_or_else(|| bad(format!("{UNKNOWN} is missing, and token 100 is not [UNK]"), 0))?,
            others: [token(PAD, 0, "[PAD]")?, token(MASK, 103, "[MASK]")?],
        })
    }

    fn contains(&self, id: u32) -> bool {
        let tokens = [self.cls, self.sep, Some(self.unk)].into_iter().chain(self.others);
        tokens.flatten().any(|token| token.id == id)
    }
}

fn added(tokens: &Tokens<'_>, named: &Named<'_, '_>) -> Vec<AddedToken> {
    let added = |token: &Token<'_>| match named.contains(token.id) {
        true => Some(AddedToken::special(token.text, token.id)),
        false => token.added(),
    };
    tokens.list.iter().filter_map(added).collect()
}

fn vocab(tokens: &Tokens<'_>, named: &Named<'_, '_>) -> Result<Vocab> {
    let (mut vocab, mut seen) = (Vocab::new(), FxHashMap::default());
    for token in &tokens.list {
        let as_it_stands = token.kind != PieceKind::Normal || named.contains(token.id) || is_bracketed(token.text);
        let text = match token.text.strip_prefix(SPACE) {
            _ if as_it_stands => token.text.to_owned(),
            Some(word) => word.to_owned(),
            None => format!("{PREFIX}{}", token.text),
        };
        if text.is_empty() {
            return Err(bad(format!("{TOKENS}[{}] is only the mark of a space", token.id), token.at));
        }
        vocab.push(token.id, text.as_bytes());
        if let Some(first) = seen.insert(text, token.id) {
            let message = format!("{TOKENS}[{}] is {}, the same as {TOKENS}[{first}]", token.id, quoted(token.text));
            return Err(bad(message, token.at));
        }
    }
    Ok(vocab)
}

/// Converters before types were kept left every `[…]` as it is.
fn is_bracketed(text: &str) -> bool {
    text.len() > 2 && text.starts_with('[') && text.ends_with(']')
}

/// `[CLS] A [SEP]` and `[CLS] A [SEP] B [SEP]`.
fn template(metadata: &Metadata<'_>, named: &Named<'_, '_>) -> Result<Option<Postprocessor>> {
    let cls = if metadata.flag(ADD_BOS, true)? { named.cls } else { None };
    let sep = if metadata.flag(ADD_SEP, true)? { named.sep } else { None };
    if cls.is_none() && sep.is_none() {
        return Ok(None);
    }
    let end = |type_id| sep.map(|sep| special(sep, type_id));
    let start = cls.map(|cls| special(cls, 0));
    let single: Vec<_> = start.into_iter().chain([TemplateItem::A { type_id: 0 }]).chain(end(0)).collect();
    let pair = single.iter().cloned().chain([TemplateItem::B { type_id: 1 }]).chain(end(1)).collect();
    Ok(Some(Postprocessor::Template(Template { single, pair })))
}
