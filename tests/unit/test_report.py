import bukva
from bukva.report.html import explain_html
from bukva.report.spelling import hexadecimal, quote, spell
from bukva.report.tables import merges_lines, table_lines


def test_spelling() -> None:
    assert spell(b" \xd0\xb0") == "' а'"
    assert spell(b"\xd0") == "⟨D0⟩"
    assert spell(b" \xd0") == "⟨20 D0⟩"
    assert quote("a'\\\n\u200b") == r"'a\'\\\n\u200b'"
    assert hexadecimal("я".encode()) == "D1 8F"


def test_tables_are_aligned_by_what_is_seen() -> None:
    lines = table_lines(["word", "n"], [["中文", 5], ["ab", 1234]])
    assert lines == ["word     n", "中文     5", "ab    1234"]
    assert table_lines(["a"], []) == ["a"]
    assert table_lines(["x"], [[float("nan")], [0.5]]) == ["     x", "     –", "0.5000"]


def test_merges_show_their_counts_when_they_are_known(tok: bukva.Tokenizer) -> None:
    assert merges_lines(tok, 2)[0].split() == ["rank", "left", "right", "token", "id", "count"]
    again = bukva.Tokenizer(tok)
    assert merges_lines(again, 2)[0].split() == ["rank", "left", "right", "token", "id"]
    assert len(merges_lines(again, 2)) == 3


def test_html_has_one_box_a_token(tok: bukva.Tokenizer) -> None:
    explained = tok.explain("буква и слово")
    shown = explain_html(explained)
    assert shown.count('title="id ') == len(explained)
    assert "␣" in shown
    assert "http" not in shown
