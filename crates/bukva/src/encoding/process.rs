//! Post-processing of encodings: control tokens, segment numbers, trimmed offsets.

use super::{FullEncoding, Label};
use crate::decode::TextDecoder;
use crate::error::{Error, Kind, Result};
use crate::spec::{Postprocessor, Spec, TemplateItem};

/// How many control tokens a post-processor adds to one text, or to a pair.
pub fn added_tokens(postprocessor: Option<&Postprocessor>, is_pair: bool) -> usize {
    match postprocessor {
        None | Some(Postprocessor::ByteLevel { .. }) => 0,
        Some(Postprocessor::Template(template)) => {
            let items = if is_pair { &template.pair } else { &template.single };
            let ids = |item: &TemplateItem| if let TemplateItem::Special { ids, .. } = item { ids.len() } else { 0 };
            items.iter().map(ids).sum()
        }
        Some(Postprocessor::Bert { .. }) => 2 + usize::from(is_pair),
        Some(Postprocessor::Roberta { .. }) => 2 + 2 * usize::from(is_pair),
        Some(Postprocessor::Sequence { items }) => items.iter().map(|item| added_tokens(Some(item), is_pair)).sum(),
    }
}

/// Puts a text, or a pair, together as the specification's post-processor says. O(tokens of all windows).
///
/// # Errors
/// [`Kind::Unsupported`] for a sequence of post-processors in which one gets the parts of another's template.
pub fn process(
    spec: &Spec,
    decoder: &TextDecoder,
    first: FullEncoding,
    second: Option<FullEncoding>,
    add_special_tokens: bool,
) -> Result<FullEncoding> {
    let mut encodings: Vec<FullEncoding> = [first].into_iter().chain(second).collect();
    let Some(postprocessor) = &spec.postprocessor else {
        if let [only] = &mut encodings[..] {
            return Ok(std::mem::take(only));
        }
        encodings.iter_mut().enumerate().for_each(|(number, encoding)| encoding.set_sequence(number));
        return Ok(FullEncoding::merge(encodings, false));
    };
    for (number, encoding) in encodings.iter_mut().enumerate() {
        encoding.set_sequence(number);
        encoding.overflowing.iter_mut().for_each(|window| window.set_sequence(number));
        encoding.type_ids.fill(number as u32);
    }
    let work = Work { spec, decoder, add_special_tokens };
    Ok(FullEncoding::merge(work.apply(postprocessor, encodings)?, false))
}

struct Work<'a> {
    spec: &'a Spec,
    decoder: &'a TextDecoder,
    add_special_tokens: bool,
}

