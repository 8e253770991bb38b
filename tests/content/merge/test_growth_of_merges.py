"""The time of merges in which much was wrapped, split or marked grows with their size."""

import pytest

from content.documents.keys import assign_keys
from content.documents.nodes import block, paragraph, text
from content.merge.documents import merge_documents
from content.merge.nodes import Node
from tests.growth import Work, assert_growth

Versions = tuple[list[Node], list[Node], list[Node]]


def words(number: int, more: str = "") -> Node:
    return paragraph([text(f"one{number} two{number} three{number} four{number}{more}")])


def hints(size: int, style: str) -> list[Node]:
    return [block("hint", [words(number)], {"style": style}) for number in range(size)]


def plain(size: int, more: str = "") -> list[Node]:
    return [words(number, more) for number in range(size)]


def wrapped(size: int) -> Versions:
    return plain(size), hints(size, "info"), plain(size, " new")


def wrapped_by_both(size: int) -> Versions:
    return plain(size), hints(size, "info"), hints(size, "danger")


def unwrapped(size: int) -> Versions:
    edited = [block("hint", [words(n, " new")], {"style": "info"}) for n in range(size)]
    return hints(size, "info"), plain(size), edited


def cut_to_pieces(size: int) -> Versions:
    pieces = [" ".join(f"w{n % 50}" for n in range(at, at + 20)) for at in range(0, 20 * size, 20)]
    whole = " ".join(pieces)
    cut = [paragraph([text(piece)]) for piece in pieces]
    return [paragraph([text(whole)])], cut, [paragraph([text(f"First {whole}")])]


@pytest.mark.parametrize("make", [wrapped, wrapped_by_both, unwrapped, cut_to_pieces])
def test_time_grows_with_size(make: object) -> None:
    def work(size: int) -> Work:
        documents = []
        for seed, nodes in zip("abc", make(size), strict=True):  # type: ignore[operator]
            assign_keys(nodes, seed)
            documents.append({"object": "document", "data": {}, "nodes": nodes})
        return lambda: merge_documents(*documents, page="p")

    assert_growth(work, 50, times=8)
