"""Small nasty texts that always run, whatever lies beside the repository."""

from __future__ import annotations

import random

_PIECES = [
    *(" ", "  ", "\n", "\r", "\r\n", "\t", "\u00a0", "\u2028", "\u0085", "\u3000", "\u200b", "\x0b", "\x1c", "\0"),
    *("a", "B", "ß", "é", "e\u0301", "Ж", "ё", "ǅ", "ʰ", "ª", "中", "가", "\u1112\u1161\u11ab"),
    *("ㄱ", "क्", "ก", "ا", "ש"),
    *("1", "12", "1234", "٣", "Ⅷ", "½", "²", "𝟘", "①"),
    *("'s", "'S", "'ſ", "’s", "'ll", "'LL", "'", ".", "...", "/", "//", "_", "-", "$"),
    *("😀", "🇯", "\u200d", "\ufe0f", "\u0301"),
    *("\u0378", "\ue000", "\ufffe", "\U000e0100", "\U0010ffff", "\ud7ff", "İ", "K", "ſ"),
]


def _mixtures(number: int) -> list[str]:
    random_source = random.Random(20)
    return ["".join(random_source.choices(_PIECES, k=random_source.randrange(1, 60))) for _ in range(number)]


TEXTS = [
    *("", " ", "\n", "\r\n", "\t", "\0", "\u0301", "\ufeff", "\ufeffhello\ufeff", "\u200d", "\U0010ffff"),
    *("a", "ab", "A", "АБВ", "中文字", "한국어", "日本語のテキスト"),
    *("สวัสดีชาวโลก", "नमस्ते दुनिया", "السلام عليكم", "שָׁלוֹם עוֹלָם"),
    "e\u0301\u0302\u0303 \u0301\u0301 x\u0301y",
    "👨\u200d👩\u200d👧\u200d👦👩🏽\u200d🚀🏳\ufe0f\u200d🌈 🇺🇸🇩🇪🇯",
    "a\0b\0\0 \0\n\0",
    "".join(map(chr, range(160))),
    "a\r\nb\r\r\n\n c\r\n\r\n  d\n\r e \r\n",
    "1 12 123 1234 12345 1234567890 " + "9" * 97,
    "①②③ ⅣⅫ ½¼ ²³ ٣٤٥ ๑๒๓ 〇一二 𝟘𝟙𝟚",
    "I'm you're he's it'll we'd they've CAN'T DON'T I'M 'S 'T x'Re 'sx 'ſ don’t ’s 'ıs 'ſs K's",
    "HelloWORLDfooBAR iPhone XMLHttpRequest ǅemal ªº ʰʲ ßẞ İı ΣΑΣ",
    " \t\n\u00a0\u2003\u3000\u200b\u2028\u2029\u0085\u180e\u1680 x \u3000y\u2028\u2028z\x0b\x0c\x1c\x1d\x1e\x1f w ",
    "   \n   \n\n  x   y\n \n",
    "a//b /// /\n/\r\n// http://x.y/z?q=1&b=%20#f\n/",
    "!!!???...---___***((([[[{{{<<<>>>}}}]]])))\"\"''``~~^^||\\\\@@##$$%%&&",
    "...\n\n...\r\n!!\n \n??\n/",
    "\u0378\u0379 x\u0378 \U000e0fff\U0003ffff a\U0001faff",
    "𝒜𝓑𝔠𝕯 ∀x∈ℝ: ⌈x⌉ ≥ x ∧ √2≠1.414… ∑∏∫",
    *("a" * 3000, " " * 3000, " " * 3000 + "x", "\n" * 3000, "中" * 3000, "😀" * 1000),
    *("0" * 3000, "-=" * 1500, "ab" * 2000),
    *_mixtures(40),
]
