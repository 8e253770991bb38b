"""No request ends in a fault of the server, whatever stands in its path, query or body.

Every row of the route table gets generated requests as an admin, as somebody from another
organization and as nobody. A refusal has the documented body and leaves the database as it was.
"""

import httpx2
from sqlalchemy import func, literal, select, union_all

from db.models.all import metadata
from db.session import Database, Session
from rest_compat.routes.all import ROUTES
from tests.conftest import Api, Stored, World
from tests.rest_compat.hostile import Hostile
from tests.seeds import sow

REQUESTS_PER_ROW = 6
COUNTS = union_all(
    *(
        select(literal(name), func.count()).select_from(table)
        for name, table in metadata.tables.items()
    )
)


async def row_counts(database: Database) -> dict[str, int]:
    """The number of rows of each table."""
    async with database.connection() as connection:
        return {name: count for name, count in await connection.execute(COUNTS)}


def check_refusal(response: httpx2.Response, shown: str) -> None:
    """The answer is the documented error body with the documented headers."""
    assert response.status_code < 500, f"{shown}: {response.text}"
    assert response.headers["content-type"] == "application/json", shown
    body = response.json()
    assert body.keys() == {"error"}, shown
    error = body["error"]
    assert error.keys() in ({"code", "message"}, {"code", "message", "details"}), shown
    assert error["code"] == response.status_code, shown
    assert isinstance(error["message"], str), shown
    assert error["message"], shown
    if response.status_code == 401:
        assert response.headers["www-authenticate"].startswith("Bearer"), shown
    if response.status_code == 405:
        assert response.headers["allow"], shown


async def test_no_request_is_a_fault_of_the_server(
    api: Api, world: World, session: Session, database: Database, stored: Stored
) -> None:
    seed = await sow(session, world)
    hostile = Hostile(17, seed.known)
    people = (world.admin, world.outsider, None)
    for person in people:
        if person is not None:
            await api.token_of(person)
    await session.close()
    before, state = await row_counts(database), await stored.state()
    refused = 0
    for number, row in enumerate(row for row in ROUTES for _ in range(REQUESTS_PER_ROW)):
        method, path, options = hostile.request(row)
        person = people[number % 3]
        shown = f"{method} {path[:300]} {str(options)[:600]}"
        try:
            response = await api.rest(method, path, person, **options)
        except httpx2.InvalidURL:
            continue
        except Exception as error:
            raise AssertionError(shown) from error
        assert response.headers["x-content-type-options"] == "nosniff", shown
        if person is None and response.status_code != 405 and not row.open_to_all:
            assert response.status_code in (401, 404), f"{shown}: {response.status_code}"
        after, last = before, state
        # Most requests write nothing at all, and then there is nothing to count.
        if (state := await stored.state()) != last:
            after = await row_counts(database)
        if response.status_code < 400:
            # Whoever is from elsewhere finds nothing to delete and makes nothing here, but for
            # settings of their own.
            own = row.path.startswith("/user/")
            assert person is world.admin or own or after == before, shown
            before = after
            continue
        refused += 1
        if method != "HEAD":
            check_refusal(response, shown)
        assert after == before, shown
    assert refused > len(ROUTES) * REQUESTS_PER_ROW // 3
    normal = await api.rest("GET", "/user", world.admin)
    assert normal.json()["id"] == world.admin.id
