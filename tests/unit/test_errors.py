import pickle
import re
from pathlib import Path

import pytest

from bukva import errors
from bukva.errors import KINDS, BukvaError

ROOT = Path(__file__).parents[2]


def test_every_kind_of_the_engine_has_a_class() -> None:
    source = (ROOT / "crates/bukva/src/error.rs").read_text(encoding="utf-8")
    kinds = re.findall(r"^    (\w+),$", source.split("pub enum Kind {")[1].split("\n}")[0], re.MULTILINE)
    assert set(kinds) - {"Cancelled"} == set(KINDS)


@pytest.mark.parametrize("cls", sorted(set(KINDS.values()), key=lambda cls: cls.__name__))
def test_an_error_carries_its_place_and_pickles(cls: type[BukvaError]) -> None:
    error = cls("wrong", "a.txt", 2, 7)
    assert str(error) == "wrong (a.txt, line 2, byte 7)"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls
    assert (again.message, again.source, again.line, again.byte_offset) == ("wrong", "a.txt", 2, 7)
    assert str(cls("wrong")) == "wrong"


@pytest.mark.parametrize(
    ("cls", "base"),
    [
        (errors.ArgumentError, ValueError),
        (errors.PatternError, errors.ArgumentError),
        (errors.TextError, UnicodeError),
        (errors.UnknownIdError, LookupError),
        (errors.SpecError, errors.FormatError),
        (errors.FileError, OSError),
    ],
)
def test_errors_are_also_the_built_in_ones(cls: type[BukvaError], base: type[Exception]) -> None:
    assert issubclass(cls, base)
    assert issubclass(cls, BukvaError)
