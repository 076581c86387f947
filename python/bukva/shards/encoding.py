"""The methods of a tokenizer that encode files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .. import _core
from ..checks import check_integer, wrong

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..corpus import Corpus, CorpusPath, Invalid, Unit
    from ..special import Specials
    from ..training import Progress
    from .options import ShardFormat
    from .read import Shards


class FileEncoding(_core.Tokenizer):
    """Encodes files into folders of shards."""

    __slots__ = ()

    def encode_file(
        self,
        path: CorpusPath,
        output: CorpusPath,
        *,
        format: ShardFormat = "npy",
        dtype: DTypeLike = None,
        shard_tokens: int | None = 100_000_000,
        append: int | str | None = None,
        unit: Unit = "file",
        field: str = "text",
        invalid: Invalid = "error",
        ordinary: bool = False,
        add_special_tokens: bool = False,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
        threads: int | None = None,
        progress: Progress | None = None,
        resume: bool = True,
        overwrite: bool = False,
    ) -> Shards:
        """Encodes one file into a folder of shards: ``encode_files`` with one path, which is no folder and no glob."""
        if (path != "-" and not os.path.lexists(path)) or os.path.isdir(path):
            raise wrong("path", "encode_file", "a file or '-'", path, "For folders and globs use encode_files.")
        return self.encode_files(
            [path],
            output,
            format=format,
            dtype=dtype,
            shard_tokens=shard_tokens,
            append=append,
            unit=unit,
            field=field,
            invalid=invalid,
            ordinary=ordinary,
            add_special_tokens=add_special_tokens,
            allowed_special=allowed_special,
            disallowed_special=disallowed_special,
            threads=threads,
            progress=progress,
            resume=resume,
            overwrite=overwrite,
        )

    def encode_files(
        self,
        corpus: Corpus,
        output: CorpusPath,
        *,
        format: ShardFormat = "npy",
        dtype: DTypeLike = None,
        shard_tokens: int | None = 100_000_000,
        append: int | str | None = None,
        unit: Unit = "file",
        field: str = "text",
        invalid: Invalid = "error",
        ordinary: bool = False,
        add_special_tokens: bool = False,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
        threads: int | None = None,
        progress: Progress | None = None,
        resume: bool = True,
        overwrite: bool = False,
    ) -> Shards:
        """Encodes files of any size into a folder of shards, and goes on where a run before was ended.

        The bytes written depend on tokenizer, options and texts alone: not on ``threads``, nor on how often the work
        was interrupted. ``docs/formats/shards.md`` has the layout.

        Parameters
        ----------
        corpus : path, or list of paths
            As in ``bukva.train``: files, globs, folders or ``"-"``; ``.txt``, ``.jsonl`` and ``.parquet``, each also
            ``.gz`` and ``.zst``.
        output : str or os.PathLike
            A folder; it is made if its parent exists.
        format : {"npy", "bin", "megatron", "parquet", "arrow"}
            Arrays of NumPy, bare ids, these with an index for Megatron-LM, or tables with a row a document, which need
            ``bukva[arrow]``.
        dtype : {"uint16", "uint32"}, optional
            Type of the ids; left out: uint16 if all ids of the tokenizer fit.
        shard_tokens : int, optional
            Ids of a shard at most. A document is cut only where it alone has more. None is no limit.
        append : int or str, optional
            An id, or the text of an added token, behind every document: ``"<|endoftext|>"``.
        unit : {"file", "line"}
            What a document is in a ``.txt`` file: the whole file, or each line with its LF.
        field : str
            Field of ``.jsonl`` objects and column of ``.parquet`` files.
        invalid : {"error", "replace"}
            What to do with bytes that are not UTF-8: stop and say where, or put U+FFFD there and count them.
        ordinary : bool
            Recognise neither special nor added tokens in the texts, as ``encode_ordinary``.
        add_special_tokens, allowed_special, disallowed_special
            As in ``encode``.
        threads : int, optional
            The number of processors where left out.
        progress : callable, optional
            Called at most ten times a second with ``"encode"``, bytes read, bytes in all or None.
        resume : bool
            Go on behind the last whole shard of a run with the same tokenizer, options and inputs; return at once where
            that run has ended. False: shards that are there are an error.
        overwrite : bool
            Remove shards that are there, whatever made them.

        Returns
        -------
        Shards
            What ``bukva.load_shards(output)`` gives.

        Raises
        ------
        ArgumentError
            If the folder holds shards that were made otherwise, or an option cannot be used.
        FileError
            If something cannot be read or written: a missing file, a full disk. Whole shards stay, and the next call
            goes on behind them; nothing else is left.
        CorpusError, TextError, SpecialTokenError
            If a document cannot be read or encoded; the message names file and document.
        """
        from .options import checked_options
        from .write import encode_files

        check_integer("threads", "encode_files", threads, 1, optional=True)
        options = checked_options(
            self,
            "encode_files",
            format=format,
            dtype=dtype,
            shard_tokens=shard_tokens,
            append=append,
            unit=unit,
            field=field,
            invalid=invalid,
            ordinary=ordinary,
            add_special_tokens=add_special_tokens,
            allowed_special=allowed_special,
            disallowed_special=disallowed_special,
        )
        return encode_files(
            self,
            corpus,
            output,
            options,
            threads=threads,
            progress=progress,
            resume=resume,
            overwrite=overwrite,
            caller="encode_files",
        )
