//! Reading just enough of a regular expression to choose its engine.

/// The tail by which GPT-2 and its successors leave one space to the next word.
const SHORTENED: &str = r"\s+(?!\S)";

/// A pattern's top-level alternatives.
#[derive(Debug)]
pub(super) struct Alternatives {
    /// The alternatives, the look-ahead of `\s+(?!\S)` left out where it is done by hand.
    pub(super) patterns: Vec<String>,
    /// Index of the alternative that was `\s+(?!\S)`.
    pub(super) shortened: Option<usize>,
}

impl Alternatives {
    /// Splits a pattern at its top level. The look-ahead is taken out only where it is followed by `\s+` or `\s`,
    /// so that a single space before a word still matches.
    pub(super) fn of(pattern: &str) -> Alternatives {
        let mut patterns: Vec<String> = split_top_level(pattern).iter().map(|part| (*part).to_owned()).collect();
        let shortened = patterns.iter().position(|part| part == SHORTENED).filter(|&at| {
            let rest = &patterns[at + 1..];
            matches!(rest.first().map(String::as_str), Some(r"\s+" | r"\s"))
        });
        match shortened {
            // Flags such as (?x) at the start reach over all alternatives: such a pattern stays whole.
            Some(at) if !pattern.starts_with("(?") || pattern.starts_with("(?:") || pattern.starts_with("(?i:") => {
                patterns[at] = r"\s+".to_owned();
                Alternatives { patterns, shortened: Some(at) }
            }
            _ => Alternatives { patterns: vec![pattern.to_owned()], shortened: None },
        }
    }
}

/// Whether a pattern has look-around, a back reference, an atomic group, or a possessive quantifier.
pub(super) fn needs_backtracking(pattern: &str) -> bool {
    let mut after_quantifier = false;
    for token in Tokens::new(pattern) {
        let quantifier = matches!(token, "*" | "+" | "?") || (token.starts_with('{') && token.len() > 1);
        if after_quantifier && token == "+" {
            return true;
        }
        let reference = token.starts_with('\\')
            && token[1..].starts_with(|c: char| c.is_ascii_digit() && c != '0' || matches!(c, 'k' | 'K' | 'G' | 'Z'));
        if reference || ["(?=", "(?!", "(?<=", "(?<!", "(?>", "(?("].contains(&token) {
            return true;
        }
        after_quantifier = quantifier && !after_quantifier;
    }
    false
}

fn split_top_level(pattern: &str) -> Vec<&str> {
    let (mut depth, mut start, mut at, mut parts) = (0usize, 0, 0, Vec::new());
    for token in Tokens::new(pattern) {
        match token {
            "|" if depth == 0 => {
                parts.push(&pattern[start..at]);
                start = at + 1;
            }
            ")" => depth = depth.saturating_sub(1),
            token if token.starts_with('(') => depth += 1,
            _ => {}
        }
        at += token.len();
    }
    parts.push(&pattern[start..]);
    parts
}

/// Cuts a pattern into escapes, bracketed classes, group openings, counted repetitions and single characters.
struct Tokens<'p> {
    rest: &'p str,
}

impl<'p> Tokens<'p> {
    fn new(pattern: &'p str) -> Self {
        Tokens { rest: pattern }
    }

    fn length_of_next(&self) -> usize {
        let rest = self.rest;
        let mut chars = rest.chars();
        let Some(first) = chars.next() else { return 0 };
        match first {
            '\\' => 1 + chars.next().map_or(0, char::len_utf8),
            '[' => class_length(rest),
            '(' => group_opening_length(rest),
            '{' => repetition_length(rest),
            _ => first.len_utf8(),
        }
    }
}

impl<'p> Iterator for Tokens<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        let length = self.length_of_next();
        if length == 0 {
            return None;
        }
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

/// Length of `[…]`, nested classes included; to the end if it is never closed.
fn class_length(text: &str) -> usize {
    let (mut depth, mut escaped, mut at_start) = (0usize, false, false);
    for (at, character) in text.char_indices() {
        let opens = character == '[' && !escaped;
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => depth += 1,
            // A bracket right after the opening one is a literal member.
            ']' if !at_start => depth -= 1,
            _ => {}
        }
        at_start = opens || (at_start && character == '^');
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

fn group_opening_length(text: &str) -> usize {
    for opening in ["(?<=", "(?<!", "(?=", "(?!", "(?>", "(?("] {
        if text.starts_with(opening) {
            return opening.len();
        }
    }
    1
}

/// Length of `{n}`, `{n,}` or `{n,m}`; 1 if the brace begins something else.
fn repetition_length(text: &str) -> usize {
    match text.find('}') {
        Some(end) if end > 1 && text[1..end].bytes().all(|byte| byte.is_ascii_digit() || byte == b',') => end + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possessive_quantifiers_and_look_around_need_backtracking() {
        for pattern in ["a++", "a?+b", "[x]*+", "a{1,3}+", "(?=a)", "(?<!a)b", "(?>a)", r"(a)\1", r"\p{L}++|b"] {
            assert!(needs_backtracking(pattern), "{pattern}");
        }
        for pattern in ["a+", "a+?", "[+*]+", r"\++", "[]+]+", "(?i:a|b)+", "a{2}", r"\p{N}{1,3}", "{+", "(?:a+)+"] {
            assert!(!needs_backtracking(pattern), "{pattern}");
        }
    }

    #[test]
    fn the_look_ahead_is_taken_out_only_before_plain_white_space() {
        let usual = Alternatives::of(r"\p{L}+|[|]|\s+(?!\S)|\s+");
        assert_eq!(usual.patterns, [r"\p{L}+", "[|]", r"\s+", r"\s+"]);
        assert_eq!(usual.shortened, Some(2));
        assert_eq!(Alternatives::of(r"\p{L}+|\s+(?!\S)").shortened, None);
        assert_eq!(Alternatives::of(r"(\s+(?!\S)|\s+)").shortened, None);
    }
}
