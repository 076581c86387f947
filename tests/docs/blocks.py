"""Fenced blocks of Markdown pages, and how each sort is run.

`python`   run by doctest where it has `>>>`, else executed; one namespace a page.
`console`  lines after `$ ` run by bash; what follows is compared with standard output and standard error. `...` stands
           for anything; `# exit N` at the end of a command states its exit code.
`sh`       set-up commands of a clone; not run here, but each `make` target must exist.
Other blocks (`text`, `json`) are to be read only.
"""

from __future__ import annotations

import doctest
import re
import subprocess
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
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start()) + 2)
        for match in FENCE.finditer(text)
    ]


def run_python(block: Block, page: Path, namespace: dict[str, object]) -> None:
    if ">>>" not in block.body:
        exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.body, namespace, page.name, str(page), block.line - 1)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert not runner.failures, "".join(report)


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
            same = doctest.OutputChecker().check_output(expected, done.stdout, FLAGS)
            assert same, f"{place}--- expected\n{expected}--- got\n{done.stdout}"


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
