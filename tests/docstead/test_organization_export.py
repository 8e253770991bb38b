"""An organization leaves one installation and is the same in another: rows, files, histories."""

import asyncio
import datetime as dt
import hashlib
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import tarfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs
import pytest
from sqlalchemy import select

from db.enums import Role
from db.integration_enums import IntegrationVisibility
from db.models.all import metadata
from db.models.integrations import Installation, Integration
from db.models.organizations import Member
from db.models.site_settings import SiteRevalidation
from db.models.sites import Site
from db.models.webhooks import Webhook
from db.organization_rows import (
    EXPORTED,
    LEFT_OUT,
    LEFT_OUT_COLUMNS,
    columns_of,
    exported_tables,
)
from db.row_copies import open_snapshot
from db.session import Database
from db.text_order import sort_key
from db.webhook_enums import WebhookStop
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from jobs.organization_archive import ArchiveError, check_folder, unpack, write_checksums
from jobs.organization_columns import MADE
from jobs.organization_export import OrganizationExport, export_organization
from jobs.organization_import import (
    ImportRefusedError,
    OrganizationImport,
    import_organization,
)
from jobs.reindex import reindex
from resolvers.core.actors import OPERATOR
from resolvers.core.sealing import MARK, opened_mark
from schema.build import build_schema
from tests import factories
from tests.conftest import Api, NoDns, Sown
from tests.databases import be_another_installation
from tests.docstead.command_line import docstead_async
from tests.docstead.test_backups import line_of, succeed
from tests.docstead.test_serve import environment
from tests.forked import start_command
from tests.graphql_walk import FieldWalk
from tests.postgres import TemporaryPostgres

Json = dict[str, Any]
# Lists of what an export leaves out, and what is reached by an id of such a thing alone.
ABSENT = (
    "AuditEntry", "Event", "FeedToken", "GitOperation", "ImportRun", "Invitation", "Job",
    "Notification", "SpaceNotificationLevel", "UserSession", "VisitorSegment", "WebhookDelivery",
)  # fmt: skip
BY_ID = {"errors", "gitOperation", "importRun", "invitation", "job", "nodes", "edges",
         "webhookDelivery", "typedHeaders"}  # fmt: skip
# What another installation does not know, or makes anew (docs/organization-export.md).
DIFFERENT = {
    *((f"{name}Connection", member) for name in ABSENT
      for member in ("nodes", "edges", "totalCount")),
    *(("", name) for name in BY_ID),
    # Addresses that are signed with a key of the installation, ids that its index gives.
    ("ContentExport", "url"), ("File", "downloadURL"),
    ("ContentLinkEdge", "cursor"),
    # Secrets and what waits for them.
    ("GitConfiguration", "enabled"), ("GitConfiguration", "hookUrl"),
    ("GitConfiguration", "nextAt"), ("SiteMcpServer", "Authorization"),
    ("SiteMcpServer", "typedHeaders"), ("Webhook", "enabled"),
    # The tokens that this test asks with, and what people have set for themselves.
    ("Token", "createdAt"), ("Token", "id"), ("TokenEdge", "cursor"),
    ("Space", "notificationLevel"), ("User", "unreadNotifications"),
}  # fmt: skip


def quiet(what: str, done: int, total: int) -> None:
    pass


@asynccontextmanager
async def serving(database: Database, folder: Path) -> AsyncIterator[Api]:
    settings = Settings(
        public_url="http://docs.test", data_dir=folder, query_cost=100_000_000, request_seconds=600
    )
    server = Server(settings, database)
    server.hostnames = NoDns()
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url=settings.public_url) as client:
        yield Api(server, client)
    await server.finish_background()


async def exported(api: Api, organization_id: str, folder: Path) -> OrganizationExport:
    async with api.server.context_of(OPERATOR) as ctx:
        return await export_organization(ctx, api.server.database, organization_id, folder, quiet)


async def imported(database: Database, api: Api, folder: Path) -> OrganizationImport:
    server = api.server
    async with server.context_of(OPERATOR) as ctx:
        done = await import_organization(
            database, ctx.blobs, server.sealer, folder, check_folder(folder), quiet
        )
    async with server.context_of(OPERATOR) as ctx:
        for id in done.spaces:
            await reindex(ctx, id, again=False)
    return done


