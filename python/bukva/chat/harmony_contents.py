"""What stands in a message of the Harmony format: text, or what a system or developer message is made of."""

from __future__ import annotations

from typing import Any

from ..checks import check_choice, wrong
from .typescript import tools_section


def content_text(item: Any, role: str, functions: bool) -> str:
    """The text of one content of a message of this role.

    Raises
    ------
    ArgumentError
        If a message of this role may not have it.
    """
    if isinstance(item, str):
        return item
    kind = item.get("type") if isinstance(item, dict) else None
    if kind == "text":
        return str(item["text"])
    if kind == "system_content" and role == "system":
        return _system_text(item, functions)
    if kind == "developer_content" and role == "developer":
        return _developer_text(item)
    raise wrong("content", "Harmony", f"a text, or a content that a message of the role {role!r} may have", item)


def _system_text(content: dict[str, Any], functions: bool) -> str:
    about = [
        content.get("model_identity"),
        _labelled("Knowledge cutoff", content.get("knowledge_cutoff")),
        _labelled("Current date", content.get("conversation_start_date")),
    ]
    effort = content.get("reasoning_effort")
    if effort is not None:
        check_choice("reasoning_effort", "Harmony", effort.lower(), ("low", "medium", "high"))
    sections = [
        "\n".join(line for line in about if line is not None),
        _labelled("Reasoning", effort.lower()) if effort else None,
        tools_section(content["tools"]) if content.get("tools") else None,
        _channels(content.get("channel_config") or {}, functions),
    ]
    return "\n\n".join(section for section in sections if section)


def _labelled(label: str, value: str | None) -> str | None:
    return None if value is None else f"{label}: {value}"


def _channels(config: dict[str, Any], functions: bool) -> str | None:
    names = config.get("valid_channels")
    if not names:
        return None
    line = f"# Valid channels: {', '.join(names)}."
    line += " Channel must be included for every message." if config.get("channel_required") else ""
    return line + ("\nCalls to these tools must go to the commentary channel: 'functions'." if functions else "")


def _developer_text(content: dict[str, Any]) -> str:
    sections = [] if content.get("instructions") is None else ["# Instructions", content["instructions"]]
    if content.get("tools"):
        sections.append(tools_section(content["tools"]))
    return "\n\n".join(sections)


def has_functions(message: dict[str, Any]) -> bool:
    """Whether a developer message has functions."""
    content = message.get("content")
    for item in content if isinstance(content, list) else []:
        if isinstance(item, dict) and item.get("type") == "developer_content":
            space = (item.get("tools") or {}).get("functions")
            if space and space.get("tools"):
                return True
    return False
