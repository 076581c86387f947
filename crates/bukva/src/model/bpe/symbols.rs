//! First symbols: pre-token → the symbols that merging starts from.
//!
//! A unit is a byte or a character. A unit's symbol may depend on its place: after the first it may carry the
//! continuing prefix, and the last may carry the end-of-word marker.

use super::number::{NO_SYMBOL, Numbering};
use super::units::{UnitTable, code_point};
use crate::error::{Error, Kind, Result, quoted};
use crate::model::{Missing, byte_of_token};
use crate::spec::{Alphabet, Bpe};

/// The compiled alphabet of a model.
#[derive(Debug)]
pub(super) struct Symbols {
    alphabet: Alphabet,
    /// Symbols of bytes where every byte has one and place does not matter: the fast path.
    bytes: Option<Box<[u32; 256]>>,
    /// One table a form; `form_of` says which.
    tables: Vec<UnitTable>,
    /// Table by (is not first, is last).
    form_of: [[u8; 2]; 2],
    unknown: Unknown,
    prefix: String,
    /// The marker, where it is joined to the last unit.
    attached: String,
    /// The marker's symbol, where it is a symbol of its own.
    separate: Option<u32>,
}

/// What becomes of a unit without a token.
#[derive(Debug)]
struct Unknown {
    symbol: Option<u32>,
    fuse: bool,
    /// Symbols of `<0x00>` to `<0xFF>`, where the model falls back to them.
    fallback: Option<Box<[u32; 256]>>,
}

impl Symbols {
    /// Finds the first symbols in the vocabulary. Of two entries with the same bytes the first counts. O(vocabulary).
    pub(super) fn compile(bpe: &Bpe, numbering: &mut Numbering) -> Result<Self> {
        let prefix = bpe.continuing_prefix.clone().unwrap_or_default();
        let (attached, separate) = marker(bpe, numbering)?;
        let (has_prefix, has_marker) = (u8::from(!prefix.is_empty()), u8::from(!attached.is_empty()));
        let form_of = [[0, has_marker], [has_prefix << 1, has_prefix << 1 | has_marker]];
        let mut symbols = Symbols {
            alphabet: bpe.alphabet,
            bytes: None,
            tables: vec![UnitTable::new(); 4],
            form_of,
            unknown: Unknown { symbol: None, fuse: bpe.fuse_unk, fallback: None },
            prefix,
            attached,
            separate,
        };
        bpe.vocab.iter().for_each(|entry| symbols.add(entry.id, entry.bytes, numbering));
        symbols.unknown.symbol = bpe.unk.map(|id| numbering.symbol(id));
        symbols.unknown.fallback = if bpe.byte_fallback { fallback(bpe, numbering) } else { None };
        symbols.bytes = symbols.all_bytes();
        Ok(symbols)
    }

    /// Notes an entry in every form in which it spells one unit.
    fn add(&mut self, id: u32, bytes: &[u8], numbering: &mut Numbering) {
        let longest = 4 + self.prefix.len() + self.attached.len();
        if bytes.len() > longest {
            return;
        }
        for not_first in [false, true] {
            for last in [false, true] {
                // Without prefix or marker the place makes no other form.
                if (not_first && self.prefix.is_empty()) || (last && self.attached.is_empty()) {
                    continue;
                }
                let form = usize::from(self.form_of[usize::from(not_first)][usize::from(last)]);
                let Some(unit) = self.unit_in(bytes, not_first, last) else { continue };
                if self.tables[form].get(unit) == NO_SYMBOL {
                    self.tables[form].set(unit, numbering.symbol(id));
                }
            }
        }
    }

    /// The one unit that `bytes` spell at a place.
    fn unit_in(&self, bytes: &[u8], not_first: bool, last: bool) -> Option<u32> {
        let bytes = if not_first { bytes.strip_prefix(self.prefix.as_bytes())? } else { bytes };
        let bytes = if last { bytes.strip_suffix(self.attached.as_bytes())? } else { bytes };
        match self.alphabet {
            Alphabet::Bytes => <[u8; 1]>::try_from(bytes).ok().map(|[byte]| u32::from(byte)),
            Alphabet::Chars => {
                let mut chars = std::str::from_utf8(bytes).ok()?.chars();
                chars.next().filter(|_| chars.as_str().is_empty()).map(u32::from)
            }
        }
    }

