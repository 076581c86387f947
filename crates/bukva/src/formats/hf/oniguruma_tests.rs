//! What is read and written of Oniguruma's syntax.

use super::*;

#[test]
fn what_means_the_same_is_copied() {
    for regex in [
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+(?!\S)|\s+",
        r"(?<=\S)(?!\S)",
        r"[a-z&&[^aeiou]]+?|\.\x{200C}|(?>a|b)++",
        r"[一-龥぀-ゟ゠-ヿ]+",
    ] {
        assert_eq!(write(regex).unwrap(), regex);
        assert_eq!(read(regex).unwrap(), regex);
    }
}

#[test]
fn what_differs_is_rewritten() {
    for (ours, theirs) in [
        (r"\s++$", r"\s++\z"),
        (r"^a", r"\Aa"),
        (r"(?m:^)a(?m:$)", r"^a$"),
        (r"\p{N}{1,3}+", r"(?>\p{N}{1,3})"),
        (r"(?:ab){2}?", r"(?:ab){2}"),
        (r"\pL\PN\p{Script=Han}", r"\p{L}\P{N}\p{Han}"),
        (r"(?P<n>a{,3})", r"(?<n>a{0,3})"),
        (r"\x41\u{1F600}\u00e9", r"\x{41}\x{1F600}\x{00e9}"),
        (r"(?s:.)", r"(?m:.)"),
        (r"\w", r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}]"),
        (r"[\w.]", r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}.]"),
    ] {
        assert_eq!(write(ours).unwrap(), theirs);
    }
    for (theirs, ours) in [
        (r"a$", r"a(?m:$)"),
        (r"\p{N}{1,3}+", r"(?:\p{N}{1,3})+"),
        (r"(ab){2}?", r"(?:(ab){2})?"),
        (r"[ab]{,2}\h", r"[ab]{0,2}[0-9A-Fa-f]"),
        (r"\p{^L}(?m:.)\<", r"\P{L}(?s:.)<"),
        (r"a{b", r"a\{b"),
        (r"\w", r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE}]"),
        (r"[^\w.]", r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}.]"),
        (r"[[:alpha:][:^punct:]]", r"[\p{Alphabetic}[^\p{P}\p{S}]]"),
        (r"(a)\1\p{Punct}\P{Alnum}", r"(a)\1[\p{P}][^\p{Alphabetic}\p{Nd}]"),
        ("(?x) a b # c\n (?-x) d [ #]", "(?:ab(?: d [ #]))"),
        (r"(?x)(a)\1 2", r"(?:(a)(?:\1)2)"),
        (r"(a(?i)b|c)d", r"(a(?i:b|c))d"),
        (r"a|(?m-i)b|c", r"a|(?-i:(?s:b|c))"),
        (r"(?ix-m:a .)b", r"(?i:(?-s:a.))b"),
        (r"a(?#b)+\Z", r"a+(?=\n?\z)"),
        (
            r"\R+\O\N\H\e\cA\07[\R\b]",
            r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])+(?s:.)[^\n][^0-9A-Fa-f]\x{1B}\x{1}\x{7}[R\x{8}]",
        ),
        (r"[[:graph:]][[:^print:]]", r"[[^\p{Z}\p{Cc}\p{Cn}]][[^[^\p{Cc}\p{Cn}\p{Zl}\p{Zp}]]]"),
        (r"\pL[a~~b]", r"pL[a\~\~b]"),
        (r"(?'n'a)\k'n'\k<n>", r"(?<n>a)\k<n>\k<n>"),
    ] {
        assert_eq!(read(theirs).unwrap(), ours);
    }
}

#[test]
fn what_may_differ_is_refused() {
    for regex in [
        r"\bword\b",
        r"(?x) a",
        r"(a)\1",
        r"[[:alpha:]]",
        r"[a--b]",
        r"[]a]",
        r"a**",
        r"(a",
        r"a)",
        r"\Z",
        r"(?i:ß)",
        r"(?i:ss)",
        r"(?i:s+)",
        r"\p{Emoji_Modifier}",
        r"a(?i)b",
        r"\",
        r"[a",
        r"\p{L",
        r"\x{zz}",
        r"*a",
    ] {
        assert_eq!(write(regex).unwrap_err().kind, Kind::Unsupported, "{regex}");
    }
}
