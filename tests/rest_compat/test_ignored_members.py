"""Members of a body that nobody knows: ignored and named, or refused for strict handling."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from db.session import Session
from rest_compat.preferences import (
    IGNORED,
    LONGEST_NAME,
    MOST_NAMED,
    ignored_header,
    preferences,
)
from tests.conftest import STRICT, Api, World, settle
from tests.factories import make_change_request, make_site, make_space
from tests.seeds import LOOK


async def test_a_misspelt_member_is_named_and_changes_nothing(
    api: Api, world: World, session: Session
) -> None:
    space = await make_space(session, world.organization, title="Guide")
    await settle(session)
    path = f"/spaces/{space.id}"
    body = {"title": "Manual", "defaultLevl": None}
    answer = await api.rest("PATCH", path, world.admin, body)
    assert (answer.status_code, answer.json()["title"]) == (200, "Manual")
    assert answer.headers[IGNORED] == "defaultLevl"
    assert "preference-applied" not in answer.headers
    known = await api.rest("PATCH", path, world.admin, {"title": "Manual"})
    assert IGNORED not in known.headers
    lenient = await api.rest(
        "PATCH", path, world.admin, body, headers={"Prefer": "handling=lenient"}
    )
    assert lenient.headers["preference-applied"] == "handling=lenient"
    assert lenient.headers[IGNORED] == "defaultLevl"


async def test_strict_handling_refuses_by_name_and_writes_nothing(
    api: Api, world: World, session: Session
) -> None:
    space = await make_space(session, world.organization, title="Guide")
    await settle(session)
    path = f"/spaces/{space.id}"
    body = {"title": "Manual", "defaultLevl": None}
    answer = await api.rest("PATCH", path, world.admin, body, headers=STRICT)
    assert answer.status_code == 422
    assert answer.headers["preference-applied"] == "handling=strict"
    (detail,) = answer.json()["error"]["details"]
    assert detail["path"] == "defaultLevl"
    assert detail["message"].startswith("is unknown; allowed are defaultLevel, editMode")
    assert IGNORED not in answer.headers
    unchanged = await api.rest("GET", path, world.admin, headers=STRICT)
    assert unchanged.json()["title"] == "Guide"
    # Without a body there is nothing to handle.
    assert "preference-applied" not in unchanged.headers
    accepted = await api.rest("PATCH", path, world.admin, {"title": "Manual"}, headers=STRICT)
    assert accepted.status_code == 200
    assert accepted.headers["preference-applied"] == "handling=strict"


async def test_members_are_named_by_their_paths(api: Api, world: World, session: Session) -> None:
    space = await make_space(session, world.organization)
    request = await make_change_request(session, space, world.editor)
    site = await make_site(session, world.organization, space)
    await settle(session)
    changes = [
        {"type": "insert_page", "document": {"markdown": "# One"}, "layout": {"foo": 1}},
        {"type": "insert_page", "document": {"markdown": "# Two"}, "kindd": "group"},
    ]
    path = f"/spaces/{space.id}/change-requests/{request.id}/content"
    answer = await api.rest("POST", path, world.admin, {"changes": changes, "note": "x"})
    assert answer.status_code == 200, answer.text
    named = answer.headers[IGNORED].split(", ")
    assert sorted(named) == ["changes[0].layout.foo", "changes[1].kindd", "note"]
    pages = (await api.rest("GET", f"{path}/pages", world.admin)).json()["pages"]
    assert [page["title"] for page in pages] == ["One", "Two"]
    refused = await api.rest("POST", path, world.admin, {"changes": changes}, headers=STRICT)
    assert refused.status_code == 422
    details = refused.json()["error"]["details"]
    assert [one["path"] for one in details] == ["changes[0].layout.foo", "changes[1].kindd"]
    look = {**LOOK, "styling": {"theme": "bold", "wobble": True}}
    put = await api.rest(
        "PUT", f"/orgs/{world.organization.id}/sites/{site.id}/customization", world.admin, look
    )
    assert (put.status_code, put.headers[IGNORED]) == (200, "styling.wobble")


async def test_errors_name_what_was_ignored_too(api: Api, world: World, session: Session) -> None:
    space = await make_space(session, world.organization)
    await settle(session)
    body = {"titel": "Manual", "title": 7}
    answer = await api.rest("PATCH", f"/spaces/{space.id}", world.admin, body)
    assert answer.status_code == 422
    assert answer.headers[IGNORED] == "titel"
    # Also where a rule refuses, behind the reading of the body.
    answer = await api.rest("PATCH", f"/spaces/{space.id}", world.reader, {"titel": "x"})
    assert (answer.status_code, answer.headers[IGNORED]) == (403, "titel")


async def test_a_repetition_names_them_again(api: Api, world: World, session: Session) -> None:
    await settle(session)
    path = f"/orgs/{world.organization.id}/spaces"
    headers = {"Idempotency-Key": "one"}
    body = {"title": "Guide", "colour": "red"}
    first = await api.rest("POST", path, world.admin, body, headers=headers)
    again = await api.rest("POST", path, world.admin, body, headers=headers)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.headers[IGNORED] == first.headers[IGNORED] == "colour"
    assert again.json() == first.json()


async def test_graphql_stays_strict(api: Api, world: World, session: Session) -> None:
    space = await make_space(session, world.organization)
    await settle(session)
    text = """mutation($input: UpdateSpaceInput!) { updateSpace(id: "%s", input: $input) { id } }"""
    answer = await api.graphql(text % space.id, world.admin, input={"titel": "x"})
    assert "titel" in answer["errors"][0]["message"]


async def test_a_hostile_name_neither_ends_the_header_nor_fills_it(
    api: Api, world: World, session: Session
) -> None:
    space = await make_space(session, world.organization)
    await settle(session)
    evil = "x\r\nSet-Cookie: a=b"
    body: dict[str, Any] = {evil: 1, "ключ, \u2028": 2, "": 3}
    answer = await api.rest("PATCH", f"/spaces/{space.id}", world.admin, body)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert answer.headers[IGNORED] == (
        "x%0D%0ASet-Cookie%3A%20a%3Db, %D0%BA%D0%BB%D1%8E%D1%87%2C%20%E2%80%A8, "
    )
    many = {f"{'n' * 300}{number}": 1 for number in range(5000)}
    answer = await api.rest("PATCH", f"/spaces/{space.id}", world.admin, many)
    assert answer.headers[IGNORED].endswith(f", +{5000 - MOST_NAMED}")
    assert len(answer.headers[IGNORED]) < MOST_NAMED * (LONGEST_NAME + 2) + 10
    # Strictly, the first hundred are as good as all.
    answer = await api.rest("PATCH", f"/spaces/{space.id}", world.admin, many, headers=STRICT)
    assert answer.status_code == 422
    assert len(answer.json()["error"]["details"]) == 100


@given(st.lists(st.text(max_size=200), max_size=60))
def test_any_names_make_one_header_of_visible_ascii(names: list[str]) -> None:
    header = ignored_header(names)
    assert all(" " <= one <= "~" for one in header)
    # At worst each character is four bytes, each of which takes three characters.
    assert len(header) <= MOST_NAMED * (LONGEST_NAME + 2) + 10
    assert len(header.split(", ")) <= MOST_NAMED + 1


@pytest.mark.parametrize(
    ("headers", "handling"),
    [
        (["handling=strict"], "strict"),
        (["respond-async, wait=10", 'Handling = "strict" ; x=1'], "strict"),
        (['note="a,handling=lenient", handling=STRICT'], "STRICT"),
        # The first one counts.
        (["handling=lenient", "handling=strict"], "lenient"),
        (["handling"], ""),
        (["handling="], ""),
        (['handling="st\\rict"'], "strict"),
        ([], None),
        (["strict"], None),
        # What nothing ends is no value of ours.
        (['handling="strict'], '"strict'),
        (['handling="strictx'], '"strictx'),
        (['handling="'], '"'),
        (['note="a, handling=strict'], None),
    ],
)
def test_preferences_are_read_as_rfc_7240_has_them(
    headers: list[str], handling: str | None
) -> None:
    assert preferences(headers).get("handling") == handling


@given(st.lists(st.text(alphabet=st.characters(max_codepoint=255), max_size=3000), max_size=5))
def test_no_header_breaks_the_reading_of_preferences(headers: list[str]) -> None:
    assert all(name == name.lower() for name in preferences(headers))
