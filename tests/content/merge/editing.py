"""Documents and trees for property tests, and random edits of them.

Every word of a document occurs once, and every word that an edit adds tells who added it: so
after a merge each word says whether it was lost or doubled. Parts of a document have ids, which
can be its keys: then what was moved and rewritten at once is still known to be the same.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from content.documents.nodes import block, fragment, text

Part = dict[str, Any]
LISTS = ("list", "tabs")


class Writer:
    """Makes words and parts whose names begin with `name` and are used once."""

    def __init__(self, name: str, random: Random) -> None:
        self.name, self.random, self._count = name, random, 0

    def word(self) -> str:
        self._count += 1
        return f"{self.name}{self._count}"

    def line(self) -> Part:
        return {"id": f"id_{self.word()}", "words": self.some(self.word, 7)}

    def some(self, make: Callable[[], Any], most: int) -> list[Any]:
        return [make() for _ in range(self.random.randint(1, most))]

    def block(self, depth: int = 0) -> Part:
        kinds = ["p", "p", "p", "h", "code", "table", "list", "hint", "details", "tabs"]
        kind = self.random.choice(kinds if depth < 2 else kinds[:4])
        made = {"kind": kind, **self.line()}
        if kind == "code":
            made["lines"] = self.some(self.line, 4)
        elif kind == "table":
            width = self.random.randint(1, 3)
            made["columns"] = [self.line() for _ in range(width)]
            made["rows"] = self.some(lambda: self.row(width), 4)
        elif kind in LISTS:
            made["items"] = self.some(lambda: self.item(2 if kind == "list" else depth + 1), 4)
        elif kind in ("hint", "details"):
            made["blocks"] = self.blocks(depth + 1)
        return made

    def blocks(self, depth: int = 0, most: int = 3) -> list[Part]:
        return self.some(lambda: self.block(depth), most)

    def item(self, depth: int) -> Part:
        return {**self.line(), "blocks": self.blocks(depth, 2)}

    def row(self, width: int) -> Part:
        return {**self.line(), "cells": [self.line() for _ in range(width)]}

    def edited(self, blocks: list[Part], edits: int) -> list[Part]:
        """A copy with some random edits at random depths."""
        result = copy.deepcopy(blocks)
        for _ in range(edits):
            self._edit(result)
        return result or [self.block()]

    def reshaped(self, blocks: list[Part], edits: int) -> list[Part]:
        """A copy in which blocks were wrapped, unwrapped, split, joined, and edited."""
        result = copy.deepcopy(blocks)
        for _ in range(edits):
            self._reshape(result)
        return result or [self.block()]

    def _reshape(self, blocks: list[Part]) -> None:
        random = self.random
        at = random.randrange(len(blocks)) if blocks else 0
        chosen = blocks[at] if blocks else {"kind": ""}
        choice = random.random()
        texts = [part["kind"] == "p" for part in blocks[at : at + 2]]
        if blocks and choice < 0.3:
            inner = blocks[at : at + random.randint(1, 3)]
            wrapper = {"kind": random.choice(("hint", "details")), **self.line()}
            blocks[at : at + len(inner)] = [{**wrapper, "blocks": inner}]
        elif chosen["kind"] in ("hint", "details") and choice < 0.6:
            blocks[at : at + 1] = chosen["blocks"]
        elif chosen["kind"] == "p" and len(chosen["words"]) > 1 and choice < 0.6:
            cut = random.randrange(1, len(chosen["words"]))
            second = {**self.line(), "kind": "p", "words": chosen["words"][cut:]}
            blocks[at : at + 1] = [{**chosen, "words": chosen["words"][:cut]}, second]
        elif texts == [True, True] and choice < 0.8:
            both = [*chosen["words"], *blocks[at + 1]["words"]]
            blocks[at : at + 2] = [{**chosen, "words": both}]
        else:
            self._edit(blocks)

    def _edit(self, blocks: list[Part]) -> None:
        random = self.random
        if not blocks or random.random() < 0.15:
            blocks.insert(random.randint(0, len(blocks)), self.block(2))
            return
        at = random.randrange(len(blocks))
        chosen, choice = blocks[at], random.random()
        if choice < 0.1:
            del blocks[at]
        elif choice < 0.2:
            blocks.insert(random.randint(0, len(blocks) - 1), blocks.pop(at))
        elif chosen["kind"] == "table":
            self._edit_table(chosen)
        elif chosen["kind"] == "code":
            self._edit_list(chosen["lines"], self.line)
        elif chosen["kind"] in LISTS and random.random() < 0.4:
            self._edit_list(chosen["items"], lambda: self.item(2))
        elif chosen["kind"] in LISTS:
            item = random.choice(chosen["items"])
            if chosen["kind"] == "tabs" and random.random() < 0.3:
                item["words"] = self.line()["words"]
            self._edit_blocks(item)
        elif "blocks" in chosen and random.random() < 0.7:
            self._edit_blocks(chosen)
        else:
            self._edit_list(chosen["words"], self.word)

    def _edit_blocks(self, part: Part) -> None:
        self._edit(part["blocks"])
        if not part["blocks"]:
            part["blocks"].append(self.block(2))

    def _edit_table(self, table: Part) -> None:
        choice = self.random.random()
        if choice < 0.3:
            at = self.random.randint(0, len(table["rows"]))
            table["rows"].insert(at, self.row(len(table["columns"])))
        elif choice < 0.5 and len(table["rows"]) > 1:
            del table["rows"][self.random.randrange(len(table["rows"]))]
        else:
            cell = self.random.choice(self.random.choice(table["rows"])["cells"])
            self._edit_list(cell["words"], self.word)

    def _edit_list(self, items: list[Any], make: Callable[[], Any]) -> None:
        choice, at = self.random.random(), self.random.randrange(len(items))
        if choice < 0.3:
            items.insert(at, make())
        elif choice < 0.6 and len(items) > 1:
            del items[at]
        elif isinstance(items[at], dict) and "blocks" not in items[at]:
            self._edit_list(items[at]["words"], self.word)
        else:
            items[at] = make()


def said(part: Part) -> str:
    return " ".join(part["words"])


def markdown(blocks: list[Part]) -> str:
    """The blocks as Markdown."""
    return "\n\n".join(_markdown(part) for part in blocks)


def _markdown(part: Part) -> str:
    kind = part["kind"]
    if kind == "p":
        return said(part)
    if kind == "h":
        return "## " + said(part)
    if kind == "code":
        return "```\n" + "\n".join(said(line) for line in part["lines"]) + "\n```"
    if kind == "table":
        rows = [part["columns"], *(row["cells"] for row in part["rows"])]
        lines = ["| " + " | ".join(said(cell) for cell in row) + " |" for row in rows]
        return "\n".join([lines[0], "|" + "---|" * len(part["columns"]), *lines[1:]])
    if kind == "list":
        items = (markdown(item["blocks"]).replace("\n", "\n  ") for item in part["items"])
        return "\n".join("* " + item for item in items)
    if kind == "tabs":
        items = (
            f'{{% tab title="{said(item)}" %}}\n{markdown(item["blocks"])}\n{{% endtab %}}'
            for item in part["items"]
        )
        return "{% tabs %}\n" + "\n\n".join(items) + "\n{% endtabs %}"
    body = markdown(part["blocks"])
    if kind == "hint":
        return '{% hint style="info" %}\n' + body + "\n{% endhint %}"
    return f"<details>\n\n<summary>{said(part)}</summary>\n\n{body}\n\n</details>"


def document_of(blocks: list[Part]) -> Part:
    """The blocks as a document in which keys, and ids in tables, are the ids of the parts."""
    nodes = [_node(part) for part in blocks]
    return {"object": "document", "data": {}, "nodes": nodes}


def _node(part: Part) -> Part:
    kind, id = part["kind"], part["id"]
    if kind in ("p", "h"):
        made = block("paragraph" if kind == "p" else "heading-1", [_text(part)])
    elif kind == "code":
        lines = [_keyed(block("code-line", [_text(line)]), line["id"]) for line in part["lines"]]
        made = block("code", lines)
    elif kind == "table":
        made = _table(part)
    elif kind in LISTS:
        names = ("list-unordered", "list-item") if kind == "list" else ("tabs", "tabs-item")
        items = [
            _keyed(block(names[1], map(_node, item["blocks"]), {"title": said(item)}), item["id"])
            for item in part["items"]
        ]
        made = block(names[0], items)
    elif kind == "hint":
        made = block("hint", map(_node, part["blocks"]), {"style": "info"})
    else:
        title = _keyed(block("paragraph", [_text(part)]), f"{id}-title")
        parts = {"expandable-title": [title], "expandable-body": map(_node, part["blocks"])}
        fragments = [
            _keyed(fragment(name, nodes, name), f"{id}-{name}") for name, nodes in parts.items()
        ]
        made = block("expandable", None, {}, fragments)
    return _keyed(made, id)


def _table(part: Part) -> Part:
    columns, rows = part["columns"], part["rows"]
    definition = {c["id"]: {"id": c["id"], "title": said(c), "type": "text"} for c in columns}
    records: Part = {}
    fragments = []
    for number, row in enumerate(rows):
        values = {}
        for column, cell in zip(columns, row["cells"], strict=True):
            name = f"{row['id']}-{column['id']}"
            values[column["id"]] = name
            content = _keyed(block("paragraph", [_text(cell)]), cell["id"])
            fragments.append(_keyed(fragment(name, [content], "table-cell"), f"{name}-cell"))
        records[row["id"]] = {"orderIndex": f"{number:06d}", "values": values}
    view = {"type": "grid", "columns": list(definition)}
    data: Part = {"view": view, "records": records, "definition": definition}
    return block("table", None, data, fragments)


def _text(part: Part) -> Part:
    return _keyed(text(said(part)), f"{part['id']}-text")


def _keyed(node: Part, key: str) -> Part:
    node["key"] = key
    return node


def edited_space(source: str, name: str, random: Random, edits: int) -> str:
    """A tree in the notation of `notation.World.space` after some random edits."""
    lines = source.splitlines()
    for number in range(edits):
        at = random.randrange(len(lines))
        depth, end = _depth(lines[at]), _end(lines, at)
        choice = random.random()
        if choice < 0.25:
            target, deeper = random.choice([(at + 1, 1), (end, 0)])
            lines.insert(target, "  " * (depth + deeper) + f"{name}{number}")
        elif choice < 0.4 and end - at < len(lines):
            del lines[at:end]
        elif choice < 0.7:
            part = [line[2 * depth :] for line in lines[at:end]]
            del lines[at:end]
            target = random.randint(0, len(lines))
            above = _depth(lines[target - 1]) if target else -1
            least = _depth(lines[target]) if target < len(lines) else 0
            deep = random.randint(least, max(least, above + 1))
            lines[target:target] = ["  " * deep + line for line in part]
        else:
            field = random.choice(["title", "icon", "description"])
            lines[at] = f"{lines[at].split(';')[0]}; {field}={name}{number}"
            if random.random() < 0.3:
                lines[at] += f"; slug={random.choice('xyz')}"
    return "\n".join(_unique_slugs(lines))


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip())) // 2


def _end(lines: list[str], at: int) -> int:
    """The first line behind a page and all below it."""
    end = at + 1
    while end < len(lines) and _depth(lines[end]) > _depth(lines[at]):
        end += 1
    return end


def _unique_slugs(lines: list[str]) -> list[str]:
    """The lines, without slugs that a sibling has."""
    taken: list[set[str]] = []
    result = []
    for line in lines:
        depth = _depth(line)
        del taken[depth + 1 :]
        taken += [set() for _ in range(depth + 1 - len(taken))]
        head, _, slug = line.partition("; slug=")
        result.append(head if slug and slug in taken[depth] else line)
        taken[depth].add(slug)
    return result
