"""Secrets are sealed again with the key of today (`docstead reseal`)."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from db.models.all import Base
from db.models.git import GitConfiguration, GitCredential
from db.models.integrations import Installation, Integration, SpaceInstallation
from db.models.site_settings import SiteRevalidation
from db.models.webhooks import Webhook
from db.session import Database, Session
from resolvers.core.integration_configurations import opened, sealed
from resolvers.core.sealing import Sealer, UnsealedError, marked, opened_mark
from resolvers.system.resealing import TABLES
from tests import factories
from tests.conftest import World, settle
from tests.docstead.command_line import docstead_async
from tests.docstead.test_commands import at

FORMER, PRESENT = "the-key-of-yesterday", "the-key-of-this-very-day"


def test_each_column_with_sealed_texts_is_listed() -> None:
    """By their names; what holds hashes, or what the server makes itself, is not sealed."""
    endings = ("sealed", "credentials", "secrets", "hook_secret", "signing_secret", "configuration")
    columns = {
        (mapper.class_, column.key)
        for mapper in Base.registry.mappers
        for column in mapper.columns
        if column.key in endings
    }
    columns |= {(Webhook, "secret"), (Webhook, "old_secret"), (SiteRevalidation, "secret")}
    assert {(kind, name) for kind, names in TABLES.items() for name in names} == columns


def test_a_renewed_text_is_as_old_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be opened for some time only is opened no longer."""
    monkeypatch.setattr("time.time", lambda: 1_000.0)
    text = Sealer(lambda: b"old").seal("a")
    monkeypatch.setattr("time.time", lambda: 2_000.0)
    renewed = Sealer(lambda: b"new", [b"old"]).renew(text)
    new = Sealer(lambda: b"new")
    assert renewed != text
    assert new.renew(renewed) == renewed
    assert new.open(renewed, seconds=1_000) == "a"
    with pytest.raises(UnsealedError):
        new.open(renewed, seconds=999)
    with pytest.raises(UnsealedError):
        Sealer(lambda: b"other").renew(text)


async def _sow(session: Session, world: World, sealer: Sealer) -> None:
    seal = sealer.seal
    organization = world.organization.id
    space = await factories.make_space(session, world.organization)
    integration = await factories.make_integration(
        session, organization, secrets=seal('{"A": "b"}'), signing_secret=seal("c")
    )
    installation = await factories.make_installation(
        session, integration, organization, signing_secret=seal("d"),
        configuration=sealed(sealer, {"api_key": "e", "plain": [1]}, {}),
    )  # fmt: skip
    entry: Any = await factories.make_entry(session, installation, space)
    entry.configuration = sealed(sealer, {"deep": [{"token": "f"}]}, {})
    await factories.make_git_configuration(
        session, space, credentials=seal("g"), hook_secret=seal("h")
    )
    plain = await factories.make_space(session, world.organization)
    await factories.make_git_configuration(session, plain, hook_secret=seal("h"))
    job = await factories.make_job(session, space)
    session.add(GitCredential(job_id=job.id, sealed=seal("i")))
    await factories.make_webhook(
        session, organization, secret=seal("whsec_j"), old_secret=seal("whsec_k")
    )
    site = await factories.make_site(session, world.organization)
    session.add(
        SiteRevalidation(site_id=site.id, url="https://r.example", secret=marked(sealer, "l" * 20))
    )
    await settle(session)


async def _secrets(session: Session, sealer: Sealer) -> dict[str, list[Any]]:
    await session.rollback()
    session.expunge_all()
    open_ = sealer.open

    async def all_of(kind: Any) -> list[Any]:
        return list((await session.execute(select(kind))).scalars())

    return {
        "integration": [
            (open_(row.secrets), open_(row.signing_secret)) for row in await all_of(Integration)
        ],
        "installation": [
            (open_(row.signing_secret), opened(sealer, row.configuration))
            for row in await all_of(Installation)
        ],
        "entry": [opened(sealer, row.configuration) for row in await all_of(SpaceInstallation)],
        "configuration": sorted(
            ((row.credentials and open_(row.credentials)) or "", open_(row.hook_secret))
            for row in await all_of(GitConfiguration)
        ),
        "webhook": [
            (open_(row.secret), open_(row.old_secret or "")) for row in await all_of(Webhook)
        ],
        "revalidation": [opened_mark(sealer, row.secret) for row in await all_of(SiteRevalidation)],
        "credential": [open_(row.sealed) for row in await all_of(GitCredential)],
    }


async def test_the_command_makes_former_keys_needless(
    database: Database, session: Session, world: World, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    former, present = Sealer(FORMER.encode), Sealer(PRESENT.encode)
    await _sow(session, world, former)
    before = await _secrets(session, former)
    monkeypatch.setenv("DOCSTEAD_SECRET_KEY", PRESENT)
    options = at(database, tmp_path / "data")

    async def reseal() -> tuple[int, Any]:
        done = await docstead_async("reseal", "--json", *options)
        assert done.err == ""
        return done.status, json.loads(done.out)

    # Without the key before nothing is lost.
    status, answer = await reseal()
    assert (status, answer["rows"], answer["renewed"]) == (1, 8, 0)
    assert answer["unreadable"].keys() == {
        "git_credential", "git_configuration", "integration", "installation", "space_installation",
        "webhook", "site_revalidation",
    }  # fmt: skip
    assert await _secrets(session, former) == before
    monkeypatch.setenv("DOCSTEAD_FORMER_SECRET_KEYS", FORMER)
    assert await reseal() == (0, {"rows": 8, "renewed": 8, "unreadable": {}})
    assert await _secrets(session, present) == before
    assert await reseal() == (0, {"rows": 8, "renewed": 0, "unreadable": {}})
    done = await docstead_async("reseal", *options)
    assert done.out == "sealed 0 of 8 rows again\n"