impl Work<'_> {
    fn apply(&self, postprocessor: &Postprocessor, mut encodings: Vec<FullEncoding>) -> Result<Vec<FullEncoding>> {
        match postprocessor {
            Postprocessor::Sequence { items } => {
                items.iter().try_fold(encodings, |encodings, item| self.apply(item, encodings))
            }
            Postprocessor::ByteLevel { add_prefix_space, trim_offsets, .. } => {
                if *trim_offsets {
                    self.trim_all(&mut encodings, *add_prefix_space)?;
                }
                encodings.iter_mut().enumerate().for_each(|(number, encoding)| encoding.set_sequence(number));
                Ok(encodings)
            }
            Postprocessor::Template(template) => match encodings.len() {
                1 => Ok(self.template(&template.single, encodings)),
                2 => Ok(self.template(&template.pair, encodings)),
                _ => {
                    let message = "a template after another one in a sequence of post-processors is not supported";
                    Err(Error::new(Kind::Unsupported, message))
                }
            },
            Postprocessor::Bert { sep, cls } => Ok(match self.add_special_tokens {
                true => around(encodings, &|number| if number == 0 { Some(cls) } else { None }, sep, 1),
                false => encodings,
            }),
            Postprocessor::Roberta { sep, cls, trim_offsets, add_prefix_space } => {
                if *trim_offsets {
                    self.trim_all(&mut encodings, *add_prefix_space)?;
                }
                encodings.iter_mut().for_each(|encoding| encoding.type_ids.fill(0));
                if !self.add_special_tokens {
                    return Ok(encodings);
                }
                encodings.iter_mut().flat_map(|encoding| &mut encoding.overflowing).for_each(|w| w.type_ids.fill(0));
                Ok(around(encodings, &|number| Some(if number == 0 { cls } else { sep }), sep, 0))
            }
        }
    }

    fn template(&self, items: &[TemplateItem], mut encodings: Vec<FullEncoding>) -> Vec<FullEncoding> {
        let mut parts = Vec::new();
        for item in items {
            let (number, type_id) = match item {
                TemplateItem::A { type_id } => (0, *type_id),
                TemplateItem::B { type_id } => (1, *type_id),
                TemplateItem::Special { ids, tokens, type_id, .. } => {
                    if self.add_special_tokens {
                        let tokens = ids.iter().copied().zip(tokens.iter().cloned());
                        parts.push(FullEncoding::of_control(tokens, *type_id));
                    }
                    continue;
                }
            };
            let Some(encoding) = encodings.get_mut(number) else { continue };
            encoding.type_ids.fill(type_id);
            encoding.set_sequence(number);
            parts.push(encoding.clone());
        }
        parts
    }

    fn trim_all(&self, encodings: &mut [FullEncoding], add_prefix_space: bool) -> Result<()> {
        for encoding in encodings {
            self.trim(encoding, add_prefix_space)?;
            encoding.overflowing.iter_mut().try_for_each(|window| self.trim(window, add_prefix_space))?;
        }
        Ok(())
    }

    /// Takes the white space at both ends of a token out of its offsets. One leading space of a first token stays
    /// where the pre-tokenizer may have put it there.
    fn trim(&self, encoding: &mut FullEncoding, add_prefix_space: bool) -> Result<()> {
        let is_space = |c: &char| *c == 'Ġ' || c.is_whitespace();
        let FullEncoding { ids, labels, offsets, .. } = encoding;
        let texts = self.decoder.texts(self.spec)?;
        for (index, (id, (label, (start, end)))) in ids.iter().zip(labels.iter().zip(offsets)).enumerate() {
            let text = match label {
                Label::Text(text) => text,
                Label::OfId => texts.text(*id).unwrap_or_default(),
            };
            let mut leading = text.chars().take_while(is_space).count();
            let trailing = text.chars().rev().take_while(is_space).count();
            if leading > 0 {
                if leading == 1 && add_prefix_space && (index == 0 || *start == 0) {
                    leading = 0;
                }
                *start = (*start + leading).min(*end);
            }
            if trailing > 0 && *end >= trailing {
                *end = (*end - trailing).max(*start);
            }
        }
        Ok(())
    }
}

type Token = (String, u32);

/// Control tokens before and behind each encoding and its windows; those behind the second text have `last_type`.
fn around<'t>(
    encodings: Vec<FullEncoding>,
    open: &dyn Fn(usize) -> Option<&'t Token>,
    close: &Token,
    last_type: u32,
) -> Vec<FullEncoding> {
    let control = |token: &Token, type_id| FullEncoding::of_control([(token.1, token.0.clone())], type_id);
    let framed = |number: usize, mut encoding: FullEncoding| {
        encoding.overflowing.clear();
        encoding.sequences.clear();
        encoding.special_tokens_mask.fill(0);
        encoding.attention_mask.fill(1);
        encoding.set_sequence(number.min(1));
        let close = control(close, if number == 0 { 0 } else { last_type });
        FullEncoding::merge(open(number).map(|token| control(token, 0)).into_iter().chain([encoding, close]), false)
    };
    let all = |(number, mut encoding): (usize, FullEncoding)| {
        let windows = std::mem::take(&mut encoding.overflowing).into_iter();
        let windows = windows.map(|window| framed(number, window)).collect();
        FullEncoding { overflowing: windows, ..framed(number, encoding) }
    };
    encodings.into_iter().enumerate().map(all).collect()
}
