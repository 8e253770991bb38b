"""Sorted lists are read from an index, page by page: nothing sorts a whole list."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import insert, text

from db.base import Base
from db.enums import SortOrder
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.organizations import Member, User
from db.models.site_settings import SiteRedirect
from db.models.sites import Site
from db.models.spaces import Collection, Space
from db.prepared import Prepared
from db.reading import SessionReader
from db.rows import SQLITE
from db.session import Session
from resolvers.change_requests import fields as change_request_lists
from resolvers.comments import fields as comment_lists
from resolvers.core import orders
from resolvers.core.context import Context
from resolvers.organizations import members
from resolvers.sites import fields as site_fields, redirects as site_redirects
from resolvers.spaces import collections as space_collections, fields as space_fields
from tests import factories
from tests.conftest import World, context
from tests.resolvers.core.test_orders import type_of_field

ROWS, AT_ONCE = 2000, 500
START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class ExplainingReader(SessionReader):
    """Notes the plan of each statement that it runs."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.plans: list[str] = []

    async def fetch(
        self, prepared: Prepared, values: Mapping[str, Any], *, alone: bool = False
    ) -> list[Any]:
        explain = "EXPLAIN QUERY PLAN " if self.dialect == SQLITE else "EXPLAIN "
        rows = await self._session.fetch_text(explain + prepared.text, prepared.parameters(values))
        self.plans.append("\n".join(str(row[-1]) for row in rows))
        return await super().fetch(prepared, values, alone=alone)


async def fill(session: Session, model: type[Base], rows: Iterable[dict[str, Any]]) -> None:
    listed = list(rows)
    for start in range(0, len(listed), AT_ONCE):
        await session.execute(insert(model.__table__), listed[start : start + AT_ONCE])  # type: ignore[arg-type]


def times(number: int) -> dict[str, dt.datetime]:
    return {
        "created_at": START + dt.timedelta(seconds=number),
        "updated_at": START + dt.timedelta(seconds=number * 7 % ROWS),
    }


async def big(session: Session, world: World) -> dict[str, Any]:
    """An organization, a space and a site with much in them, and others of which there is more."""
    found: dict[str, Any] = {}
    for part in range(2):
        organization = await factories.make_organization(session) if part else world.organization
        space = await factories.make_space(session, organization)
        site = await factories.make_site(session, organization)
        found.setdefault("organization", organization)
        found.setdefault("space", space)
        found.setdefault("site", site)
        numbers = range(part * ROWS, (part + 1) * ROWS)
        inside = {"organization_id": organization.id}
        await fill(session, User, (
            {"id": f"u{number:08}", "email": f"u{number}@example.com", "display_name": "P"}
            for number in numbers
        ))  # fmt: skip
        await fill(session, Member, (
            {**inside, "user_id": f"u{number:08}", "role": None,
             "joined_at": times(number)["created_at"], "name_key": f"p{number * 7 % ROWS}"}
            for number in numbers
        ))  # fmt: skip
        await fill(session, Collection, (
            {**inside, "id": f"c{number:08}", "title": f"C {number * 7 % ROWS}",
             "position": f"C{number:08}", "created_at": times(number)["created_at"]}
            for number in numbers
        ))  # fmt: skip
        await fill(session, Space, (
            {**inside, **times(number), "id": f"s{number:08}", "title": f"S {number * 7 % ROWS}",
             "position": f"S{number:08}", "revision_id": "r"}
            for number in numbers
        ))  # fmt: skip
        await fill(session, Site, (
            {**inside, "id": f"site_{number:08}", "title": f"S {number * 7 % ROWS}",
             "created_at": times(number)["created_at"]}
            for number in numbers
        ))  # fmt: skip
        await fill(session, ChangeRequest, (
            {**times(number), "id": f"r{number:08}", "space_id": space.id, "number": number,
             "subject": f"S {number * 7 % ROWS}", "created_by_id": world.admin.id,
             "revision_id": "r", "revision_initial_id": "r"}
            for number in numbers
        ))  # fmt: skip
        await fill(session, Comment, (
            {"id": f"k{number:08}", "space_id": space.id, "posted_by_id": world.admin.id,
             "posted_at": times(number)["updated_at"], "markdown": "x", "document": {},
             "revision_id": "r"}
            for number in numbers
        ))  # fmt: skip
        paths = [f"s{number * 7 % ROWS}/{part}" for number in range(2 * ROWS)]
        await fill(session, SiteRedirect, (
            {**times(number), "id": f"d{number:08}", "site_id": site.id,
             "source": f"/{paths[number]}", "source_key": paths[number],
             "destination": {"kind": "url", "url": "https://example.com/"}}
            for number in numbers
        ))  # fmt: skip
    await session.flush()
    if session.get_bind().dialect.name != SQLITE:
        await session.execute(text("ANALYZE"))
    return found


