//! Post-processing: the control tokens that a template puts around a text or a pair.

use crate::spec::{Postprocessor, Template, TemplateItem};

/// One part of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    First,
    Second,
    Ids(Vec<u32>),
}

/// A compiled post-processor. Without one, the ids of a pair follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    single: Vec<Part>,
    pair: Vec<Part>,
}

impl Frame {
    /// Compiles a post-processor. Of a sequence the last one that has a template counts, as in `tokenizers`, where
    /// the others change offsets only.
    pub fn compile(spec: Option<&Postprocessor>) -> Frame {
        spec.and_then(Frame::of).unwrap_or(Frame { single: vec![Part::First], pair: vec![Part::First, Part::Second] })
    }

    fn of(spec: &Postprocessor) -> Option<Frame> {
        match spec {
            Postprocessor::ByteLevel { .. } => None,
            Postprocessor::Template(Template { single, pair }) => {
                let parts = |items: &[TemplateItem]| items.iter().map(Part::of).collect();
                Some(Frame { single: parts(single), pair: parts(pair) })
            }
            Postprocessor::Bert { sep, cls } => Some(Frame::around(cls.1, sep.1, &[sep.1])),
            Postprocessor::Roberta { sep, cls, .. } => Some(Frame::around(cls.1, sep.1, &[sep.1, sep.1])),
            Postprocessor::Sequence { items } => items.iter().rev().find_map(Frame::of),
        }
    }

    /// `open A close` and `open A between B close`.
    fn around(open: u32, close: u32, between: &[u32]) -> Frame {
        let ids = |ids: &[u32]| Part::Ids(ids.to_vec());
        Frame {
            single: vec![ids(&[open]), Part::First, ids(&[close])],
            pair: vec![ids(&[open]), Part::First, ids(between), Part::Second, ids(&[close])],
        }
    }

    /// The ids of a text, or of a pair, with the control tokens around them. O(ids).
    pub fn apply(&self, first: &[u32], second: Option<&[u32]>) -> Vec<u32> {
        let parts = if second.is_some() { &self.pair } else { &self.single };
        let mut ids = Vec::with_capacity(first.len() + second.map_or(0, <[u32]>::len) + 4);
        for part in parts {
            match part {
                Part::First => ids.extend_from_slice(first),
                Part::Second => ids.extend_from_slice(second.unwrap_or_default()),
                Part::Ids(special) => ids.extend_from_slice(special),
            }
        }
        ids
    }

    /// The control tokens before and behind one text; `None` where the text stands in its template more than once, or
    /// not at all.
    pub fn around_single(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let (mut before, mut behind, mut texts) = (Vec::new(), Vec::new(), 0);
        for part in &self.single {
            match part {
                Part::First => texts += 1,
                Part::Second => {}
                Part::Ids(ids) if texts == 0 => before.extend(ids),
                Part::Ids(ids) => behind.extend(ids),
            }
        }
        (texts == 1).then_some((before, behind))
    }

    /// How many control tokens one text gets.
    pub fn added_to_single(&self) -> usize {
        self.apply(&[], None).len()
    }
}

impl Part {
    fn of(item: &TemplateItem) -> Part {
        match item {
            TemplateItem::A { .. } => Part::First,
            TemplateItem::B { .. } => Part::Second,
            TemplateItem::Special { ids, .. } => Part::Ids(ids.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_put_their_tokens_around_texts() {
        let bert = Postprocessor::Bert { sep: ("[SEP]".into(), 3), cls: ("[CLS]".into(), 2) };
        let frame = Frame::compile(Some(&bert));
        assert_eq!(frame.apply(&[10, 11], None), [2, 10, 11, 3]);
        assert_eq!(frame.apply(&[10], Some(&[20])), [2, 10, 3, 20, 3]);
        assert_eq!(frame.added_to_single(), 2);
        assert_eq!(frame.around_single(), Some((vec![2], vec![3])));
        let byte_level = Postprocessor::ByteLevel { add_prefix_space: true, trim_offsets: false, use_regex: true };
        let plain = Frame::compile(Some(&byte_level));
        assert_eq!(plain.apply(&[1], Some(&[2])), [1, 2]);
        let sequence = Postprocessor::Sequence { items: vec![byte_level, bert] };
        assert_eq!(Frame::compile(Some(&sequence)), frame);
    }
}
