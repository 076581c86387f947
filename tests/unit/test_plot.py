"""Pictures of words: every word is there, texts are escaped, nothing is loaded, labels do not lie over each other."""

import json
import re
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings.plot import scatter
from bukva.report.scatter import page, svg
from bukva.report.scatter.layout import HEIGHT, LETTERS, WIDTH, marks, text_width
from bukva.report.scatter.scatter import colour_of

NASTY = ["</script>", "a&b", '"quote"', "<b>", "$x$", "猫", "\x07bell", "кошка"]
TABLE = np.random.default_rng(0).normal(size=(300, 6)).astype(np.float32)
VECTORS = bukva.WordVectors([*NASTY, *(f"w{row}" for row in range(292))], TABLE)
SVG = "{http://www.w3.org/2000/svg}"


def shown(**options: object) -> object:
    defaults = {"words": None, "groups": None, "n": 50, "method": "pca", "seed": 0, "title": None, "neighbors": 0}
    return scatter(VECTORS, **(defaults | options))  # type: ignore[arg-type]


def data_of(text: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]


def test_a_page_holds_words_points_and_true_neighbors(tmp_path: Path) -> None:
    VECTORS.plot(tmp_path / "x.html", n=40, title="<Words>")
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    data = data_of(text)
    assert data["words"] == VECTORS.words[:40]
    assert np.column_stack([data["x"], data["y"]]) == pytest.approx(VECTORS.project(words=VECTORS.words[:40]), rel=1e-3)
    among = bukva.WordVectors(VECTORS.words[:40], TABLE[:40])
    assert [data["words"][n] for n, _ in data["neighbors"][7]] == [near.word for near in among.neighbors("кошка")]
    assert "&lt;Words&gt;" in text
    assert text.count("</script>") == 2
    assert not re.search(r"https?://|src=|@import|url\(", text)
    assert "default-src 'none'" in text


def test_an_svg_holds_every_word(tmp_path: Path) -> None:
    VECTORS.plot(tmp_path / "x.svg", title="<Words>")
    root = ElementTree.parse(tmp_path / "x.svg").getroot()
    circles = root.findall(f"{SVG}circle")
    assert len(circles) == 150
    titles = [circle.findtext(f"{SVG}title") for circle in circles]
    assert titles[:6] + titles[7:8] == NASTY[:6] + NASTY[7:]
    assert titles[6] == "\ufffdbell"
    assert root.findtext(f"{SVG}title") == "<Words>"
    assert "http" not in (tmp_path / "x.svg").read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")


def test_a_png_is_the_same_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'bukva[plot]'")
    VECTORS.plot(tmp_path / "x.png", groups={"a": VECTORS.words[8:20], "b": VECTORS.words[20:30]})
    content = (tmp_path / "x.png").read_bytes()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == (2 * WIDTH, 2 * HEIGHT)


def test_labels_do_not_lie_over_anything() -> None:
    drawn = marks(shown(n=300))  # type: ignore[arg-type]
    boxes = []
    for mark in drawn:
        assert 0 <= mark.x <= WIDTH
        assert 0 <= mark.y <= HEIGHT
        if mark.label:
            x, y, anchor = mark.label
            width = text_width(mark.word)
            left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
            boxes.append((left, y - LETTERS * 0.85, left + width, y + LETTERS * 0.25))
    assert len(boxes) > 60
    for n, a in enumerate(boxes):
        assert not any(a[0] <= mark.x <= a[2] and a[1] <= mark.y <= a[3] for mark in drawn)
        for b in boxes[:n]:
            assert a[2] <= b[0] + 1e-9 or b[2] <= a[0] + 1e-9 or a[3] <= b[1] + 1e-9 or b[3] <= a[1] + 1e-9


def test_distances_keep_their_proportions() -> None:
    record = shown(n=60)
    drawn = np.array([(mark.x, -mark.y) for mark in marks(record)])  # type: ignore[arg-type]
    points = np.array(record.points)  # type: ignore[attr-defined]
    scale = np.linalg.norm(drawn[0] - drawn[1]) / np.linalg.norm(points[0] - points[1])
    assert drawn - drawn[0] == pytest.approx((points - points[0]) * scale, abs=1e-6 * WIDTH)


def test_groups_have_colours_and_a_legend() -> None:
    groups = {"first & last": ["w1", "w2"], "second": ["w3"]}
    record = shown(groups=groups, words=["кошка"])
    assert list(record.words) == ["кошка", "w1", "w2", "w3"]  # type: ignore[attr-defined]
    assert list(record.group_of) == [-1, 0, 0, 1]  # type: ignore[attr-defined]
    text = svg(record)  # type: ignore[arg-type]
    assert "first &amp; last" in text
    assert text.count(colour_of(0)) == 3
    assert data_of(page(record))["groups"] == list(groups)  # type: ignore[arg-type]


def test_one_word_and_equal_words_are_drawn(tmp_path: Path) -> None:
    bukva.WordVectors(["one"], [[1.0, 2]]).plot(tmp_path / "x.svg")
    bukva.WordVectors(["one", "two"], [[1.0, 2], [1, 2]]).plot(tmp_path / "x.html")
    bukva.WordVectors(["one", "zero"], [[1.0, 2], [0, 0]]).plot(tmp_path / "x.html")


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    with pytest.raises(bukva.ArgumentError, match=r"ends in .html, .svg or .png. Got 'x.pdf'"):
        VECTORS.plot("x.pdf")
    with pytest.raises(bukva.ArgumentError, match=r"'pca', 'umap'"):
        VECTORS.plot(tmp_path / "x.svg", method="tsne")
    with pytest.raises(bukva.UnknownWordError, match="'w999'"):
        VECTORS.plot(tmp_path / "x.svg", words=["w999"])
    with pytest.raises(bukva.ArgumentError, match="'words' parameter of plot must be words, at least one"):
        VECTORS.plot(tmp_path / "x.svg", words=[])
    with pytest.raises(bukva.ArgumentError, match="'n' parameter of plot"):
        VECTORS.plot(tmp_path / "x.svg", n=0)
    with pytest.raises(bukva.FileError, match="cannot be written"):
        VECTORS.plot(tmp_path / "missing" / "x.svg")
    with pytest.raises(bukva.ArgumentError, match="a plane needs two"):
        bukva.WordVectors(["a"], [[1.0]]).plot(tmp_path / "x.svg")
    assert list(tmp_path.iterdir()) == []


def test_umap_is_an_extra() -> None:
    try:
        import umap  # noqa: F401
    except ImportError:
        with pytest.raises(bukva.UnsupportedError, match=r"pip install 'bukva\[umap\]'"):
            VECTORS.project(method="umap")
    else:
        points = VECTORS.project(method="umap", seed=3)
        assert points.shape == (300, 2)
        assert np.array_equal(points, VECTORS.project(method="umap", seed=3))
