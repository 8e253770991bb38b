"""The data that is measured: the same rows on every run and on every database."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert

from db.content_enums import ChangeRequestStatus, RevisionType
from db.enums import DefaultLevel, Role, TokenScope
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.content import Revision
from db.models.content_index import ContentIndex
from db.models.organizations import Member, Organization, Team, TeamMember, Token, User
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.session import Database, Session
from resolvers.access.tokens import digest
from resolvers.search.index import FORMAT

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
BATCH = 2000
USERS, SPACES, REQUESTS, COMMENTS, REPLIES = 200, 100, 20, 10, 2
TEXT = "A comment of ordinary length, with *emphasis* and `code`, as people write them. " * 2

MANY_SPACES, MANY_MEMBERS, WIDTH, DEPTH, TEAMS = 10_000, 1_000, 6, 4, 50


def id_of(kind: str, number: int) -> str:
    """A 20-character id whose order is that of the numbers."""
    return f"{kind}{number:0{20 - len(kind)}}"


def time_of(number: int) -> dt.datetime:
    return START + dt.timedelta(seconds=number)


async def insert_rows(session: Session, model: Any, rows: Iterable[dict[str, Any]]) -> None:
    part: list[dict[str, Any]] = []
    for row in rows:
        part.append(row)
        if len(part) == BATCH:
            await session.execute(insert(model.__table__), part)
            part = []
    if part:
        await session.execute(insert(model.__table__), part)


def token_of(user_id: str) -> str:
    """The text of a generated person's token: known beforehand, for data on loopback only."""
    return f"docstead_benchmark_{user_id}"


def tokens_of_people() -> tuple[str, ...]:
    """The tokens of all who take part in the reads."""
    return tuple(token_of(id_of("u", number)) for number in range(USERS))


def people_rows(prefix: str, organization_id: str, roles: list[Role | None]) -> dict[Any, Any]:
    ids = [id_of(prefix, number) for number in range(len(roles))]
    return {
        User: [
            {
                "id": id,
                "email": f"{id}@example.com",
                "display_name": f"Person {number}",
                "created_at": START,
            }
            for number, id in enumerate(ids)
        ],
        Member: [
            {
                "organization_id": organization_id,
                "user_id": id,
                "role": role,
                "joined_at": time_of(number),
                "name_key": f"person {number}",
            }
            for number, (id, role) in enumerate(zip(ids, roles, strict=True))
        ],
        Token: [
            {
                "id": id,
                "user_id": id,
                "label": "benchmark",
                "digest": digest(token_of(id)),
                "scopes": [TokenScope.WRITE.value],
                "created_at": START,
            }
            for id in ids
        ],
    }


def organization_row(id: str) -> dict[str, Any]:
    return {"id": id, "title": "Acme", "default_role": None, "created_at": START}


def space_row(id: str, organization_id: str, number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": id,
        "organization_id": organization_id,
        "parent_id": None,
        "title": f"Space {number}",
        "default_level": DefaultLevel.INHERIT,
        "revision_id": "r" + id[1:],
        "position": f"S{number:06}V",
        "created_at": time_of(number),
        "updated_at": time_of(number),
    } | changes


def _revisions(spaces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "id": space["revision_id"],
            "space_id": space["id"],
            "type": RevisionType.EDITS,
            "created_at": START,
        }
        for space in spaces
    ]