    fn all_bytes(&self) -> Option<Box<[u32; 256]>> {
        let symbols = self.tables[0].first_page();
        let complete = self.alphabet == Alphabet::Bytes && !symbols.contains(&NO_SYMBOL);
        (complete && self.ignores_place()).then(|| Box::new(symbols))
    }

    /// Whether a unit's symbol is the same at every place, and no symbol stands for no unit.
    pub(super) fn ignores_place(&self) -> bool {
        self.prefix.is_empty() && self.attached.is_empty() && self.separate.is_none()
    }

    /// Whether every unit has a symbol or one that stands for it.
    pub(super) fn are_total(&self) -> bool {
        self.bytes.is_some() || self.unknown.symbol.is_some()
    }

    /// Whether a unit without a token is spelled by those of its bytes, whatever they are.
    pub(super) fn spell_everything(&self) -> bool {
        self.unknown.fallback.as_ref().is_some_and(|symbols| symbols.iter().all(|&symbol| symbol != NO_SYMBOL))
    }

    /// The symbols of all bytes, where every byte has one wherever it stands.
    pub(super) fn plain_bytes(&self) -> Option<&[u32; 256]> {
        self.bytes.as_deref()
    }

    /// Symbols that stand for units without a token of their own.
    pub(super) fn substitutes(&self) -> impl Iterator<Item = u32> {
        let fallback = self.unknown.fallback.iter().flat_map(|symbols| symbols.iter().copied());
        self.unknown.symbol.into_iter().chain(fallback).filter(|&symbol| symbol != NO_SYMBOL)
    }

    /// Appends the first symbols of `piece`, and says whether a unit was left out. O(bytes).
    ///
    /// # Errors
    /// [`Kind::UnknownCharacter`] if a unit has no token, the model no unknown token, and it is not left out.
    pub(super) fn start(&self, piece: &[u8], missing: Missing, out: &mut Vec<u32>) -> Result<bool> {
        match &self.bytes {
            Some(symbols) => out.extend(piece.iter().map(|&byte| symbols[usize::from(byte)])),
            None => return self.start_by_place(piece, missing, &mut |symbol, _| out.push(symbol)),
        }
        Ok(false)
    }

    /// The first symbols of `piece`, each with the number of its bytes that the symbol stands for. O(bytes).
    ///
    /// # Errors
    /// As [`Symbols::start`].
    pub(super) fn start_with_lengths(&self, piece: &[u8], missing: Missing) -> Result<Vec<(u32, usize)>> {
        let mut found = Vec::new();
        match &self.bytes {
            Some(symbols) => found.extend(piece.iter().map(|&byte| (symbols[usize::from(byte)], 1))),
            None => {
                self.start_by_place(piece, missing, &mut |symbol, length| found.push((symbol, length)))?;
            }
        }
        Ok(found)
    }

    /// Tells `emit` each symbol and how many bytes of `piece` it stands for; `true` if a unit was left out.
    fn start_by_place(&self, piece: &[u8], missing: Missing, emit: &mut impl FnMut(u32, usize)) -> Result<bool> {
        // An unknown unit waits, so that a run may become one. Byte tokens overtake it, as in `tokenizers`; that is
        // seen only where a vocabulary has some of the byte tokens but not all.
        let mut waiting: Option<(u32, usize)> = None;
        let (mut at, mut left_out) = (0, false);
        while at < piece.len() {
            let (unit, len) = self.next_unit(&piece[at..]);
            let (not_first, last) = (at > 0, at + len == piece.len());
            let form = self.form_of[usize::from(not_first)][usize::from(last)];
            let symbol = self.tables[usize::from(form)].get(unit);
            if symbol != NO_SYMBOL {
                waiting.take().into_iter().for_each(|(unknown, length)| emit(unknown, length));
                emit(symbol, len);
            } else if !self.fall_back(&piece[at..at + len], not_first, last, emit) {
                match (self.unknown.symbol, &mut waiting) {
                    (None, _) if missing == Missing::LeftOut => left_out = true,
                    (None, _) => return Err(unknown_unit(&piece[at..at + len], at, "no token")),
                    (_, Some((_, length))) if self.unknown.fuse => *length += len,
                    (Some(unknown), _) => {
                        waiting.replace((unknown, len)).into_iter().for_each(|(unknown, length)| emit(unknown, length));
                    }
                }
            }
            at += len;
        }
        waiting.into_iter().for_each(|(unknown, length)| emit(unknown, length));
        match self.separate {
            Some(marker) if !piece.is_empty() => emit(marker, 0),
            _ => {}
        }
        Ok(left_out)
    }

