"""Signals for processes that tests start."""

from __future__ import annotations

import signal


def hear_ctrl_c() -> None:
    """Lets a child process receive SIGINT, also where the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
