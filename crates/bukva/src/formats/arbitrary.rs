//! Generated specifications for the tests: every kind of every stage, valid or not.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::spec::*;

/// Any specification that can be held in memory with finite numbers.
pub(super) fn spec() -> impl Strategy<Value = Spec> {
    let stages =
        (option::of(normalizer()), option::of(pretokenizer()), option::of(postprocessor()), option::of(decoder()));
    let rest = (vec(added_token(), 0..4), option::of(truncation()), option::of(padding()), unknown_fields());
    (model(), stages, rest).prop_map(|(model, (normalizer, pretokenizer, postprocessor, decoder), rest)| {
        let (added_tokens, truncation, padding, unknown_fields) = rest;
        let unicode = UnicodeVersions { forms: UnicodeVersion { major: 15, minor: 1 }, ..Default::default() };
        Spec {
            normalizer,
            pretokenizer,
            model,
            added_tokens,
            postprocessor,
            decoder,
            truncation,
            padding,
            unicode,
            unknown_fields,
        }
    })
}

fn text() -> impl Strategy<Value = String> {
    any::<String>()
}

fn vocab() -> impl Strategy<Value = Vocab> {
    vec((any::<u32>(), vec(any::<u8>(), 0..6)), 0..20)
        .prop_map(|entries| entries.iter().map(|(id, bytes)| (*id, bytes.as_slice())).collect())
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![
        bpe().prop_map(Model::Bpe),
        (vocab(), any::<Option<u32>>(), text(), any::<u32>()).prop_map(
            |(vocab, unk, continuing_prefix, max_chars_per_word)| {
                Model::WordPiece(WordPiece { vocab, unk, continuing_prefix, max_chars_per_word })
            }
        ),
        (vocab(), vec(any::<f64>().prop_filter("comparable", |score| !score.is_nan()), 0..20), any::<bool>()).prop_map(
            |(vocab, scores, byte_fallback)| Model::Unigram(Unigram {
                vocab,
                scores,
                unk: None,
                byte_fallback,
                pieces: None
            })
        ),
        (vocab(), any::<Option<u32>>()).prop_map(|(vocab, unk)| Model::WordLevel(WordLevel {
            vocab,
            unk,
            pieces: None
        })),
    ]
}

fn bpe() -> impl Strategy<Value = Bpe> {
    let merge = any::<[u32; 4]>().prop_map(|[rank, left, right, product]| Merge { rank, left, right, product });
    let end = (text(), any::<bool>()).prop_map(|(marker, attached)| EndOfWord { marker, attached });
    let alphabet = prop_oneof![Just(Alphabet::Bytes), Just(Alphabet::Chars)];
    let flags = (any::<Option<u32>>(), any::<bool>(), any::<bool>(), any::<bool>());
    let dropout = option::of(0f32..1f32);
    (vocab(), vec(merge, 0..20), alphabet, flags, option::of(text()), option::of(end), dropout).prop_map(
        |(
            vocab,
            merges,
            alphabet,
            (unk, fuse_unk, byte_fallback, ignore_merges),
            continuing_prefix,
            end_of_word,
            dropout,
        )| {
            Bpe {
                vocab,
                merges: merges.into(),
                alphabet,
                unk,
                fuse_unk,
                byte_fallback,
                ignore_merges,
                continuing_prefix,
                end_of_word,
                dropout,
                pieces: None,
            }
        },
    )
}

fn pattern() -> impl Strategy<Value = Pattern> {
    use NamedPattern::*;
    let named = prop::sample::select(vec![Gpt2, Cl100k, O200k, Llama3, Qwen2, Course]);
    prop_oneof![named.prop_map(Pattern::Named), text().prop_map(Pattern::Regex), text().prop_map(Pattern::Literal)]
}

fn behavior() -> impl Strategy<Value = Behavior> {
    use Behavior::*;
    prop::sample::select(vec![Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous])
}

fn scheme() -> impl Strategy<Value = PrependScheme> {
    prop::sample::select(vec![PrependScheme::Always, PrependScheme::Never, PrependScheme::First])
}

fn normalizer() -> impl Strategy<Value = Normalizer> {
    let form = prop::sample::select(vec![Form::Nfc, Form::Nfd, Form::Nfkc, Form::Nfkd]);
    let leaf = prop_oneof![
        form.prop_map(|form| Normalizer::Unicode { form }),
        Just(Normalizer::Lowercase),
        Just(Normalizer::CollapseWhitespace),
        Just(Normalizer::StripAccents),
        Just(Normalizer::ByteLevel),
        Just(Normalizer::Nmt),
        any::<[bool; 2]>().prop_map(|[left, right]| Normalizer::Strip { left, right }),
        (pattern(), text()).prop_map(|(pattern, content)| Normalizer::Replace { pattern, content }),
        text().prop_map(|content| Normalizer::Prepend { content }),
        vec(any::<u8>(), 0..9).prop_map(|charsmap| Normalizer::Precompiled { charsmap }),
        (any::<[bool; 3]>(), any::<Option<bool>>()).prop_map(
            |([clean_text, handle_chinese_chars, lowercase], strip_accents)| {
                Normalizer::Bert { clean_text, handle_chinese_chars, strip_accents, lowercase }
            }
        ),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| vec(inner, 0..3).prop_map(|items| Normalizer::Sequence { items }))
}

