"""``python -m bukva``: the same as the command ``bukva``."""

from .cli.app import main

main()