def _indexes(spaces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without these rows the servers would index all spaces while they are measured."""
    return [
        {
            "space_id": space["id"],
            "revision_id": space["revision_id"],
            "format": FORMAT,
            "built_at": START,
        }
        for space in spaces
    ]


@dataclass(frozen=True, slots=True)
class Reads:
    """What the reads need: an organization, a space, a change request and a member's token."""

    organization_id: str
    space_id: str
    change_request_id: str
    token: str


async def fill_reads(database: Database) -> Reads:
    """1 organization, 200 users, 100 spaces with 20 x 10 comments, 2 replies to each."""
    organization_id = id_of("o", 1)
    roles: list[Role | None] = [Role.ADMIN, *[Role.EDIT] * (USERS - 1)]
    people = people_rows("u", organization_id, roles)
    users = [row["id"] for row in people[User]]
    spaces = [space_row(id_of("s", number), organization_id, number) for number in range(SPACES)]
    for space in spaces:
        space["last_change_request"] = REQUESTS

    def requests() -> Iterator[dict[str, Any]]:
        for number in range(SPACES * REQUESTS):
            space = spaces[number // REQUESTS]
            yield {
                "id": id_of("c", number),
                "space_id": space["id"],
                "number": number % REQUESTS + 1,
                "status": ChangeRequestStatus.OPEN,
                "subject": f"Change {number}",
                "created_by_id": users[number % USERS],
                "created_at": time_of(number),
                "updated_at": time_of(number),
                "revision_id": space["revision_id"],
                "revision_initial_id": space["revision_id"],
            }

    def comments() -> Iterator[dict[str, Any]]:
        for number in range(SPACES * REQUESTS * COMMENTS):
            request = number // COMMENTS
            space = spaces[request // REQUESTS]
            yield {
                "id": id_of("k", number),
                "space_id": space["id"],
                "change_request_id": id_of("c", request),
                "posted_by_id": users[(number * 7) % USERS],
                "posted_at": time_of(number),
                "markdown": f"{TEXT}{number}",
                "document": {"object": "document", "nodes": []},
                "revision_id": space["revision_id"],
            }

    def replies() -> Iterator[dict[str, Any]]:
        for number, comment in enumerate(comments()):
            for reply in range(number * REPLIES, (number + 1) * REPLIES):
                # Ids continue after those of the comments.
                place = reply + SPACES * REQUESTS * COMMENTS
                author = users[(reply * 3) % USERS]
                yield comment | {
                    "id": id_of("k", place),
                    "parent_id": comment["id"],
                    "posted_by_id": author,
                    "posted_at": time_of(place),
                }

    async with database.session() as session:
        await session.begin_write()
        await insert_rows(session, Organization, [organization_row(organization_id)])
        for model, rows in people.items():
            await insert_rows(session, model, rows)
        await insert_rows(session, Space, spaces)
        await insert_rows(session, Revision, _revisions(spaces))
        await insert_rows(session, ContentIndex, _indexes(spaces))
        await insert_rows(session, ChangeRequest, requests())
        await insert_rows(session, Comment, comments())
        await insert_rows(session, Comment, replies())
        await session.commit()
    return Reads(organization_id, spaces[0]["id"], id_of("c", 0), token_of(users[1]))


@dataclass(frozen=True, slots=True)
class Lists:
    """What the listing needs: an organization, and a token for each kind of person."""

    organization_id: str
    tokens: dict[str, str]


async def fill_lists(database: Database) -> Lists:
    """10,000 spaces in collections nested 4 deep, 1,000 members, some with grants, guests.

    One member is in 50 teams, each with roles on two spaces and two collections.
    """
    organization_id = id_of("o", 2)
    roles: list[Role | None] = [Role.ADMIN, *[Role.READ] * (MANY_MEMBERS - 101), *[None] * 100]
    people = people_rows("m", organization_id, roles)
    users = [row["id"] for row in people[User]]
    collections, ancestors = _collections(organization_id)
    spaces = [
        space_row(
            id_of("t", number),
            organization_id,
            number,
            parent_id=collections[number % len(collections)]["id"],
            default_level=None if number % 10 == 0 else DefaultLevel.INHERIT,
        )
        for number in range(MANY_SPACES)
    ]
    granted, in_many_teams, guest = users[1], users[3], users[-1]
    grants = [
        *(_grant(granted, number, space_id=spaces[number * 50]["id"]) for number in range(100)),
        *(
            _grant(granted, 1000 + number, collection_id=collections[number * 7]["id"])
            for number in range(20)
        ),
        *(
            _grant(guest, 2000 + number, collection_id=collections[-1 - number * 5]["id"])
            for number in range(5)
        ),
    ]
    teams, in_teams = _teams(organization_id, in_many_teams)
    for number, team in enumerate(teams):
        for half in range(2):
            place = number * 2 + half
            space, collection = spaces[place * 31 + 7], collections[place * 3 + 1]
            grants.append(_grant(None, 3000 + place, team_id=team["id"], space_id=space["id"]))
            grants.append(
                _grant(None, 4000 + place, team_id=team["id"], collection_id=collection["id"])
            )
    async with database.session() as session:
        await session.begin_write()
        await insert_rows(session, Organization, [organization_row(organization_id)])
        for model, rows in people.items():
            await insert_rows(session, model, rows)
        await insert_rows(session, Collection, collections)
        await insert_rows(session, CollectionAncestor, ancestors)
        await insert_rows(session, Space, spaces)
        await insert_rows(session, Revision, _revisions(spaces))
        await insert_rows(session, ContentIndex, _indexes(spaces))
        await insert_rows(session, Team, teams)
        await insert_rows(session, TeamMember, in_teams)
        for subject in ("user_id", "team_id"):
            for target in ("space_id", "collection_id"):
                rows = [row for row in grants if subject in row and target in row]
                await insert_rows(session, AccessGrant, rows)
        await session.commit()
    persons = {
        "admin": users[0],
        "member": users[2],
        "member with grants": granted,
        "member of 50 teams": in_many_teams,
        "guest": guest,
    }
    return Lists(organization_id, {name: token_of(id) for name, id in persons.items()})


def _teams(organization_id: str, person: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """50 teams, and the entry of one person in each."""
    teams = [
        {
            "id": id_of("h", number),
            "organization_id": organization_id,
            "title": f"Team {number}",
            "created_at": START,
        }
        for number in range(TEAMS)
    ]
    entries = [
        {
            "team_id": team["id"],
            "organization_id": organization_id,
            "user_id": person,
            "owner": False,
            "name_key": "name",
        }
        for team in teams
    ]
    return teams, entries


def _grant(user_id: str | None, number: int, **target: str) -> dict[str, Any]:
    """A grant for a person, or for the team that is among the columns."""
    subject = {} if user_id is None else {"user_id": user_id}
    role = None if number % 9 == 0 else Role.EDIT
    return {"id": id_of("g", number), "role": role, "created_at": START, **subject, **target}


def _collections(organization_id: str) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """A tree with 6 children of each collection, 4 levels deep; every twelfth has a level."""
    rows: list[dict[str, Any]] = []
    ancestors: list[dict[str, str]] = []
    level: list[tuple[dict[str, Any] | None, list[str]]] = [(None, [])]
    for depth in range(DEPTH):
        made: list[tuple[dict[str, Any] | None, list[str]]] = []
        for parent, above in level:
            for _ in range(WIDTH):
                number = len(rows)
                own = DefaultLevel.READ if number % 12 == 5 else DefaultLevel.INHERIT
                row: dict[str, Any] = {
                    "id": id_of("f", number),
                    "organization_id": organization_id,
                    "parent_id": parent["id"] if parent else None,
                    "title": f"Collection {number}",
                    "default_level": own,
                    "position": f"C{number:06}V",
                    "created_at": time_of(number),
                    "depth": depth,
                    "level_rank": parent["level_rank"] if parent else None,
                    "level_depth": parent["level_depth"] if parent else None,
                }
                if own is not DefaultLevel.INHERIT:
                    row |= {"level_rank": own.rank, "level_depth": depth}
                rows.append(row)
                path = [*above, row["id"]]
                ancestors += [{"collection_id": row["id"], "ancestor_id": id} for id in path]
                made.append((row, path))
        level = made
    return rows, ancestors
