"""Measures of what a vocabulary does to a text. Results are records; nothing here prints."""

from .curve import CompressionCurve, compression_curve
from .metrics import Conventions, Measures, measure

__all__ = ["CompressionCurve", "Conventions", "Measures", "compression_curve", "measure"]
