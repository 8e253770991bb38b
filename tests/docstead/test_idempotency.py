"""Writes with the header Idempotency-Key are carried out once, through both doors."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, select

from db.models.idempotency import RememberedAnswer
from db.models.spaces import Space
from db.session import Session
from tests.conftest import Api, World


async def spaces(session: Session) -> list[str]:
    found = (await session.execute(select(Space.title).order_by(Space.title))).scalars()
    titles = list(found)
    await session.commit()
    return titles


async def test_rest(api: Api, world: World, session: Session) -> None:
    path = f"/orgs/{world.organization.id}/spaces"
    key = {"Idempotency-Key": "one"}
    first = await api.rest("POST", path, world.creator, {"title": "A"}, headers=key)
    again = await api.rest("POST", path, world.creator, {"title": "A"}, headers=key)
    print(first.status_code, first.headers, first.text)
    print(again.status_code, again.headers, again.text)
    assert await spaces(session) == ["A"]
    other = await api.rest("POST", path, world.creator, {"title": "B"}, headers=key)
    print(other.status_code, other.text)
    many = await asyncio.gather(*(api.rest("POST", path, world.creator, {"title": "C"}, headers={"Idempotency-Key": "two"}) for _ in range(20)))
    assert await spaces(session) == ["A", "C"]
    assert {one.status_code for one in many} == {201}
