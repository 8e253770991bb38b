"""A file of a specification as JSON values: JSON or YAML of strangers, within bounds.

YAML is read from the events of the parser, one after the other: aliases are counted as if they were
written out before anything is, so that none multiplies what it names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import orjson
import yaml

from content.json_types import Json
from content.openapi.errors import SpecificationError, wrong
from content.safe_yaml import scalar_value

# Bytes of all files of a specification, levels of nesting of a file, values and characters of it
# with aliases written out.
MOST_BYTES, MOST_DEPTH, MOST_VALUES, MOST_CHARACTERS = 10_000_000, 100, 1_000_000, 20_000_000
_EVENTS: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_file(data: bytes, name: str) -> Json:
    """The value of a JSON or YAML file; SpecificationError says what is wrong with it."""
    if len(data) > MOST_BYTES:
        raise wrong(f"has more than {MOST_BYTES} bytes", name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(f"is not UTF-8: byte {error.start}", name) from None
    if not text.strip():
        raise wrong("is empty", name)
    if text.lstrip()[0] in "{[":
        try:
            value: Json = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            problem: SpecificationError = wrong(f"is not valid JSON: {error}", name)
        else:
            _check(value, name)
            return value
        # Flow style of YAML begins as JSON does.
        try:
            return _read_yaml(text, name)
        except SpecificationError:
            raise problem from None
    return _read_yaml(text, name)


def _check(root: Json, name: str) -> None:
    """Bounds of a JSON file, level by level."""
    level: list[Any] = [root]
    values = 0
    for _ in range(MOST_DEPTH + 1):
        values += len(level)
        if values > MOST_VALUES:
            raise _too_many(name)
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value.values())
                if any("\0" in key for key in value):
                    raise wrong("has a NUL character", name)
            elif isinstance(value, list):
                below.extend(value)
            elif isinstance(value, str) and "\0" in value:
                raise wrong("has a NUL character", name)
        if not below:
            return
        level = below
    raise _too_deep(name)


def _too_many(name: str) -> SpecificationError:
    return wrong(f"has more than {MOST_VALUES} values, aliases counted as written out", name)


def _too_deep(name: str) -> SpecificationError:
    return wrong(f"has more than {MOST_DEPTH} levels", name)


@dataclass(slots=True)
class _Open:
    """A list or a mapping whose end has not come."""

    value: Any
    anchor: str | None
    # Values and characters before it.
    start: tuple[int, int]
    key: str | None = None
    merged: list[Any] = field(default_factory=list)

    def add(self, item: Any, merges: bool) -> str | None:
        """Put the next value in; what is wrong with it, if anything."""
        if isinstance(self.value, list):
            self.value.append(item)
        elif self.key is None:
            if isinstance(item, dict | list):
                return "a key of a mapping is a mapping or a list"
            self.key = "<<" if merges else _key(item)
            if self.key in self.value:
                return f"the key {self.key[:100]!r} stands twice"
            if merges:
                self.value["<<"] = None
        else:
            self.value[self.key] = item
            self.key = None
        return None

    def close(self) -> str | None:
        """Resolve the merge key of a mapping; what is wrong with it, if anything."""
        if not isinstance(self.value, dict) or not isinstance(self.value.get("<<"), dict | list):
            return None
        merged = self.value.pop("<<")
        for part in merged if isinstance(merged, list) else [merged]:
            if not isinstance(part, dict):
                return "'<<' merges something that is no mapping"
            for key, value in part.items():
                self.value.setdefault(key, value)
        return None


def _key(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def _read_yaml(text: str, name: str) -> Json:
    try:
        # Written out, so that no part of it stands in two places.
        value: Json = orjson.loads(orjson.dumps(_Reader(name).read(text)))
    except TypeError:
        raise wrong("is nested too deeply, or has a number of more than 64 bits", name) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = "" if mark is None else f", line {mark.line + 1}"
        problem = error.problem or error.context or "it cannot be read"
        raise wrong(f"is not valid YAML: {problem}", f"{name}{line}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if isinstance(error, SpecificationError):
            raise
        first = str(error).splitlines()[0] if str(error) else "it cannot be read"
        raise wrong(f"is not valid YAML: {first}", name) from None
    _check(value, name)
    return value


@dataclass(slots=True)
class _Reader:
    name: str
    open: list[_Open] = field(default_factory=list)
    # By anchor: the value, and how many values and characters it has.
    anchors: dict[str, tuple[Any, int, int]] = field(default_factory=dict)
    values: int = 0
    characters: int = 0
    root: Json = None
    documents: int = 0

    def read(self, text: str) -> Json:
        for event in yaml.parse(text, Loader=_EVENTS):
            self._take(event)
        return self.root

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            value = scalar_value(event.value, event.tag, event.implicit)
            if isinstance(value, float) and not math.isfinite(value):
                raise self._wrong(event, "a number is not finite")
            merges = event.value == "<<" and event.implicit[0]
            self._count(1, len(event.value))
            if event.anchor is not None:
                self.anchors[event.anchor] = (value, 1, len(event.value))
            self._add(event, value, merges)
        elif isinstance(event, yaml.AliasEvent):
            if any(part.anchor == event.anchor for part in self.open):
                raise self._wrong(event, "an alias refers to itself")
            if event.anchor not in self.anchors:
                raise self._wrong(event, f"there is no anchor {event.anchor!r:.100}")
            value, values, characters = self.anchors[event.anchor]
            self._count(values, characters)
            self._add(event, value, merges=False)
        elif isinstance(event, yaml.CollectionStartEvent):
            start = self.values, self.characters
            self._count(1, 0)
            empty: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            self.open.append(_Open(empty, event.anchor, start))
            if len(self.open) > MOST_DEPTH:
                raise _too_deep(self.name)
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = self.open.pop()
            if problem := closed.close():
                raise self._wrong(event, problem)
            if closed.anchor is not None:
                values, characters = closed.start
                size = self.values - values, self.characters - characters
                self.anchors[closed.anchor] = (closed.value, *size)
            self._add(event, closed.value, merges=False)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self._wrong(event, "there is more than one document")

    def _count(self, values: int, characters: int) -> None:
        self.values += values
        self.characters += characters
        if self.values > MOST_VALUES:
            raise _too_many(self.name)
        if self.characters > MOST_CHARACTERS:
            raise wrong(
                f"has more than {MOST_CHARACTERS} characters, aliases counted as written out",
                self.name,
            )

    def _add(self, event: Any, value: Any, merges: bool) -> None:
        if not self.open:
            self.root = value
        elif problem := self.open[-1].add(value, merges):
            raise self._wrong(event, problem)

    def _wrong(self, event: Any, problem: str) -> SpecificationError:
        return wrong(problem, f"{self.name}, line {event.start_mark.line + 1}")
