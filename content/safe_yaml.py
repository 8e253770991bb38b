"""Reading YAML of unknown origin: JSON types only, bounded in size, depth and expansion.

Writing gives YAML that is read as the same values.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from typing import Any

import yaml

from content.errors import YamlError
from content.json_types import Json, JsonObject

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
MAX_NODES = 20_000
# YAML reads them as ends of lines.
_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")
# Escapes can write both; neither can be stored or sent.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class _Loader(yaml.SafeLoader):
    """YAML 1.2 core scalars without dates, so that every value is a JSON value."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own extension point


class _Dumper(yaml.SafeDumper):
    """Writes what the loader reads as the same values."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own extension point

    def ignore_aliases(self, data: Any) -> bool:
        return True


_STR = "tag:yaml.org,2002:str"
# What YAML 1.1 reads a text as that has no quotes, such as a date or "yes".
_OLDER: Any = yaml.SafeDumper(io.StringIO())
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:null", re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]
)
# At most 15 digits: larger numbers do not survive JSON readers that use doubles, and a leading
# zero marks a code such as an emoji's rather than a number.
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})\Z"), list("-+0123456789")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?[0-9]{1,15}\.[0-9]{1,15}(?:[eE][-+]?[0-9]{1,2})?\Z"),
    list("-+0123456789"),
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:merge", re.compile(r"<<\Z"), ["<"])
_Dumper.yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Other programs, too, are to read it as text."""
    style = None
    if _ODD_BREAKS.search(text):
        style = '"'
    elif "\n" in text:
        style = "|"
    elif _OLDER.resolve(yaml.ScalarNode, text, (True, False)) != _STR:
        style = "'"
    return dumper.represent_scalar(_STR, text, style=style)


_Dumper.add_representer(str, _represent_text)


_RESOLVER: Any = _Loader("")
_SCALARS: dict[str, Callable[[str], Json]] = {
    _STR: str,
    "tag:yaml.org,2002:null": lambda text: None,
    "tag:yaml.org,2002:bool": lambda text: text.lower() == "true",
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:merge": str,
}


def scalar_value(text: str, tag: str | None, implicit: tuple[bool, bool]) -> Json:
    """The JSON value of a scalar as a parser reports it, which `load_yaml` would read of it.

    Raises ValueError for a tag beyond JSON types, or one that does not fit the text.
    """
    if tag is None or tag == "!":
        tag = _RESOLVER.resolve(yaml.ScalarNode, text, implicit)
    if tag not in _SCALARS:
        raise ValueError(f"the tag {str(tag)[:100]} is not allowed")
    if _UNSTORABLE.search(text):
        raise ValueError("a NUL character or a lone surrogate is not text")
    return _SCALARS[str(tag)](text)


def dump_yaml(value: JsonObject) -> str:
    """A mapping as YAML in block style, which `load_yaml` reads as the same."""
    return yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=math.inf,
        default_flow_style=False,
    )  # fmt: skip


def load_yaml(text: str, path: str, *, line_offset: int = 0, max_bytes: int = MAX_BYTES) -> Json:
    """The one YAML document in `text`, as JSON values (dates stay text); None when it is empty.

    `path` and `line_offset` (lines of the file before `text`) are for messages only. Raises
    `YamlError` for invalid YAML, tags beyond JSON types, more than `max_bytes`, more than 40
    levels, or more than 20,000 nodes once aliases are followed.
    """
    if len(text.encode("utf-8", "replace")) > max_bytes:
        raise YamlError(path, None, f"the YAML is larger than {max_bytes} bytes")
    try:
        _check_size(text, path, line_offset)
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 - a narrower safe loader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1 + line_offset
        problem = error.problem or error.context or "cannot be read"
        raise YamlError(path, line, f"invalid YAML: {problem}") from error
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as error:
        if isinstance(error, YamlError):
            raise
        problem = str(error).splitlines()[0] if str(error) else "cannot be read"
        raise YamlError(path, None, f"invalid YAML: {problem}") from error
    return _json(value, path)


def _check_size(text: str, path: str, line_offset: int) -> None:
    """Count nodes as if every alias were written out, before anything is built."""
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = []
    count = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            # An alias within its own anchor is a cycle, which JSON cannot hold.
            if event.anchor in {anchor for anchor, _ in open_nodes}:
                raise YamlError(path, _line(event, line_offset), "an alias refers to itself")
            count += sizes.get(event.anchor or "", 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, count))
            count += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, start = open_nodes.pop()
            if anchor is not None:
                sizes[anchor] = count - start
        elif isinstance(event, yaml.ScalarEvent):
            count += 1
            if _UNSTORABLE.search(event.value):
                problem = "a NUL character or a lone surrogate is not text"
                raise YamlError(path, _line(event, line_offset), problem)
        if len(open_nodes) > MAX_DEPTH:
            raise YamlError(path, _line(event, line_offset), f"deeper than {MAX_DEPTH} levels")
        if count > MAX_NODES:
            problem = f"more than {MAX_NODES} values, aliases counted as written out"
            raise YamlError(path, _line(event, line_offset), problem)


def _line(event: yaml.Event, line_offset: int) -> int | None:
    return None if event.start_mark is None else event.start_mark.line + 1 + line_offset


def _json(value: object, path: str) -> Json:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, list):
        return [_json(item, path) for item in value]
    if isinstance(value, dict):
        return {_key(key): _json(item, path) for key, item in value.items()}
    raise YamlError(path, None, f"a value of type {type(value).__name__} is not allowed")


def _key(key: object) -> str:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return str(key)
