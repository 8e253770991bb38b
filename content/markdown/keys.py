"""Stable keys for the nodes of a document."""

from __future__ import annotations

import hashlib

import orjson

from content.json_types import Json
from content.markdown.nodes import Node

_ALPHABET = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TO_BASE62 = bytes(_ALPHABET[byte % 62] for byte in range(256))
# Other characters for the only text of a block, whose key comes from that of the block.
_TEXT_TO_BASE62 = bytes(_ALPHABET[(byte + 31) % 62] for byte in range(256))


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


class _Keys:
    def __init__(self, seed: str) -> None:
        digest = hashlib.blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=20).digest()
        self.keyed = hashlib.blake2b(key=digest, digest_size=20)
        # By what nodes say, with the digests of what is below them: their own digests, and how
        # many there were.
        self.seen: dict[bytes, tuple[bytes, int]] = {}

    def assign(self, nodes: list[Node]) -> bytes:
        """Keys for `nodes`, children first; the digests of their contents, one after the other."""
        seen, keyed = self.seen, self.keyed
        digests: list[bytes] = []
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
            known = seen.get(own)
            if known is None:
                content, count = hashlib.blake2b(own, digest_size=20).digest(), 0
            else:
                content, count = known
            seen[own] = content, count + 1
            key = keyed.copy()
            key.update(content + count.to_bytes(8, "big"))
            found = key.digest()
            node["key"] = str(found.translate(_TO_BASE62), "ascii")
            if text is not None:
                text["key"] = str(found.translate(_TEXT_TO_BASE62), "ascii")
            digests.append(content)
        return b"".join(digests)


def _only_text(nodes: Json) -> Node | None:
    """The text of a node that has nothing else below it, as most paragraphs have."""
    if not isinstance(nodes, list) or len(nodes) != 1:
        return None
    node = nodes[0]
    assert isinstance(node, dict)
    plain = node.get("object") == "text" and "data" not in node and "type" not in node
    return node if plain and "fragment" not in node and "leaves" in node else None


def _own(node: Node) -> bytes:
    """What a node says itself as JSON, with its names in their order."""
    if node.get("object") == "block" and "fragment" not in node and "leaves" not in node:
        known = None if node.get("data") else _PLAIN_BLOCKS.get(str(node.get("type")))
        if known is not None:
            return known
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
