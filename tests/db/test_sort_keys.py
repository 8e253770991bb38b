"""The form of texts that lists compare: the order that people expect, the same everywhere."""

import random

import asyncpg

from db.base import Base
from db.models.change_requests import ChangeRequest
from db.models.organizations import Organization, Team
from db.models.site_settings import ShareLink
from db.models.sites import Site
from db.models.spaces import Collection, Space
from db.session import Session
from db.text_order import LENGTH, sort_key
from tests import factories
from tests.conftest import World

SORTED = [
    "", " leading space", "10 things", "2 things", "_draft", "Alpha", "alpha beta", "ALPHA GAMMA",
    "École", "Éditions", "Zebra", "Ærø", "Ελλάδα", "Ω", "Ёлка", "中文", "😀 smile",
]  # fmt: skip
ALIKE = [
    ("Title", "TITLE"), ("ÉCOLE", "école"), ("e\u0301cole", "École"), ("straße", "STRASSE"),
    ("ＡＢＣ", "abc"), ("ﬁne", "FINE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"),
]  # fmt: skip
LETTERS = "abzABZ019 _-éÉßŠšΩωЁё中😀\u0301\u200d\ufdfaİıǅ\u0345\uffff"


def random_text(dice: random.Random, most: int) -> str:
    return "".join(dice.choice(LETTERS) for _ in range(dice.randrange(most)))


def test_order_is_what_people_expect() -> None:
    shuffled = random.Random(1).sample(SORTED, len(SORTED))
    assert sorted(shuffled, key=sort_key) == SORTED


def test_capitals_and_forms_of_characters_do_not_matter() -> None:
    for one, other in ALIKE:
        assert sort_key(one) == sort_key(other), (one, other)


def test_keys_fit_into_their_column() -> None:
    for text in ("x" * 300, "\ufdfa" * 128, "İ" * 255, "ΐ" * 255, "a" + "\u0301" * 400):
        assert len(sort_key(text)) <= LENGTH
        assert len(sort_key(text).encode()) < 2700, "an index of PostgreSQL holds less"


async def test_postgresql_sorts_as_python_does(postgres_url: str) -> None:
    dice = random.Random(7)
    keys = [sort_key(random_text(dice, 12)) for _ in range(500)]
    connection = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    try:
        await connection.execute(
            "CREATE TEMPORARY TABLE keyed AS SELECT title_key FROM space LIMIT 0"
        )
        await connection.executemany("INSERT INTO keyed VALUES ($1)", [(key,) for key in keys])
        rows = await connection.fetch("SELECT title_key FROM keyed ORDER BY title_key")
    finally:
        await connection.close()
    assert [row["title_key"] for row in rows] == sorted(keys)


async def test_keys_follow_their_texts(session: Session, world: World) -> None:
    """Of new rows, of changed ones, and of a subject that nobody gave."""
    space = await factories.make_space(session, world.organization, title="Ärzte")
    request = ChangeRequest(
        space_id=space.id, number=7, created_by_id=world.editor.id,
        revision_id=space.revision_id, revision_initial_id=space.revision_id,
    )  # fmt: skip
    session.add(request)
    site = await factories.make_site(session, world.organization, space, title="Zoo")
    rows: list[tuple[Base, str, str]] = [
        (await factories.make_organization(session, title="Big Org"), "title", "title_key"),
        (await factories.make_collection(session, world.organization), "title", "title_key"),
        (await factories.make_team(session, world.organization), "title", "title_key"),
        (space, "title", "title_key"),
        (site, "title", "title_key"),
        (request, "subject", "subject_key"),
        (await factories.make_share_link(session, site), "name", "name_key"),
    ]
    for text in (None, "ÖLE", "x"):
        for row, name, _ in rows if text is not None else ():
            setattr(row, name, text)
        await session.flush()
        for row, name, key in rows:
            await session.refresh(row)
            assert getattr(row, key) == sort_key(getattr(row, name)), (row, text)


def test_each_model_with_a_key_is_tried() -> None:
    keyed = {
        mapper.class_
        for mapper in Base.registry.mappers
        if any(column.key.endswith(("title_key", "subject_key")) for column in mapper.column_attrs)
    }
    assert keyed == {Organization, Team, Collection, Space, Site, ChangeRequest}
    assert "name_key" in ShareLink.__table__.columns
