"""Versions that are no trees themselves: a merge ends, and gives a tree."""

from __future__ import annotations

import pytest

from content.merge.space import merge_space
from content.merge.versions import Found, MissingContentError
from tests.content.merge.notation import Space, World, changes
from tests.content.merge.test_space_properties import assert_valid


def page(order: str, parent: str | None = None, **fields: str) -> dict[str, str]:
    entry = {"type": "document", "title": order, "slug": order, "order": order, **fields}
    return entry if parent is None else {**entry, "parent": parent}


def test_a_circle_of_new_pages_is_opened() -> None:
    base = Space(pages={"a": page("1"), "b": page("2")})
    ours = Space(
        pages={**base.pages, "x": page("3", "y"), "y": page("4", "x"), "a": page("1", "x")}
    )
    theirs = Space(pages={"a": page("1"), "b": page("2", "a")})
    world = World()
    assert_valid(world.applied(theirs, world.merge(base, ours, theirs)))


def test_an_orphan_goes_to_the_top() -> None:
    base = Space(pages={"a": page("1"), "b": page("2")})
    ours = Space(pages={**base.pages, "x": page("3", "b")})
    theirs = Space(pages={"a": page("1")})
    world = World()
    # Theirs removed b, and ours as well, but left a page in it.
    del ours.pages["b"]
    result = world.applied(theirs, world.merge(base, ours, theirs))
    assert_valid(result)
    assert world.text(result) == "a; slug=1; title=1\nx; slug=3; title=3"


@pytest.mark.parametrize("order", ["", "0", "V0", "é"])
def test_orders_that_are_no_sort_keys_are_given_out_anew(order: str) -> None:
    base = Space(pages={"a": page(order), "b": page("V")})
    ours = Space(pages={**base.pages, "o": page("W")})
    theirs = Space(pages={**base.pages, "t": page("W")})
    world = World()
    result = world.applied(theirs, world.merge(base, ours, theirs))
    orders = [entry["order"] for entry in result.pages.values()]
    assert len(set(orders)) == 4
    assert result.pages["t"]["order"] < result.pages["o"]["order"]


def test_a_document_that_is_missing_is_named() -> None:
    world = World()
    base = world.space("a; body=one")
    sides = [world.space(f"a; body={text}", base) for text in ("two", "three")]
    del world.documents[base.pages["a"]["document_id"]]
    merging = merge_space(changes(base, sides[0]), changes(base, sides[1]), {})
    needs = next(merging)
    found = {id: world.documents[id] for id in needs.documents if id in world.documents}
    with pytest.raises(MissingContentError, match=base.pages["a"]["document_id"]):
        merging.send(Found(documents=found))
