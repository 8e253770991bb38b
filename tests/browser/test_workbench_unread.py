"""Parts of a view that could not be read: each says so in words, and is there when it is tried
again; none is empty as if there were nothing, and none waits for ever."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.test_workbench_ahead import BUSY, FAILED, tree_of
from tests.browser.test_workbench_editor import read
from tests.browser.workbench import ADA, Graph, Person, graph, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

BROKEN = "The server has failed"
# What is answered, and what is said of it: a busy server, an answer without data, and half of one.
# Browsers write nothing of these into their console.
ANSWERS: dict[str, tuple[dict[str, Any], str]] = {
    "busy": ({"json": BUSY}, FAILED),
    "without data": ({"json": {"data": None}}, BROKEN),
    "cut off": ({"body": '{"data": {', "content_type": "application/json"}, BROKEN),
}


@dataclass
class Part:
    """A query, the view that asks it, in what of it the failure stands, and what is read then."""

    operation: str
    path: str
    place: str
    there: str


PARTS = [
    Part("TreeTop", "/s/{space}/harbour", "nav", "Weir"),
    Part("TreeBelow", "/s/{space}/harbour/basin", "nav", "Basin"),
    Part("Backlinks", "/s/{space}/harbour", "main", "No other page links here."),
    Part("OwnDrafts", "/s/{space}/harbour", "main", "Edit"),
    Part("MayEdit", "/s/{space}/~/changes/{number}/harbour", "main", "Edit"),
    Part("MergeRules", "/s/{space}/~/changes/{number}", "main", ""),
    Part("MentionsOfMe", "/", "main", ""),
    Part("StoredDocument", "/s/{space}/~/changes/{number}?tab=changes", "main", "Ebb and flow"),
    Part("EditedPage", "/s/{space}/~/changes/{number}/harbour?edit={page}", "main", "Done"),
    Part("Viewer", "/s/{space}/harbour", "body", "Harbour"),
    Part("RedirectTargets", "/o/{organization}/sites/{site}?tab=redirects", "[role=dialog]", ""),
]


@pytest.fixture(scope="module")
def names(graph: Graph) -> dict[str, Any]:
    """What the addresses of the views have in them."""
    space, change, pages = tree_of(graph, "Unread")
    there = read(graph, space, "harbour")
    words = {"updatePage": {"page": pages["Harbour"], "body": {"markdown": "Ebb and flow"}}}
    graph.apply(space, words, change=change["id"])
    site = "mutation ($id: ID!, $input: CreateSiteInput!) { createSite(organizationId: $id, input: $input) { id } }"  # noqa: E501
    made = graph(site, id=graph.organization, input={"title": "Unread", "spaces": [space]})
    return {
        "space": space, "number": change["number"], "page": there["pageId"],
        "organization": graph.organization, "site": made["createSite"]["id"],
    }  # fmt: skip


class Answering:
    """One query is answered with something that is no answer, until it is let through."""

    def __init__(self, page: Page) -> None:
        self.operation: str | None = None
        self.answer: dict[str, Any] = {}
        page.route("**/graphql", self._answer)

    def _answer(self, route: Route) -> None:
        body = route.request.post_data or ""
        if self.operation and re.search(rf"query {self.operation}\b", body):
            route.fulfill(**self.answer)
        else:
            route.fallback()


@pytest.mark.parametrize("kind", ANSWERS)
def test_what_could_not_be_read_is_said_and_tried_again(
    signed_in: Any, graph: Graph, names: dict[str, Any], kind: str
) -> None:
    ada = signed_in(ADA)
    page = ada.page
    answering = Answering(page)
    answering.answer, words = ANSWERS[kind]
    for part in PARTS:
        answering.operation = part.operation
        ada.go(part.path.format(**names))
        if part.place == "[role=dialog]":
            page.get_by_role("button", name="New redirect").click()
        place = page.locator(part.place).first
        alert = place.get_by_role("alert").filter(has_text=words).first
        expect(alert, part.operation).to_be_visible()
        # Nothing waits in its place.
        expect(page.get_by_role("status", name="Loading"), part.operation).to_have_count(0)
        answering.operation = None
        alert.get_by_role("button", name="Try again").click()
        expect(place.get_by_role("alert"), part.operation).to_have_count(0)
        expect(place, part.operation).to_contain_text(part.there)
    ada.fine()


def with_an_unread_level(
    signed_in: Any, space: str, page: str
) -> tuple[Person, Answering, Locator]:
    """Somebody at a page, what answers them, and the tree: what is below Harbour was not read."""
    person: Person = signed_in(ADA)
    answering = Answering(person.page)
    answering.answer, _ = ANSWERS["busy"]
    answering.operation = "TreeBelow"
    person.go(f"/s/{space}/{page}")
    tree = person.page.get_by_role("treegrid", name="Pages")
    tree.get_by_role("row", name="Harbour").focus()
    person.page.keyboard.press("ArrowRight")
    expect(tree.get_by_role("row", name="Not read")).to_be_visible()
    return person, answering, tree


def test_a_level_of_the_tree_that_is_not_read_says_so(
    signed_in: Any, graph: Graph, names: dict[str, Any]
) -> None:
    ada, answering, tree = with_an_unread_level(signed_in, names["space"], "harbour")
    # It comes by itself, too.
    answering.operation = None
    expect(tree.get_by_role("row", name="Basin")).to_be_visible()
    expect(ada.page.get_by_role("navigation").first.get_by_role("alert")).to_have_count(0)
    ada.fine()


def test_what_failed_is_asked_again_behind_other_answers(
    signed_in: Any, graph: Graph, names: dict[str, Any]
) -> None:
    """Answers that have to do with it have the cache look for it meanwhile, which finds nothing."""
    ada, answering, tree = with_an_unread_level(signed_in, names["space"], "weir")
    page = ada.page
    for name in ("Lock", "Harbour", "Weir", "Lock"):
        tree.get_by_role("row", name=name).click()
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        ada.settle()
    answering.operation = None
    alert = page.get_by_role("navigation").first.get_by_role("alert")
    alert.get_by_role("button", name="Try again").click()
    expect(tree.get_by_role("row", name="Basin")).to_be_visible(timeout=5_000)
    ada.fine()
