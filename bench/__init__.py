"""Benchmarks that are also tests: every measurement checks what it computed, see ``python -m bench --help``."""