fn pretokenizer() -> impl Strategy<Value = Pretokenizer> {
    let leaf = prop_oneof![
        (pattern(), behavior(), any::<bool>()).prop_map(|(pattern, behavior, invert)| Pretokenizer::Split {
            pattern,
            behavior,
            invert
        }),
        Just(Pretokenizer::Words),
        Just(Pretokenizer::Whitespace),
        Just(Pretokenizer::Bert),
        Just(Pretokenizer::UnicodeScripts),
        any::<[bool; 3]>().prop_map(|[add_prefix_space, use_regex, trim_offsets]| Pretokenizer::ByteLevel {
            add_prefix_space,
            use_regex,
            trim_offsets
        }),
        (any::<char>(), scheme(), any::<bool>()).prop_map(|(replacement, prepend_scheme, split)| {
            Pretokenizer::Metaspace { replacement, prepend_scheme, split }
        }),
        any::<bool>().prop_map(|individual| Pretokenizer::Digits { individual }),
        behavior().prop_map(|behavior| Pretokenizer::Punctuation { behavior }),
        any::<char>().prop_map(|delimiter| Pretokenizer::CharDelimiter { delimiter }),
        any::<usize>().prop_map(|length| Pretokenizer::FixedLength { length }),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| vec(inner, 0..3).prop_map(|items| Pretokenizer::Sequence { items }))
}

fn template_item() -> impl Strategy<Value = TemplateItem> {
    prop_oneof![
        any::<u32>().prop_map(|type_id| TemplateItem::A { type_id }),
        any::<u32>().prop_map(|type_id| TemplateItem::B { type_id }),
        (text(), vec(any::<u32>(), 0..3), vec(text(), 0..3), any::<u32>())
            .prop_map(|(name, ids, tokens, type_id)| TemplateItem::Special { name, ids, tokens, type_id }),
    ]
}

fn postprocessor() -> impl Strategy<Value = Postprocessor> {
    let named = || (text(), any::<u32>());
    let leaf = prop_oneof![
        any::<[bool; 3]>().prop_map(|[add_prefix_space, trim_offsets, use_regex]| Postprocessor::ByteLevel {
            add_prefix_space,
            trim_offsets,
            use_regex
        }),
        (vec(template_item(), 0..3), vec(template_item(), 0..3))
            .prop_map(|(single, pair)| Postprocessor::Template(Template { single, pair })),
        (named(), named()).prop_map(|(sep, cls)| Postprocessor::Bert { sep, cls }),
        (named(), named(), any::<bool>(), any::<bool>()).prop_map(|(sep, cls, trim_offsets, add_prefix_space)| {
            Postprocessor::Roberta { sep, cls, trim_offsets, add_prefix_space }
        }),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| vec(inner, 0..3).prop_map(|items| Postprocessor::Sequence { items }))
}

fn decoder() -> impl Strategy<Value = Decoder> {
    let leaf = prop_oneof![
        Just(Decoder::ByteLevel),
        Just(Decoder::ByteFallback),
        Just(Decoder::Fuse),
        text().prop_map(|suffix| Decoder::EndOfWord { suffix }),
        (text(), any::<bool>()).prop_map(|(prefix, cleanup)| Decoder::WordPiece { prefix, cleanup }),
        (any::<char>(), scheme(), any::<bool>()).prop_map(|(replacement, prepend_scheme, split)| {
            Decoder::Metaspace { replacement, prepend_scheme, split }
        }),
        (any::<char>(), any::<usize>(), any::<usize>()).prop_map(|(content, start, stop)| Decoder::Strip {
            content,
            start,
            stop
        }),
        (pattern(), text()).prop_map(|(pattern, content)| Decoder::Replace { pattern, content }),
        (text(), text(), any::<bool>()).prop_map(|(pad_token, word_delimiter_token, cleanup)| Decoder::Ctc {
            pad_token,
            word_delimiter_token,
            cleanup
        }),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| vec(inner, 0..3).prop_map(|items| Decoder::Sequence { items }))
}

fn added_token() -> impl Strategy<Value = AddedToken> {
    (any::<u32>(), text(), any::<[bool; 5]>()).prop_map(
        |(id, content, [special, normalized, lstrip, rstrip, single_word])| AddedToken {
            id,
            content,
            special,
            normalized,
            lstrip,
            rstrip,
            single_word,
        },
    )
}

fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(vec![Side::Left, Side::Right])
}

fn truncation() -> impl Strategy<Value = Truncation> {
    use TruncationStrategy::*;
    let strategy = prop::sample::select(vec![LongestFirst, OnlyFirst, OnlySecond]);
    (any::<usize>(), any::<usize>(), strategy, side()).prop_map(|(max_length, stride, strategy, side)| Truncation {
        max_length,
        stride,
        strategy,
        side,
    })
}

fn padding() -> impl Strategy<Value = Padding> {
    (any::<Option<usize>>(), side(), any::<Option<usize>>(), any::<u32>(), any::<u32>(), text()).prop_map(
        |(length, side, multiple_of, pad_id, pad_type_id, pad_token)| Padding {
            length,
            side,
            multiple_of,
            pad_id,
            pad_type_id,
            pad_token,
        },
    )
}

fn unknown_fields() -> impl Strategy<Value = BTreeMap<String, Value>> {
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!({"a": [1, 2.5, {"b": false}]})),
        any::<i64>().prop_map(|number| json!(number)),
        text().prop_map(|text| json!(text)),
    ];
    btree_map(text(), value, 0..3)
}
