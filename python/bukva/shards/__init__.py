"""Corpora as flat ids in files of bounded size: written by ``Tokenizer.encode_files``, read by ``load_shards``."""

from .read import Shards, load_shards

__all__ = ["Shards", "load_shards"]
