import json
import unicodedata

import pytest

import bukva


def test_graphemes_code_points_bytes() -> None:
    view = bukva.text_view("e\u0301👩🏽‍🚀я")
    assert (view.n_graphemes, view.n_chars, view.n_bytes) == (3, 7, 20)
    assert [grapheme.text for grapheme in view.graphemes] == ["e\u0301", "👩🏽‍🚀", "я"]
    point = view.graphemes[2].code_points[0]
    assert (point.char, point.label, point.utf8) == ("я", "U+044F", b"\xd1\x8f")
    assert point.name == unicodedata.name("я")


def test_control_characters_have_no_name() -> None:
    assert bukva.text_view("\n").graphemes[0].code_points[0].name == "<Cc>"
    assert "'\\n'" in repr(bukva.text_view("\n"))


def test_plain_data() -> None:
    plain = json.loads(json.dumps(bukva.text_view("я").to_dict()))
    assert plain["graphemes"][0]["code_points"][0]["utf8"] == "d18f"
    assert bukva.text_view("").graphemes == ()


@pytest.mark.parametrize("value", [5, None, b"x"])
def test_only_text(value: object) -> None:
    with pytest.raises(bukva.ArgumentError, match="'text' parameter of text_view"):
        bukva.text_view(value)  # type: ignore[arg-type]
