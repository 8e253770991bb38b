"""Random writes to the structure of a site through both interfaces, one after the other.

After each, the rules of docs/sites.md hold in the database, and both interfaces show the
same structure.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx2
from hypothesis import settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from content.slugs import slug_key
from db.enums import Role
from db.session import Database
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from tests.conftest import Api
from tests.factories import make_member, make_organization, make_site, make_space, make_user
from tests.kinds import other_examples
from tests.resolvers.sites.doors import OBJECTS, Doors
from tests.resolvers.sites.rules import stored_site

TITLES = ["Guide", "guide", "v", "~", "Ünïcode", "x" * 50, "Guide 1"]
PATHS = ["guide", "GUIDE-1", "page", "straße", "STRASSE", "v2"]
Choice = st.integers(0, 6)
Side = st.sampled_from(["before", "after", "both", "end"])


class Machine(RuleBasedStateMachine):
    """One site; `tree` is its structure as it was shown last."""

    def __init__(self, runner: asyncio.Runner, api: Api) -> None:
        super().__init__()
        self.runner, self.api = runner, api
        self.tree: Any = {"type": "siteSpaces", "structure": []}
        self.binned: set[str] = set()
        self.runner.run(self._prepare())

    async def _prepare(self) -> None:
        async with self.api.server.database.session() as session:
            await session.begin_write()
            organization = await make_organization(session)
            user = await make_user(session, "Maker")
            self.person = await make_member(session, organization, Role.CREATE, user)
            self.spaces = [
                (await make_space(session, organization, title=title)).id for title in TITLES
            ]
            site = await make_site(session, organization, published=True, basename="docs")
            self.known = {"organizationId": organization.id, "siteId": site.id}
            await session.commit()
        self.doors = Doors(self.api, self.person)

    def write(self, operation_id: str, body: Any = None, **ids: str) -> tuple[int, Any]:
        """The status and the id of what was answered; the doors take turns."""
        return self.runner.run(self.doors.write(operation_id, body, self.known | ids))

    # ------------------------------------------------------------ what stands there

    def level_of(self, items: list[Any]) -> Iterator[list[Any]]:
        """Every list of siblings at or below a level."""
        yield items
        for one in items:
            if "children" in one:
                yield from self.level_of(one["children"])
            if "siteSpaces" in one:
                yield one["siteSpaces"]

    def all(self, kind: str) -> list[Any]:
        """All of a kind in the order in which they are shown."""

        def walk(items: list[Any]) -> Iterator[Any]:
            for one in items:
                yield one
                yield from walk(one.get("children", []) + one.get("siteSpaces", []))

        return [one for one in walk(self.tree["structure"]) if one["object"] == kind]

    def one(self, kind: str, choice: int) -> str:
        """The id of one of a kind, or one that nothing has."""
        found = self.all(kind)
        return str(found[choice % len(found)]["id"]) if found else "nothing"

    # ------------------------------------------------------------ rules

    @initialize(form=st.sampled_from(["empty", "flat", "sections", "groups"]))
    def begin(self, form: str) -> None:
        """Most of what can go wrong needs several things on the site."""
        for space in self.spaces[:3] if form != "empty" else ():
            operation = "addSpaceToSite" if form == "flat" else "addSectionToSite"
            status, _ = self.write(operation, {"spaceId": space})
            assert status == 201
        for title in ("Outer", "Other") if form == "groups" else ():
            self.look()
            body = {"title": title, "sections": [self.one("site-section", 0)]}
            status, _ = self.write("addSectionGroupToSite", body)
            assert status == 201
        self.look()

    @rule(choice=Choice, section=Choice, named=st.booleans())
    def add_space(self, choice: int, section: int, named: bool) -> None:
        body = {"spaceId": self.spaces[choice]}
        if named:
            body["sectionId"] = self.one("site-section", section)
        status, _ = self.write("addSpaceToSite", body)
        assert status in (201, 404, 409)

    @rule(choice=Choice, title=st.sampled_from([None, "Guide", "API reference"]))
    def add_section(self, choice: int, title: str | None) -> None:
        body = {"spaceId": self.spaces[choice], "title": title, "icon": None}
        status, _ = self.write("addSectionToSite", body)
        assert status in (201, 404, 409)

    @precondition(lambda self: self.all("site-section"))
    @rule(choices=st.lists(Choice, max_size=3), parent=Choice, nested=st.booleans())
    def add_group(self, choices: list[int], parent: int, nested: bool) -> None:
        body: dict[str, Any] = {"title": "Group"}
        body["sections"] = [self.one("site-section", choice) for choice in choices]
        if nested:
            body["parent"] = self.one("site-section-group", parent)
        status, id = self.write("addSectionGroupToSite", body)
        assert status in (201, 400, 404, 412)
        if status == 201:
            self.look()
            (group,) = [one for one in self.all("site-section-group") if one["id"] == id]
            held = [one["id"] for one in group["children"]]
            assert held == list(dict.fromkeys(body["sections"]))

    @precondition(lambda self: self.all("site-space"))
    @rule(choice=Choice)
    def remove_space(self, choice: int) -> None:
        id = self.one("site-space", choice)
        for expected in (205, 204):
            assert self.write("deleteSiteSpaceById", siteSpaceId=id)[0] == expected

    @precondition(lambda self: self.all("site-section"))
    @rule(choice=Choice)
    def remove_section(self, choice: int) -> None:
        id = self.one("site-section", choice)
        for expected in (205, 204):
            assert self.write("deleteSiteSectionById", siteSectionId=id)[0] == expected

    @precondition(lambda self: self.all("site-section-group"))
    @rule(choice=Choice)
    def remove_group(self, choice: int) -> None:
        id = self.one("site-section-group", choice)
        before = [one["id"] for one in self.all("site-section")]
        for expected in (205, 204):
            assert self.write("deleteSiteSectionGroupById", siteSectionGroupId=id)[0] == expected
        self.look()
        assert [one["id"] for one in self.all("site-section")] == before

    @precondition(lambda self: self.all("site-section-group"))
    @rule(group=Choice, section=Choice)
    def into_group(self, group: int, section: int) -> None:
        body = {"sectionId": self.one("site-section", section)}
        id = self.one("site-section-group", group)
        status, _ = self.write("addSectionToGroup", body, siteSectionGroupId=id)
        assert status in (201, 409)

    @precondition(lambda self: self.all("site-section-group"))
    @rule(group=Choice, section=Choice)
    def out_of_group(self, group: int, section: int) -> None:
        id, moved = self.one("site-section-group", group), self.one("site-section", section)
        found = [one for one in self.all("site-section") if one["id"] == moved]
        inside = found[0]["sectionGroup"] == id
        ids = {"siteSectionGroupId": id, "siteSectionId": moved}
        assert self.write("removeSectionFromGroup", **ids)[0] == (205 if inside else 204)

    @precondition(lambda self: self.all("site-space"))
    @rule(level=Choice, item=Choice, neighbour=Choice, side=Side, move=st.booleans())
    def sort(self, level: int, item: int, neighbour: int, side: str, move: bool) -> None:
        """Move an item next to a sibling: by the sort, or by the move of its kind."""
        levels = [one for one in self.level_of(self.tree["structure"]) if one]
        if not levels:
            return
        order = list(levels[level % len(levels)])
        moved, other = order[item % len(order)], order[neighbour % len(order)]
        expected = [one["id"] for one in order if one is not moved]
        position: dict[str, Any] = {}
        if moved is not other and side != "end":
            index = expected.index(other["id"])
            if side != "before":
                position["after"] = other
            if side == "before":
                position["before"] = other
            elif side == "both" and index + 1 < len(expected):
                (position["before"],) = [o for o in order if o["id"] == expected[index + 1]]
            expected.insert(index + (side != "before"), moved["id"])
        else:
            expected.append(moved["id"])
        kind = moved["object"]
        same_kind = all(one["object"] == kind for one in position.values())
        if move and (same_kind or kind == "site-section-group"):
            status, _ = self._move(kind, moved["id"], position)
        else:
            body = {
                "item": {"type": kind, "id": moved["id"]},
                "position": {
                    name: {"type": one["object"], "id": one["id"]} for name, one in position.items()
                },
            }
            status, _ = self.write("sortSiteStructure", body)
        assert status == 200
        self.look()
        now = [[one["id"] for one in level] for level in self.level_of(self.tree["structure"])]
        assert expected in now

    def _move(self, kind: str, id: str, position: dict[str, Any]) -> tuple[int, Any]:
        name, operation, parameter = {
            "site-space": ("siteSpace", "moveSiteSpace", "siteSpaceId"),
            "site-section": ("siteSection", "moveSiteSection", "siteSectionId"),
            "site-section-group": ("id", "moveSiteSectionGroup", "siteSectionGroupId"),
        }[kind]
        pointers = {
            side: {"type": one["object"], name: one["id"]} for side, one in position.items()
        }
        return self.write(operation, {"position": pointers}, **{parameter: id})

    @rule(item=Choice, neighbour=Choice, kinds=st.permutations(list(OBJECTS.values())))
    def sort_next_to_another_level(self, item: int, neighbour: int, kinds: list[str]) -> None:
        id, other = self.one(kinds[0], item), self.one(kinds[1], neighbour)
        body = {
            "item": {"type": kinds[0], "id": id},
            "position": {"after": {"type": kinds[1], "id": other}},
        }
        siblings = any(
            {id, other} <= {one["id"] for one in level}
            for level in self.level_of(self.tree["structure"])
        )
        status, _ = self.write("sortSiteStructure", body)
        assert status == (404 if id == "nothing" else 200 if siblings else 400)

    @precondition(lambda self: self.all("site-section"))
    @rule(
        kind=st.sampled_from(list(OBJECTS.values())), item=Choice, into=Choice, beside=Choice,
        holder=st.sampled_from([None, "site-section", "site-section-group"]),
    )  # fmt: skip
    def put_into_another_level(
        self, kind: str, item: int, holder: str | None, into: int, beside: int
    ) -> None:
        """In one write, or not at all."""
        id, before = self.one(kind, item), self.tree["structure"]
        parent = None if holder is None else self.one(holder, into)
        levels = self.levels()
        there = [one for one in levels.get(parent, ()) if one["id"] != id]
        body: dict[str, Any] = {
            "item": {"type": kind, "id": id},
            "parent": None if holder is None else {"type": holder, "id": parent},
        }
        expected = [one["id"] for one in there]
        place = len(there) if not there or beside % 3 == 0 else beside % len(there)
        if place < len(there):
            one = there[place]
            body["position"] = {"before": {"type": one["object"], "id": one["id"]}}
        expected.insert(place, id)
        above = {one["id"]: up for up, level in levels.items() for one in level}
        holds_groups = any(one["object"] == "site-section-group" for one in levels.get(id, ()))
        if id == "nothing":
            allowed = {404}
        elif kind == "site-space":
            allowed = {200, 409} if holder == "site-section" else {400}
        elif holder == "site-section":
            allowed = {400}
        elif parent == "nothing":
            allowed = {404}
        elif kind == "site-section-group" and parent is not None and above[id] != parent:
            allowed = {400} if above[parent] or holds_groups or parent == id else {200}
        else:
            allowed = {200}
        status, _ = self.write("sortSiteStructure", body)
        assert status in allowed
        self.look()
        if status == 200:
            assert [one["id"] for one in self.levels()[parent]] == expected
        else:
            assert self.tree["structure"] == before

    def levels(self) -> dict[str | None, list[Any]]:
        """What stands at the top, and in each section and group, by its id."""
        levels: dict[str | None, list[Any]] = {}

        def walk(id: str | None, items: list[Any]) -> None:
            levels[id] = items
            for one in items:
                if "children" in one or "siteSpaces" in one:
                    walk(one["id"], one.get("children", one.get("siteSpaces")))

        walk(None, self.tree["structure"])
        return levels

    @precondition(lambda self: self.all("site-section"))
    @rule(choice=Choice, path=st.sampled_from(PATHS))
    def change_path_of_section(self, choice: int, path: str) -> None:
        id = self.one("site-section", choice)
        status, _ = self.write("updateSiteSectionById", {"path": path}, siteSectionId=id)
        assert status in (200, 409)

    @precondition(lambda self: self.all("site-space"))
    @rule(choice=Choice, path=st.sampled_from([*PATHS, None]), section=Choice, move=st.booleans())
    def change_space(self, choice: int, path: str | None, section: int, move: bool) -> None:
        body = {} if path is None else {"path": path}
        if move:
            body["section"] = self.one("site-section", section)
        id = self.one("site-space", choice)
        status, _ = self.write("updateSiteSpaceById", body, siteSpaceId=id)
        flat = move and not self.all("site-section")
        assert status == 404 if flat else status in (200, 409)

    @precondition(lambda self: self.all("site-space"))
    @rule(choice=Choice, other=Choice)
    def show_another_space(self, choice: int, other: int) -> None:
        id = self.one("site-space", choice)
        body = {"spaceId": self.spaces[other]}
        status, _ = self.write("updateSiteSpaceById", body, siteSpaceId=id)
        gone = self.spaces[other] in self.binned
        assert status in (200, 404 if gone else 409)

    @rule(section=Choice, space=Choice, both=st.booleans())
    def choose_defaults(self, section: int, space: int, both: bool) -> None:
        chosen = self.one("site-section", section)
        body = {"defaultSiteSection": chosen} if both else {}
        body["defaultSiteSpace"] = self.one("site-space", space)
        status, _ = self.write("updateSiteById", body)
        assert status in (200, 400)
        status, _ = self.write("updateSiteById", {"defaultSiteSection": chosen})
        assert status == (400 if chosen == "nothing" else 200)

    @precondition(lambda self: self.all("site-section"))
    @rule(section=Choice, space=Choice)
    def choose_default_of_section(self, section: int, space: int) -> None:
        sections = self.all("site-section")
        if not sections:
            return
        chosen = sections[section % len(sections)]
        id = self.one("site-space", space)
        body = {"defaultSiteSpace": id}
        status, _ = self.write("updateSiteSectionById", body, siteSectionId=chosen["id"])
        held = [one["id"] for one in chosen["siteSpaces"]]
        assert status == (200 if id in held else 400)

    @rule(choice=st.integers(0, 2))
    def bin_or_restore(self, choice: int) -> None:
        id = self.spaces[choice]
        gone = id in self.binned
        status, _ = self.write("restoreSpace" if gone else "deleteSpaceById", spaceId=id)
        assert status in (200, 205)
        self.binned ^= {id}

    # ------------------------------------------------------------ what always holds

    def look(self) -> None:
        """Read the structure in both interfaces."""
        self.tree, self.listed = self.runner.run(self.doors.look(self.known))

    @invariant()
    def the_structure_is_sound(self) -> None:
        self.look()
        self._check_shown()
        self.runner.run(self._check_stored())

    def _check_shown(self) -> None:
        sections, spaces = self.all("site-section"), self.all("site-space")
        groups = self.all("site-section-group")
        for name, kind in (
            ("sections", sections), ("sectionGroups", groups), ("siteSpaces", spaces),
        ):  # fmt: skip
            assert [one["id"] for one in self.listed[name]["nodes"]] == [one["id"] for one in kind]
        assert self.tree["type"] == ("sections" if sections else "siteSpaces")
        assert sum(one["default"] for one in sections) == bool(sections)
        assert len({slug_key(one["path"]) for one in sections}) == len(sections)
        for group in groups:
            assert all("children" not in two for one in group["children"]
                       for two in one.get("children", []))  # fmt: skip
        levels = [one["siteSpaces"] for one in sections] or [self.tree["structure"]]
        for level in levels:
            assert sum(one["default"] for one in level) == bool(level)
            assert len({slug_key(one["path"]) for one in level}) == len(level)
        addresses = [one["urls"] for one in spaces]
        default = [one["id"] for one in self.listed["default"]["nodes"]]
        assert len(default) == bool(spaces)
        if spaces:
            assert self.listed["defaultSiteSpace"]["id"] == default[0]
            (root,) = {one["urls"] for one in spaces if one["id"] == default[0]}
            assert all(one.startswith(root) for one in addresses)
            assert addresses.count(root) == 1

    async def _check_stored(self) -> None:
        async with self.api.server.database.session() as session:
            stored = await stored_site(session, self.known["siteId"])
        for kind, rows in (
            ("site-section", stored.sections), ("site-section-group", stored.groups),
            ("site-space", stored.shown()),
        ):  # fmt: skip
            assert {one.id for one in rows} == {one["id"] for one in self.all(kind)}
        defaults = {one["section"]: one["id"] for one in self.all("site-space") if one["default"]}
        stored.check_order()
        stored.check_defaults(defaults)
        stored.check_redirects()


def test_random_writes_keep_the_structure_sound(database: Database, tmp_path: Any) -> None:
    url = database.url.render_as_string(hide_password=False)
    with asyncio.Runner() as runner:
        # Connections belong to the loop that opened them.
        own = Database(url, durable=False)
        chosen = Settings(
            public_url="http://docs.test", data_dir=tmp_path / "data", query_cost=1_000_000
        )

        async def doors() -> Api:
            server = Server(chosen, own)
            transport = httpx2.ASGITransport(app=create_app(chosen, server))
            client = httpx2.AsyncClient(transport=transport, base_url="http://docs.test")
            return Api(server, client)

        api = runner.run(doors())
        try:
            run_state_machine_as_test(
                other_examples(lambda: Machine(runner, api), database),
                settings=settings(max_examples=7, stateful_step_count=25, deadline=None),
            )
        finally:
            runner.run(api.client.aclose())
            runner.run(own.close())
