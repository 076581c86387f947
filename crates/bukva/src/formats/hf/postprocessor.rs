//! Post-processors of `tokenizer.json`, both ways.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::fields::{Fields, Unknown, bad};
use crate::error::Result;
use crate::spec::{Postprocessor, Template, TemplateItem};

/// What those have that stand without a type.
const FORMS: [(&str, &[&str]); 3] = [
    ("RobertaProcessing", &["sep", "cls", "trim_offsets", "add_prefix_space"]),
    ("BertProcessing", &["sep", "cls"]),
    ("TemplateProcessing", &["single", "pair", "special_tokens"]),
];

/// Reads the post-processor at `at`.
pub(super) fn read(value: Value, at: &str, unknown: &mut Unknown) -> Result<Postprocessor> {
    let mut fields = Fields::of(value, at)?;
    let kind = fields.kind_or(&FORMS)?;
    let postprocessor = match kind.as_str() {
        "ByteLevel" => Postprocessor::ByteLevel {
            add_prefix_space: fields.required("add_prefix_space")?,
            trim_offsets: fields.required("trim_offsets")?,
            use_regex: fields.or("use_regex", true)?,
        },
        "TemplateProcessing" => Postprocessor::Template(read_template(&mut fields, unknown)?),
        "BertProcessing" => Postprocessor::Bert { sep: fields.required("sep")?, cls: fields.required("cls")? },
        // The library takes one without these fields for BERT's.
        "RobertaProcessing" if !fields.has("trim_offsets") || !fields.has("add_prefix_space") => {
            Postprocessor::Bert { sep: fields.required("sep")?, cls: fields.required("cls")? }
        }
        "RobertaProcessing" => Postprocessor::Roberta {
            sep: fields.required("sep")?,
            cls: fields.required("cls")?,
            trim_offsets: fields.required("trim_offsets")?,
            add_prefix_space: fields.required("add_prefix_space")?,
        },
        "Sequence" => {
            let items = fields.list("processors")?;
            let items = items.into_iter().map(|(at, item)| read(item, &at, unknown)).collect::<Result<_>>()?;
            Postprocessor::Sequence { items }
        }
        _ => return Err(fields.unsupported(&kind)),
    };
    fields.finish(unknown);
    Ok(postprocessor)
}

/// Ids and tokens of a template's control token.
#[derive(serde::Deserialize)]
struct Control {
    ids: Vec<u32>,
    tokens: Vec<String>,
}

fn read_template(fields: &mut Fields, unknown: &mut Unknown) -> Result<Template> {
    let controls: BTreeMap<String, Control> = fields.or("special_tokens", BTreeMap::new())?;
    let mut sequence = |name| -> Result<Vec<TemplateItem>> {
        let items = fields.list(name)?;
        items.into_iter().map(|(at, item)| read_item(item, &at, &controls, unknown)).collect()
    };
    Ok(Template { single: sequence("single")?, pair: sequence("pair")? })
}

fn read_item(
    item: Value,
    at: &str,
    controls: &BTreeMap<String, Control>,
    unknown: &mut Unknown,
) -> Result<TemplateItem> {
    let mut fields = Fields::of(item, at)?;
    let (sequence, special) = (fields.take("Sequence"), fields.take("SpecialToken"));
    fields.finish_closed()?;
    let (value, is_special) = match (sequence, special) {
        (Some(value), None) => (value, false),
        (None, Some(value)) => (value, true),
        _ => return Err(bad(format!("{at} must have one of \"Sequence\" and \"SpecialToken\""))),
    };
    let mut fields = Fields::of(value, at)?;
    let (name, type_id): (String, u32) = (fields.required("id")?, fields.required("type_id")?);
    fields.finish(unknown);
    match (is_special, name.as_str()) {
        (false, "A") => Ok(TemplateItem::A { type_id }),
        (false, "B") => Ok(TemplateItem::B { type_id }),
        (false, _) => Err(bad(format!("{at} names the sequence {name:?}; there are \"A\" and \"B\""))),
        (true, _) => match controls.get(&name) {
            Some(Control { ids, tokens }) => {
                Ok(TemplateItem::Special { ids: ids.clone(), tokens: tokens.clone(), name, type_id })
            }
            None => Err(bad(format!("{at} names the special token {name:?}, which special_tokens does not have"))),
        },
    }
}

/// Writes a post-processor.
pub(super) fn write(postprocessor: &Postprocessor) -> Value {
    match postprocessor {
        Postprocessor::ByteLevel { add_prefix_space, trim_offsets, use_regex } => json!({
            "type": "ByteLevel",
            "add_prefix_space": add_prefix_space,
            "trim_offsets": trim_offsets,
            "use_regex": use_regex,
        }),
        Postprocessor::Template(template) => write_template(template),
        Postprocessor::Bert { sep, cls } => json!({"type": "BertProcessing", "sep": sep, "cls": cls}),
        Postprocessor::Roberta { sep, cls, trim_offsets, add_prefix_space } => json!({
            "type": "RobertaProcessing",
            "sep": sep,
            "cls": cls,
            "trim_offsets": trim_offsets,
            "add_prefix_space": add_prefix_space,
        }),
        Postprocessor::Sequence { items } => {
            json!({"type": "Sequence", "processors": items.iter().map(write).collect::<Vec<_>>()})
        }
    }
}

fn write_template(template: &Template) -> Value {
    let mut controls = Map::new();
    for item in template.single.iter().chain(&template.pair) {
        if let TemplateItem::Special { name, ids, tokens, .. } = item {
            controls.insert(name.clone(), json!({"id": name, "ids": ids, "tokens": tokens}));
        }
    }
    let items = |items: &[TemplateItem]| items.iter().map(write_item).collect::<Vec<_>>();
    json!({
        "type": "TemplateProcessing",
        "single": items(&template.single),
        "pair": items(&template.pair),
        "special_tokens": controls,
    })
}

fn write_item(item: &TemplateItem) -> Value {
    match item {
        TemplateItem::A { type_id } => json!({"Sequence": {"id": "A", "type_id": type_id}}),
        TemplateItem::B { type_id } => json!({"Sequence": {"id": "B", "type_id": type_id}}),
        TemplateItem::Special { name, type_id, .. } => json!({"SpecialToken": {"id": name, "type_id": type_id}}),
    }
}
