"""What the number of pages of a space costs whoever reads one of them."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from db.session import Session
from resolvers.content.pages import get_page, get_page_by_path
from resolvers.core.runners import read
from tests.conftest import World, context
from tests.merging import filled_space


async def test_one_page_does_not_cost_with_the_number_of_pages(
    session: Session, world: World
) -> None:
    """16 times the pages are one more level of their map; nothing is kept here."""

    async def calls(count: int) -> dict[str, int]:
        space = await filled_space(session, world, count)
        page = f"p{count // 2}"

        async def by_id() -> Any:
            return await read(context(session, world.reader), get_page, space.id, page)

        async def by_path() -> Any:
            path = f"page-{count // 2}"
            return await read(context(session, world.reader), get_page_by_path, space.id, path)

        assert (await by_id()).id == (await by_path()).id == page
        return {"id": await counted(by_id), "path": await counted(by_path)}

    few, many = await calls(100), await calls(1_600)
    for name, number in few.items():
        assert number > 100
        assert many[name] < 1.6 * number, (name, number, many[name])


async def counted(work: Callable[[], Awaitable[Any]]) -> int:
    """Calls of functions of Python while something is done, its statements apart."""
    called = 0

    def count_call(frame: Any, event: str, argument: Any) -> None:
        nonlocal called
        called += event == "call"

    sys.setprofile(count_call)
    try:
        await work()
    finally:
        sys.setprofile(None)
    return called