@pytest.fixture
async def elsewhere(
    request: pytest.FixtureRequest, database: Database, tmp_path: Path
) -> AsyncIterator[Database]:
    """The empty database of another installation, of the same kind."""
    if database.is_sqlite:
        copy = tmp_path / "elsewhere.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), copy)
        other = Database(f"sqlite:///{copy}", durable=False)
    else:
        server: TemporaryPostgres = request.getfixturevalue("postgres_server")
        server.drop_database("elsewhere")
        template = request.getfixturevalue("postgres_template")
        other = Database(server.create_database("elsewhere", template), pool_size=5)
    await be_another_installation(other)
    yield other
    await other.close()


@dataclass(frozen=True)
class Difference:
    type: str
    field: str
    here: Any
    there: Any


def differences(here: Any, there: Any, type_: str = "", name: str = "") -> Iterator[Difference]:
    """Where two answers differ, by the type and the field."""
    if isinstance(here, dict) and isinstance(there, dict):
        own = here.get("__typename", type_)
        for key in here.keys() | there.keys():
            yield from differences(here.get(key), there.get(key), own, key)
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for one, other in zip(here, there, strict=True):
            yield from differences(one, other, type_, name)
    elif here != there:
        yield Difference(type_, name, here, there)


def leaves(answer: Any) -> Iterator[Any]:
    """The values of an answer that say something."""
    if isinstance(answer, dict):
        for name, value in answer.items():
            if name != "__typename":
                yield from leaves(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from leaves(value)
    elif answer is not None:
        yield answer


async def test_the_graph_is_the_same_elsewhere(
    sown: Sown,
    database: Database,
    elsewhere: Database,
    shared_documents: None,
    tmp_path: Path,
) -> None:
    world, known = sown.world, sown.seed.known
    async with serving(database, tmp_path / "here") as here:
        done = await exported(here, world.organization.id, tmp_path / "export")
        async with serving(elsewhere, tmp_path / "there") as there:
            again = await imported(elsewhere, there, tmp_path / "export")
            assert (again.rows, again.people, again.left_out) == (done.rows, 0, ())
            walk = FieldWalk(build_schema()._schema, known, tried=3, most=1, together=40)
            different: dict[tuple[str, str], tuple[Difference, str]] = {}
            compared = 0
            for _, query in walk.queries():
                answers = [await one.graphql(query, world.admin) for one in (here, there)]
                compared += sum(1 for _ in leaves(answers[0].get("data")))
                for one in differences(*answers):
                    different.setdefault((one.type, one.field), (one, query))
    assert compared > 1_000
    assert {name: different[name] for name in different.keys() - DIFFERENT} == {}
    # Nothing is excused that is the same.
    assert DIFFERENT - different.keys() == set()


# ------------------------------------------------------------------ nets


def test_every_table_is_exported_or_left_out_with_a_reason() -> None:
    assert EXPORTED.keys() | LEFT_OUT.keys() == metadata.tables.keys()
    assert not EXPORTED.keys() & LEFT_OUT.keys()
    assert all(len(reason) > 10 for reason in LEFT_OUT.values())


def test_every_column_that_is_left_out_has_a_reason_and_a_value() -> None:
    left_out = {
        (table, column) for table, columns in LEFT_OUT_COLUMNS.items() for column in columns
    }
    assert left_out == MADE.keys()
    for table, column in left_out:
        assert table in EXPORTED
        assert column in metadata.tables[table].columns


# Words of columns that hold, or open, what others must not have.
_SECRET = re.compile(r"secret|digest|sealed|credential|private|token|password|hook|signing")
# What they are beside that.
_NO_SECRETS = {
    ("specification", "source_digest"), ("specification", "entity_tag"),
    ("specification_content", "digest"), ("specification_version", "digest"),
    ("translation", "context_digest"), ("translation", "total_tokens"),
}  # fmt: skip


def test_no_column_with_the_name_of_a_secret_is_exported() -> None:
    exported_names = {
        (table.name, column)
        for table in exported_tables()
        for column in columns_of(table)
        if _SECRET.search(column)
    }
    assert exported_names - _NO_SECRETS == set()


# ------------------------------------------------------------------ what the files are


@pytest.fixture
async def taken_out(sown: Sown, database: Database, tmp_path: Path) -> Path:
    """The folder of an export."""
    folder = tmp_path / "export"
    async with serving(database, tmp_path / "here") as here:
        await exported(here, sown.world.organization.id, folder)
    return folder


def lines(folder: Path, name: str) -> list[Json]:
    text = (folder / "data" / f"{name}.jsonl").read_text()
    return [json.loads(line) for line in text.removesuffix("\n").split("\n") if line]


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


async def test_files_say_what_they_are_and_histories_are_repositories(
    taken_out: Path, database: Database
) -> None:
    schema = json.loads((taken_out / "schema.json").read_text())
    seen = 0
    for table in exported_tables():
        valid = jsonschema_rs.validator_for({**schema, "$ref": f"#/$defs/{table.name}"})
        for line in lines(taken_out, table.name):
            valid.validate(line)
            seen += 1
    assert seen > 100
    manifest = json.loads((taken_out / "manifest.json").read_text())
    revisions = {row["id"]: row for row in lines(taken_out, "revision")}
    people = {row["id"]: row for row in lines(taken_out, "user_account")}
    for space in manifest["spaces"]:
        repository = taken_out / space["repository"]
        git(repository, "fsck", "--strict")
        own = {id for id, row in revisions.items()
               if row["space_id"] == space["id"] and not row["expands_id"]}  # fmt: skip
        assert space["commits"].keys() == own
        log = git(repository, "log", "--all", "--format=%H %at %ae %P").splitlines()
        commits = {line.split(" ")[0]: line.split(" ")[1:] for line in log}
        # No commit is out of reach.
        assert commits.keys() == set(space["commits"].values())
        for id, oid in space["commits"].items():
            row = revisions[id]
            when, email, *parents = commits[oid]
            made = dt.datetime.fromisoformat(row["created_at"])
            assert int(when) == int(made.timestamp())
            if row["author_id"]:
                assert email == people[row["author_id"]]["email"]
            shown = [revisions[one]["expands_id"] or one for one in row["parents"]
                     if one in revisions]  # fmt: skip
            assert [one for one in parents if one] == [space["commits"][one] for one in shown]
        assert "SUMMARY.md" in git(repository, "ls-tree", "-r", "--name-only", "main")


TITLES = ("Документация", "手册 2", "Ünïcode – ﬁle", "---", "a" * 50, "العربية docs")


async def test_spaces_of_any_title_have_a_repository(database: Database, tmp_path: Path) -> None:
    async with database.session() as session:
        await session.begin_write()
        organization = await factories.make_organization(session)
        for title in TITLES:
            await factories.make_space(session, organization, title=title)
        # The longest id that a table takes.
        await factories.make_space(session, organization, title="Long", id="x" * 64)
        await session.commit()
        id = organization.id
    folder = tmp_path / "export"
    async with serving(database, tmp_path / "here") as here:
        await exported(here, id, folder)
    spaces = check_folder(folder)["spaces"]
    assert {space["title"] for space in spaces} == {*TITLES, "Long"}
    assert len({space["repository"] for space in spaces}) == len(spaces)
    for space in spaces:
        git(folder / space["repository"], "rev-parse", "main")


async def test_secrets_are_in_no_file(taken_out: Path, database: Database) -> None:
    async with database.connection() as connection:
        secret = []
        for table, columns in LEFT_OUT_COLUMNS.items():
            for column, reason in columns.items():
                if "secret" in reason:
                    rows = await connection.execute(select(metadata.tables[table].columns[column]))
                    secret += [str(row[0]) for row in rows if row[0] and len(str(row[0])) > 8]
    assert len(secret) > 5
    texts = [path.read_text() for path in (taken_out / "data").iterdir()]
    assert [one for one in secret if any(one in text for text in texts)] == []
    assert not any('"$sealed"' in text for text in texts)


# ------------------------------------------------------------------ what may not be read


def rewrite(folder: Path, name: str, change: Callable[[list[Json]], None]) -> None:
    """Change the rows of a file, and the checksums, as an attacker would."""
    rows = lines(folder, name)
    change(rows)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "data" / f"{name}.jsonl").write_text(text)
    (folder / "checksums.json").unlink()
    write_checksums(folder)


