"""Tables of embeddings and output heads for an edited or replaced vocabulary.

``grow_table`` takes tables in memory, ``grow_checkpoint`` files. Rows of tokens that both vocabularies have are copied
bit by bit; the others are initialised by a named method, and a record says how each row came about.
"""

from .align import align_vectors
from .checkpoint import grow_checkpoint
from .record import GrowthRecord
from .spelling import token_vectors
from .table import Grown, grow_table

__all__ = ["Grown", "GrowthRecord", "align_vectors", "grow_checkpoint", "grow_table", "token_vectors"]
