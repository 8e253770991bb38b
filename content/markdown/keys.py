"""Stable keys for the nodes of a document."""

from __future__ import annotations

import hashlib

import orjson

from content.markdown.nodes import Node

_ALPHABET = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TO_BASE62 = bytes(_ALPHABET[byte % 62] for byte in range(256))


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
        self.seen: dict[bytes, int] = {}

    def assign(self, nodes: list[Node]) -> bytes:
        """Keys for `nodes`, children first; the digest of their content."""
        blake2b, seen, keyed = hashlib.blake2b, self.seen, self.keyed
        digests: list[bytes] = []
        for node in nodes:
            own = _own(node)
            for name in ("nodes", "fragments"):
                children = node.get(name)
                if isinstance(children, list):
                    own += self.assign(children)  # type: ignore[arg-type]  # only nodes
            content = blake2b(own, digest_size=20).digest()
            count = seen.get(content, 0)
            seen[content] = count + 1
            key = keyed.copy()
            key.update(content + count.to_bytes(8, "big"))
            node["key"] = str(key.digest().translate(_TO_BASE62), "ascii")
            digests.append(content)
        return blake2b(b"".join(digests), digest_size=20).digest()


def _own(node: Node) -> bytes:
    """What a node says itself as JSON, with its names in their order."""
    kind, data = node.get("object"), node.get("data")
    if kind == "text" and data is None and "type" not in node and "fragment" not in node:
        leaves = orjson.dumps(node.get("leaves"), option=orjson.OPT_SORT_KEYS)
        return b'{"data":null,"fragment":null,"leaves":%b,"object":"text","type":null}' % leaves
    if kind == "block" and data == {} and "fragment" not in node and "leaves" not in node:
        known = _PLAIN_BLOCKS.get(str(node.get("type")))
        if known is not None:
            return known
    own = {name: node.get(name) for name in ("data", "fragment", "leaves", "object", "type")}
    return orjson.dumps(own, option=orjson.OPT_SORT_KEYS)


# What most blocks say, as `_own` would write it.
_PLAIN_BLOCKS = {
    kind: b'{"data":{},"fragment":null,"leaves":null,"object":"block","type":"%b"}' % kind.encode()
    for kind in ("paragraph", "list-item", "list-unordered", "heading-1", "heading-2", "heading-3")
}
