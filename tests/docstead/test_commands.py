"""The commands: their help, what they print, and one clear line for every fault."""

import datetime as dt
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from db.base import utc_now
from db.models.content import Document
from db.models.spaces import Space
from db.session import Database, Session
from docstead.cli import COMMANDS as ENTRIES
from tests.conftest import Api, World, settle
from tests.docstead.command_line import COMMANDS, LOADED, Done, docstead, docstead_async

FIXTURE = Path(__file__).parent.parent / "content" / "fixtures" / "space"


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings from outside, and a folder of its own as the working directory."""
    for name in ("DATA_DIR", "DATABASE_URL", "PUBLIC_URL", "HOST", "PORT", "WORKERS"):
        monkeypatch.delenv(f"DOCSTEAD_{name}", raising=False)
    monkeypatch.chdir(tmp_path)


def one_line(done: Done) -> str:
    """The only line of a command that refused its input."""
    assert (done.status != 0, done.out) == (True, ""), done
    (line,) = done.err.splitlines()
    assert line.startswith("docstead: ")
    return line.removeprefix("docstead: ")


def test_documented_commands_are_there() -> None:
    names = {" ".join(path) for path in COMMANDS}
    assert names == {
        "serve", "migrate", "init", "demo", "import-docs", "export-docs", "export-organization",
        "import-organization", "publish", "purge",
        "round-trip", "reindex", "reseal",
        "backup", "restore", "copy-database", "openapi", "sdl", "document-schema", "doctor",
        "user create", "user sign-in-link", "user sign-out", "user verify",
        "token create", "token list", "token revoke", "member list", "member add",
        "member set-role", "member disable", "member enable", "member remove", "team list",
        "team create", "team rename", "team delete", "team add", "team remove", "invite create",
        "invite list", "invite resend", "invite revoke", "saml list", "saml trust",
        "worker", "jobs list", "jobs show", "jobs cancel", "jobs retry",
        "rollback", "audit list", "audit export", "audit prune",
    }  # fmt: skip


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_has_an_example_of_the_command(path: tuple[str, ...]) -> None:
    done = docstead(*path, "--help")
    assert done.status == 0
    text = " ".join(done.out.split())
    assert f"Example: docstead {' '.join(path)}" in text
    parameters = COMMANDS[path].params
    known = {
        option for parameter in parameters for option in parameter.opts + parameter.secondary_opts
    }
    example = text.partition("Example: ")[2]
    assert set(re.findall(r"(?<!\S)--[a-z-]+", example)) <= known


@pytest.mark.parametrize("name", ENTRIES)
def test_the_list_of_commands_says_what_a_command_says_itself(name: str) -> None:
    assert ENTRIES[name].help == " ".join(LOADED[name].help.split("\n\n")[0].split())


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_the_list_of_commands_imports_none_of_them(option: str) -> None:
    program = (
        "import sys; from docstead.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as stop: assert stop.code == 0\n"
        "print(sorted({'sqlalchemy', 'fastapi', 'strawberry', 'resolvers'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, option], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_is_that_of_the_package() -> None:
    assert docstead("--version").out.split() == ["docstead", version("docstead")]


def test_without_a_command_the_help_is_shown() -> None:
    done = docstead()
    assert done.status == 2
    assert "import-docs" in done.out + done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "No such command 'nothing'. See `docstead --help`."),
        (["serve", "--port", "x"], "'--port': .*integer. See `docstead serve --help`."),
        (["serve", "--port", "70000"], "DOCSTEAD_PORT: 70000 is not allowed; it must be a number"),
        (["serve", "--workers", "0"], "DOCSTEAD_WORKERS: 0 is not allowed; .* from 1 to 256"),
        (["migrate", "--database-url", "mysql://h/d"], "DOCSTEAD_DATABASE_URL: .*'mysql'"),
        (["doctor", "--database-url", "postgresql://me:secret@h:x/d"], "it is not a database URL"),
        (["migrate", "--database-url", "postgresql://me:secret@127.0.0.1:1/d"],
         "cannot connect to the database: Connect call .*DOCSTEAD_DATABASE_URL"),
        (["migrate", "--to", "nowhere"], "nowhere"),
        (["init", "--email", "a@b.c"], "Missing option '--name'"),
        (["purge", "--data-dir", "/proc/nothing"], "/proc/nothing"),
        (["purge"], "the database is empty; run `docstead migrate` first"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(arguments: list[str], message: str) -> None:
    line = one_line(docstead(*arguments))
    assert re.search(message, line), line
    assert "secret" not in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["init", "--email", "x", "--name", "A", "--organization", "Acme"], "email: 'x'"),
        (["init", "--email", "a@b.c", "--name", "", "--organization", "Acme"], "name: "),
        (["init", "--email", "a@b.c", "--name", "A", "--organization", "A"], "organization: "),
        (["token", "create", "--email", "no@b.c", "--label", "x"], "email: 'no@b.c' has no acc"),
        (["token", "revoke", "--email", "no@b.c"], "email: 'no@b.c' has no account"),
        (["token", "create", "--email", "a@b.c", "--label", "x", "--days", "0"], "--days"),
        (["import-docs", ".", "--organization", "none"], "organization 'none' does not exist"),
        (["import-docs", ".", "--organization", "x", "--title", "x" * 51], "title: has 51"),
        (["import-docs", "."], "name either --organization, which gets a new space, or --space"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("migrated_data")
def test_bad_input_beside_a_database_is_one_clear_line(arguments: list[str], message: str) -> None:
    test_bad_input_is_one_clear_line(arguments, message)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("PORT", "http", "a number from 0 to 65535"),
        ("PAGE_SIZE", "0", "a number from 1 to 1000"),
        ("QUERY_COST", "many", "a number from 100 to 1000000"),
        ("INTROSPECTION", "perhaps", "true or false"),
        ("PUBLIC_URL", "docs.example.com", "like https://docs.example.com"),
        ("DATABASE_URL", "oracle://db/x", "use sqlite:///PATH or postgresql://HOST/NAME"),
    ],
)
def test_invalid_setting_names_itself_its_value_and_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(f"DOCSTEAD_{name}", value)
    line = one_line(docstead("doctor"))
    assert line.startswith(f"DOCSTEAD_{name}: {value!r} is not allowed; ")
    assert allowed in line


@pytest.mark.parametrize(
    ("variable", "advice"),
    [
        ("DOCSTEAD_PROT", "did you mean DOCSTEAD_PORT?"),
        ("DOCSTEAD_SMPT_URL", "did you mean DOCSTEAD_SMTP_URL?"),
        ("DOCSTEAD_publicurl", "did you mean DOCSTEAD_PUBLIC_URL?"),
        ("DOCSTEAD_XYZZY", "use DOCSTEAD_ANSWER_CACHE_MEGABYTES, DOCSTEAD_BODY_LIMIT, "),
    ],
)
def test_a_setting_that_does_not_exist_is_named_in_full(
    monkeypatch: pytest.MonkeyPatch, variable: str, advice: str
) -> None:
    monkeypatch.setenv(variable, "secret")
    assert one_line(docstead("doctor")).startswith(
        f"{variable}: there is no such setting; {advice}"
    )


def run_json(*arguments: str) -> Any:
    done = docstead(*arguments, "--json")
    assert (done.status, done.err) == (0, ""), done
    return json.loads(done.out)


@pytest.mark.usefixtures("migrated_data")
def test_accounts_and_tokens() -> None:
    made = run_json("init", "--email", "ada@x.org", "--name", "Ada", "--organization", "Acme")
    assert made.keys() == {"user", "organization", "token"}
    assert made["user"] == {"id": made["user"]["id"], "email": "ada@x.org", "displayName": "Ada"}
    assert made["organization"]["title"] == "Acme"
    assert re.fullmatch(r"docstead_[0-9A-Za-z]{43}", made["token"])

    user = run_json("user", "create", "--email", "bo@x.org", "--name", "Bo")
    assert user["displayName"] == "Bo"
    again = docstead("user", "create", "--email", "BO@x.org", "--name", "Bo")
    assert one_line(again) == "email: 'BO@x.org' has an account already"

    token = run_json("token", "create", "--email", "bo@x.org", "--label", "ci", "--read-only")
    assert (token["label"], token["scopes"]) == ("ci", ["read"])
    (listed,) = run_json("token", "list", "--email", "bo@x.org")
    assert listed == {name: value for name, value in token.items() if name != "token"}
    (revoked,) = run_json("token", "revoke", "--email", "bo@x.org", "--label", "ci")
    assert revoked["revokedAt"] is not None
    narrow = ("token", "create", "--email", "bo@x.org", "--label", "bot", "--scope", "space:read")
    assert run_json(*narrow)["scopes"] == ["space:read"]
    assert "not both" in one_line(docstead(*narrow, "--read-only"))
    assert "'nonsense' is not one of" in one_line(docstead(*narrow[:-1], "nonsense"))
    again = docstead("token", "revoke", "--email", "bo@x.org", "--label", "ci")
    assert "no active token" in one_line(again)


def test_migrate_and_doctor() -> None:
    done = docstead("doctor", "--json")
    findings = {one["subject"]: one for one in json.loads(done.out)["findings"]}
    assert (done.status, findings["data"]["ok"]) == (1, False)
    assert "run `docstead migrate`" in findings["data"]["message"]

    migrated = run_json("migrate")
    assert migrated["before"] is None
    assert run_json("migrate") == {"before": migrated["after"], "after": migrated["after"]}
    healthy = run_json("doctor")
    assert healthy["ok"] is True
    assert "DOCSTEAD_DATA_DIR" in {one["name"] for one in healthy["settings"]}


def test_a_migration_to_an_older_schema_says_what_it_removes_first(tmp_path: Path) -> None:
    newest = run_json("migrate")["after"]
    run_json("init", "--email", "ada@x.org", "--name", "Ada", "--organization", "Acme")
    done = docstead("migrate", "--to", "0001_first_release")
    *removed, line = done.err.splitlines()
    assert done.status == 1
    assert f"from {newest} to 0001_first_release removes what is listed" in line
    assert "removed: table audit_entry, 1 rows" in removed
    assert "removed: team.title_key, 0 rows" in removed
    # Nothing has happened yet.
    assert run_json("doctor")["ok"] is True
    assert run_json("token", "list", "--email", "ada@x.org")

    assert run_json("migrate", "--to", "0001_first_release", "--yes")["after"] == (
        "0001_first_release"
    )
    # What adds only is not asked for.
    assert run_json("migrate", "--to", "0004_audit")["after"] == "0004_audit"
    assert run_json("migrate")["after"] == newest


def test_doctor_sees_a_folder_that_others_may_open(migrated_data: Path) -> None:
    folder = migrated_data
    folder.chmod(0o755)
    done = docstead("doctor")
    assert done.status == 1
    assert f"others may open {folder}; run `chmod 700 {folder}`" in done.out
    folder.chmod(0o700)
    assert docstead("doctor").status == 0


@pytest.mark.parametrize("command", ["migrate", "purge", "doctor"])
def test_a_database_of_before_the_first_release_is_refused(
    migrated_data: Path, command: str
) -> None:
    (file,) = migrated_data.rglob("*.sqlite3")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0014'")
    done = docstead(command)
    assert done.status == 1
    assert re.search("at migration 0014, which this version does not know", done.out + done.err)


def test_interfaces_are_printed() -> None:
    assert json.loads(docstead("openapi").out)["openapi"].startswith("3.1")
    assert "type Query {" in docstead("sdl").out


# ------------------------------------------------------------------ import-docs


def at(database: Database, folder: Path) -> list[str]:
    """Options that lead a command to a test's database and data folder."""
    url = database.url.render_as_string(hide_password=False)
    return ["--data-dir", str(folder), "--database-url", url]


