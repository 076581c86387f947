"""The chat template of a tokenizer's folder."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..checks import wrong
from ..errors import BukvaError, FileError, FormatError, TemplateError
from .continued import cut, free_tag, tag_last
from .data import plain_data, plain_messages
from .limits import Budget, Limits

if TYPE_CHECKING:
    from jinja2 import Template

LONGEST = 1_000_000
FILES = ("tokenizer_config.json", "special_tokens_map.json", "chat_template.json", "chat_template.jinja")
FOLDER = "additional_chat_templates"


class ChatTemplate:
    """Jinja templates that turn messages into text, run as transformers runs them, in a sandbox with bounds.

    A template cannot open files, import, or reach Python objects, and it may make only so much (:class:`Limits`).

    Parameters
    ----------
    templates : str or mapping of str to str
        One template, or several by name: ``default``, ``tool_use`` (taken where tools are given) and others.
    variables : mapping, optional
        What the templates find beside the messages, such as ``bos_token``.
    limits : Limits, optional
    """

    def __init__(
        self,
        templates: str | Mapping[str, str],
        variables: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
    ) -> None:
        named = {"default": templates} if isinstance(templates, str) else dict(templates)
        for name, source in named.items():
            if not isinstance(source, str) or len(source) > LONGEST:
                raise FormatError(f"The chat template {name!r} is not text of at most {LONGEST} characters.")
        if not named:
            raise wrong("templates", "ChatTemplate", "at least one template", templates)
        self.templates = named
        self.variables = plain_data(dict(variables or {}), "variables")
        self.limits = limits or Limits()

    @classmethod
    def from_folder(cls, path: str | os.PathLike[str]) -> Self:
        """The templates beside a tokenizer: of ``tokenizer_config.json`` or of ``*.jinja`` files.

        Raises
        ------
        FileError
            If the folder holds no chat template.
        """
        folder = Path(path)
        names = [*FILES, *(f"{FOLDER}/{file.name}" for file in sorted(folder.glob(f"{FOLDER}/*.jinja")))]
        files = {name: _read(folder / name) for name in names if (folder / name).is_file()}
        template = cls.from_files(files)
        if template is None:
            raise FileError(f"The folder {str(path)!r} holds no chat template. Looked in: {', '.join(FILES)}.")
        return template

    @classmethod
    def from_files(cls, files: Mapping[str, str]) -> Self | None:
        """The templates in the texts of the files of a folder, or None where there are none."""
        config = _parsed(files, "tokenizer_config.json")
        templates = _named(config.get("chat_template"))
        templates |= _named(_parsed(files, "chat_template.json").get("chat_template"))
        if "chat_template.jinja" in files:
            templates["default"] = files["chat_template.jinja"]
        templates |= {Path(name).stem: text for name, text in files.items() if name.startswith(f"{FOLDER}/")}
        if not templates:
            return None
        return cls(templates, _special_tokens({**_parsed(files, "special_tokens_map.json"), **config}))

    def source(self, name: str | None = None, tools: bool = False) -> str:
        """The template that is used: by name, else ``tool_use`` with tools, else ``default``."""
        if name is None:
            name = "tool_use" if tools and "tool_use" in self.templates else "default"
        if name not in self.templates:
            known = ", ".join(map(repr, sorted(self.templates)))
            raise wrong("name", "ChatTemplate", f"one of {known}", name)
        return self.templates[name]

    def render(
        self,
        messages: Iterable[Any],
        *,
        tools: Iterable[Any] | None = None,
        documents: Iterable[Any] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        name: str | None = None,
        **variables: Any,
    ) -> str:
        """The text of a conversation.

        Parameters
        ----------
        messages : iterable of mappings
            Each with ``role`` and ``content`` and whatever else the template reads.
        tools, documents : iterable of mappings, optional
            Functions as JSON schemas; texts to answer from.
        add_generation_prompt : bool
            Begin the assistant's next message.
        continue_final_message : bool or str
            Leave the last message open; a string names the field to go on with.
        name : str, optional
            Which of several templates.
        **variables
            Further variables of the template, such as ``enable_thinking``.

        Raises
        ------
        TemplateError
            If the template is damaged, refuses the conversation, or goes beyond its limits.
        """
        if add_generation_prompt and continue_final_message:
            raise wrong("continue_final_message", "chat", "False with add_generation_prompt", continue_final_message)
        source = self.source(name, tools is not None)
        plain = plain_messages(messages)
        values = {
            **self.variables,
            **plain_data(variables, "variables"),
            "tools": None if tools is None else plain_data(list(tools), "tools"),
            "documents": None if documents is None else plain_data(list(documents), "documents"),
            "add_generation_prompt": add_generation_prompt,
        }
        if not continue_final_message:
            return self._run(source, {**values, "messages": plain})
        field = continue_final_message if isinstance(continue_final_message, str) else "content"
        tag = free_tag(source + json.dumps([plain, values], ensure_ascii=False))
        text = tag_last(plain, field, tag, source)
        return cut(self._run(source, {**values, "messages": plain}), text, tag)

    def _run(self, source: str, values: Mapping[str, Any]) -> str:
        from .sandbox import running

        try:
            with running(Budget(self.limits)):
                return _compiled(source).render(**values)
        except BukvaError:
            raise
        except RecursionError:
            raise TemplateError("The chat template is nested too deep, or calls itself without end.") from None
        except MemoryError:
            raise TemplateError("The chat template asks for more memory than there is.") from None
        except Exception as error:  # A template may raise whatever its operations raise.
            line = getattr(error, "lineno", None)
            raise TemplateError(f"The chat template fails: {error} ({type(error).__name__}).", None, line) from error

    def __repr__(self) -> str:
        return f"ChatTemplate({', '.join(sorted(self.templates))})"


@functools.lru_cache(maxsize=64)
def _compiled(source: str) -> Template:
    from .sandbox import Sandbox

    return Sandbox().from_string(source)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise FormatError("The file is not UTF-8.", str(path), None, error.start) from None


def _parsed(files: Mapping[str, str], name: str) -> dict[str, Any]:
    try:
        value = json.loads(files.get(name, "{}"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The file is not JSON: {error}.", name) from None
    return value if isinstance(value, dict) else {}


def _named(value: Any) -> dict[str, str]:
    """Templates by name: one, a list of named ones, or none."""
    if value is None:
        return {}
    if isinstance(value, str):
        return {"default": value}
    try:
        return {entry["name"]: entry["template"] for entry in value}
    except (TypeError, KeyError):
        raise FormatError("chat_template is neither a text nor a list of name and template.") from None


def _special_tokens(config: Mapping[str, Any]) -> dict[str, str]:
    """The special tokens that a configuration names: ``bos_token`` and its like."""
    tokens = {}
    for key, value in config.items():
        text = value.get("content") if isinstance(value, dict) else value
        if key.endswith("_token") and isinstance(text, str):
            tokens[key] = text
    return tokens