def set_all(name: str, value: Any) -> Callable[[list[Json]], None]:
    def change(rows: list[Json]) -> None:
        assert rows
        for row in rows:
            row[name] = value

    return change


def of_another(rows: list[Json]) -> None:
    rows[0]["organization_id"] = "another"


def deep(rows: list[Json]) -> None:
    value: Any = 1
    for _ in range(300):
        value = [value]
    rows[0]["variables"] = value


def longer(rows: list[Json]) -> None:
    rows[0]["title"] = "x" * 51


def without(name: str) -> Callable[[list[Json]], None]:
    def change(rows: list[Json]) -> None:
        assert rows
        for row in rows:
            del row[name]

    return change


def as_people(rows: list[Json]) -> None:
    """Programs would act with accounts of people who have not come yet."""
    for row in rows:
        row["email"] = row["email"].partition("@")[0] + "@corp.example"


ATTACKS: list[tuple[str, Callable[[list[Json]], None], str]] = [
    ("space", of_another, "organization_id 'another' is not in the export"),
    ("comment", set_all("space_id", "elsewhere"), "space_id 'elsewhere' is not in the export"),
    ("member", set_all("user_id", "somebody"), "user_id 'somebody' is not in the export"),
    ("organization", set_all("id", "other"), "another organization than its manifest says"),
    ("revision", deep, "nested more than 200 levels"),
    ("space", longer, "title has more than 50 characters"),
    ("space", set_all("edit_mode", "open"), "edit_mode is none of"),
    ("space", set_all("title", "a\0b"), "title has the character NUL"),
    ("space", set_all("last_change_request", True), "last_change_request must be a whole number"),
    ("space", set_all("created_at", "yesterday"), "created_at is no time"),
    ("space", set_all("created_at", "9999-12-31T23:59:59-01:00"), "created_at is no time"),
    ("space", set_all("secret", 1), "has 'secret', which this version does not know"),
    ("content_node", set_all("data", "AAAA"), "its id is not that of its content"),
    ("document", set_all("markdown", "x"), "its id is not that of its content"),
    ("member", set_all("role", "king"), "role is no role"),
    ("space", set_all("id", "SPACE/ab"), "'SPACE/ab' is no id"),
    ("space", set_all("id", ".incoming"), "'.incoming' is no id"),
    ("storage_upload", set_all("id", "../x"), "'../x' is no id"),
    ("user_account", without("email"), "email is missing"),
    ("user_account", as_people, "an account with the address of a person"),
    ("service_account", set_all("id", "nobody"), "an account with the address of a person"),
    ("installation", set_all("account_id", "nobody"), "an account with the address of a person"),
    ("installation", without("integration_id"), "integration_id is missing"),
    ("integration", without("files_id"), "files_id is missing"),
    ("integration", without("account_id"), "account_id is missing"),
    # As if they were set.
    ("custom_hostname", set_all("hostname", "docs.test"), "three or more labels"),
    ("custom_hostname", set_all("hostname", "A.b.c"), "three or more labels"),
    ("organization", set_all("hostname", "-x"), "hostname has 2 characters"),
    ("organization", set_all("email_domains", ["gmail.com"]), "everybody can get an address"),
    ("site", set_all("proxy_origin", "javascript:x"), "a host name and one or more path segments"),
    ("site", set_all("hostname", "docs.example.com"), "which this version does not know"),
    # JSON as it was written.
    ("glossary_entry", set_all("translations", {"en": 1}), "translations at 'en' is not as"),
    ("revision", set_all("variables", {"a": [1]}), "variables at 'a' is not as"),
    ("comment", set_all("document", {"object": "document", "nodes": [1]}), "nodes[0]"),
    (
        "space",
        set_all(
            "merge_rules", {"type": "rules", "rules": [{"rule": "custom", "expression": "1 +"}]}
        ),
        "expression",
    ),
    ("site_customization", set_all("settings", {"styling": {"theme": "loud"}}), "styling.theme"),
    ("site_adaptive_schema", set_all("json_schema", {"type": "object"}), "json_schema"),
    ("site_redirect", set_all("destination", {"kind": "url"}), "destination"),
    ("webhook", set_all("types", "all"), "types is not as"),
]


