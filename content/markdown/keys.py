"""Stable keys for the nodes of a document."""

from __future__ import annotations

import hashlib

import orjson

from content.markdown.nodes import Node, child_lists

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
        digests: list[bytes] = []
        for node in nodes:
            # The names are in their order, so that the content is sorted as its data is.
            own = orjson.dumps(
                {
                    "data": node.get("data"),
                    "fragment": node.get("fragment"),
                    "leaves": node.get("leaves"),
                    "object": node.get("object"),
                    "type": node.get("type"),
                },
                option=orjson.OPT_SORT_KEYS,
            )
            for children in child_lists(node):
                own += self.assign(children)
            content = hashlib.blake2b(own, digest_size=20).digest()
            count = self.seen.get(content, 0)
            self.seen[content] = count + 1
            key = self.keyed.copy()
            key.update(content + count.to_bytes(8, "big"))
            node["key"] = str(key.digest().translate(_TO_BASE62), "ascii")
            digests.append(content)
        return hashlib.blake2b(b"".join(digests), digest_size=20).digest()
