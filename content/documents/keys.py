"""Stable keys for the nodes of a document, and hashes of their content without keys."""

from __future__ import annotations

import hashlib

import orjson

from content.documents.nodes import Node, child_lists, children_of
from content.json_types import Json

_ALPHABET = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TO_BASE62 = bytes(_ALPHABET[byte % 62] for byte in range(256))
_LENGTH = 20
# Keys that one hash is cut into.
_AT_ONCE = 3


def assign_keys(nodes: list[Node], seed: str) -> None:
    """Give every block, inline, text and fragment a key of 20 base-62 characters, in place.

    A key comes from the seed, the content of the node with all below it, and which of its equals
    it is in document order. So equal input gives equal keys, keys are unique in a document, and
    a node keeps its key when only something else in the document changes.
    """
    _Keys(seed).assign(nodes)


def derived_key(key: str, turn: int) -> str:
    """A key instead of one that is taken: 20 base-62 characters, others for every `turn`."""
    text = f"{turn}:{key}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=20).digest().translate(_TO_BASE62).decode("ascii")


class _Equals:
    """Nodes of the same content."""

    __slots__ = ("content", "keys", "turn")

    def __init__(self, own: bytes) -> None:
        self.content = hashlib.blake2b(own, digest_size=_LENGTH).digest()
        self.turn = 0
        self.keys: list[str] = []

    def key(self, keyed: hashlib.blake2b) -> str:
        """The key of the next of them."""
        if not self.keys:
            hashed = keyed.copy()
            hashed.update(self.content + self.turn.to_bytes(8, "big"))
            self.turn += 1
            letters = str(hashed.digest().translate(_TO_BASE62), "ascii")
            self.keys = [letters[40:], letters[20:40], letters[:20]]
        return self.keys.pop()


class _Keys:
    def __init__(self, seed: str) -> None:
        key = hashlib.blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=_LENGTH).digest()
        self.keyed = hashlib.blake2b(key=key, digest_size=_AT_ONCE * _LENGTH)
        # By what nodes say, with the hashes of what is below them.
        self.seen: dict[bytes, _Equals] = {}

    def assign(self, nodes: list[Node]) -> bytes:
        """Keys for `nodes`, children first; the hashes of their contents, one after the other."""
        seen, keyed = self.seen, self.keyed
        contents: list[bytes] = []
        for node in nodes:
            own = _own(node)
            children = node.get("nodes")
            text = _only_text(children)
            if text is not None:
                own += b"t" + orjson.dumps(text["leaves"], option=orjson.OPT_SORT_KEYS)
            elif isinstance(children, list):
                own += b"n" + self.assign(children)  # type: ignore[arg-type]  # only nodes
            fragments = node.get("fragments")
            if isinstance(fragments, list):
                own += b"f" + self.assign(fragments)  # type: ignore[arg-type]  # only nodes
            equals = seen.get(own)
            if equals is None:
                equals = seen[own] = _Equals(own)
            node["key"] = equals.key(keyed)
            if text is not None:
                text["key"] = equals.key(keyed)
            contents.append(equals.content)
        return b"".join(contents)


def _only_text(nodes: Json) -> Node | None:
    """The text of a node that has nothing else below it, as most paragraphs have."""
    if not isinstance(nodes, list) or len(nodes) != 1:
        return None
    node = nodes[0]
    assert isinstance(node, dict)
    plain = node.get("object") == "text" and "data" not in node and "type" not in node
    return node if plain and "fragment" not in node and "leaves" in node else None


def _own(node: Node) -> bytes:
    """The node itself as JSON with sorted names: without its key and its children."""
    if node.get("object") == "block" and "fragment" not in node and "leaves" not in node:
        constant = None if node.get("data") else _PLAIN_BLOCKS.get(str(node.get("type")))
        if constant is not None:
            return constant
    own = {name: node.get(name) for name in ("data", "fragment", "leaves", "object", "type")}
    return orjson.dumps(own, option=orjson.OPT_SORT_KEYS)


# What most blocks say, as `_own` would write it.
_PLAIN_BLOCKS = {
    kind: b'{"data":{},"fragment":null,"leaves":null,"object":"block","type":"%b"}' % kind.encode()
    for kind in (
        "paragraph", "list-item", "list-unordered", "list-ordered", "heading-1", "heading-2",
        "heading-3", "table-row", "table-cell", "code-line",
    )
}  # fmt: skip


_CONTENT = ("object", "type", "fragment", "data", "leaves")


def node_digests(document: Node) -> dict[int, bytes]:
    """A hash for the document and every node in it, by id() of the node: nodes with equal hashes
    have the same content, whatever their keys are."""
    digests: dict[int, bytes] = {}
    _digest(document, digests)
    return digests


def content_digest(document: Node) -> bytes:
    """A hash of the blocks of a document."""
    digests = node_digests(document)
    return b"".join(digests[id(node)] for node in children_of(document))


def _digest(node: Node, digests: dict[int, bytes]) -> bytes:
    parts: list[bytes] = []
    shape: list[int] = []
    for children in child_lists(node):
        if not children and children is not node.get("nodes"):
            # No fragments at all are the same as an empty list of them.
            continue
        shape.append(len(children))
        for child in children:
            parts.append(_digest(child, digests))
    own = [node.get(name) for name in _CONTENT]
    content = orjson.dumps([own, shape], option=orjson.OPT_SORT_KEYS)
    digest = hashlib.blake2b(b"".join([content, *parts]), digest_size=20).digest()
    digests[id(node)] = digest
    return digest
