//! A folder: the file that holds the tokenizer, and the side files beside it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::hf::raw::offset;
use super::hf::{SIDE_FILE, SIDE_FILES, TEMPLATES, is_template, own_side_file};
use crate::error::{Error, Kind, Result};
use crate::spec::Spec;

/// Files that hold a tokenizer, in the order in which a folder is searched.
const TOKENIZER_FILES: [&str; 6] =
    ["tokenizer.json", "tokenizer.bukva", "tokenizer.model", "tekken.json", "vocab.json", "vocab.txt"];

/// A side file nests one deeper where it is kept, and JSON is read to a depth of 128.
const DEPTH: usize = 100;

/// The file of a folder that holds the tokenizer: one of the usual names, or else the only file whose name is that of a
/// tokenizer (`*.tiktoken`, `*.model`, `tokenizer.model.v3`, `tekken*.json`, `*.bukva`, `*.gguf`).
///
/// # Errors
/// [`Kind::Io`] if there is none, or the folder cannot be listed; [`Kind::Argument`] if there are several.
pub(super) fn tokenizer_file(folder: &Path) -> Result<PathBuf> {
    let mut usual = TOKENIZER_FILES.iter().map(|name| folder.join(name));
    if let Some(path) = usual.find(|path| path.is_file()) {
        return Ok(path);
    }
    let others = names(folder)?.into_iter().filter(|name| is_of_tokenizer(name) && folder.join(name).is_file());
    match &others.collect::<Vec<_>>()[..] {
        [only] => Ok(folder.join(only)),
        [] => {
            let names = TOKENIZER_FILES.join(", ");
            let message = format!("the folder {} has no {names} or *.tiktoken, *.model, *.gguf", folder.display());
            Err(Error::new(Kind::Io, message))
        }
        several => {
            let (folder, names) = (folder.display(), several.join(", "));
            let message = format!("the folder {folder} has several tokenizers: {names}; name one of the files");
            Err(Error::new(Kind::Argument, message))
        }
    }
}

/// Whether a file with this name holds a tokenizer, beside the usual names.
fn is_of_tokenizer(name: &str) -> bool {
    // Mistral's models have their version at the end.
    let version = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.contains('.');
    let versioned = name.rsplit_once(".model.v").is_some_and(|(_, rest)| version(rest));
    let suffixes = [".tiktoken", ".model", ".bukva", ".gguf"];
    versioned || suffixes.iter().any(|suffix| name.ends_with(suffix)) || is_tekken(name)
}

fn is_tekken(name: &str) -> bool {
    name.starts_with("tekken") && name.ends_with(".json")
}

/// The names in a folder, in order; none of those that are not UTF-8.
fn names(folder: &Path) -> Result<Vec<String>> {
    let refused = |error: io::Error| Error::new(Kind::Io, format!("{} was not read: {error}", folder.display()));
    let entries = fs::read_dir(folder).map_err(refused)?.collect::<io::Result<Vec<_>>>().map_err(refused)?;
    let mut names: Vec<String> = entries.into_iter().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    Ok(names)
}

/// What the side files of a folder say, by the name of the file: JSON, or the text of a template.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SideFiles(pub(super) BTreeMap<String, Value>);

impl SideFiles {
    /// Reads those that `folder` has.
    ///
    /// # Errors
    /// [`Kind::Io`] if one cannot be read, [`Kind::Format`] if it is damaged; both name the file.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        for name in SIDE_FILES.into_iter().map(str::to_owned).chain(templates(folder)?) {
            let path = folder.join(&name);
            match fs::read(&path) {
                Ok(bytes) => {
                    let content = parse(&name, bytes).map_err(|error| in_file(error, &path))?;
                    files.insert(name, content);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(Error::new(Kind::Io, format!("{} was not read: {error}", path.display())));
                }
            }
        }
        Ok(SideFiles(files))
    }

    /// A field of a side file; `null` counts as missing.
    pub(super) fn field(&self, file: &str, name: &str) -> Option<&Value> {
        self.0.get(file)?.get(name).filter(|value| !value.is_null())
    }

    /// Puts into `spec` what the files say beyond it: one that its writer would make anyway is left out.
    pub(super) fn keep(self, spec: &mut Spec) {
        let own = |(name, value): &(String, Value)| own_side_file(spec, name).as_ref() == Some(value);
        let kept: Vec<(String, Value)> = self.0.into_iter().filter(|file| !own(file)).collect();
        spec.unknown_fields.extend(kept.into_iter().map(|(name, value)| (format!("{SIDE_FILE}{name}"), value)));
    }
}

/// The further chat templates of a folder.
fn templates(folder: &Path) -> Result<Vec<String>> {
    let inner = folder.join(TEMPLATES);
    if !inner.is_dir() {
        return Ok(Vec::new());
    }
    let names = names(&inner)?.into_iter().map(|name| format!("{TEMPLATES}/{name}"));
    Ok(names.filter(|name| is_template(name) && folder.join(name).is_file()).collect())
}

fn in_file(error: Error, path: &Path) -> Error {
    error.in_source(path.display().to_string())
}

fn parse(name: &str, bytes: Vec<u8>) -> Result<Value> {
    let damaged = |reason: String| Error::new(Kind::Format, format!("{name} is damaged: {reason}"));
    if name.ends_with(".jinja") {
        let text = String::from_utf8(bytes);
        return text
            .map(Value::String)
            .map_err(|error| damaged("it is not UTF-8".to_owned()).at_byte(error.utf8_error().valid_up_to() as u64));
    }
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| {
        let place = offset(&bytes, error.line(), error.column());
        damaged(error.to_string()).at_line(error.line() as u64).at_byte(place)
    })?;
    match &value {
        Value::Object(_) if fits(&value, DEPTH) => Ok(value),
        Value::Object(_) => Err(damaged(format!("it nests deeper than {DEPTH}"))),
        _ => Err(damaged("it must be a JSON object".to_owned())),
    }
}

