//! Pieces of a text with their places in characters.

use bukva::pieces_hf::HfPiece;

/// Text, first character, character behind the last, and the id of an added token.
pub type Piece = (String, usize, usize, Option<u32>);

/// The pieces of `text` with the places that the `tokenizers` library gives them: an end inside a character is behind
/// it.
pub fn in_characters(pieces: &[HfPiece<'_>], text: &str) -> Vec<Piece> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let character = |byte: usize| starts.partition_point(|&start| start < byte);
    let piece = |piece: &HfPiece| match piece {
        HfPiece::Added { id, start, end, text } => (text.clone(), character(*start), character(*end), Some(*id)),
        HfPiece::Text(text) => {
            let origin = text.origin();
            (text.text().to_owned(), character(origin.start), character(origin.end), None)
        }
    };
    pieces.iter().map(piece).collect()
}
