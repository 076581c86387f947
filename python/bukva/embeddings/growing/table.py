"""Tables in memory, resized together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import check_choice, check_integer, wrong
from ...errors import ArgumentError
from .methods import METHODS, by_focus, by_normal, by_subtokens, by_wechsel
from .plan import HOW, Plan, kept_rows
from .record import GrowthRecord
from .rows import Table, blocks

if TYPE_CHECKING:
    from ...tokenizer import Tokenizer

CALLER = "grow_table"


@dataclass(frozen=True, kw_only=True)
class Grown:
    """The new tables and how they came about. ``head`` is None where it is tied."""

    embedding: NDArray[Any]
    head: NDArray[Any] | None
    record: GrowthRecord


def grow_table(
    embedding: NDArray[Any],
    old: Tokenizer,
    new: Tokenizer,
    *,
    head: NDArray[Any] | None = None,
    method: str = "subtokens",
    keep: str = "all",
    vectors: ArrayLike | None = None,
    old_vectors: ArrayLike | None = None,
    rows: int | None = None,
    multiple_of: int | None = None,
    seed: int = 0,
) -> Grown:
    """Tables for a new vocabulary.

    Parameters
    ----------
    embedding : ndarray of float32, float16 or float64, shape (rows, dim)
        The table of the old vocabulary; uint16 is taken for bfloat16. At least as many rows as ids.
    old, new : Tokenizer
    head : ndarray, shape (rows, dim), optional
        The output head, one row an id, where it is not tied.
    method : {"subtokens", "mean", "focus", "wechsel", "normal"}
        How a row is made for a token that the old vocabulary has not. *mean* of all rows keeps the old model's
        distribution nearly as it is (J. Hewitt, *Initializing New Word Embeddings for Pretrained Language Models*,
        2021); *subtokens* is the mean of the rows of the old tokens that spell it; *focus* mixes kept rows by sparsemax
        of the cosines of ``vectors``; *wechsel* mixes the 10 nearest old rows by softmax at 0.1 of the cosines of
        ``vectors`` to ``old_vectors``; *normal* draws from the normal distribution of each column.
    keep : {"all", "special"}
        Which tokens that both vocabularies have keep their rows. WECHSEL's paper keeps special ones only.
    vectors, old_vectors : array, shape (ids, d), optional
        Auxiliary vectors of the new and old tokens, one row an id, zeros where there is none: see
        :func:`token_vectors`.
    rows : int, optional
        Rows of the new tables: as many as ids where left out.
    multiple_of : int, optional
        Round the rows up to a multiple.
    seed : int
        Of *normal*, also for tokens without an auxiliary vector.

    Returns
    -------
    Grown
        Rows of tokens that both vocabularies have are copied bit by bit, wherever they move.

    Raises
    ------
    ArgumentError
        If sizes do not fit (both are named), a row is not finite, or a method lacks its vectors.
    """
    tables = [_table("embedding", embedding)]
    if head is not None:
        tables.append(_table("head", head))
        if len(head) != len(embedding):
            raise ArgumentError(f"The head has {len(head)} rows, the embedding {len(embedding)}. They need one an id.")
    options: dict[str, Any] = {"vectors": vectors, "old_vectors": old_vectors, "rows": rows, "multiple_of": multiple_of}
    plan = plan_growth(CALLER, len(embedding), old, new, method=method, keep=keep, seed=seed, **options)
    grown = [np.concatenate(list(blocks(table, plan, seed))) for table in tables]
    record = record_of(plan, tables, old, new, tied=head is None, method=method, keep=keep, seed=seed)
    return Grown(embedding=grown[0], head=grown[1] if head is not None else None, record=record)


def plan_growth(
    caller: str,
    old_rows: int,
    old: Tokenizer,
    new: Tokenizer,
    *,
    method: str,
    keep: str,
    vectors: ArrayLike | None,
    old_vectors: ArrayLike | None,
    rows: int | None,
    multiple_of: int | None,
    seed: int,
) -> Plan:
    """Checks the options of ``caller`` and plans every row. Parameters and errors as in :func:`grow_table`."""
    check_choice("method", caller, method, METHODS)
    check_choice("keep", caller, keep, ("all", "special"))
    check_integer("seed", caller, seed, 0)
    needed = old.sizes.id_range
    if old_rows < needed:
        raise ArgumentError(
            f"The table has {old_rows} rows, the old vocabulary needs {needed}: it is of another model."
        )
    plan = kept_rows(old, new, old_rows, _rows(caller, new.sizes.id_range, rows, multiple_of), keep)
    if method == "subtokens":
        by_subtokens(plan, old)
    elif method == "normal":
        by_normal(plan)
    elif method == "focus":
        by_focus(plan, _auxiliary("vectors", caller, vectors, new, method))
    elif method == "wechsel":
        tables = (
            _auxiliary("vectors", caller, vectors, new, method),
            _auxiliary("old_vectors", caller, old_vectors, old, method),
        )
        if tables[0].shape[1] != tables[1].shape[1]:
            widths = f"{tables[0].shape[1]} and {tables[1].shape[1]}"
            raise ArgumentError(f"'vectors' and 'old_vectors' must lie in one space. They have {widths} columns.")
        by_wechsel(plan, *tables)
    return plan


def record_of(
    plan: Plan,
    tables: Sequence[Table],
    old: Tokenizer,
    new: Tokenizer,
    *,
    tied: bool,
    method: str,
    keep: str,
    seed: int,
) -> GrowthRecord:
    """The record of a plan that was carried out."""
    return GrowthRecord(
        method=method,
        keep=keep,
        seed=seed,
        old_rows=len(tables[0].array),
        rows=len(plan.how),
        tables={table.name: table.dtype for table in tables},
        tied=tied,
        old=old.fingerprint,
        new=new.fingerprint,
        counts={name: int((plan.how == number).sum()) for number, name in enumerate(HOW) if (plan.how == number).any()},
        plan=plan,
    )


def _rows(caller: str, needed: int, rows: int | None, multiple_of: int | None) -> int:
    check_integer("rows", caller, rows, 1, optional=True)
    check_integer("multiple_of", caller, multiple_of, 1, optional=True)
    if rows is not None and rows < needed:
        raise ArgumentError(f"The 'rows' parameter of {caller} is {rows}, but the new vocabulary needs {needed} rows.")
    wanted, step = rows or needed, multiple_of or 1
    return -(-wanted // step) * step


def _table(name: str, array: object) -> Table:
    kinds = {"float64": "F64", "float32": "F32", "float16": "F16", "uint16": "BF16"}
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.name not in kinds:
        shown = f"shape {array.shape}, {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
        raise wrong(name, CALLER, "float32, float16, float64 or (bfloat16) uint16, shape (rows, dim)", shown)
    return Table(name, kinds[array.dtype.name], array)


def _auxiliary(name: str, caller: str, vectors: ArrayLike | None, tok: Tokenizer, method: str) -> NDArray[np.floating]:
    if vectors is None:
        raise ArgumentError(f"The method {method!r} of {caller} needs {name!r}: one auxiliary vector an id.")
    table = np.asarray(vectors)
    if table.ndim != 2 or len(table) < tok.sizes.id_range or table.dtype.kind != "f" or not np.isfinite(table).all():
        shown = f"shape {table.shape}, {table.dtype}"
        expected = f"finite numbers of shape ({tok.sizes.id_range} ids, d)"
        raise ArgumentError(f"The {name!r} parameter of {caller} must be {expected}. Got {shown} instead.")
    return table
