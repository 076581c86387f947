//! Pieces of text on their way through steps, each given on as soon as it cannot change any more.
//!
//! A step holds back:
//!
//! - byte fallback: a run of byte tokens until it ends, since one bad byte spoils all of it;
//! - what changes the last piece: one piece;
//! - strip, on joined text: as many characters as it may remove at the end;
//! - joined bytes: an incomplete character;
//! - any other step on joined text (replace, cleanup, CTC, a second byte level): everything until the end.

use std::borrow::Cow;

use super::each::{Each, Place, cleaned, copies, replaced};
use super::texts::unmapped;
use crate::error::Result;

/// What to do with bytes that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// Give them on as they are.
    Keep,
    /// U+FFFD, as often as the decoder says.
    Replace,
}

/// One step of a chain.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Each piece for itself.
    Each(Each),
    /// Runs of `<0xNN>` become the text that their bytes spell.
    ByteFallback,
    /// Characters of GPT-2's map become bytes, and all pieces one.
    Bytes,
    /// All pieces become one.
    Join,
    /// A repeated piece counts once, padding goes, the delimiter becomes a space.
    Ctc { pad: Vec<u8>, delimiter: Option<Vec<u8>> },
}

/// The state of every step.
#[derive(Debug, Default)]
pub(super) struct Flow {
    states: Vec<State>,
}

#[derive(Debug, Default)]
struct State {
    /// A piece came already.
    begun: bool,
    /// The pieces came joined: there is one, and it grows.
    grows: bool,
    /// What is held back.
    held: Vec<u8>,
    /// A piece is held back.
    has_held: bool,
    /// Copies of the content that strip removed at the start, and whether it is past them.
    stripped: usize,
    past_start: bool,
}

