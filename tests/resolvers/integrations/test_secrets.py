"""Secrets of integrations are in nothing that the server writes down or sends."""

import io
import itertools
import logging
from typing import Any

from sqlalchemy import select

from db.models.organizations import User
from db.session import Database, Session
from resolvers.access.tokens import find_user
from resolvers.core.email_addresses import is_address
from tests import factories
from tests.conftest import Api, Queries, World, settle
from tests.operation_requests import contents
from tests.rest_compat.test_integrations import manifest, ok

_numbers = itertools.count()


def secret() -> str:
    """A value that is nothing else's."""
    return f"tell-nobody-{next(_numbers)}-xyzzy"


async def test_no_secret_is_written_down(
    api: Api, world: World, session: Session, database: Database
) -> None:
    """They are in no table (so in no backup, audit entry or event), log, or answer."""
    space = await factories.make_space(session, world.organization)
    await settle(session)
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    answers = []
    try:
        one = "/integrations/notes"

        async def call(method: str, path: str, body: Any = None, status: int = 200) -> Any:
            answer = await api.rest(method, path, world.admin, body)
            shown = ok(answer, status)
            answers.append(answer.text)
            return shown

        await call("POST", one, manifest(world, secrets={"CLIENT_SECRET": secret()}))
        await call("POST", one, manifest(world, secrets={"CLIENT_SECRET": secret()}))
        organization = {"organization": world.organization.id}
        installed = await call("POST", f"{one}/installations", organization, 201)
        path = f"{one}/installations/{installed['id']}"
        configuration = {
            "channel": "#docs", "api_key": secret(), "ACCESS_TOKEN": secret(),
            "list": [{"clientSecret": secret()}, {"key": [secret(), {"token": secret()}]}],
        }  # fmt: skip
        await call("PATCH", path, {"configuration": configuration})
        # What does not fit is refused, and is repeated nowhere.
        refused = await api.rest(
            "PATCH", path, world.admin,
            {"configuration": configuration | {"mode": "c", "api_key": secret()}},
        )  # fmt: skip
        assert refused.status_code == 422
        answers.append(refused.text)
        await call("POST", f"{path}/spaces", {"space": space.id}, 201)
        await call("PATCH", f"{path}/spaces/{space.id}", {"configuration": {"token": secret()}})
        for read in (one, path, f"{path}/spaces", f"{one}/events",
                     f"/orgs/{world.organization.id}/audit-log",
                     f"/orgs/{world.organization.id}/events"):  # fmt: skip
            await call("GET", read)
        assert next(_numbers) > 8
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    texts = {"log": written.getvalue(), "answers": "\n".join(answers)}
    texts |= {name: "\n".join(rows) for name, rows in (await contents(database)).items()}
    assert "#docs" in texts["installation"]
    assert [name for name, text in texts.items() if "tell-nobody" in text] == []


async def test_accounts_of_integrations_are_no_people(
    api: Api, world: World, session: Session
) -> None:
    await settle(session)
    one = "/integrations/notes"
    ok(await api.rest("POST", one, world.admin, manifest(world)))
    organization = f"/orgs/{world.organization.id}"
    before = ok(await api.rest("GET", f"{organization}/members?limit=100", world.admin))
    body = {"organization": world.organization.id}
    ok(await api.rest("POST", f"{one}/installations", world.admin, body), 201)
    after = ok(await api.rest("GET", f"{organization}/members?limit=100", world.admin))
    assert after == before
    await session.rollback()
    addresses = (
        await session.execute(select(User.email).where(User.email.like("%integration.invalid")))
    ).scalars()
    for email in addresses.all():
        assert await find_user(session, email) is None
        assert await find_user(session, email.upper()) is None
        assert not is_address(email)


async def test_statements_do_not_grow_with_the_spaces(
    api: Api, world: World, session: Session, database: Database, queries: Queries
) -> None:
    """Rows that are inserted go in parts; nothing else is run for each space."""
    await settle(session)
    ok(await api.rest("POST", "/integrations/notes", world.admin, manifest(world)))
    body = {"organization": world.organization.id}
    installed = ok(
        await api.rest("POST", "/integrations/notes/installations", world.admin, body), 201
    )
    path = f"/integrations/notes/installations/{installed['id']}"
    counts = []
    for more in (50, 150):
        async with database.session() as writing:
            await writing.begin_write()
            for _ in range(more):
                await factories.make_space(writing, world.organization)
            await writing.commit()
        queries.statements.clear()
        changed = ok(await api.rest("PATCH", path, world.admin, {"space_selection": "all"}))
        statements = list(queries.statements)
        assert changed["spaces"] >= more
        counts.append(
            (
                sum(not text.startswith("INSERT") for text in statements),
                sum(text.startswith("INSERT") for text in statements),
            )
        )
        ok(await api.rest("PATCH", path, world.admin, {"space_selection": "selected"}))
    (small, small_inserts), (large, large_inserts) = counts
    assert large == small
    # 200 rows in parts, of which none has fewer than 50.
    assert large_inserts <= small_inserts + 6
