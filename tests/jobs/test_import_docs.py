"""Importing a space: all of it, or nothing."""

import asyncio
import datetime as dt
import threading
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from sqlalchemy import func, select
from strawberry import ID, Some

from content.errors import SourceError
from content.git.layout import read_space
from content.json_types import JsonObject
from content.sources.tree import SourceEntry, SourceTree
from db.blobs import BlobStore
from db.models.content import Document, Revision
from db.models.spaces import Space
from db.session import Database, Session
from jobs.import_docs import Prepared, TooLargeError, import_space, prepare
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.installation import FileAccess
from resolvers.core.runners import run
from resolvers.spaces.operations import CreateSpaceInput, create_space
from tests.conftest import World, context, settle

FILES = {
    "README.md": b"# Home\n\n[A file](.gitbook/assets/a.bin)\n",
    ".gitbook/assets/a.bin": b"first",
    ".gitbook/assets/b.bin": b"second",
}


class Source:
    """A source whose files can be lost after they were read once."""

    def __init__(self) -> None:
        self.lost: set[str] = set()
        entries = {path: SourceEntry(len(data)) for path, data in FILES.items()}
        self.tree = SourceTree("docs", entries, self._load)

    def _load(self, path: str) -> bytes:
        if path in self.lost:
            raise SourceError(f"{path}: cannot be read")
        return FILES[path]

    def prepare(self) -> Prepared:
        return prepare(read_space(self.tree), self.tree.commit)


def with_files(ctx: Context, folder: Path) -> Context:
    """The context with a store of files."""
    return Context(
        ctx.actor, ctx.session, files=FileAccess(BlobStore.in_folder(folder / "files"), b"key")
    )


async def rows(session: Session) -> list[int]:
    """How many spaces, revisions and documents there are."""
    found = []
    for model in (Space, Revision, Document):
        found.append((await session.execute(select(func.count()).select_from(model))).scalar_one())
    return found


def stored(folder: Path) -> list[bytes]:
    return sorted(path.read_bytes() for path in (folder / "files").rglob("*") if path.is_file())


async def test_import_as_a_person_stores_everything(
    session: Session, world: World, tmp_path: Path
) -> None:
    await settle(session)
    ctx = with_files(context(session, world.creator), tmp_path)
    wanted = CreateSpaceInput(title=Some("Docs"))
    made = await run(ctx, import_space, world.organization.id, wanted, Source().prepare())
    assert (made.space.title, made.pages, made.files) == ("Docs", 1, 2)
    assert made.space.revision_id == made.revision.id
    assert made.revision.author_id == world.creator.id
    # The empty first revision of every space is its parent.
    assert len(made.revision.parents) == 1
    assert stored(tmp_path) == [b"first", b"second"]


async def test_failure_while_files_are_stored_leaves_nothing(
    session: Session, world: World, tmp_path: Path
) -> None:
    await settle(session)
    before = await rows(session)
    source = Source()
    prepared = source.prepare()
    source.lost.add(".gitbook/assets/b.bin")
    ctx = with_files(context(session, world.creator), tmp_path)
    with pytest.raises(SourceError, match=r"b\.bin: cannot be read"):
        await run(ctx, import_space, world.organization.id, CreateSpaceInput(), prepared)
    assert await rows(session) == before
    assert stored(tmp_path) == []


class SlowSource(Source):
    """A source whose files are read only when somebody allows it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.allowed = threading.Event(), threading.Event()
        self.slow = False

    def _load(self, path: str) -> bytes:
        if self.slow:
            self.asked.set()
            assert self.allowed.wait(120)
        return super()._load(path)


async def test_others_write_while_files_are_kept(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    await settle(session)
    source = SlowSource()
    prepared = source.prepare()
    source.slow = True
    ctx = with_files(context(session, world.creator), tmp_path)
    importing = asyncio.create_task(
        run(ctx, import_space, world.organization.id, CreateSpaceInput(), prepared)
    )
    assert await asyncio.to_thread(source.asked.wait, 120)
    async with database.session() as other:
        made = await run(
            context(other, world.creator), create_space, ID(world.organization.id),
            CreateSpaceInput(title=Some("Meanwhile")),
        )  # fmt: skip
    assert not importing.done()
    source.allowed.set()
    assert (await importing).space.id != made.id


@pytest.mark.parametrize("name", ["editor", "reader"])
async def test_import_needs_the_role_create(
    session: Session, world: World, tmp_path: Path, name: str
) -> None:
    await settle(session)
    before = await rows(session)
    ctx = with_files(context(session, world.people()[name]), tmp_path)
    with pytest.raises(Forbidden):
        await run(ctx, import_space, world.organization.id, CreateSpaceInput(), Source().prepare())
    assert await rows(session) == before
    assert stored(tmp_path) == []


async def test_include_becomes_a_reference_to_the_reusable_content() -> None:
    files = {
        "README.md": b'# A\n\n{% include ".gitbook/includes/note.md" %}\n',
        ".gitbook/includes/note.md": b"---\ntitle: Note\n---\nTake care.\n",
    }
    entries = {path: SourceEntry(len(data)) for path, data in files.items()}
    tree = SourceTree("docs", entries, files.__getitem__)
    changes = prepare(read_space(tree), None).changes
    ((content_id, content),) = changes.contents.items()
    assert content is not None
    assert content.title == "Note"
    (page,) = changes.pages.values()
    assert page is not None
    _, data = changes.documents[page.document_id or ""]
    (block,) = orjson.loads(data)["nodes"]
    assert block["type"] == "reusable-content"
    assert block["data"]["ref"] == {"kind": "reusable-content", "reusableContent": content_id}


async def test_sources_with_more_variables_than_a_space_may_have() -> None:
    variables: JsonObject = {f"v{number}": 1 for number in range(1_001)}
    source = replace(read_space(Source().tree), variables=variables)
    with pytest.raises(TooLargeError, match="has 1001 variables; a space holds 1000"):
        prepare(source, None)


async def test_sources_with_more_redirects_than_a_space_may_have() -> None:
    redirects = {f"r{number}": "readme" for number in range(5_001)}
    source = replace(read_space(Source().tree), redirects=redirects)
    with pytest.raises(TooLargeError, match="has 5001 redirects; a space holds 5000"):
        prepare(source, None)


async def test_pages_have_the_time_of_their_source(
    session: Session, world: World, tmp_path: Path
) -> None:
    """A time to come is none."""
    await settle(session)
    entries = {"README.md": SourceEntry(4), "a.md": SourceEntry(4), "b.md": SourceEntry(4)}
    past = dt.datetime(2024, 5, 6, tzinfo=dt.UTC)
    times = {"README.md": past, "a.md": past + dt.timedelta(days=50_000)}
    tree = SourceTree("docs", entries, lambda path: b"# A\n", changed=lambda: times)
    prepared = prepare(read_space(tree), None)
    ctx = with_files(context(session, world.creator), tmp_path)
    made = await run(ctx, import_space, world.organization.id, CreateSpaceInput(), prepared)
    pages = {
        page.git["path"]: page for page in prepared.changes.pages.values() if page and page.git
    }
    assert made.pages == len(pages) == 3
    assert pages["README.md"].updated_at == pages["README.md"].created_at == past
    assert pages["a.md"].updated_at == pages["b.md"].updated_at
    assert past < (pages["b.md"].updated_at or past) <= ctx.now()
