"""Truncation and padding: as the engine takes them, and as ``tokenizers`` shows them."""

from __future__ import annotations

from typing import Any

# max_length, stride, strategy, direction
TruncationFacts = tuple[int, int, str, str]
# length, direction, multiple, id, type id, token
PaddingFacts = tuple[int | None, str, int | None, int, int, str]

STRATEGIES = ("longest_first", "only_first", "only_second")


def truncation_facts(max_length: int, stride: int, strategy: str, direction: str) -> TruncationFacts:
    """Truncation for the engine; an unknown name is a ValueError."""
    if strategy not in STRATEGIES:
        choices = "`longest_first`, `only_first`, or `only_second`"
        raise ValueError(f"Unknown `strategy`: `{strategy}`. Use one of {choices}")
    _check_direction(direction, ".")
    return max_length, stride, strategy, direction


def check_truncation(facts: TruncationFacts, control: int) -> None:
    """Refuses a stride that is longer than a window without its control tokens."""
    max_length, stride = facts[:2]
    room = max_length - control
    if 0 <= room < stride:
        raise ValueError(
            f"tokenizer stride set to {stride}, which is greater than or equal to its effective max length of "
            f"{room} (= {max_length} original max length - {control} added special tokens), "
        )


def truncation_record(facts: TruncationFacts | None) -> dict[str, Any] | None:
    """Truncation as a dictionary."""
    names = ("max_length", "stride", "strategy", "direction")
    return None if facts is None else dict(zip(names, facts, strict=True))


def padding_facts(
    direction: str, pad_id: int, pad_type_id: int, pad_token: str, length: int | None, multiple: int | None
) -> PaddingFacts:
    """Padding for the engine; an unknown name is a ValueError."""
    _check_direction(direction, "")
    return length, direction, multiple, pad_id, pad_type_id, pad_token


def padding_record(facts: PaddingFacts | None) -> dict[str, Any] | None:
    """Padding as a dictionary."""
    if facts is None:
        return None
    length, direction, multiple, pad_id, pad_type_id, pad_token = facts
    return {
        "length": length,
        "pad_to_multiple_of": multiple,
        "pad_id": pad_id,
        "pad_token": pad_token,
        "pad_type_id": pad_type_id,
        "direction": direction,
    }


def _check_direction(direction: str, end: str) -> None:
    if direction not in ("left", "right"):
        raise ValueError(f"Unknown `direction`: `{direction}`. Use one of `left` or `right`{end}")