/// Whether no list or object lies deeper than `depth` in others.
fn fits(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(values) => depth > 0 && values.iter().all(|value| fits(value, depth - 1)),
        Value::Object(fields) => depth > 0 && fields.values().all(|value| fits(value, depth - 1)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::formats::hf::write_folder;
    use crate::formats::image::fingerprint;
    use crate::formats::save::save_folder;
    use crate::formats::{load, save};
    use crate::spec::{AddedToken, Model, WordLevel};

    /// A folder of its own, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("bukva-folder-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn spec() -> Spec {
        let vocab = [(0, &b"[UNK]"[..]), (1, b"a")].into_iter().collect();
        let mut spec = Spec::new(Model::WordLevel(WordLevel { vocab, unk: Some(0), pieces: None }));
        spec.added_tokens.push(AddedToken::special("<s>", 2));
        spec
    }

    #[test]
    fn a_folder_that_was_saved_here_is_the_same_tokenizer() {
        let folder = Scratch::new("own");
        save(&spec(), &folder.0, false).unwrap();
        assert_eq!(load(&folder.0, None).unwrap(), spec());
    }

    #[test]
    fn side_files_are_kept_and_written_back() {
        let (folder, again) = (Scratch::new("kept"), Scratch::new("again"));
        save(&spec(), &folder.0, false).unwrap();
        let config = json!({"tokenizer_class": "X", "deep": [{"a": 1e30}]});
        fs::write(folder.0.join("tokenizer_config.json"), config.to_string()).unwrap();
        fs::write(folder.0.join("chat_template.jinja"), "{{ messages }}").unwrap();
        let templates = folder.0.join("additional_chat_templates");
        fs::create_dir(&templates).unwrap();
        fs::write(templates.join("rag.jinja"), "{{ documents }}").unwrap();
        fs::write(templates.join("note.txt"), "no template").unwrap();
        let loaded = load(&folder.0, None).unwrap();
        let kept: Vec<&str> = loaded.unknown_fields.keys().map(String::as_str).collect();
        let expected = ["additional_chat_templates/rag.jinja", "chat_template.jinja", "tokenizer_config.json"]
            .map(|name| format!("file:{name}"));
        assert_eq!(kept, expected);
        assert_eq!(loaded.unknown_fields["file:tokenizer_config.json"], config);
        assert_eq!(fingerprint(&loaded).unwrap(), fingerprint(&spec()).unwrap());
        save_folder(&again.0, &write_folder(&loaded).unwrap().files).unwrap();
        assert_eq!(load(&again.0, None).unwrap(), loaded);
    }

    #[test]
    fn no_template_is_written_outside_its_folder() {
        let mut spec = spec();
        for name in ["../x", "a/b", "..", ".x", "", "c:x"] {
            let name = format!("file:additional_chat_templates/{name}.jinja");
            spec.unknown_fields.insert(name, json!("no"));
        }
        let names: Vec<String> = write_folder(&spec).unwrap().files.into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"]);
    }

    #[test]
    fn the_only_tokenizer_of_a_folder_is_found_by_its_suffix() {
        let folder = Scratch::new("only");
        let write = |name: &str| fs::write(folder.0.join(name), b"").unwrap();
        write("notes.txt");
        assert_eq!(tokenizer_file(&folder.0).unwrap_err().kind, Kind::Io);
        write("mistral.model.v3");
        assert_eq!(tokenizer_file(&folder.0).unwrap(), folder.0.join("mistral.model.v3"));
        write("qwen.tiktoken");
        let error = tokenizer_file(&folder.0).unwrap_err();
        assert_eq!(error.kind, Kind::Argument);
        assert!(error.message.contains("mistral.model.v3, qwen.tiktoken"), "{error}");
        write("tokenizer.model");
        assert_eq!(tokenizer_file(&folder.0).unwrap(), folder.0.join("tokenizer.model"));
    }

    #[test]
    fn a_file_alone_has_no_side_files() {
        let folder = Scratch::new("alone");
        save(&spec(), &folder.0, false).unwrap();
        fs::write(folder.0.join("added_tokens.json"), "{\"x\": 1}").unwrap();
        assert_eq!(load(&folder.0.join("tokenizer.json"), None).unwrap().unknown_fields.len(), 0);
        assert_eq!(load(&folder.0, None).unwrap().unknown_fields.len(), 1);
    }

    #[test]
    fn damaged_side_files_are_named() {
        let folder = Scratch::new("damaged");
        save(&spec(), &folder.0, false).unwrap();
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100), "]".repeat(100));
        for (name, content, expected) in [
            ("tokenizer_config.json", "{\"a\": ", "is damaged: EOF"),
            ("special_tokens_map.json", "[]", "must be a JSON object"),
            ("added_tokens.json", deep.as_str(), "nests deeper than 100"),
        ] {
            fs::write(folder.0.join(name), content).unwrap();
            let error = load(&folder.0, None).unwrap_err();
            assert_eq!(error.kind, Kind::Format);
            assert!(error.message.contains(name) && error.message.contains(expected), "{error}");
            assert!(error.place.source.unwrap().ends_with(name));
            fs::remove_file(folder.0.join(name)).unwrap();
        }
        fs::write(folder.0.join("chat_template.jinja"), b"ab\xff").unwrap();
        assert_eq!(load(&folder.0, None).unwrap_err().place.byte_offset, Some(2));
    }
}
