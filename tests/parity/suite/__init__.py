"""Every real vocabulary against its reference library, text set by text set: ``python -m tests.parity.suite``."""
