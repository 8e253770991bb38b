"""What the Workbench offers by role: every view for people of every role. What would be refused is
not offered, what is allowed is; what may not be seen says so in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import workbench
from tests.browser.conftest import Shown
from tests.browser.test_workbench_administration import COLLECTION, CREATE_CHANGE, CREATE_SITE
from tests.browser.test_workbench_dialogs import COMMENT, OPEN
from tests.browser.workbench import WIDE, Graph, Person, page_of, signed_in_by_link

graph = workbench.graph
# The people of the demo, by their role in the organization.
PEOPLE = {
    "guest": "hugo", "reader": "grete", "commenter": "farah", "editor": "dana",
    "reviewer": "chidi", "creator": "bruno", "admin": "ada",
}  # fmt: skip
RANKS = list(PEOPLE)
ROLES = [None, "READ", "COMMENT", "EDIT", "REVIEW", "CREATE", "ADMIN"]
MEMBERS = """query ($id: ID!) {
  organization(id: $id) { members(first: 50) { nodes { userId user { email } } } } }"""
UPDATE_MEMBER = """mutation ($id: ID!, $user: ID!, $input: UpdateMemberInput!) {
  updateMember(organizationId: $id, userId: $user, input: $input) { role } }"""
NOBODY = "nobody"
# By view: what is offered there, and the weakest role to which it is. The tables of
# docs/roles.md, and WEAKEST of tests/test_authorization.py, which calls them all.
OFFERED: dict[str, dict[str, str]] = {
    "/s/{space}/first": {"Edit": "editor"},
    "/s/{space}/~/changes?status=all": {"New change request": "editor"},
    "/s/{space}/~/changes/1": {
        "Post comment": "commenter", "Resolve": "editor", "Describe": "editor",
        "Merge": "reviewer", "Back to draft": "editor", "Archive": "reviewer",
        "Give a review": "reviewer", "Show people": "editor",
    },
    "/s/{space}/~/changes/1?tab=changes": {"Comment on this page": "commenter"},
    "/s/{space}/~/import": {"Import": "editor"},
    "/s/{space}/~/git": {"Connect": "creator"},
    "/s/{space}/~/people": {"Show people": "creator", "Why": "reader"},
    "/c/{collection}/~/people": {"Show teams": "creator", "Why": "reader"},
    "/o/{organization}": {"New space": "creator", "New collection": "creator"},
    "/o/{organization}/~/people": {"Invite people": "admin", "Remove": "admin"},
    "/o/{organization}/~/teams": {"New team": "admin", "Details": "reader"},
    "/o/{organization}/~/invitations": {"Invite people": "admin"},
    "/o/{organization}/~/sites": {"New site": "creator"},
    "/o/{organization}/~/jobs": {},
    "/o/{organization}/~/specifications": {"New specification": "creator", "Delete": "creator"},
    "/o/{organization}/~/translations": {"New translation": "admin"},
    "/o/{organization}/~/webhooks": {"New webhook": "admin"},
    "/o/{organization}/~/integrations": {},
    "/o/{organization}/~/audit": {"Filter": "admin"},
    "/o/{organization}/sites/{site}": {
        "Publish": "creator", "Delete this site": "creator", "Save": "creator",
    },
    "/o/{organization}/sites/{site}?tab=content": {"Add a space": "creator"},
    "/o/{organization}/sites/{site}?tab=sharing": {"New share link": "creator"},
    "/o/{organization}/sites/{site}?tab=redirects": {"New redirect": "creator"},
    "/o/{organization}/sites/{site}?tab=domain": {"Use a host name": "admin"},
    "/o/{organization}/sites/{site}?tab=look": {"Save": "creator"},
    "/o/{organization}/sites/{site}?tab=insights": {},
    "/~/tokens": {"New token": "guest"},
    "/~/notifications": {},
}  # fmt: skip
# Views that somebody may not see at all, and who is the first that may; a part of one says so, too.
SEEN_FROM = {
    "/s/": "reader",
    "/c/": "reader",
    "/o/{organization}/~/invitations": "admin",
    "/o/{organization}/~/webhooks": "admin",
    "/o/{organization}/~/audit": "admin",
    "/o/{organization}/sites/": "reader",
    "/o/{organization}/sites/{site}?tab=insights": "creator",
    "/s/{space}/~/git": "creator",
    "/s/{space}/~/import": "editor",
}
GIVE = """mutation ($id: ID!, $input: InviteInput!) {
  inviteToSpace(id: $id, input: $input) { space { id } } }"""
# Nobody reviews what they have proposed, and it is Ada's.
OWN = ("admin", "Give a review")
ALERTS = "main [role=alert]"
SIDE = "nav[aria-label=Navigation] a[href]"
SAID = re.compile(r"You may not do this|There is nothing here")


@dataclass
class Visitor(Person):
    """Somebody who goes from view to view, and to none a second time for the same question."""

    # By address: what is refused there, or went wrong.
    refused: dict[str, list[str]] = field(default_factory=dict)

    def visit(self, path: str) -> Page:
        self.problems.clear()
        page = self.see(path)
        self.refused[path] = [*page.locator(ALERTS).all_inner_texts(), *self.problems]
        return page

    def refused_at(self, path: str) -> list[str]:
        if path not in self.refused:
            self.visit(path)
        return self.refused[path]


@pytest.fixture(scope="module")
def everybody(browser: Browser, site: Shown) -> Iterator[dict[str, Visitor]]:
    people: dict[str, Visitor] = {}
    for role, name in PEOPLE.items():
        state = signed_in_by_link(site, f"{name}@kelpline.example")
        context = browser.new_context(viewport=WIDE, locale="en-US", storage_state=state)
        people[role] = Visitor(context, site.base)
    yield people
    for person in people.values():
        person.context.close()


@pytest.fixture(scope="module")
def places(graph: Graph) -> dict[str, str]:
    """A space that everybody has by their role in the organization, with a change request of Ada's
    that is open; a site with it."""
    # Tests before may have changed somebody's role.
    members = graph(MEMBERS, id=graph.organization)["organization"]["members"]["nodes"]
    users = {member["user"]["email"]: member["userId"] for member in members}
    for name, role in zip(PEOPLE.values(), ROLES, strict=True):
        user = users[f"{name}@kelpline.example"]
        graph(UPDATE_MEMBER, id=graph.organization, user=user, input={"role": role})
    space = graph.space("By role")
    graph.apply(space, page_of("First", "Words"), page_of("Second", "Others"))
    change = graph(CREATE_CHANGE, id=space, input={"subject": "Say more"})["createChangeRequest"]
    graph.apply(space, page_of("Third", "More words"), change=change["id"])
    graph(OPEN, id=space, change=change["id"])
    graph(COMMENT, id=space, change=change["id"], input={"body": {"markdown": "Enough?"}})
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "By role", "spaces": [space]})
    collection = graph(COLLECTION, id=graph.organization, input={"title": "By role"})
    return {
        "collection": collection["createCollection"]["id"],
        "space": space,
        "organization": graph.organization,
        "site": made["createSite"]["id"],
    }


def may(role: str, weakest: str) -> bool:
    return weakest != NOBODY and RANKS.index(role) >= RANKS.index(weakest)


def is_seen(role: str, view: str) -> bool:
    return all(may(role, first) for start, first in SEEN_FROM.items() if view.startswith(start))


@pytest.mark.parametrize("role", RANKS)
def test_what_is_offered_is_allowed(
    everybody: dict[str, Visitor], places: dict[str, str], role: str
) -> None:
    person = everybody[role]
    wrong: dict[str, Any] = {}
    for view, offers in OFFERED.items():
        page = person.visit(view.format(**places))
        said = [text for text in page.locator(ALERTS).all_inner_texts() if SAID.search(text)]
        if bool(said) == is_seen(role, view):
            wrong[view] = said or "does not say that it may not be seen"
        if not is_seen(role, view):
            offers = dict.fromkeys(offers, NOBODY)
        for name, weakest in offers.items():
            button = page.locator("main").get_by_role("button", name=re.compile(f"^{name}\\b"))
            is_allowed = may(role, weakest) and (role, name) != OWN
            if (button.count() > 0) != is_allowed:
                wrong[f"{view} {name}"] = "offered" if button.count() else "not offered"
    assert wrong == {}


@pytest.mark.parametrize("role", RANKS)
def test_what_is_linked_can_be_seen(
    everybody: dict[str, Visitor], places: dict[str, str], role: str
) -> None:
    """Each view that navigation and search lead to answers all that it asks."""
    person = everybody[role]
    beginnings = ["/", "/o/{organization}", "/o/{organization}/~/sites", "/s/{space}"]
    targets: set[str] = set()
    for view in beginnings:
        if is_seen(role, view) or role == "guest":
            page = person.visit(view.format(**places))
            links = page.locator(SIDE).evaluate_all(
                "(all) => all.map((one) => one.getAttribute('href'))"
            )
            targets |= {href for href in links if "/~/" in href or href.startswith("/o/")}
    assert targets
    wrong = {path: refused for path in sorted(targets) if (refused := person.refused_at(path))}
    assert wrong == {}


@pytest.mark.parametrize("role", ["guest", "creator", "admin"])
def test_roles_that_are_offered_can_be_given(
    everybody: dict[str, Visitor], graph: Graph, role: str
) -> None:
    """Nobody gives or takes away what is above their own; guests give roles where they may."""
    space = graph.space(f"Given by {role}")
    graph.apply(space, page_of("First", "Words"))
    for name, has in (("hugo", "CREATE"), ("dana", "ADMIN"), ("grete", "EDIT")):
        graph(GIVE, id=space, input={"users": [f"{name}@kelpline.example"], "role": has})
    person = everybody[role]
    page = person.visit(f"/s/{space}/~/people")
    expect(page.get_by_role("button", name="Remove Grete")).to_be_visible()
    assert page.locator(ALERTS).all_inner_texts() == []
    assert person.problems == []
    options = page.get_by_label("Role to give").locator("option")
    expect(options.first).to_be_attached()
    offered = options.all_inner_texts()
    assert ("Administer" in offered) == (role == "admin"), offered
    assert page.get_by_role("button", name="Remove Dana").count() == (role == "admin")
