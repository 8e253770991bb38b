"""Spaces and documents for merge tests, written as short text.

A tree has one page a line, indented by its depth: its id, then `field=value` parts behind
semicolons. Title and slug are the id unless they are given; `body=` is Markdown. Lines that
begin with `file`, `content` or `var` are not pages.

    guide; title=Guide
      setup; body=First step.
    file logo; sha256=1
    content note; title=Note; body=Hello.
    var version=1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any, TypeVar

from content.alignment import rising
from content.documents.plain_text import plain_text
from content.hashing import content_id
from content.markdown.parser import parse_document
from content.merge.conflict import Conflict
from content.merge.matching import match_nodes
from content.merge.nodes import Contents, Node, canonical, children_of
from content.merge.space import Difference, Merged, merge_space
from content.merge.versions import Asking, Found, Needs
from content.merkle.read import Change
from content.ordering import between, spread
from content.pages.stored import child_key

T = TypeVar("T")
Entry = dict[str, Any]


@dataclass
class Space:
    """The content of one version, as plain dictionaries."""

    pages: dict[str, Entry] = field(default_factory=dict)
    files: dict[str, Entry] = field(default_factory=dict)
    contents: dict[str, Entry] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)


@dataclass
class World:
    """Versions of a space and their documents; notes what a merge asks for."""

    documents: dict[str, Node] = field(default_factory=dict)
    asked: list[Needs] = field(default_factory=list)

    def space(self, text: str, base: Space | None = None) -> Space:
        """The space that a text describes; pages that stay in order keep the keys of base."""
        space = Space()
        siblings: dict[str | None, list[str]] = {}
        above: list[str] = []
        for line in dedent(text).strip("\n").splitlines():
            if not line.strip():
                continue
            words = line.strip().split(";")
            head, parts = words[0].strip(), [part.strip() for part in words[1:]]
            kind, _, name = head.partition(" ")
            if kind == "var":
                key, _, value = name.partition("=")
                space.variables[key] = value
            elif kind == "file":
                space.files[name] = {"name": name, "sha256": "0", **self._fields(parts)}
            elif kind == "content":
                space.contents[name] = {"title": name, **self._fields(parts)}
            else:
                depth = (len(line) - len(line.lstrip())) // 2
                del above[depth:]
                parent = above[-1] if above else None
                above.append(head)
                siblings.setdefault(parent, []).append(head)
                entry = {"type": "document", "title": head, "slug": head, **self._fields(parts)}
                space.pages[head] = entry if parent is None else {**entry, "parent": parent}
        for parent, ids in siblings.items():
            for id, key in zip(ids, _orders(parent, ids, base), strict=True):
                space.pages[id]["order"] = key
        return space

    def _fields(self, parts: list[str]) -> Entry:
        entry: Entry = {}
        for part in parts:
            name, _, value = part.partition("=")
            if name == "body":
                document = parse_document(value.replace(" / ", "\n\n"))
                entry["document_id"] = self.store(document)
            elif "." in name:
                outer, _, inner = name.partition(".")
                entry.setdefault(outer, {})[inner] = value
            else:
                entry[name] = value == "yes" if name == "hidden" else value
        return entry

    def store(self, document: Node) -> str:
        id = content_id(canonical(document))
        self.documents[id] = document
        return id

    def merge(self, base: Space, ours: Space, theirs: Space) -> Merged:
        merging = merge_space(changes(base, ours), changes(base, theirs), base.variables)
        return self.run(merging, theirs)

    def run(self, merging: Asking[T], theirs: Space) -> T:
        """The result of a merge whose needs are answered from dictionaries."""
        self.asked = []
        slugs = {
            child_key(entry.get("parent"), entry.get("slug"), id): id
            for id, entry in theirs.pages.items()
        }
        try:
            needs = next(merging)
            while True:
                self.asked.append(needs)
                needs = merging.send(
                    Found(
                        pages={id: theirs.pages[id] for id in needs.pages},
                        slugs={key: slugs[key] for key in needs.slugs if key in slugs},
                        children={
                            parent: {
                                id: entry
                                for id, entry in theirs.pages.items()
                                if (entry.get("parent") or "") == parent
                            }
                            for parent in needs.children
                        },
                        documents={id: self.documents[id] for id in needs.documents},
                    )
                )
        except StopIteration as stop:
            result: T = stop.value
            return result

    def applied(self, theirs: Space, merged: Merged) -> Space:
        """Theirs with what the merge changes."""
        result = Space(
            dict(theirs.pages), dict(theirs.files), dict(theirs.contents), dict(theirs.variables)
        )
        for target, source in (
            (result.pages, merged.pages),
            (result.files, merged.files),
            (result.contents, merged.contents),
        ):
            for id, entry in source.items():
                if entry is None:
                    target.pop(id, None)
                elif id in merged.bodies:
                    assert "document_id" not in entry
                    target[id] = {**entry, "document_id": self.store(merged.bodies[id])}
                else:
                    target[id] = entry
        if merged.variables is not None:
            result.variables = dict(merged.variables)
        return result

    def text(self, space: Space) -> str:
        """The space in the notation that `space` reads."""
        lines: list[str] = []

        def add(parent: str | None, depth: int) -> None:
            below = [(e["order"], id) for id, e in space.pages.items() if e.get("parent") == parent]
            for _, id in sorted(below):
                lines.append("  " * depth + self._line(id, space.pages[id], ("title", "slug")))
                add(id, depth + 1)

        add(None, 0)
        for id, entry in sorted(space.files.items()):
            lines.append("file " + self._line(id, entry, ("name",)))
        for id, entry in sorted(space.contents.items()):
            lines.append("content " + self._line(id, entry, ("title",)))
        lines += [f"var {name}={value}" for name, value in sorted(space.variables.items())]
        return "\n".join(lines)

    def _line(self, id: str, entry: Entry, defaults: tuple[str, ...]) -> str:
        parts = [id]
        for name in sorted(entry):
            value = entry[name]
            if name in ("order", "parent", "type") or (name in defaults and value == id):
                continue
            if name == "document_id":
                parts.append("body=" + flat(self.documents[value]["nodes"]))
            elif isinstance(value, dict):
                parts += [f"{name}.{inner}={value[inner]}" for inner in sorted(value)]
            elif (name, value) != ("sha256", "0"):
                parts.append(f"{name}={'yes' if value is True else value}")
        return "; ".join(parts)

    def told(self, conflict: Conflict) -> str:
        """A conflict on one line: kind, where, base | ours | theirs."""
        where = conflict.page or conflict.file or conflict.content or ""
        tell = shown if conflict.field or conflict.block else self._entry
        versions = [tell(value) for value in (conflict.base, conflict.ours, conflict.theirs)]
        head = [conflict.kind.value, where, conflict.field or ""]
        return " ".join(part for part in head if part) + ": " + " | ".join(versions)

    def _entry(self, entry: Entry | None) -> str:
        if entry is None:
            return "-"
        if entry.keys() == {"parent", "order"}:
            return str(entry["parent"] or "top")
        name = str(entry.get("title", entry.get("name")))
        fields = {field: value for field, value in entry.items() if field != "slug"}
        return self._line(name, fields, ("title", "name"))


def shown(value: Any) -> str:
    """A value of a conflict; nodes as Markdown."""
    if value is None:
        return "-"
    if isinstance(value, dict) and "object" in value:
        return flat([value])
    if isinstance(value, list):
        return flat(value)
    return str(value)


def flat(nodes: list[Node]) -> str:
    """What nodes show, on one line."""
    return plain_text({"object": "document", "nodes": nodes}).replace("\n", " / ")


def changes(base: Space, side: Space) -> Difference:
    return Difference(
        pages=_changes(base.pages, side.pages),
        files=_changes(base.files, side.files),
        contents=_changes(base.contents, side.contents),
        variables=side.variables,
    )


def _changes(base: Mapping[str, Entry], side: Mapping[str, Entry]) -> list[Change]:
    return [
        Change(id, base.get(id), side.get(id))
        for id in sorted({*base, *side})
        if canonical(base.get(id)) != canonical(side.get(id))
    ]


def _orders(parent: str | None, ids: list[str], base: Space | None) -> list[str]:
    """Sort keys in rising order; as many as can be are those of base."""
    if base is None:
        return spread(len(ids))
    old = {id: entry["order"] for id, entry in base.pages.items() if entry.get("parent") == parent}
    known = [(position, old[id]) for position, id in enumerate(ids) if id in old]
    staying = {known[n][0]: known[n][1] for n in rising([key for _, key in known])}
    keys: list[str] = []
    for position in range(len(ids)):
        after = next((staying[n] for n in range(position, len(ids)) if n in staying), None)
        keys.append(staying.get(position) or between(keys[-1] if keys else None, after))
    return keys


def document(markdown: str, seed: str = "") -> Node:
    """The document of a text, without the indentation that all its lines have."""
    return parse_document(dedent(markdown).strip("\n"), seed=seed)


def with_keys_of(base: Node, side: Node, name: str) -> Node:
    """The side, with the keys of base for the nodes that are the same: as editors keep them."""
    return {**side, "nodes": _keyed(base["nodes"], side["nodes"], name)}


def _keyed(base: list[Node], side: list[Node], name: str) -> list[Node]:
    same = {j: i for i, j in match_nodes(base, side, Contents()).items()}
    result = []
    for j, node in enumerate(side):
        old = base[same[j]] if j in same else None
        key = content_id(f"{name}/{node['key']}".encode()) if old is None else old["key"]
        node = {**node, "key": key}
        for part in ("nodes", "fragments"):
            if part in node:
                node[part] = _keyed((old or {}).get(part) or [], node[part], f"{name}/{key}")
        result.append(node)
    return result


def plain(nodes: list[Node]) -> list[Any]:
    """Nodes without keys and without the ways in which equal text can be cut into leaves."""
    result: list[Any] = []
    for node in nodes:
        if node.get("object") == "text":
            for leaf in node["leaves"]:
                if not leaf["text"]:
                    continue
                marks = sorted(canonical(mark) for mark in leaf["marks"])
                if result and result[-1][0] == "text" and result[-1][2] == marks:
                    result[-1] = ("text", result[-1][1] + leaf["text"], marks)
                else:
                    result.append(("text", leaf["text"], marks))
            continue
        own = {n: node.get(n) for n in ("object", "type", "data", "fragment")}
        result.append((own, plain(children_of(node)), plain(node.get("fragments") or [])))
    return result


Variant = Callable[[str, str, str], tuple[Node, Node, Node]]


def _derived(base: str, ours: str, theirs: str) -> tuple[Node, Node, Node]:
    return document(base), document(ours), document(theirs)


def _rekeyed(base: str, ours: str, theirs: str) -> tuple[Node, Node, Node]:
    return document(base, "a"), document(ours, "b"), document(theirs, "c")


def _kept(base: str, ours: str, theirs: str) -> tuple[Node, Node, Node]:
    old, left, right = _derived(base, ours, theirs)
    return old, with_keys_of(old, left, "ours"), with_keys_of(old, right, "theirs")


# How keys can come: from the content, all new as after an import, or kept by an editor.
KEYS: dict[str, Variant] = {"derived": _derived, "rekeyed": _rekeyed, "kept": _kept}
