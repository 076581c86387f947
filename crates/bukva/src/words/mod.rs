//! Text word by word, by the bytes that stand in it.
//!
//! A normalizer rewrites a text, a pre-tokenizer cuts it, and both cost more than to look up what they lead to. Where a
//! text may be cut first and each part taken through all stages apart ([`when`] says where that is proven), a part is
//! looked up as it stands: a word that was met before is neither normalized nor split again. The stages themselves
//! serve what is new, so nothing is computed in two ways.

mod blanks;
mod seams;
mod stages;
#[cfg(test)]
mod tests;
mod walls;
mod when;

use self::blanks::Blanks;
use self::seams::{MARK, Seams};
use crate::error::Result;
use crate::model::raw::{Raw, Stages};
use crate::model::{Encoder, Scratch, Span};
use crate::pipeline::Tokenizer;
use crate::pretokenize::{Emit, in_groups};

/// How a tokenizer's texts are cut, and what names the words that it learned.
#[derive(Debug)]
pub(crate) struct Words {
    way: Way,
    raw: Raw,
}

#[derive(Debug)]
enum Way {
    /// White space is dropped; each word goes through all stages.
    Apart(Blanks),
    /// Spaces become marks and nothing else changes; the model sees parts that no token goes across.
    Joined(Box<Seams>, Lead),
}

/// When a mark is put before a stretch of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    Never,
    Always,
    /// Where it begins with none.
    IfNone,
    /// Where it begins with none and is the first of the input.
    FirstIfNone,
}

/// What becomes of the ids.
pub(crate) enum Wanted<'o> {
    Ids(&'o mut Vec<u32>),
    Count(&'o mut usize),
}

/// Cuts a text into words or parts.
trait Cutter {
    /// Emits every one in order.
    fn for_each(&self, text: &str, emit: &mut impl Emit);
}

impl Words {
    /// The words of a tokenizer, where its texts may be cut. O(vocabulary).
    pub(crate) fn of(tokenizer: &Tokenizer) -> Option<Self> {
        when::way(tokenizer).map(|way| Words { way, raw: Raw::new() })
    }

    /// Gives the ids of a stretch of text that begins at `start` and has no added token.
    ///
    /// # Errors
    /// Those of the stages, the offset counting from the start of the stretch.
    pub(crate) fn encode(
        &self,
        (tokenizer, encoder): (&Tokenizer, &Encoder),
        text: &str,
        start: usize,
        scratch: &mut Scratch,
        wanted: &mut Wanted,
    ) -> Result<()> {
        match &self.way {
            Way::Apart(blanks) => {
                let stages = |piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>| {
                    tokenizer.through_stages(&String::from_utf8_lossy(piece), encoder, scratch, out)
                };
                each_group(blanks, text, |spans| self.put(stages, text.as_bytes(), spans, scratch, wanted))
            }
            Way::Joined(seams, lead) => {
                let stages = |piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>| {
                    encoder.encode_once(&marked(piece), scratch, out)
                };
                let mut leads = lead.leads(text, start);
                each_group(&**seams, text, |spans| {
                    let (led, rest) = spans.split_at(usize::from(leads).min(spans.len()));
                    for &(from, to) in led {
                        leads = false;
                        let piece = [b" ", &text.as_bytes()[from..to]].concat();
                        self.put(stages, &piece, &[(0, piece.len())], scratch, wanted)?;
                    }
                    self.put(stages, text.as_bytes(), rest, scratch, wanted)
                })
            }
        }
    }

    #[inline]
    fn put(
        &self,
        stages: impl Stages,
        text: &[u8],
        spans: &[Span],
        scratch: &mut Scratch,
        wanted: &mut Wanted,
    ) -> Result<()> {
        match wanted {
            Wanted::Ids(out) => self.raw.encode(stages, text, spans, scratch, out),
            Wanted::Count(count) => {
                **count += self.raw.count(stages, text, spans, scratch)?;
                Ok(())
            }
        }
    }
}

impl Lead {
    fn leads(self, text: &str, start: usize) -> bool {
        let none = !text.starts_with([' ', MARK]);
        match self {
            Lead::Never => false,
            Lead::Always => true,
            Lead::IfNone => none,
            Lead::FirstIfNone => none && start == 0,
        }
    }
}

/// A part of a text with a mark for every space.
fn marked(piece: &[u8]) -> Vec<u8> {
    let mut marked = Vec::with_capacity(piece.len() + 8);
    let mut mark = [0; 4];
    let mark = MARK.encode_utf8(&mut mark).as_bytes();
    for &byte in piece {
        match byte {
            b' ' => marked.extend_from_slice(mark),
            _ => marked.push(byte),
        }
    }
    marked
}

/// Hands over what a cutter emits, many at a time, until `step` fails.
#[inline]
fn each_group(cutter: &impl Cutter, text: &str, mut step: impl FnMut(&[Span]) -> Result<()>) -> Result<()> {
    in_groups(text.len(), &mut step, |groups| {
        cutter.for_each(text, groups);
        Ok(())
    })
}
