"""Random writes to the structure of a site through both interfaces, one after the other.

After each, the rules of sites.md section 2 hold in the database, and both interfaces show the
same structure.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx2
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from content.slugs import slug_key
from db.enums import Role
from db.models.site_settings import SitePathRedirect
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from db.session import Database
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from rest_compat.routes.all import ROUTES
from rest_compat.values import camel
from tests.conftest import Api
from tests.factories import make_member, make_organization, make_site, make_space, make_user
from tests.parity import root_field

TITLES = ["Guide", "guide", "v", "~", "Ünïcode", "x" * 50, "Guide 1"]
PATHS = ["guide", "GUIDE-1", "page", "straße", "STRASSE", "v2"]
Choice = st.integers(0, 6)
Side = st.sampled_from(["before", "after", "both", "end"])
ROWS = {row.operation_id: row for row in ROUTES}
TREE = """query ($site: ID!) {
  siteStructure(id: $site) {
    type
    ... on SiteSectionStructure { structure { ...item } }
    ... on SiteSpaceStructure { structure { ...space } }
  }
  site(id: $site) {
    sections(first: 100) { nodes { id } }
    sectionGroups(first: 100) { nodes { id } }
    siteSpaces(first: 100) { nodes { id } }
    default: siteSpaces(default: true) { nodes { id } }
    defaultSiteSpace { id }
  }
}
fragment space on SiteSpace {
  object: __typename id path default section: sectionId urls { published }
}
fragment section on SiteSection {
  object: __typename id path default title sectionGroup: sectionGroupId urls { published }
  siteSpaces(first: 100) { nodes { ...space } }
}
fragment inner on SiteSectionGroup {
  object: __typename id title sectionGroup: sectionGroupId children { ...section }
}
fragment item on SiteSectionOrGroup {
  ...section
  ... on SiteSectionGroup {
    object: __typename id title sectionGroup: sectionGroupId children { ...section ...inner }
  }
}"""
OBJECTS = {
    "SiteSpace": "site-space",
    "SiteSection": "site-section",
    "SiteSectionGroup": "site-section-group",
}


def literal(value: Any) -> str:
    """A JSON value as a GraphQL literal."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {literal(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return json.dumps(value)


def same(node: Any) -> Any:
    """A structure in the words that both interfaces share."""
    if isinstance(node, list):
        return [same(one) for one in node]
    found = {
        name: node.get(name) for name in ("object", "id", "path", "default", "section",
                                          "sectionGroup", "type")
    }  # fmt: skip
    found["object"] = OBJECTS.get(node.get("object", ""), node.get("object"))
    found["urls"] = (node.get("urls") or {}).get("published")
    for name in ("structure", "children", "siteSpaces"):
        below = node.get(name)
        if below is not None:
            found[name] = same(below["nodes"] if isinstance(below, dict) else below)
    return found


