"""Fenced blocks of Markdown pages, and how each sort is run.

`python`   examples after `>>>` with the output that follows them, or plain code; one namespace a page.
`console`  lines after `$ ` run by bash; what follows is compared with standard output and standard error. `...` stands
           for anything; `# exit N` at the end of a command states its exit code.
`sh`       set-up commands of a clone; not run here, but each `make` target must exist.
Other blocks (`text`, `json`) are to be read only.
"""

from __future__ import annotations

import codeop
import contextlib
import doctest
import io
import re
import subprocess
import traceback
from dataclasses import dataclass
from pathlib import Path

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    language: str
    body: str
    line: int


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(match[1], match[2], text.count("\n", 0, match.start()) + 2) for match in FENCE.finditer(text)]


def run_python(block: Block, page: Path, namespace: dict[str, object]) -> None:
    if ">>>" not in block.body:
        exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), namespace)
        return
    for source, expected, line in examples_of(block):
        got = output_of("\n" * (line - 1) + source, page, namespace)
        compare(f"{page.name}, line {line}: >>> {source}", expected, got)


def examples_of(block: Block) -> list[tuple[str, str, int]]:
    """Source, expected output and line of each example. Output ends at the next `>>>`, so it may hold empty lines."""
    examples: list[tuple[str, str, int]] = []
    open_source = False
    for number, line in enumerate(block.body.splitlines(keepends=True), start=block.line):
        if line.startswith(">>> "):
            examples.append((line[4:], "", number))
            open_source = True
        elif open_source and (line.startswith("... ") or line == "...\n") and is_open(examples[-1][0]):
            examples[-1] = (examples[-1][0] + line[4:], "", examples[-1][2])
        elif examples:
            source, expected, start = examples[-1]
            examples[-1], open_source = (source, expected + line, start), False
    return examples


def is_open(source: str) -> bool:
    """Whether Python waits for more lines; `...` after a whole statement is output that may be anything."""
    return codeop.compile_command(source.rstrip("\n"), symbol="single") is None


def output_of(source: str, page: Path, namespace: dict[str, object]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            exec(compile(source, str(page), "single"), namespace)
        except Exception as error:
            out.write("".join(traceback.format_exception_only(error)))
    return out.getvalue()


def compare(what: str, expected: str, got: str) -> None:
    expected = re.sub(r"\ATraceback \(most recent call last\):\n\.\.\.\n", "", expected)
    same = doctest.OutputChecker().check_output(expected, got, FLAGS)
    assert same, f"{what}\n--- expected\n{expected}--- got\n{got}"


def run_console(block: Block, page: Path, folder: Path, environment: dict[str, str]) -> None:
    for command, expected in commands_of(block.body):
        stated = re.search(r"\s+# exit (\d+)$", command)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=120,
            encoding="utf-8",
        )
        place = f"{page.name}, block at line {block.line}: $ {command}\n"
        assert done.returncode == int(stated[1] if stated else 0), place + done.stdout
        if expected:
            compare(place, expected, done.stdout)


def commands_of(body: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            pairs.append((line[2:].rstrip("\n"), ""))
        elif line.startswith("> ") and pairs and not pairs[-1][1]:
            pairs[-1] = (pairs[-1][0] + "\n" + line[2:].rstrip("\n"), "")
        elif pairs:
            pairs[-1] = (pairs[-1][0], pairs[-1][1] + line)
    return [(command, expected if expected.strip() else "") for command, expected in pairs]
