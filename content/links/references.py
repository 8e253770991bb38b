"""What a document refers to: its content references, in reading order, with the blocks they are in.

A reference is brought to one form, so that all links to one thing are equal: links to an anchor
of their own page name that page, URLs that are an anchor only become anchors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from content.documents.content_references import IN_SPACES, NAMES, cell_references
from content.documents.nodes import Node, child_lists
from content.documents.plain_text import plain_text
from content.hashing import content_id
from content.json_types import Json, JsonObject
from content.links.relative import link_candidates, read_anchor
from content.merkle.node import canonical

Relation = Literal["reference", "dependsOn"]
# Blocks whose content is that of what they refer to.
_EMBEDDING = frozenset(
    {"reusable-content", "openapi-operation", "openapi-schemas", "openapi-webhook", "swagger"}
)
ID_PATTERN = re.compile(r"[A-Za-z0-9:._-]{1,64}")
TEXT_LENGTH = 200
# A page with more is shown with the first of them.
REFERENCE_LIMIT = 5000


def reference_key(reference: Mapping[str, Json]) -> str:
    """Equal for equal content references."""
    return canonical(reference).decode()


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference: what it leads to, why, the key of its block, and the text that it stands on.

    `node` is empty for what belongs to the page itself, such as its cover.
    """

    target: JsonObject
    relation: Relation
    node: str
    text: str = ""

    @property
    def kind(self) -> str:
        """The kind of the target, one of `NAMES`."""
        return str(self.target["kind"])

    @property
    def digest(self) -> str:
        """Equal for references to the same thing for the same reason."""
        return content_id(canonical([self.relation, self.target]))

    @property
    def target_id(self) -> str | None:
        """The id of the target; None for URLs, and for what no id can be."""
        value = self.target.get(NAMES[self.kind]) if self.kind != "url" else None
        return value if isinstance(value, str) and ID_PATTERN.fullmatch(value) else None

    @property
    def space_id(self) -> str | None:
        """The other space that the target is in; None for the own one."""
        value = self.target.get("space") if self.kind in IN_SPACES else None
        return value if isinstance(value, str) and ID_PATTERN.fullmatch(value) else None

    @property
    def anchor(self) -> str | None:
        """The anchor on the target's page."""
        return str(self.target["anchor"]) if self.kind == "anchor" else None


def references_of(
    document: Node, page_id: str | None, space_id: str | None = None
) -> list[Reference]:
    """The references of a document, each target once for each block.

    `page_id` is the page it is the body of, `space_id` the space; a reference that names its own
    space is the same as one that names none.
    """
    references: dict[tuple[str, str], Reference] = {}
    for reference in _references(document, page_id, space_id):
        references.setdefault((reference.node, reference.digest), reference)
        if len(references) == REFERENCE_LIMIT:
            break
    return list(references.values())


def reference_to(value: Json, page_id: str | None, space_id: str | None = None) -> Reference | None:
    """A reference by itself, such as the target of a link page; None when it is none."""
    target = normal_target(value, page_id, space_id)
    return None if target is None else Reference(target, "reference", "")


def normal_target(
    value: Json, page_id: str | None, space_id: str | None = None
) -> JsonObject | None:
    """A content reference with nothing but its known members; None when it is none."""
    if not isinstance(value, dict):
        return None
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in NAMES:
        return None
    if kind == "url":
        url = value.get("url")
        if not isinstance(url, str):
            return None
        if page_id is not None and url.startswith("#") and len(url) > 1:
            return {"kind": "anchor", "anchor": read_anchor(url[1:]), "page": page_id}
        return {"kind": "url", "url": url}
    target: JsonObject = {"kind": kind}
    names = {NAMES[kind], "anchor"} if kind == "anchor" else {NAMES[kind]}
    for name in sorted(names):
        member = value.get(name)
        if isinstance(member, str):
            target[name] = member
    if kind == "anchor":
        if "anchor" not in target:
            return None
        if "page" not in target and page_id is not None:
            target["page"] = page_id
    elif NAMES[kind] not in target:
        return None
    other = value.get("space")
    if kind in IN_SPACES and isinstance(other, str) and other != space_id:
        target["space"] = other
    return target


def _references(document: Node, page_id: str | None, space_id: str | None) -> Iterator[Reference]:
    stack: list[tuple[Node, str]] = [(document, "")]
    while stack:
        node, block = stack.pop()
        key = node.get("key")
        if node.get("object") == "block" and isinstance(key, str):
            block = key
        data = node.get("data")
        if isinstance(data, dict):
            relation: Relation = "dependsOn" if node.get("type") in _EMBEDDING else "reference"
            for value in _held(node, data):
                target = normal_target(value, page_id, space_id)
                if target is not None:
                    yield Reference(target, relation, block, _text(node))
        children = [child for group in child_lists(node) for child in group]
        stack.extend((child, block) for child in reversed(children))


def _held(node: Node, data: JsonObject) -> Iterator[Json]:
    """The references that a node itself holds."""
    kind = node.get("type")
    if kind == "table":
        yield from cell_references(data.get("definition"), data.get("records"))
        return
    if kind == "markdown":
        # Verbatim Markdown: where its relative links lead to is not known.
        for url in link_candidates(str(data.get("source", ""))):
            if url.startswith(("https://", "http://")):
                yield {"kind": "url", "url": url}
        return
    for name in ("ref", "refDark"):
        if name in data:
            yield data[name]
    if kind == "embed" and isinstance(data.get("url"), str):
        yield {"kind": "url", "url": data["url"]}


def _text(node: Node) -> str:
    if node.get("object") != "inline":
        return ""
    return " ".join(plain_text(node).split())[:TEXT_LENGTH]


def url_status(url: str, app_url: str) -> Literal["ok", "broken", "in-app"]:
    """What can be said of a URL without asking anybody.

    `in-app` leads into this application, whose address is `app_url`. A relative one is `broken`:
    those that lead to a page or file of the space are references to them. Whether other servers
    answer is not asked.
    """
    url = url.strip()
    if url.startswith(f"{app_url}/s/") or url.startswith("/s/"):
        return "in-app"
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:.|//.|\{\{", url):
        return "ok"
    return "broken"
