"""Commands for members and teams: what they print, and what they refuse."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.docstead.command_line import Done, docstead


@pytest.fixture
def organization(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, migrated_data: Path) -> str:
    """The id of an organization of Ada; Bo has an account."""
    for name in ("DATA_DIR", "DATABASE_URL", "PUBLIC_URL"):
        monkeypatch.delenv(f"DOCSTEAD_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    named = ("--email", "ada@example.com", "--name", "Ada", "--organization", "Acme")
    id: str = shown(docstead("init", *named, "--json"))["organization"]["id"]
    assert docstead("user", "create", "--email", "bo@example.com", "--name", "Bo").status == 0
    return id


def shown(done: Done) -> Any:
    assert (done.status, done.err) == (0, "")
    return json.loads(done.out)


def refused(*arguments: str) -> str:
    done = docstead(*arguments)
    assert (done.status, done.out) == (1, "")
    (line,) = done.err.splitlines()
    return line


def test_members(organization: str) -> None:
    here = ("--organization", organization)
    bo, ada = (("--email", f"{name}@example.com") for name in ("bo", "ada"))
    added = shown(docstead("member", "add", *here, *bo, "--role", "guest", "--json"))
    assert (added["email"], added["role"], added["disabled"]) == ("bo@example.com", None, False)
    again = refused("member", "add", *here, *bo, "--role", "edit")
    assert "bo@example.com" in again
    assert "is a member of the organization already" in again
    changed = shown(docstead("member", "set-role", *here, *bo, "--role", "edit", "--json"))
    assert changed["role"] == "edit"
    for command, disabled in (("disable", True), ("enable", False)):
        assert shown(docstead("member", command, *here, *bo, "--json"))["disabled"] is disabled
    listed = shown(docstead("member", "list", *here, "--json"))
    people = [(person["displayName"], person["role"]) for person in listed]
    assert people == [("Ada", "admin"), ("Bo", "edit")]
    lines = docstead("member", "list", *here).out.splitlines()
    assert [line.split()[1:] for line in lines] == [
        ["admin", "active", "ada@example.com"], ["edit", "active", "bo@example.com"],
    ]  # fmt: skip
    for arguments in (
        ("set-role", *here, *ada, "--role", "read"), ("disable", *here, *ada),
        ("remove", *here, *ada),
    ):  # fmt: skip
        assert "last active administrator" in refused("member", *arguments)
    assert shown(docstead("member", "remove", *here, *bo, "--json"))["email"] == "bo@example.com"
    assert "member" in refused("member", "remove", *here, *bo)
    assert "has no account" in refused("member", "remove", *here, "--email", "no@example.com")
    assert "organization" in refused("member", "list", "--organization", "none")
    assert docstead("member", "set-role", *here, *bo, "--role", "king").status == 2


def test_invitations(organization: str) -> None:
    here = ("--organization", organization)
    new, bo = (("--email", f"{name}@example.com") for name in ("new", "bo"))
    created = shown(docstead("invite", "create", *here, *new, "--role", "edit", "--json"))
    (invitation,) = created["invitations"]
    assert (invitation["email"], invitation["role"]) == ("new@example.com", "edit")
    assert "/invitations/" in invitation["url"]
    # Who has an account is a member at once.
    known = shown(docstead("invite", "create", *here, *bo, "--role", "guest", "--json"))
    assert (len(known["users"]), known["invitations"]) == (1, [])
    (listed,) = shown(docstead("invite", "list", *here, "--json"))
    assert listed == {**invitation, "state": "open", "url": None}
    assert "new@example.com" in docstead("invite", "list", *here).out
    assert "emails[0]" in refused("invite", "create", *here, "--email", "new", "--role", "edit")
    revoked = shown(docstead("invite", "revoke", "--id", invitation["id"], "--json"))
    assert revoked == {"id": invitation["id"]}
    assert "does not exist" in refused("invite", "revoke", "--id", invitation["id"])
    assert docstead("invite", "list", *here).out.strip() == "no invitations"


def test_invitations_of_guests(organization: str) -> None:
    new, bo = (("--email", f"{name}@example.com") for name in ("new", "bo"))
    assert "give one of" in refused("invite", "create", *new, "--role", "edit")
    both = ("--organization", organization, "--space", "s")
    assert "give one of" in refused("invite", "create", *both, *new, "--role", "edit")
    here = ("--space", space_of(organization))
    assert "users: 'new@" in refused("invite", "create", *here, *new, "--role", "guest")
    created = shown(docstead("invite", "create", *here, *new, "--role", "edit", "--json"))
    (invitation,) = created["invitations"]
    assert (invitation["space"], invitation["role"]) == (here[1], "edit")
    again = shown(docstead("invite", "resend", "--id", invitation["id"], "--json"))
    assert again["url"] not in (None, invitation["url"])
    docstead("member", "add", "--organization", organization, *bo, "--role", "read")
    given = docstead("invite", "create", *here, *bo, "--role", "edit")
    assert given.out == "bo@example.com  is a member, and has the role\n"


def space_of(organization: str) -> str:
    """The id of a new space."""
    Path("handbook").mkdir()
    Path("handbook/README.md").write_text("# Handbook\n")
    made = docstead("import-docs", "handbook", "--organization", organization, "--json")
    id: str = json.loads(made.out)["space"]["id"]
    return id


def test_an_address_is_verified(organization: str) -> None:
    """What the operator knows is noted once, and is in the audit log."""
    with closing(sqlite3.connect("data/docstead.sqlite3")) as database:
        database.execute("UPDATE user_account SET email_verified_at = NULL")
        database.commit()
    verified = shown(docstead("user", "verify", "Bo@example.com", "--json"))
    assert (verified["email"], verified["emailVerifiedAt"][-1]) == ("bo@example.com", "Z")
    assert shown(docstead("user", "verify", "bo@example.com", "--json")) == verified
    assert "has no account" in refused("user", "verify", "no@example.com")
    with closing(sqlite3.connect("data/docstead.sqlite3")) as database:
        query = "SELECT action, object_id FROM audit_entry WHERE action = 'verifyAddress'"
        assert database.execute(query).fetchall() == [("verifyAddress", verified["id"])]


def test_teams(organization: str) -> None:
    here = ("--organization", organization)
    assert docstead("team", "list", *here).out == "no teams\n"
    made = ("team", "create", *here, "--title", "Writers")
    assert "bo@example.com" in refused(*made, "--email", "bo@example.com")
    team = shown(docstead(*made, "--email", "ada@example.com", "--json"))
    assert (team["title"], team["members"]) == ("Writers", 1)
    docstead("member", "add", *here, "--email", "bo@example.com", "--role", "read")
    its = ("--team", team["id"])
    both = ("--email", "bo@example.com", "--email", "ada@example.com")
    assert shown(docstead("team", "add", *its, *both, "--owner", "--json"))["members"] == 2
    assert shown(docstead("team", "remove", *its, *both, "--json"))["members"] == 0
    renamed = shown(docstead("team", "rename", *its, "--title", "Authors", "--json"))
    assert renamed["title"] == "Authors"
    assert "title" in refused("team", "rename", *its, "--title", "")
    assert "Authors" in docstead("team", "list", *here).out
    assert shown(docstead("team", "delete", *its, "--json")) == {"id": team["id"]}
    assert "team" in refused("team", "delete", *its)


def test_the_audit_log(organization: str, tmp_path: Path) -> None:
    here = ("--organization", organization)
    bo = ("--email", "bo@example.com")
    assert docstead("member", "add", *here, *bo, "--role", "read").status == 0
    assert docstead("member", "set-role", *here, *bo, "--role", "edit").status == 0
    team = shown(docstead("team", "create", *here, "--title", "Writers", "--json"))
    entries = shown(docstead("audit", "list", *here, "--json"))
    assert [(entry["action"], entry["target"]["type"]) for entry in entries] == [
        ("createTeam", "team"), ("updateMember", "member"), ("addMember", "member"),
        ("initialise", "organization"),
    ]  # fmt: skip
    assert entries[0]["target"] == {"type": "team", "objectId": team["id"], "name": "Writers"}
    assert {entry["actor"]["kind"] for entry in entries} == {"operator"}
    assert {entry["door"] for entry in entries} == {"command"}
    (change,) = entries[1]["changes"]
    assert (change["field"], change["before"], change["after"]) == ("role", "read", "edit")
    lines = docstead("audit", "export", *here).out.splitlines()
    assert [json.loads(line) for line in lines] == entries
    some = docstead("audit", "list", *here, "--action", "updateMember", "--limit", "1").out
    assert some.count("\n") == 1
    assert "operator  updateMember  member" in some
    assert docstead("audit", "list", *here, "--type", "site").out == "no entries\n"
    assert "has no time zone" in refused("audit", "list", *here, "--since", "2026-01-01")
    assert "still to come" in refused("audit", "prune", "--before", "2999-01-01T00:00:00Z")
    assert "organization" in refused("audit", "list", "--organization", "none")
    # What concerns an account alone is in no organization's log.
    alone = shown(docstead("audit", "list", "--without-organization", "--json"))
    assert alone
    assert {entry["target"]["type"] for entry in alone} <= {"user", "token"}
    assert not {entry["id"] for entry in alone} & {entry["id"] for entry in entries}
    assert docstead("audit", "list", "--without-organization", "--limit", "1").out.count("\n") == 1
    lines = docstead("audit", "export", "--without-organization").out.splitlines()
    assert [json.loads(line) for line in lines] == alone
    for wrong in ((), (*here, "--without-organization")):
        assert "either --organization ID or" in refused("audit", "list", *wrong)
    past = ("--before", entries[0]["at"])
    removed = shown(docstead("audit", "prune", *past, "--json"))["removed"]
    assert removed >= 3
    left = shown(docstead("audit", "list", *here, "--json"))
    assert [entry["action"] for entry in left] == ["pruneAuditLog", "createTeam"]


def test_saml_providers(organization: str) -> None:
    here = ("--organization", organization)
    assert shown(docstead("saml", "list", *here, "--json")) == []
    assert "no SAML provider 'nothing'" in refused("saml", "trust", "nothing")
    with closing(sqlite3.connect("data/docstead.sqlite3")) as database:
        values = "'p', ?, 'Okta', 'urn:idp', 'https://i.test/', 'PEM', 0, 0, '2026-01-01 00:00:00'"
        columns = (
            "id, organization_id, label, entity_id, sso_url, certificate, default_role, trusted, "
            "created_at"
        )
        statement = f"INSERT INTO saml_provider ({columns}) VALUES ({values})"
        database.execute(statement, (organization,))
        database.commit()
    provider = {"id": "p", "label": "Okta", "active": True}
    trusted = docstead("saml", "trust", "p", "--json")
    assert shown(trusted) == provider | {"trusted": True}
    assert docstead("saml", "list", *here).out.split() == ["p", "active", "trusted", "Okta"]
    assert shown(docstead("saml", "trust", "p", "--not-trusted", "--json"))["trusted"] is False
