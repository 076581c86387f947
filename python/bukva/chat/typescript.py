"""JSON schemas of tools as the types that Harmony shows to a model.

Source: the Harmony response format, and its renderer ``openai-harmony`` 0.0.8, whose output this gives.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]


def lines_of(text: str) -> list[str]:
    """Lines as Rust cuts them: at LF, with a CR before it dropped, and no empty last one."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def tools_section(namespaces: dict[str, Any]) -> str:
    """The section ``# Tools``, namespaces in the order of their keys."""
    return "\n\n".join(["# Tools", *(_namespace(namespaces[key]) for key in sorted(namespaces, key=str.encode))])


def _namespace(space: dict[str, Any]) -> str:
    tools = space.get("tools") or []
    lead = "// " if tools else ""
    parts = [f"## {space['name']}\n", *(lead + line for line in lines_of(space.get("description") or ""))]
    if tools:
        parts.append(f"namespace {space['name']} {{\n")
        for tool in tools:
            parts += [f"// {line}" for line in lines_of(tool.get("description") or "")]
            parts.append(_signature(tool))
        parts.append(f"}} // namespace {space['name']}")
    return "\n".join(parts)


def _signature(tool: dict[str, Any]) -> str:
    parameters = tool.get("parameters")
    argument = "" if parameters is None else f"_: {type_of(parameters, '')}"
    return f"type {tool['name']} = ({argument}) => any;\n"


def type_of(schema: Any, indent: str) -> str:
    """The type of a schema."""
    if not isinstance(schema, dict):
        return "any"
    if isinstance(variants := schema.get("oneOf"), list):
        return "".join(f"\n{indent} | {_top_variant(variant, indent)}" for variant in variants)
    kind = schema.get("type")
    if isinstance(kind, list):
        names = ["number" if name == "integer" else name for name in kind if isinstance(name, str)]
        if names:
            return " | ".join(names)
    if kind == "object":
        return _object(schema, indent)
    if kind == "string":
        choices = [f'"{choice}"' for choice in _list(schema, "enum") if isinstance(choice, str)]
        return " | ".join(choices) or "string"
    if kind == "array":
        return f"{type_of(schema['items'], indent)}[]" if "items" in schema else "Array<any>"
    return {"number": "number", "integer": "number", "boolean": "boolean"}.get(str(kind), "any")


def _top_variant(variant: Any, indent: str) -> str:
    notes = [variant["description"]] if isinstance(_get(variant, "description"), str) else []
    if "default" in _fields(variant):
        default = variant["default"]
        quoted = isinstance(default, str) and not _list(variant, "enum")
        notes.append(f'default: "{default}"' if quoted else f"default: {_json(default)}")
    return _nullable(variant, type_of(variant, indent + "   ")) + _trailing(notes)


def _object(schema: Schema, indent: str) -> str:
    described = schema.get("description")
    head = f"{indent}// {described}\n" if isinstance(described, str) else ""
    properties = schema.get("properties")
    required = {name for name in _list(schema, "required") if isinstance(name, str)}
    body: list[str] = []
    for key, value in (properties if isinstance(properties, dict) else {}).items():
        body += _property(key if key in required else key + "?", value, indent)
    return f"{head}{{\n{''.join(body)}{indent}}}"


def _property(name: str, schema: Any, indent: str) -> Iterator[str]:
    fields = _fields(schema)
    title, described, examples = fields.get("title"), fields.get("description"), _list(schema, "examples")
    if isinstance(title, str):
        yield f"{indent}// {title}\n{indent}//\n"
    if isinstance(described, str) and "oneOf" not in fields:
        yield f"{indent}// {described}\n"
    if examples:
        yield f"{indent}// Examples:\n"
        yield from (f'{indent}// - "{example}"\n' for example in examples if isinstance(example, str))
    if isinstance(fields.get("oneOf"), list):
        yield from _choice(name, fields, indent)
        return
    default = _trailing([_default(fields)] if "default" in fields and "oneOf" not in fields else [])
    yield f"{indent}{name}: {_nullable(fields, type_of(schema, indent + '    '))},{default}\n"


def _choice(name: str, schema: Schema, indent: str) -> Iterator[str]:
    """A property with ``oneOf``: one variant a line."""
    variants, described = schema["oneOf"], schema.get("description")
    described = described if isinstance(described, str) else None
    above = described is not None and not (variants and _get(variants[0], "description") == described)
    if above:
        yield f"{indent}// {described}\n"
    if "default" in schema:
        yield f"{indent}// {_default(schema)}\n"
    yield f"{indent}{name}:\n"
    for index, variant in enumerate(variants):
        note = _get(variant, "description")
        notes = [note] if isinstance(note, str) and note != described and not (index == 0 and above) else []
        notes += [_default(variant)] if "default" in _fields(variant) else []
        yield f"{indent} | {_nullable(variant, type_of(variant, indent + '   '))}{_trailing(notes)}\n"
    yield f"{indent},\n"


def _default(schema: Schema) -> str:
    default = schema["default"]
    if isinstance(default, str):
        return f"default: {default}" if _list(schema, "enum") else f'default: "{default}"'
    return f"default: {_json(default)}"


def _trailing(notes: list[str]) -> str:
    return f" // {' '.join(notes)}" if notes else ""


def _nullable(schema: Any, kind: str) -> str:
    return f"{kind} | null" if _get(schema, "nullable") is True and "null" not in kind else kind


def _fields(schema: Any) -> Schema:
    return schema if isinstance(schema, dict) else {}


def _get(schema: Any, key: str) -> Any:
    return _fields(schema).get(key)


def _list(schema: Any, key: str) -> list[Any]:
    value = _get(schema, key)
    return value if isinstance(value, list) else []


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
