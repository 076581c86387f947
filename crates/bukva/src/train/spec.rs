//! From a trained vocabulary to a whole tokenizer.

use super::bpe::{BpeOptions, Trained};
use crate::spec::{AddedToken, Alphabet, Bpe, Decoder, EndOfWord, Model, Normalizer, Pretokenizer, Spec};

/// The tokenizer of a training run: the stages that the corpus went through, the vocabulary, and a decoder that undoes
/// the spelling. O(size of the vocabulary).
pub fn assemble(
    trained: Trained,
    options: &BpeOptions,
    normalizer: Option<Normalizer>,
    pretokenizer: Option<Pretokenizer>,
) -> Spec {
    let marker = options.end_of_word.clone();
    let added_tokens = trained.special_tokens.into_iter().map(|(text, id)| AddedToken::special(text, id)).collect();
    let model = Bpe {
        unk: trained.unk,
        end_of_word: marker.clone().map(|marker| EndOfWord { marker, attached: false }),
        ..Bpe::new(options.alphabet, trained.vocab, trained.merges)
    };
    let decoder = match (marker, options.alphabet) {
        (Some(suffix), _) => Some(Decoder::EndOfWord { suffix }),
        (None, Alphabet::Bytes) => Some(Decoder::ByteLevel),
        (None, Alphabet::Chars) => None,
    };
    Spec { normalizer, pretokenizer, added_tokens, decoder, ..Spec::new(Model::Bpe(model)) }
}
