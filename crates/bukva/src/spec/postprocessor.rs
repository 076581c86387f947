//! Post-processors: ids → ids with the control tokens of a template.

use serde::{Deserialize, Serialize};

/// One place of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TemplateItem {
    /// The first text.
    A {
        /// Segment number given to its ids.
        type_id: u32,
    },
    /// The second text of a pair.
    B {
        /// Segment number given to its ids.
        type_id: u32,
    },
    /// Control tokens, by the name that the template gives them.
    Special {
        /// The name.
        name: String,
        /// The ids it stands for.
        ids: Vec<u32>,
        /// Their tokens' texts.
        tokens: Vec<String>,
        /// Segment number given to them.
        type_id: u32,
    },
}

/// The sequences of a template for one text and for a pair.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// For one text.
    pub single: Vec<TemplateItem>,
    /// For a pair.
    pub pair: Vec<TemplateItem>,
}

/// What is put around the ids of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Postprocessor {
    /// Changes offsets only.
    ByteLevel {
        /// As in the pre-tokenizer; kept to be written again.
        add_prefix_space: bool,
        /// Offsets leave out the spaces of a token.
        trim_offsets: bool,
        /// As in the pre-tokenizer; kept to be written again.
        use_regex: bool,
    },
    /// A template.
    Template(Template),
    /// `[CLS] A [SEP] B [SEP]`.
    Bert {
        /// Closing token.
        sep: (String, u32),
        /// Opening token.
        cls: (String, u32),
    },
    /// `<s> A </s></s> B </s>`.
    Roberta {
        /// Closing token.
        sep: (String, u32),
        /// Opening token.
        cls: (String, u32),
        /// Offsets leave out the spaces of a token.
        trim_offsets: bool,
        /// As in the pre-tokenizer; kept to be written again.
        add_prefix_space: bool,
    },
    /// Each in turn.
    Sequence {
        /// The post-processors in order.
        items: Vec<Postprocessor>,
    },
}
