//! Places where a text may be cut before it is split: whatever follows, the pre-tokens are the same.
//!
//! A place is safe for the named patterns if a letter stands before it and, behind it, white space or a symbol that
//! is neither a mark, nor a connector such as `_`, nor an apostrophe. Proof: no branch of any of these patterns
//! matches a letter and then such a character, so a pre-token ends there in the whole text as in the part; the only
//! branches that look ahead (`\s+(?!\S)`, `\s++$`) match white space, which does not end the part; and scanning
//! goes on behind the place from the same position in both. `words` and DeepSeek's splits need the same; `whitespace` and BERT's
//! need white space behind. Regular expressions prove nothing.

use super::Splitter;
use crate::unicode::{Classes, Flags};

const PLACED: Flags = Flags::LETTER.or(Flags::NUMBER).or(Flags::MARK).or(Flags::WORD);

impl Splitter {
    /// The last place inside `text` at which every text that begins with `text` may be cut, if one is proven.
    ///
    /// It is safe whatever stands before `text`, too: the rule looks at the two characters only. O(distance of that
    /// place from the end).
    pub fn last_cut(&self, text: &str) -> Option<usize> {
        let symbols_too = match self {
            Splitter::Named(..) | Splitter::DeepSeek(_) | Splitter::Words => true,
            Splitter::Whitespace | Splitter::Bert => false,
            _ => return None,
        };
        let classes = Classes::v16();
        let mut behind: Option<(usize, char)> = None;
        for (at, character) in text.char_indices().rev() {
            if let Some((place, next)) = behind
                && classes.of(character as u32).any(Flags::LETTER)
                && may_follow(classes.of(next as u32), next, symbols_too)
            {
                return Some(place);
            }
            behind = Some((at, character));
        }
        None
    }
}

fn may_follow(flags: Flags, character: char, symbols_too: bool) -> bool {
    flags.any(Flags::SPACE) || (symbols_too && character != '\'' && !flags.any(PLACED))
}
