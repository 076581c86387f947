//! The pieces of a model: the rules they must keep, and the merges that follow from their scores.

use rustc_hash::FxHashMap;

use super::message::Piece;
use super::wire::bad;
use crate::error::{Error, Kind, Result, quoted};
use crate::model::bpe::all_pairs_by_order;
use crate::spec::{Merge, PieceKind, Vocab};

/// Checks what SentencePiece checks when it loads a model, and gives the id of the unknown piece.
pub(super) fn check(pieces: &[Piece<'_>], byte_fallback: bool) -> Result<u32> {
    let mut seen = [FxHashMap::default(), FxHashMap::default()];
    seen[0].reserve(pieces.len());
    let (mut unk, mut bytes) = (None, [false; 256]);
    for (id, piece) in (0_u32..).zip(pieces) {
        let reserved = usize::from(matches!(piece.kind, PieceKind::Unknown | PieceKind::Control | PieceKind::Byte));
        if let Some(first) = seen[reserved].insert(piece.text, id) {
            let message = format!("pieces[{id}] is {}, and so is pieces[{first}]", quoted(piece.text));
            return Err(bad(message, piece.at));
        }
        if piece.kind == PieceKind::Unknown
            && let Some(first) = unk.replace(id)
        {
            let message = format!("pieces[{id}] is the unknown piece, and so is pieces[{first}]");
            return Err(bad(message, piece.at));
        }
        if piece.kind == PieceKind::Byte {
            bytes[usize::from(byte_of(piece, id, byte_fallback)?)] = true;
        }
    }
    match bytes.iter().position(|found| !found) {
        Some(byte) if byte_fallback => Err(bad(format!("byte_fallback is on, and <0x{byte:02X}> is no piece"), 0)),
        _ => unk.ok_or_else(|| bad("no piece has the type unknown (2); exactly one must", 0)),
    }
}

/// The byte that `<0xNN>` stands for.
fn byte_of(piece: &Piece<'_>, id: u32, byte_fallback: bool) -> Result<u8> {
    if !byte_fallback {
        return Err(bad(format!("pieces[{id}] is a byte, and byte_fallback is off"), piece.at));
    }
    byte_value(piece.text).ok_or_else(|| {
        let message = format!("pieces[{id}] has the type byte, and {} is not <0x00> to <0xFF>", quoted(piece.text));
        bad(message, piece.at)
    })
}

/// The value of `<0xNN>`, with two capital digits.
pub(in crate::formats) fn byte_value(text: &str) -> Option<u8> {
    let digits = text.strip_prefix("<0x")?.strip_suffix('>')?;
    let plain = digits.len() == 2 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'));
    u8::from_str_radix(digits, 16).ok().filter(|_| plain)
}

/// Every split of an ordinary piece into two, by the score of the piece: the highest first, equal ones together.
///
/// User-defined pieces are never part of a merge: where one stands in a text, it is taken whole before any merge.
/// O(splits of all pieces).
///
/// # Errors
/// [`Kind::Unsupported`] for a piece with a character that is no piece: its merges have no ids.
pub(in crate::formats) fn merges(vocab: &Vocab, kinds: &[PieceKind], scores: &[f32]) -> Result<Vec<Merge>> {
    let merged: Vec<usize> =
        (0..vocab.len()).filter(|&index| matches!(kinds[index], PieceKind::Normal | PieceKind::Unused)).collect();
    check_characters(vocab, kinds, &merged)?;
    let mut order = merged.clone();
    order.sort_by(|&left, &right| scores[right].total_cmp(&scores[left]));
    let mut ranks = vec![0; vocab.len()];
    let mut rank = 0;
    for pair in order.windows(2) {
        // +0 and -0 are one score.
        rank += u32::from(scores[pair[0]] != scores[pair[1]]);
        ranks[pair[1]] = rank;
    }
    let entries = merged.iter().map(|&index| vocab.entry(index));
    let pieces: Vocab = entries.map(|entry| (entry.id, entry.bytes)).collect();
    let ranks: Vec<u32> = merged.iter().map(|&index| ranks[index]).collect();
    Ok(all_pairs_by_order(&pieces, &ranks))
}

/// A merge joins pieces, so each character of a piece has to be one.
fn check_characters(vocab: &Vocab, kinds: &[PieceKind], merged: &[usize]) -> Result<()> {
    let text = |index: usize| std::str::from_utf8(vocab.entry(index).bytes).unwrap_or_default();
    let single = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    let defined = (0..vocab.len()).filter(|&index| kinds[index] == PieceKind::UserDefined);
    // A bit for each character.
    let mut characters = vec![0_u64; char::MAX as usize / 64 + 1];
    for c in merged
        .iter()
        .copied()
        .chain(defined)
        .filter(|&at| vocab.entry(at).bytes.len() <= 4)
        .filter_map(|at| single(text(at)))
    {
        characters[c as usize / 64] |= 1 << (c as usize % 64);
    }
    let is_piece = |c: char| characters[c as usize / 64] >> (c as usize % 64) & 1 == 1;
    for &index in merged {
        let piece = text(index);
        if let Some(missing) = piece.chars().find(|&char| !is_piece(char)) {
            let message = format!(
                "SentencePiece model: pieces[{index}] is {}, and its character {missing:?} is no piece: \
                 such a merge is not supported",
                quoted(piece)
            );
            return Err(Error::new(Kind::Unsupported, message));
        }
    }
    Ok(())
}
