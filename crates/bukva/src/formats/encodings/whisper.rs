//! Special tokens of Whisper. Source: `whisper/tokenizer.py` of OpenAI.

use crate::spec::AddedToken;

/// Ids of the first special token: after the ranks of the multilingual file, and of GPT-2's.
pub(super) const MULTILINGUAL_FIRST: u32 = 50_257;
pub(super) const ENGLISH_FIRST: u32 = 50_256;

/// Text and task marks, the first `languages` of the languages, and 1,501 time stamps.
pub(super) fn tokens(first: u32, languages: usize) -> Vec<AddedToken> {
    let mut names = vec!["endoftext".to_owned(), "startoftranscript".to_owned()];
    names.extend(LANGUAGES.split(' ').take(languages).map(str::to_owned));
    names
        .extend(["translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"].map(str::to_owned));
    names.extend((0..=1500).map(|step| format!("{}.{:02}", step / 50, step % 50 * 2)));
    (first..).zip(names).map(|(id, name)| AddedToken::special(format!("<|{name}|>"), id)).collect()
}

const LANGUAGES: &str = "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs \
                         ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk \
                         br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu \
                         am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue";
