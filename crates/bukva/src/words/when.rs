//! Where a text may be cut before any stage.
//!
//! **Apart.** Let a pre-tokenizer drop white space and take each word by itself. If every step of the normalizer
//! rewrites what stands before a blank, the blank, and what stands behind it apart from each other, and makes a blank of
//! the blank, then the pre-tokens of a text are those of its words. That is so for steps that work on single characters,
//! for the Unicode forms (a blank is a starter, and composes with nothing), and for a literal text that has no blank in
//! it. A character map works on grapheme clusters: there a blank counts only where none of its neighbours can be in a
//! cluster with it. Beside an ASCII punctuation character the same holds, without a normalizer and with BERT's, which
//! composes nothing.
//!
//! **Joined.** A model of characters with a token for every byte sees the text with marks for spaces as one piece.
//! Merging joins only what stands side by side, so no token goes across a place whose two characters no token holds
//! side by side, and what lies on both sides merges apart. Every character has a symbol or symbols of its own: nothing
//! runs on across the place. User-defined pieces and pieces that are looked up whole would; models with them are left out.

use super::blanks::{BLANKS, Blanks};
use super::seams::{MARK, Seams};
use super::walls::Walls;
use super::{Lead, Way};
use crate::model::Encoder;
use crate::normalize::Apart;
use crate::pipeline::Tokenizer;
use crate::spec::{Model, Normalizer, Pattern, PrependScheme, Pretokenizer};

/// How the texts of a tokenizer may be cut.
pub(super) fn way(tokenizer: &Tokenizer) -> Option<Way> {
    // Such tokens are looked for in the normalized text, across words.
    if tokenizer.added.any_normalized() {
        return None;
    }
    joined(tokenizer).or_else(|| apart(tokenizer).map(Way::Apart))
}

fn joined(tokenizer: &Tokenizer) -> Option<Way> {
    let spec = tokenizer.spec();
    let (Encoder::Bpe(encoder), Model::Bpe(model)) = (tokenizer.encoder(), &spec.model) else { return None };
    let lead = lead(spec.normalizer.as_ref(), spec.pretokenizer.as_ref())?;
    encoder.falls_apart().then(|| Way::Joined(Box::new(Seams::of(&model.vocab)), lead))
}

/// When a mark is put before a text, if that is all that changes beside spaces that become marks, and nothing is cut.
fn lead(normalizer: Option<&Normalizer>, pretokenizer: Option<&Pretokenizer>) -> Option<Lead> {
    let spaced = |step: &Normalizer| {
        matches!(step, Normalizer::Replace { pattern: Pattern::Literal(space), content }
            if space == " " && is_mark(content))
    };
    match (normalizer, pretokenizer) {
        (None, Some(&Pretokenizer::Metaspace { replacement: MARK, prepend_scheme, split: false })) => {
            Some(match prepend_scheme {
                PrependScheme::Always => Lead::IfNone,
                PrependScheme::First => Lead::FirstIfNone,
                PrependScheme::Never => Lead::Never,
            })
        }
        (Some(step), cut) if spaced(step) && cut.is_none_or(only_at_spaces) => Some(Lead::Never),
        (Some(Normalizer::Sequence { items }), cut) if cut.is_none_or(only_at_spaces) => match &items[..] {
            [Normalizer::Prepend { content }, step] if is_mark(content) && spaced(step) => Some(Lead::Always),
            _ => None,
        },
        (Some(Normalizer::SentencePiece { charsmap, .. }), None) if !charsmap.is_empty() => None,
        (
            Some(&Normalizer::SentencePiece {
                add_dummy_prefix,
                remove_extra_whitespaces: false,
                escape_whitespaces: true,
                whitespace_as_suffix: false,
                ..
            }),
            None,
        ) => Some(if add_dummy_prefix { Lead::Always } else { Lead::Never }),
        _ => None,
    }
}

fn is_mark(text: &str) -> bool {
    text.chars().eq([MARK])
}

/// Whether it cuts at spaces, of which none is left.
fn only_at_spaces(pretokenizer: &Pretokenizer) -> bool {
    matches!(pretokenizer, Pretokenizer::Split { pattern: Pattern::Literal(space), invert: false, .. } if space == " ")
}

fn apart(tokenizer: &Tokenizer) -> Option<Blanks> {
    let kept_apart = match &tokenizer.normalizer {
        Some(normalizer) => normalizer.keeps_words_apart(&BLANKS)?,
        None => Apart::Anywhere,
    };
    if !tokenizer.pretokenizer.drops_blanks() {
        return None;
    }
    let plain = matches!(tokenizer.spec().normalizer, None | Some(Normalizer::Bert { .. }));
    Some(match kept_apart {
        Apart::BetweenClusters => Blanks::Calm,
        Apart::Anywhere if plain && tokenizer.pretokenizer.isolates_punctuation() => {
            Blanks::Walled(Walls::of(tokenizer.normalizer.as_deref()))
        }
        Apart::Anywhere => Blanks::All,
    })
}
