"""Bodies for clients: long ones are rewritten beside the event loop, and read as short ones do."""

import threading
from typing import Any

import orjson
import pytest

from content.markdown.parser import parse_document
from db.session import Session
from resolvers.content import client_markdown as module
from resolvers.content.client_markdown import (
    IN_PLACE,
    Standpoint,
    client_documents,
    client_markdown,
)
from tests import factories
from tests.conftest import World, context
from tests.resolvers.search.test_search import Writer

Json = dict[str, Any]
URL = "docstead:page?page=other"


@pytest.fixture
async def writer(session: Session, world: World) -> Writer:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    writer = Writer(session, space)
    await writer.write(writer.page("home", ""), writer.page("other", ""))
    return writer


@pytest.fixture
def in_place(monkeypatch: pytest.MonkeyPatch) -> set[bool]:
    """Whether the thread of the test looked at what private URLs say."""
    here, seen, read = threading.get_ident(), set[bool](), module.read_reference

    def noted(url: str) -> Any:
        seen.add(threading.get_ident() == here)
        return read(url)

    monkeypatch.setattr(module, "read_reference", noted)
    return seen


def standpoint(writer: Writer) -> Standpoint:
    assert writer.revision is not None
    return Standpoint(writer.revision.id, "home")


def text_of(length: int, url: str) -> str:
    """A text of so many characters beside two links to `url`, and the private URL in code."""
    return f"[Other]({url}) `{URL}`\n\n{'x' * length}\n\n[Other]({url})\n"


# What is long by the sum of two texts is long, too.
@pytest.mark.parametrize(
    ("length", "few"), [(0, True), (IN_PLACE // 3, True), (IN_PLACE // 2, False)]
)
async def test_markdown(
    session: Session, world: World, writer: Writer, in_place: set[bool], length: int, few: bool
) -> None:
    private = text_of(length, URL)
    # What has no private URL does not count.
    texts = [private, "x" * IN_PLACE, private]
    ctx = context(session, world.reader)
    shown = await client_markdown(ctx, [standpoint(writer)] * 3, texts)
    public = f"{ctx.settings.public_url}/s/{writer.space.id}/other"
    assert shown == [text_of(length, public), texts[1], text_of(length, public)]
    assert in_place == {few}


@pytest.mark.parametrize(("characters", "few"), [(0, True), (IN_PLACE, False)])
async def test_documents(
    session: Session, world: World, writer: Writer, in_place: set[bool], characters: int, few: bool
) -> None:
    document = parse_document(text_of(characters, URL), seed="home")
    shown = await client_documents(context(session, world.reader), [standpoint(writer)], [document])
    stored = orjson.dumps({"kind": "url", "url": URL})
    reference = orjson.dumps({"kind": "page", "page": "other"})
    assert orjson.dumps(document).count(stored) == 2
    assert orjson.dumps(shown[0]) == orjson.dumps(document).replace(stored, reference)
    assert in_place == {few}


async def test_a_document_as_long_as_there_is_time_for(
    session: Session, world: World, writer: Writer, in_place: set[bool]
) -> None:
    for length, few in ((IN_PLACE, True), (IN_PLACE + 1, False)):
        in_place.clear()
        document = parse_document(f"[Other]({URL})\n", seed="home")
        document["padding"] = ""
        document["padding"] = "x" * (length - len(orjson.dumps(document)))
        await client_documents(context(session, world.reader), [standpoint(writer)], [document])
        assert in_place == {few}, length