@dataclass(frozen=True)
class Planned:
    """A list, and the index that each of its orders is read from."""

    page: Any
    parent: str
    arguments: Any
    order: Any
    indexes: dict[str, str]
    # PostgreSQL expects few rows behind the policy of members, and sorts those unless it may not.
    sorts: bool = False


def _of(table: str, parent: str, *columns: str, last: str = "id") -> dict[str, str]:
    return {column: f"ix_{table}_{parent}_{column.lower()}_{last}" for column in columns}


PLANNED = [
    Planned(
        members.members_of_organizations, "organization", members.MemberArguments(),
        orders.MemberOrder,
        {
            "NAME": "ix_member_organization_id_name_key_user_id",
            "LAST_SEEN_AT": "ix_member_seen",
            **_of("member", "organization_id", "JOINED_AT", "ROLE", last="user_id"),
        },
        sorts=True,
    ),
    Planned(
        space_collections.collections_of_organizations, "organization",
        space_collections.CollectionArguments(), orders.CollectionOrder,
        {
            "TITLE": "ix_collection_organization_id_title_key_id",
            **_of("collection", "organization_id", "CREATED_AT"),
        },
    ),
    Planned(
        space_fields.spaces_of_organizations, "organization", space_fields.SpaceArguments(),
        orders.SpaceOrder,
        {
            "TITLE": "ix_space_organization_id_title_key_id",
            **_of("space", "organization_id", "CREATED_AT", "UPDATED_AT"),
        },
    ),
    Planned(
        site_fields.sites_of_organizations, "organization", site_fields.SiteArguments(),
        orders.SiteOrder,
        {
            "TITLE": "ix_site_organization_id_title_key_id",
            **_of("site", "organization_id", "CREATED_AT"),
        },
    ),
    Planned(
        change_request_lists.change_requests_of_spaces, "space",
        change_request_lists.ChangeRequestArguments(), orders.ChangeRequestOrder,
        {
            "SUBJECT": "ix_change_request_space_id_subject_key_id",
            # That of the constraint that numbers are unique.
            "NUMBER": "change_request",
            **_of("change_request", "space_id", "CREATED_AT", "UPDATED_AT"),
        },
    ),
    Planned(
        comment_lists.comments_of_spaces, "space", comment_lists.CommentArguments(),
        orders.CommentOrder,
        {"POSTED_AT": "ix_comment_space_posted", "EDITED_AT": "ix_comment_space_written"},
    ),
    Planned(
        site_redirects.redirects_of_sites, "site",
        site_redirects.SiteRedirectArguments(), orders.SiteRedirectOrder,
        {
            "SOURCE": "uq_site_redirect_source",
            **_of("site_redirect", "site_id", "CREATED_AT", "UPDATED_AT"),
        },
    ),
]  # fmt: skip


def sorts_the_list(plan: str, table: str) -> bool:
    """Whether rows of the table are sorted, but for those that are equal in the first column."""
    for line in plan.splitlines():
        if line.strip().startswith("USE TEMP B-TREE FOR ORDER BY"):
            return True
        if line.strip().startswith("Sort Key:") and f"{table}." in line:
            return "Presorted Key:" not in plan
    return False


async def test_orders_are_read_from_their_indexes(session: Session, world: World) -> None:
    """The first page and those behind a cursor, from both ends, for members and for readers."""
    found = await big(session, world)
    sqlite = session.get_bind().dialect.name == SQLITE
    for planned in PLANNED:
        fields = {one.name: one for one in type_of_field(planned.order)}
        assert fields.keys() == planned.indexes.keys()
        table = planned.page.model.__tablename__
        if not sqlite:
            sort = "off" if planned.sorts else "on"
            await session.execute(text(f"SET LOCAL enable_sort = {sort}"))
        for name, one in fields.items():
            for direction in SortOrder:
                reader = ExplainingReader(session)
                ctx = context(session, world.reader)
                ctx = Context(ctx.actor, session, _reader=reader)
                asked = replace(
                    planned.arguments, order_by=planned.order(field=one, direction=direction)
                )
                parents = [found[planned.parent]]
                (begin,) = await planned.page(ctx, parents, replace(asked, first=5))
                (end,) = await planned.page(ctx, parents, replace(asked, last=5))
                for cursor in ({"after": begin.end_cursor}, {"before": end.start_cursor}):
                    await planned.page(ctx, parents, replace(asked, **cursor))
                assert len(reader.plans) == 4
                for plan in reader.plans:
                    assert planned.indexes[name] in plan, (asked, plan)
                    assert not sorts_the_list(plan, table), (asked, plan)
                if sqlite and name not in ("LAST_SEEN_AT", "EDITED_AT"):
                    # The place of a cursor is looked up, but in an index on an expression.
                    lookup = next(
                        line for line in reader.plans[2].splitlines()
                        if planned.indexes[name] in line
                    )  # fmt: skip
                    assert ">" in lookup or "<" in lookup, (asked, lookup)
