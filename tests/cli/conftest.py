from pathlib import Path

import pytest

import bukva


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, tok: bukva.Tokenizer, ru: str, en: str) -> Path:
    """`tok` (a folder), `ru.txt` and `en.txt`."""
    folder = tmp_path_factory.mktemp("cli")
    tok.save(folder / "tok", allow_loss=True)
    (folder / "ru.txt").write_text(ru, encoding="utf-8", newline="")
    (folder / "en.txt").write_text(en, encoding="utf-8", newline="")
    return folder
