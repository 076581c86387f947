"""Every block of the README and of the pages under docs/ is run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bukva.cli.app import COMMANDS, bukva

from .blocks import blocks_of, run_console, run_python

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND_LINE = ROOT / "docs" / "guide" / "command-line.md"
SETUP = re.compile(r"^(make( \w+(=\S+)?)+|pip install .+|git clone .+|cd \S+|\.ci/run|bash \.ci/run)$")


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make demo` writes."""
    folder = tmp_path_factory.mktemp("demo")
    subprocess.run([sys.executable, "-m", "bukva", "demo"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / "bukva-demo"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, demo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(demo_folder, tmp_path / "bukva-demo")
    monkeypatch.chdir(tmp_path)
    environment = os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "COLUMNS": "100",
        "PYTHONIOENCODING": "utf-8",
    }
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks_of(page):
        if block.language == "python":
            run_python(block, page, namespace)
        elif block.language == "console":
            run_console(block, page, tmp_path, environment)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_setup_commands_exist(page: Path) -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for block in blocks_of(page):
        for line in block.body.splitlines() if block.language == "sh" else ():
            command = line.split("#")[0].strip()
            assert not command or SETUP.match(command), f"{page.name}: not a set-up command: {line}"
            if command.startswith("make "):
                assert {word for word in command.split()[1:] if "=" not in word} <= targets, line


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    page = COMMAND_LINE.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `bukva (\w+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert name in sections, f"docs/guide/command-line.md has no section `bukva {name}`"
    shared = page.split("\n## `bukva")[0]
    command = bukva.get_command(click.Context(bukva), name)
    assert command is not None
    for option in (option for parameter in command.params for option in parameter.opts if option.startswith("--")):
        assert f"`{option}`" in sections[name] + shared, f"{option} of bukva {name} is not documented"


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which does not exist"
