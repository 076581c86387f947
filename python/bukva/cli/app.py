"""The command group, and what becomes of errors: one line on standard error and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from typing import TextIO

import click

from .. import __version__
from ..errors import ArgumentError, BukvaError

COMMANDS = (
    *("train", "encode", "decode", "count", "chat", "inspect", "convert", "equivalent", "measure", "curve", "explain"),
    *("embed", "neighbors", "analogy", "project", "generate", "demo"),
)
OK, FAILED, MISUSE, STOPPED = 0, 1, 2, 130


class Commands(click.Group):
    """Commands by name, each imported when it is used: ``bukva --version`` should not load NumPy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{cmd_name}", __package__)
        command: click.Command = module.command
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", prog_name="bukva")
def bukva() -> None:
    """Train, run, measure and explain tokenizers.

    Data goes to standard output, progress and errors to standard error; "-" is standard input.
    Exit codes: 0 done, 1 failed or a finding, 2 misuse.
    """


def main() -> None:
    """Runs the command and exits."""
    warnings.showwarning = _show_warning
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        code = OK  # The reader has what it wanted: `bukva encode … | head`.
        _silence(sys.stdout)
    except OSError as error:
        code = _fail(f"cannot write standard output: {error.strerror or error}.", FAILED)
        _silence(sys.stdout)
    sys.exit(code)


def _run() -> int:
    # click's own `main` would write an empty line at Ctrl-C and end with 1 where a reader stops.
    try:
        with bukva.make_context("bukva", sys.argv[1:]) as context:
            bukva.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _fail("stopped.", STOPPED)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "bukva"
        return _fail(f"{error.format_message()} See '{where} --help'.", MISUSE)
    except click.ClickException as error:
        return _fail(error.format_message(), FAILED)
    except BukvaError as error:
        return _fail(str(error), MISUSE if isinstance(error, ArgumentError) else FAILED)
    return OK


def _fail(message: str, code: int) -> int:
    print("bukva: " + " ".join(message.split()), file=sys.stderr)
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"bukva: warning: {message}", file=sys.stderr)


def _silence(stream: TextIO) -> None:
    """Points a broken stream elsewhere, so that the interpreter's last flush says nothing."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
