//! The sections of compiled tables, and the tokenizer made of them.

use crate::block::{Bytes, Sections};
use crate::decode::TokenTable;
use crate::error::Result;
use crate::model::bpe::BpeEncoder;
use crate::model::{Encoder, Excluded};
use crate::pipeline::Tokenizer;
use crate::spec::{Model, Spec};

/// How the names of compiled tables begin.
pub(super) const PREFIXES: [&str; 2] = ["bpe.", "tokens."];

/// The compiled tables of a specification.
pub(super) struct Tables {
    encoder: BpeEncoder,
    tokens: TokenTable,
}

impl Tables {
    /// Compiles a BPE model, whose tables take long to make; `None` for other models, and for one that cannot be
    /// compiled, as an image may hold any specification.
    pub(super) fn compile(spec: &Spec) -> Option<Self> {
        let Model::Bpe(bpe) = &spec.model else { return None };
        spec.validate().ok()?;
        let encoder = BpeEncoder::compile(bpe, &Excluded::special(spec)).ok()?;
        Some(Tables { encoder, tokens: TokenTable::new(spec) })
    }

    pub(super) fn sections(&self) -> Vec<Bytes<'_>> {
        sections(&self.encoder, &self.tokens)
    }
}

/// The sections of the tables that a tokenizer works with.
pub(super) fn sections_of(tokenizer: &Tokenizer) -> Vec<Bytes<'_>> {
    match tokenizer.encoder() {
        Encoder::Bpe(encoder) => sections(encoder, tokenizer.decoder().table()),
        _ => Vec::new(),
    }
}

fn sections<'a>(encoder: &'a BpeEncoder, tokens: &'a TokenTable) -> Vec<Bytes<'a>> {
    let mut sections = encoder.sections();
    sections.extend(tokens.sections());
    sections
}

/// The tokenizer of an image.
pub(super) fn tokenizer(sections: &Sections) -> Result<Tokenizer> {
    let spec = super::content::spec(sections)?;
    let encoder = match &spec.model {
        // The rules of SentencePiece are compiled from the pieces, whose invariants are checked first.
        Model::Bpe(bpe) if bpe.pieces.is_none() => BpeEncoder::of_sections(bpe, sections, &Excluded::special(&spec))?,
        _ => None,
    };
    let Some(encoder) = encoder else { return Tokenizer::new(spec) };
    // Read for the checksum, and seldom again: only the tables encode.
    sections.release(super::content::MERGES);
    let tokens = TokenTable::of_sections(sections)?.unwrap_or_else(|| TokenTable::new(&spec));
    Tokenizer::with_tables(spec, Encoder::Bpe(Box::new(encoder)), tokens)
}