BY_PATH = """query ($space: ID!, $path: String!) {
  pageByPath(spaceId: $space, path: $path) { id title path }
}"""


async def test_imported_pages_are_reachable_by_path_through_both_doors(
    database: Database, session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    await settle(session)
    done = await docstead_async(
        "import-docs", str(FIXTURE), "--organization", world.organization.id, "--json",
        *at(database, tmp_path / "data"),
    )  # fmt: skip
    assert (done.status, done.err) == (0, ""), done
    made = json.loads(done.out)
    assert made.keys() == {"space", "revision", "pages", "files", "warnings"}
    space_id = made["space"]["id"]

    answer = await api.rest("GET", f"/spaces/{space_id}", world.reader)
    assert answer.json()["title"] == made["space"]["title"]
    assert answer.json()["revision"] == made["revision"]
    listed = (await api.rest("GET", f"/spaces/{space_id}/content/pages", world.reader)).json()
    pages = list(walk(listed["pages"]))
    assert len(pages) == made["pages"] > 5
    for page in pages:
        if page["type"] not in ("document", "group"):
            continue
        path = page["path"]
        found = await api.rest("GET", f"/spaces/{space_id}/content/path/{path}", world.reader)
        assert (found.status_code, found.json()["id"]) == (200, page["id"])
        data = await api.data(BY_PATH, world.reader, space=space_id, path=path)
        assert data["pageByPath"] == {"id": page["id"], "title": page["title"], "path": path}

    files = (await api.rest("GET", f"/spaces/{space_id}/content/files", world.reader)).json()
    assert files["count"] == made["files"] > 0
    address = files["items"][0]["downloadURL"].removeprefix("http://docs.test")
    assert (await api.client.get(address)).status_code == 200


def walk(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All pages of an answer, depth first."""
    found = []
    for page in pages:
        found += [page, *walk(page.get("pages", []))]
    return found


@pytest.mark.usefixtures("migrated_data")
def test_import_takes_a_title_and_tells_people_what_it_did() -> None:
    organization = run_json("init", "--email", "a@x.org", "--name", "A", "--organization", "Acme")
    id = organization["organization"]["id"]
    done = docstead("import-docs", str(FIXTURE), "--organization", id, "--title", "Handbook")
    assert done.status == 0
    assert "Handbook" in done.out
    assert re.search(r"content +\d+ pages, \d+ files", done.out)
    # Nobody watches: there is no progress bar.
    assert done.err == ""


SUMMARY = "# T\n\n* [A](a.md)\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.md": "---\nok: 1\nicon: [\n---\n# A\n"}, "a.md, line 4: invalid YAML"),
        ({"a.md": '---\ntitle: "\\ud800"\n---\n'}, "a.md, line 2: a NUL character or a lone"),
        ({"SUMMARY.md": SUMMARY + "* [B](a.md)\n", "a.md": "# A\n"}, "line 3 and on line 4"),
        ({".gitbook.yaml": "root: ../.."}, "'root' is '../..', which leads out of the repository"),
        ({".gitbook/vars.yaml": "- 1\n"}, ".gitbook/vars.yaml, line 1: must be a mapping"),
        ({"a\x1b[31m.md": "# A\n"}, "is not allowed in a path"),
    ],
)
@pytest.mark.usefixtures("migrated_data")
def test_import_of_broken_content_names_file_and_line_and_leaves_nothing(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    made = run_json("init", "--email", "a@x.org", "--name", "A", "--organization", "Acme")
    source = tmp_path / "docs"
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    id = made["organization"]["id"]
    line = one_line(docstead("import-docs", str(source), "--organization", id))
    assert message in line
    assert line.isprintable()
    assert not any((tmp_path / "data" / "files").iterdir())


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("nothing", "nothing: there is no such folder or bundle file"),
        ("file.txt", "file.txt: is neither a folder nor a Git bundle"),
        ("broken.bundle", "broken.bundle: is not a Git bundle"),
        ("two\nlines", "two"),
    ],
)
@pytest.mark.usefixtures("migrated_data")
def test_import_of_an_unreadable_place(tmp_path: Path, place: str, problem: str) -> None:
    made = run_json("init", "--email", "a@x.org", "--name", "A", "--organization", "Acme")
    (tmp_path / "file.txt").write_text("hello")
    (tmp_path / "broken.bundle").write_text("# v2 git bundle\nnonsense")
    id = made["organization"]["id"]
    assert problem in one_line(docstead("import-docs", place, "--organization", id))


@pytest.mark.usefixtures("migrated_data")
def test_a_source_of_several_spaces_offers_them(tmp_path: Path) -> None:
    made = run_json("init", "--email", "a@x.org", "--name", "A", "--organization", "Acme")
    owner = ("--organization", made["organization"]["id"])
    for name in ("one", "two"):
        (tmp_path / "docs" / name).mkdir(parents=True)
        (tmp_path / "docs" / name / ".gitbook.yaml").write_text("root: ./\n")
        (tmp_path / "docs" / name / "README.md").write_text(f"# {name.title()}\n")
    (tmp_path / "docs" / "one" / "picture.png").write_text("x")
    source = str(tmp_path / "docs")
    line = one_line(docstead("import-docs", source, *owner))
    assert "holds 2 spaces: import them one after the other with --folder: one, two" in line
    imported = run_json("import-docs", source, *owner, "--folder", "two/")
    assert (imported["space"]["title"], imported["pages"]) == ("Two", 1)
    (tmp_path / "docs" / "two" / "SUMMARY.md").write_text("* [A](README.md)\n* [B](README.md)\n")
    line = one_line(docstead("import-docs", source, *owner, "--folder", "two"))
    assert "listed twice, on line 1 and on line 2" in line
    assert "--repeated-as-links" in line
    repeated = ("--folder", "two", "--repeated-as-links", "--new")
    imported = run_json("import-docs", source, *owner, *repeated)
    assert (imported["pages"], len(imported["warnings"])) == (2, 1)
    (tmp_path / "docs" / "one" / "README.md").unlink()
    line = one_line(docstead("import-docs", source, *owner, "--folder", "one"))
    assert "there is no page in one: expected are Markdown files" in line
    line = one_line(docstead("import-docs", str(tmp_path / "docs" / "nothing"), *owner))
    assert "there is no such folder" in line


async def counts(session: Session) -> tuple[int, int]:
    """How many spaces and documents there are."""
    await session.rollback()
    found = []
    for model in (Space, Document):
        found.append((await session.execute(select(func.count()).select_from(model))).scalar_one())
    return found[0], found[1]


# ------------------------------------------------------------------ purge


async def test_purge_removes_what_is_over_seven_days_in_the_bin(
    database: Database, session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    await settle(session)
    options = at(database, tmp_path / "data")
    done = await docstead_async(
        "import-docs", str(FIXTURE), "--organization", world.organization.id, "--json", *options
    )
    id = json.loads(done.out)["space"]["id"]
    assert (await api.rest("DELETE", f"/spaces/{id}", world.admin)).status_code == 205
    assert json.loads((await docstead_async("purge", "--json", *options)).out) == {"removed": 0}

    await session.begin_write()
    old = utc_now() - dt.timedelta(days=366)
    await session.execute(update(Space).where(Space.id == id).values(deleted_at=old))
    await session.commit()
    done = await docstead_async("purge", *options)
    assert (done.status, done.out) == (0, "removed 1 deleted space\n")
    assert (await counts(session))[0] == 0
    assert not any(path.is_file() for path in (tmp_path / "data" / "files").rglob("*"))


@pytest.mark.parametrize("command", ["migrate", "init"])
def test_a_new_data_folder_is_for_its_owner_only(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "made" / "data"
    person = ["--email", "a@b.c", "--name", "A", "--organization", "Acme"]
    done = docstead(command, *(person if command == "init" else ()), "--data-dir", str(folder))
    assert done.status == 0, done
    assert folder.stat().st_mode & 0o777 == 0o700