    fn next_unit(&self, bytes: &[u8]) -> (u32, usize) {
        match self.alphabet {
            Alphabet::Bytes => (u32::from(bytes[0]), 1),
            Alphabet::Chars => code_point(bytes).unwrap_or((u32::MAX, 1)),
        }
    }

    /// Spells a unit, with what it carries, in byte tokens. Does nothing unless all of them exist.
    fn fall_back(&self, unit: &[u8], not_first: bool, last: bool, emit: &mut impl FnMut(u32, usize)) -> bool {
        let Some(fallback) = &self.unknown.fallback else { return false };
        let prefix = if not_first { self.prefix.as_bytes() } else { b"" };
        let attached = if last { self.attached.as_bytes() } else { b"" };
        let parts = [(prefix, 0), (unit, 1), (attached, 0)];
        let bytes = || parts.into_iter().flat_map(|(part, length)| part.iter().map(move |&byte| (byte, length)));
        let symbol = |byte: u8| fallback[usize::from(byte)];
        let complete = bytes().all(|(byte, _)| symbol(byte) != NO_SYMBOL);
        if complete {
            bytes().for_each(|(byte, length)| emit(symbol(byte), length));
        }
        complete
    }

    /// What stands for a unit at byte `at` whose token is special: its byte tokens, or the unknown token.
    ///
    /// # Errors
    /// [`Kind::UnknownCharacter`] if the model has neither.
    pub(super) fn stand_ins(&self, unit: &[u8], at: usize) -> Result<Vec<(u32, usize)>> {
        let mut found = Vec::new();
        if self.fall_back(unit, false, false, &mut |symbol, length| found.push((symbol, length))) {
            return Ok(found);
        }
        match self.unknown.symbol {
            Some(unknown) => Ok(vec![(unknown, unit.len())]),
            None => Err(unknown_unit(unit, at, "no token but a special one, which plain text does not become")),
        }
    }

    /// The id of the unknown token, by the id of each symbol.
    pub(super) fn unknown_id(&self, ids: &[u32]) -> Option<u32> {
        self.unknown.symbol.map(|symbol| ids[symbol as usize])
    }
}

fn unknown_unit(unit: &[u8], at: usize, has: &str) -> Error {
    let unit = match std::str::from_utf8(unit) {
        Ok(text) => format!("character {} (U+{:04X})", quoted(text), text.chars().next().map_or(0, u32::from)),
        Err(_) => format!("byte 0x{}", unit.first().map_or(String::new(), |byte| format!("{byte:02x}"))),
    };
    let message = format!("{unit} has {has}, and the model has no unknown token to stand for it");
    Error::new(Kind::UnknownCharacter, message).at_byte(at as u64)
}

/// The marker's text if it is joined to the last unit, or its symbol if it is one.
fn marker(bpe: &Bpe, numbering: &mut Numbering) -> Result<(String, Option<u32>)> {
    let Some(end) = bpe.end_of_word.as_ref().filter(|end| !end.marker.is_empty()) else {
        return Ok((String::new(), None));
    };
    if end.attached {
        return Ok((end.marker.clone(), None));
    }
    match bpe.vocab.iter().find(|entry| entry.bytes == end.marker.as_bytes()) {
        Some(entry) => Ok((String::new(), Some(numbering.symbol(entry.id)))),
        None => {
            let message = format!("the end-of-word marker {} is not in the vocabulary", quoted(&end.marker));
            Err(Error::new(Kind::Invariant, message))
        }
    }
}

/// Symbols of the byte tokens, [`NO_SYMBOL`] where one is missing.
fn fallback(bpe: &Bpe, numbering: &mut Numbering) -> Option<Box<[u32; 256]>> {
    let mut symbols = Box::new([NO_SYMBOL; 256]);
    for entry in bpe.vocab.iter() {
        match byte_of_token(entry.bytes) {
            Some(byte) if symbols[usize::from(byte)] == NO_SYMBOL => {
                symbols[usize::from(byte)] = numbering.symbol(entry.id);
            }
            _ => {}
        }
    }
    Some(symbols)
}