class Machine(RuleBasedStateMachine):
    """One site; `tree` is its structure as it was shown last."""

    def __init__(self, runner: asyncio.Runner, api: Api) -> None:
        super().__init__()
        self.runner, self.api, self.turns = runner, api, count()
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

    # ------------------------------------------------------------ doors

    def write(self, operation_id: str, body: Any = None, **ids: str) -> tuple[int, Any]:
        """The status and the id of what was answered; the doors take turns."""
        return self.runner.run(self._write(operation_id, body, self.known | ids))

    async def _write(self, operation_id: str, body: Any, ids: dict[str, str]) -> tuple[int, Any]:
        row = ROWS[operation_id]
        if next(self.turns) % 2:
            path = re.sub(r"{(\w+)}", lambda found: ids[found[1]], row.path)
            answer = await self.api.rest(row.method, path, self.person, body)
            assert answer.status_code < 500, answer.text
            known = answer.json() if answer.content else {}
            return answer.status_code, known.get("id")
        values = {name: ids[key] for name, key in row.path_parameters.items()}
        if body is not None:
            values["input"] = body
        arguments = ", ".join(f"{camel(name)}: {literal(one)}" for name, one in values.items())
        field = root_field(row.operation, "Mutation")
        shown = "" if row.method == "DELETE" else " { ... on Node { id } }"
        data = await self.api.graphql(
            f"mutation {{ done: {field}({arguments}){shown} }}", self.person
        )
        if "errors" in data:
            return int(data["errors"][0]["extensions"]["status"]), None
        done = data["data"]["done"]
        if isinstance(done, bool):
            return (205 if done else 204), None
        return row.status, done["id"]

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
        self.tree = self.runner.run(self._look())

    async def _look(self) -> Any:
        base = f"/orgs/{self.known['organizationId']}/sites/{self.known['siteId']}"
        shown = (await self.api.rest("GET", f"{base}/structure", self.person)).json()
        data = await self.api.data(TREE, self.person, site=self.known["siteId"])
        assert same(shown) == same(data["siteStructure"])
        self.listed = data["site"]
        return same(shown)

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

            async def rows(model: Any) -> list[Any]:
                of_site = select(model).where(model.site_id == self.known["siteId"])
                return list((await session.execute(of_site)).scalars())

            site = await session.get(Site, self.known["siteId"])
            assert site is not None
            sections, groups = await rows(SiteSection), await rows(SiteSectionGroup)
            spaces, redirects = await rows(SiteSpace), await rows(SitePathRedirect)
            alive = set(
                (
                    await session.execute(select(Space.id).where(Space.deleted_at.is_(None)))
                ).scalars()
            )
        assert {one.id for one in sections} == {one["id"] for one in self.all("site-section")}
        assert {one.id for one in groups} == {one["id"] for one in self.all("site-section-group")}
        shown = {one["id"] for one in self.all("site-space")}
        assert {one.id for one in spaces if one.space_id in alive} == shown
        assert len({one.space_id for one in spaces}) == len(spaces)
        for kind in (sections, groups, spaces):
            assert sorted(one.place for one in kind) == list(range(len(kind)))
        levels: dict[Any, list[int]] = {}
        for one in sections:
            levels.setdefault(("headed", one.group_id), []).append(one.position)
        for one in groups:
            levels.setdefault(("headed", one.parent_id), []).append(one.position)
        for one in spaces:
            levels.setdefault(("spaces", one.section_id), []).append(one.position)
        for positions in levels.values():
            assert sorted(positions) == list(range(len(positions)))
        assert all((one.section_id is None) is (not sections) for one in spaces)
        assert (site.default_section_id is None) is (not sections)
        for owner, key in [(site, None), *((one, one.id) for one in sections)]:
            under = {one.id: one for one in spaces if one.section_id == key}
            assert (owner.default_site_space_id is None) is (not under)
            chosen = under.get(owner.default_site_space_id or "")
            assert (chosen is None) is (not under)
            if chosen is not None and chosen.space_id in alive:
                (default,) = [one["id"] for one in self.all("site-space")
                              if one["section"] == key and one["default"]]  # fmt: skip
                assert default == chosen.id
        self._check_redirects(site, sections, spaces, redirects)

    def _check_redirects(self, site: Any, sections: Any, spaces: Any, redirects: Any) -> None:
        paths = {one.id: slug_key(one.path) for one in [*sections, *spaces]}
        live = {paths[one.id] for one in sections}
        for one in spaces:
            if one.section_id is None or one.section_id == site.default_section_id:
                live.add(paths[one.id])
            if one.section_id is not None:
                live.add(f"{paths[one.section_id]}/{paths[one.id]}")
        for one in redirects:
            assert one.key not in live
            assert (one.section_id or one.site_space_id) in paths


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
                lambda: Machine(runner, api),
                settings=settings(max_examples=12, stateful_step_count=25, deadline=None),
            )
        finally:
            runner.run(api.client.aclose())
            runner.run(own.close())
