"""Measures of what a vocabulary does to a text. Results are records; nothing here prints."""

from .curve import CompressionCurve, compression_curve
from .equivalence import Equivalence, equivalent
from .metrics import Conventions, Measures, measure
from .model_sizes import ModelSizes, model_sizes

__all__ = [
    "CompressionCurve",
    "Conventions",
    "Equivalence",
    "Measures",
    "ModelSizes",
    "compression_curve",
    "equivalent",
    "measure",
    "model_sizes",
]