async def test_what_is_not_right_is_refused_and_nothing_stays(
    taken_out: Path, elsewhere: Database, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    async with serving(elsewhere, tmp_path / "there") as there:
        for name, change, problem in ATTACKS:
            shutil.copytree(taken_out, copy)
            rewrite(copy, name, change)
            with pytest.raises((ArchiveError, ImportRefusedError), match=re.escape(problem)):
                await imported(elsewhere, there, copy)
            shutil.rmtree(copy)
            async with open_snapshot(elsewhere) as snapshot:
                for table in exported_tables():
                    assert await snapshot.count(table) == 0
            left = [path for path in (tmp_path / "there" / "files").rglob("*") if path.is_file()]
            assert left == []


async def test_people_keep_their_accounts_and_machines_get_none_of_theirs(
    taken_out: Path, elsewhere: Database, sown: Sown, tmp_path: Path
) -> None:
    """Somebody who is here already is found by the address; an account that programs act with is
    never theirs, and nothing that another organization has is named."""
    admin = sown.world.admin
    async with elsewhere.session() as session:
        await session.begin_write()
        mine = await factories.make_user(session, "Zoe")
        mine.email = admin.email.upper()
        stranger = await factories.make_organization(session)
        theirs = await factories.make_space(session, stranger)
        await session.commit()
        own, foreign = mine.id, theirs.revision_id
    async with serving(elsewhere, tmp_path / "there") as there:
        copy = tmp_path / "copy"
        shutil.copytree(taken_out, copy)
        rewrite(copy, "service_account", set_all("id", admin.id))
        with pytest.raises(ArchiveError, match="account of somebody who is here"):
            await imported(elsewhere, there, copy)
        shutil.rmtree(copy)
        shutil.copytree(taken_out, copy)
        rewrite(copy, "space", set_all("revision_id", foreign))
        with pytest.raises(ImportRefusedError, match="it names the revision"):
            await imported(elsewhere, there, copy)
        done = await imported(elsewhere, there, taken_out)
        assert done.people == 1
        with pytest.raises(ImportRefusedError, match="is here already"):
            await imported(elsewhere, there, taken_out)
    async with elsewhere.session() as session:
        member = await session.get(Member, (sown.world.organization.id, own))
        assert member is not None
        assert (member.role, member.name_key) == (Role.ADMIN, sort_key("Zoe"))
        assert await session.get(Member, (sown.world.organization.id, admin.id)) is None


async def test_integrations_of_others_are_found_by_name(
    database: Database, elsewhere: Database, tmp_path: Path
) -> None:
    """What is installed stays installed where the integration is; it is left out elsewhere."""

    async def publisher(into: Database, *names: str) -> dict[str, Integration]:
        async with into.session() as session:
            await session.begin_write()
            theirs = await factories.make_organization(session)
            rows = {
                name: await factories.make_integration(
                    session, theirs.id, name, visibility=IntegrationVisibility.PUBLIC
                )
                for name in names
            }
            await session.commit()
            return rows

    here = await publisher(database, "weather", "maps")
    there = await publisher(elsewhere, "weather")
    async with database.session() as session:
        await session.begin_write()
        mine = await factories.make_organization(session)
        for integration in here.values():
            await factories.make_installation(session, integration, mine.id)
        await session.commit()
        id = mine.id
    folder = tmp_path / "export"
    async with serving(database, tmp_path / "here") as api:
        await exported(api, id, folder)
    async with serving(elsewhere, tmp_path / "there") as api:
        done = await imported(elsewhere, api, folder)
    assert done.left_out == ("maps",)
    async with elsewhere.session() as session:
        (row,) = (await session.execute(select(Installation))).scalars()
        assert (row.organization_id, row.integration_id) == (id, there["weather"].id)


def test_archives_hold_no_more_than_an_export(tmp_path: Path) -> None:
    """Paths that lead out, links, devices, files that are there twice, bombs."""

    def archive(*members: tuple[str, bytes, bytes]) -> Path:
        path = tmp_path / "bad.tar.gz"
        with tarfile.open(path, "w:gz") as made:
            for name, kind, data in members:
                member = tarfile.TarInfo(name)
                member.type, member.size, member.linkname = kind, len(data), "/etc/passwd"
                made.addfile(member, io.BytesIO(data))
        return path

    file, link, device = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE
    bad = [
        archive_of
        for archive_of in (
            (("../evil", file, b"x"),),
            (("/tmp/evil", file, b"x"),),
            (("git/a.git/../../../evil", file, b"x"),),
            (("data/../evil.jsonl", file, b"x"),),
            (("data/space.jsonl", link, b""),),
            (("data/space.jsonl", tarfile.LNKTYPE, b""),),
            (("manifest.json", device, b""),),
            (("manifest.json", file, b"{}"), ("manifest.json", file, b"{}")),
            (("data/space.jsonl", file, bytes(70_000_000)),),
        )
    ]
    for number, members in enumerate(bad):
        folder = tmp_path / f"out{number}"
        folder.mkdir()
        with pytest.raises(ArchiveError):
            unpack(archive(*members), folder)
        assert not (tmp_path / "evil").exists()
    # Headers that are read into memory: of extended attributes, of long names.
    for kind in (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME):
        folder = tmp_path / f"header{kind.decode()}"
        folder.mkdir()
        bomb = archive(("data/space.jsonl", kind, bytes(5_000_000)), ("README.md", file, b"x"))
        with pytest.raises(ArchiveError, match="more headers than an export"):
            unpack(bomb, folder)
        assert list(folder.iterdir()) == []
    cut = archive(("README.md", file, os.urandom(3_000_000)))
    cut.write_bytes(cut.read_bytes()[:-1_000_000])
    with pytest.raises(ArchiveError, match="no whole archive"):
        unpack(cut, tmp_path / "out0")
    (tmp_path / "none.tar.gz").write_bytes(b"nothing")
    with pytest.raises(ArchiveError, match="no whole archive"):
        unpack(tmp_path / "none.tar.gz", tmp_path / "out0")


async def test_commands_write_and_read_an_archive(migrated_data: Path, tmp_path: Path) -> None:
    data, out = migrated_data, tmp_path / "acme.tar.gz"
    database = Database(f"sqlite:///{data / 'docstead.sqlite3'}", durable=False)
    async with database.session() as session:
        await session.begin_write()
        organization = await factories.make_organization(session)
        await factories.make_member(session, organization, Role.ADMIN)
        await factories.make_space(session, organization)
        await session.commit()
        id = organization.id
    await database.close()
    made = await succeed("export-organization", id, str(out), "--data-dir", str(data))
    assert (made["organization"], made["spaces"], made["warnings"]) == (id, 1, [])
    assert stat.S_IMODE(os.stat(out).st_mode) == 0o600
    assert [name for name in os.listdir(tmp_path) if name.startswith(".")] == []
    there = ("--data-dir", str(tmp_path / "there"))
    await succeed("import-organization", str(out), "--check", *there)
    read = await succeed("import-organization", str(out), *there)
    assert (read["organization"], read["rows"]) == (id, made["rows"])
    folder = tmp_path / "again"
    await succeed("export-organization", id, str(folder), *there)
    with tarfile.open(out) as archive:
        for name in ("data/space.jsonl", "data/revision.jsonl", "data/member.jsonl"):
            body = archive.extractfile(name)
            assert body is not None
            assert body.read() == (folder / name).read_bytes()
    for arguments, problem in (
        (("import-organization", str(out)), "is here already"),
        (("import-organization", str(tmp_path / "nowhere")), "no such folder or file"),
        (("export-organization", id, str(out)), "exists already"),
        (("export-organization", "nobody", str(tmp_path / "new")), "no organization 'nobody'"),
    ):
        assert problem in line_of(await docstead_async(*arguments, *there))
    (folder / "data" / "space.jsonl").write_text("")
    damaged = await docstead_async("import-organization", str(folder), *there)
    assert "the export is damaged: data/space.jsonl" in line_of(damaged)


async def test_an_import_that_was_killed_is_done_again(
    taken_out: Path, elsewhere: Database, sown: Sown, tmp_path: Path
) -> None:
    """What it has left behind is in nobody's way, and does not stay."""
    space = sown.seed.known["spaceId"][0]
    for number in range(300):
        data = b"%d" % number
        sha256 = hashlib.sha256(data).hexdigest()
        place = taken_out / "files" / space / sha256[:2] / sha256
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (taken_out / "checksums.json").unlink()
    write_checksums(taken_out)
    url = elsewhere.url.render_as_string(hide_password=False)
    files = tmp_path / "there" / "files"
    command = [
        "import-organization", str(taken_out), "--data-dir", str(tmp_path / "there"),
        "--database-url", url,
    ]  # fmt: skip

    def written() -> list[Path]:
        # Folders may go while they are looked at.
        return [
            Path(folder, name)
            for folder, _, names in os.walk(files)
            for name in names
            if ".incoming" not in folder
        ]

    for most in (1, 150, 300):
        process = start_command(command, environment(), tmp_path / "import.log")
        async with asyncio.timeout(120):
            while len(written()) < most:
                assert process.poll() is None
                await asyncio.sleep(0.001)
        process.kill()
        assert process.wait(60) == -signal.SIGKILL
        async with open_snapshot(elsewhere) as snapshot:
            assert await snapshot.count(metadata.tables["organization"]) == 0
    async with serving(elsewhere, tmp_path / "there") as there:
        done = await imported(elsewhere, there, taken_out)
        assert done.files >= 300
        # Half a file is removed with other uploads that have not ended (jobs/purge.py).
        owners = {path.relative_to(files).parts[0] for path in written()}
        async with elsewhere.connection() as connection:
            for name, column in (("space", "id"), ("storage_upload", "id"),
                                 ("integration", "files_id")):  # fmt: skip
                rows = await connection.execute(select(metadata.tables[name].columns[column]))
                owners -= {row[0] for row in rows}
        assert owners == set()


async def test_of_two_imports_one_is_refused(
    taken_out: Path, elsewhere: Database, tmp_path: Path
) -> None:
    async with serving(elsewhere, tmp_path / "there") as there:
        answers = await asyncio.gather(
            imported(elsewhere, there, taken_out), imported(elsewhere, there, taken_out),
            return_exceptions=True,
        )  # fmt: skip
    refused = [answer for answer in answers if isinstance(answer, BaseException)]
    assert len(refused) == 1
    assert isinstance(refused[0], ImportRefusedError)
    assert "another import" in str(refused[0]) or "is here already" in str(refused[0])


async def test_what_opens_doors_is_opened_here_again(
    taken_out: Path, elsewhere: Database, sown: Sown, tmp_path: Path
) -> None:
    """Secrets are sealed, host names lead nowhere before DNS says so, and endpoints without
    somebody whose rights they have are disabled."""
    rewrite(taken_out, "webhook", set_all("owner_id", None))
    name = lines(taken_out, "custom_hostname")[0]["hostname"]
    async with serving(elsewhere, tmp_path / "there") as there:
        assert name in (await imported(elsewhere, there, taken_out)).hostnames
        async with elsewhere.session() as session:
            for webhook in (await session.execute(select(Webhook))).scalars():
                assert there.server.sealer.open(webhook.secret).startswith("whsec_")
                assert (webhook.enabled, webhook.stop) == (False, WebhookStop.OWNER)
            for row in (await session.execute(select(SiteRevalidation))).scalars():
                assert len(opened_mark(there.server.sealer, row.secret)) >= 20
                assert row.secret.startswith(MARK)
            for site in (await session.execute(select(Site))).scalars():
                assert site.hostname is None