/// What comes to a step.
#[derive(Debug, Clone, Copy)]
enum Event<'p> {
    Piece(&'p [u8]),
    /// More of the one piece.
    More(&'p [u8]),
    End,
}

impl Flow {
    /// Takes a piece.
    pub(super) fn piece(&mut self, steps: &[Step], piece: &[u8], broken: Broken, out: &mut Vec<u8>) -> Result<()> {
        self.states.resize_with(steps.len(), State::default);
        feed(steps, &mut self.states, Event::Piece(piece), broken, out)
    }

    /// Ends the text; the flow is as new afterwards.
    pub(super) fn end(&mut self, steps: &[Step], broken: Broken, out: &mut Vec<u8>) -> Result<()> {
        self.states.resize_with(steps.len(), State::default);
        let mut states = std::mem::take(&mut self.states);
        feed(steps, &mut states, Event::End, broken, out)
    }
}

fn feed(steps: &[Step], states: &mut [State], event: Event, broken: Broken, out: &mut Vec<u8>) -> Result<()> {
    let (Some((step, steps)), Some((state, states))) = (steps.split_first(), states.split_first_mut()) else {
        if let Event::Piece(text) | Event::More(text) = event {
            out.extend_from_slice(text);
        }
        return Ok(());
    };
    if let Event::More(_) = event {
        state.grows = true;
    }
    let mut on = |event: Event| feed(steps, states, event, broken, out);
    match step {
        Step::Each(each) if state.grows => state.each_on_joined(each, event, &mut on),
        Step::Each(each) => state.each(each, event, &mut on),
        Step::ByteFallback => state.byte_fallback(event, broken, &mut on),
        Step::Join => state.join(event, &mut on),
        Step::Bytes => state.bytes(event, broken, &mut on),
        Step::Ctc { pad, delimiter } => state.ctc(pad, delimiter.as_deref(), event, &mut on),
    }
}

type On<'a> = dyn FnMut(Event) -> Result<()> + 'a;

impl State {
    fn each(&mut self, each: &Each, event: Event, on: &mut On) -> Result<()> {
        let place = |state: &mut State, last| Place { first: !std::mem::replace(&mut state.begun, true), last };
        match event {
            Event::Piece(piece) if each.looks_ahead() => {
                let before = std::mem::replace(&mut self.held, piece.to_vec());
                if std::mem::replace(&mut self.has_held, true) {
                    let place = place(self, false);
                    on(Event::Piece(&each.apply(Cow::Owned(before), place)?))?;
                }
                Ok(())
            }
            Event::Piece(piece) | Event::More(piece) => {
                let place = place(self, false);
                on(Event::Piece(&each.apply(Cow::Borrowed(piece), place)?))
            }
            Event::End => {
                if std::mem::take(&mut self.has_held) {
                    let (last, place) = (std::mem::take(&mut self.held), place(self, true));
                    on(Event::Piece(&each.apply(Cow::Owned(last), place)?))?;
                }
                on(Event::End)
            }
        }
    }

    /// The joined text is the first piece and the last one.
    fn each_on_joined(&mut self, each: &Each, event: Event, on: &mut On) -> Result<()> {
        let whole = Place { first: true, last: true };
        match (each, event) {
            (Each::Strip { content, start, stop }, Event::More(text) | Event::Piece(text)) => {
                let given = self.strip(content, *start, *stop, text);
                on(Event::More(&given))
            }
            (Each::Strip { .. }, Event::End) => on(Event::End),
            (Each::Metaspace { .. }, Event::More(text) | Event::Piece(text)) => {
                on(Event::More(&each.apply(Cow::Borrowed(text), whole)?))
            }
            (_, Event::More(text) | Event::Piece(text)) => {
                self.held.extend_from_slice(text);
                Ok(())
            }
            (Each::Metaspace { .. }, Event::End) => on(Event::End),
            (_, Event::End) => {
                let text = std::mem::take(&mut self.held);
                on(Event::More(&each.apply(Cow::Owned(text), whole)?))?;
                on(Event::End)
            }
        }
    }

    /// What of the text can be given on, with `text` behind what is held.
    fn strip(&mut self, content: &[u8], start: usize, stop: usize, text: &[u8]) -> Vec<u8> {
        let mut text = text;
        if !self.past_start {
            let more = copies(text.chunks(content.len()), content, start - self.stripped);
            self.stripped += more;
            text = &text[more * content.len()..];
            self.past_start = self.stripped == start || !text.is_empty();
        }
        let mut pending = std::mem::take(&mut self.held);
        pending.extend_from_slice(text);
        let kept = copies(pending.rchunks(content.len()), content, stop) * content.len();
        self.held = pending.split_off(pending.len() - kept);
        pending
    }

    fn byte_fallback(&mut self, event: Event, broken: Broken, on: &mut On) -> Result<()> {
        match event {
            Event::Piece(piece) => match byte_of(piece) {
                Some(byte) => {
                    self.held.push(byte);
                    Ok(())
                }
                None => {
                    self.end_run(broken, &mut |text| on(Event::Piece(text)))?;
                    on(Event::Piece(piece))
                }
            },
            // Joined text is a byte token only if it is no longer than one.
            Event::More(text) if self.begun => on(Event::More(text)),
            Event::More(text) => {
                self.held.extend_from_slice(text);
                self.begun = self.held.len() > BYTE_TOKEN;
                if self.begun { on(Event::More(&std::mem::take(&mut self.held))) } else { Ok(()) }
            }
            Event::End => {
                if self.grows && !self.begun {
                    match byte_of(&self.held) {
                        Some(byte) => self.held = vec![byte],
                        None => return on(Event::More(&std::mem::take(&mut self.held))).and_then(|()| on(Event::End)),
                    }
                }
                let grows = self.grows;
                self.end_run(broken, &mut |text| on(if grows { Event::More(text) } else { Event::Piece(text) }))?;
                on(Event::End)
            }
        }
    }

    fn end_run(&mut self, broken: Broken, on: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let run = std::mem::take(&mut self.held);
        match (std::str::from_utf8(&run), broken) {
            (Err(_), Broken::Replace) => run.iter().try_for_each(|_| on(REPLACEMENT)),
            _ => on(&run),
        }
    }

    fn join(&mut self, event: Event, on: &mut On) -> Result<()> {
        match event {
            Event::Piece(text) | Event::More(text) => {
                self.begun = true;
                on(Event::More(text))
            }
            Event::End => {
                if !self.begun {
                    on(Event::More(b""))?;
                }
                on(Event::End)
            }
        }
    }

    fn bytes(&mut self, event: Event, broken: Broken, on: &mut On) -> Result<()> {
        match event {
            Event::Piece(piece) => {
                self.held.extend_from_slice(&unmapped(piece));
                let given = utf8_so_far(&mut self.held, broken, false);
                on(Event::More(&given))
            }
            Event::More(text) => {
                self.held.extend_from_slice(text);
                Ok(())
            }
            Event::End => {
                if self.grows {
                    self.held = unmapped(&self.held).into_owned();
                }
                let given = utf8_so_far(&mut self.held, broken, true);
                on(Event::More(&given))?;
                on(Event::End)
            }
        }
    }

    fn ctc(&mut self, pad: &[u8], delimiter: Option<&[u8]>, event: Event, on: &mut On) -> Result<()> {
        let mut give = |piece: &[u8], event: fn(&[u8]) -> Event| {
            let piece = spoken(piece, pad, delimiter);
            if piece.is_empty() { Ok(()) } else { on(event(&piece)) }
        };
        match event {
            Event::Piece(piece) => {
                if self.begun && self.held == piece {
                    return Ok(());
                }
                (self.begun, self.held) = (true, piece.to_vec());
                give(piece, |piece| Event::Piece(piece))
            }
            Event::More(text) => {
                self.held.extend_from_slice(text);
                Ok(())
            }
            Event::End => {
                if self.grows {
                    give(&std::mem::take(&mut self.held), |piece| Event::Piece(piece))?;
                }
                on(Event::End)
            }
        }
    }
}

/// Bytes of a token such as `<0x0A>`.
const BYTE_TOKEN: usize = 6;

const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// The byte that a token such as `<0x0A>` names.
pub(super) fn byte_of(piece: &[u8]) -> Option<u8> {
    let digits = piece.strip_prefix(b"<0x")?.strip_suffix(b">").filter(|digits| digits.len() == BYTE_TOKEN - 4)?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn spoken<'p>(piece: &'p [u8], pad: &[u8], delimiter: Option<&[u8]>) -> Cow<'p, [u8]> {
    let piece = replaced(Cow::Borrowed(piece), pad, b"");
    match delimiter {
        Some(delimiter) => replaced(cleaned(piece), delimiter, b" "),
        None => piece,
    }
}

/// Takes the complete characters out of `held`; at the end all of it.
fn utf8_so_far(held: &mut Vec<u8>, broken: Broken, at_end: bool) -> Vec<u8> {
    let mut given = Vec::with_capacity(held.len());
    loop {
        let Err(error) = std::str::from_utf8(held) else {
            given.append(held);
            return given;
        };
        let good = error.valid_up_to();
        let bad = match error.error_len() {
            Some(len) => len,
            None if at_end => held.len() - good,
            None => {
                given.extend(held.drain(..good));
                return given;
            }
        };
        match broken {
            Broken::Keep => given.extend(held.drain(..good + bad)),
            Broken::Replace => {
                given.extend(held.drain(..good));
                held.drain(..bad);
                given.extend_from_slice(REPLACEMENT);
            }
        }
    }
}
