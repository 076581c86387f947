//! Stages of `tokenizers` that are SentencePiece's, recognised.

use super::{Losses, MARK};
use crate::spec::{Behavior, Decoder, Normalizer, Pattern, PrependScheme, Pretokenizer, Spec};

/// What the stages before the model do, in SentencePiece's words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) charsmap: Vec<u8>,
    pub(super) add_dummy_prefix: bool,
    pub(super) remove_extra_whitespaces: bool,
    pub(super) escape_whitespaces: bool,
}

/// The rules of the normalizer and the pre-tokenizer; none if they do anything else.
pub(super) fn rules(spec: &Spec, losses: &mut Losses) -> Option<Rules> {
    let mut rules = Rules::default();
    let items = normalizers(spec.normalizer.as_ref());
    let mut items = items.iter().copied().peekable();
    if let Some(Normalizer::Precompiled { charsmap }) = items.peek() {
        rules.charsmap.clone_from(charsmap);
        items.next();
    }
    if items.peek().is_some_and(|item| is_replace(item, &Pattern::Regex(r"\A +| +\z".to_owned()), "")) {
        items.next();
        rules.remove_extra_whitespaces =
            items.next().is_some_and(|item| is_replace(item, &Pattern::Regex(" {2,}".to_owned()), " "));
        if !rules.remove_extra_whitespaces {
            return None;
        }
    }
    let prefix = match items.peek() {
        Some(Normalizer::Prepend { content }) => {
            items.next();
            Some(content.as_str())
        }
        _ => None,
    };
    let space = Pattern::Literal(" ".to_owned());
    rules.escape_whitespaces = items.next_if(|item| is_replace(item, &space, MARK)).is_some();
    rules.add_dummy_prefix = prefix.is_some();
    let fits = prefix.is_none_or(|prefix| prefix == if rules.escape_whitespaces { MARK } else { " " });
    if items.next().is_some() || !fits || !pretokenizer(spec.pretokenizer.as_ref(), &mut rules, losses) {
        return None;
    }
    note_charsmap(&rules, losses);
    Some(rules)
}

fn note_charsmap(rules: &Rules, losses: &mut Losses) {
    let detail = "SentencePiece applies the map to the longest match, the library to whole grapheme clusters: \
                  marks and joined characters may become other text";
    losses.note(!rules.charsmap.is_empty(), "character map", detail);
}

/// A normalizer without nesting.
fn normalizers(normalizer: Option<&Normalizer>) -> Vec<&Normalizer> {
    match normalizer {
        None => Vec::new(),
        Some(Normalizer::Sequence { items }) => items.iter().flat_map(|item| normalizers(Some(item))).collect(),
        Some(other) => vec![other],
    }
}

fn is_replace(normalizer: &Normalizer, pattern: &Pattern, content: &str) -> bool {
    matches!(normalizer, Normalizer::Replace { pattern: found, content: put } if found == pattern && put == content)
}

/// Whether the pre-tokenizer is none, one that finds nothing to cut, or Metaspace, which is noted in `rules`.
fn pretokenizer(pretokenizer: Option<&Pretokenizer>, rules: &mut Rules, losses: &mut Losses) -> bool {
    match pretokenizer {
        None => true,
        // After the normalizer no space is left.
        Some(Pretokenizer::Split { pattern: Pattern::Literal(text), behavior, .. }) => {
            text == " " && rules.escape_whitespaces && *behavior != Behavior::Removed
        }
        Some(Pretokenizer::Metaspace { replacement, prepend_scheme, split }) => {
            let scheme = *prepend_scheme;
            if !MARK.starts_with(*replacement) || (rules.add_dummy_prefix && scheme != PrependScheme::Never) {
                return false;
            }
            rules.escape_whitespaces = true;
            rules.add_dummy_prefix |= scheme != PrependScheme::Never;
            let detail = "a text that begins with a space gets one more, where Metaspace gives it none";
            losses.note(scheme != PrependScheme::Never, "prefix", detail);
            let detail = "the text after a special token gets a space, where Metaspace gives it none";
            losses.note(scheme == PrependScheme::First, "prefix", detail);
            losses.note(*split, "split", "a piece may reach over a space, where Metaspace cuts");
            true
        }
        Some(_) => false,
    }
}

/// The decoder of a model with these rules.
pub(super) fn decoder(found: Option<&Decoder>, rules: &Rules, unk: &str, losses: &mut Losses) -> Decoder {
    let same = found.is_some_and(|found| is_usual(found, rules));
    losses.note(!same, "decoder", "decoded text follows SentencePiece's own rules");
    Decoder::SentencePiece {
        unk_surface: unk.to_owned(),
        add_dummy_prefix: rules.add_dummy_prefix,
        remove_extra_whitespaces: rules.remove_extra_whitespaces,
        whitespace_as_suffix: false,
        denormalizer: None,
    }
}

/// Whether the decoder puts spaces for marks, joins bytes, and takes a dummy space away where one was put.
fn is_usual(decoder: &Decoder, rules: &Rules) -> bool {
    let prefix = rules.add_dummy_prefix || rules.remove_extra_whitespaces;
    match decoder {
        Decoder::Metaspace { replacement, prepend_scheme, .. } => {
            MARK.starts_with(*replacement) && (*prepend_scheme != PrependScheme::Never) == prefix
        }
        Decoder::Sequence { items } => {
            let spaces = Decoder::Replace { pattern: Pattern::Literal(MARK.to_owned()), content: " ".to_owned() };
            let strip = Decoder::Strip { content: ' ', start: 1, stop: 0 };
            let mut usual = vec![spaces, Decoder::ByteFallback, Decoder::Fuse];
            usual.extend(prefix.then_some(strip));
            *items == usual
        }
        _ => false,
    }
}
