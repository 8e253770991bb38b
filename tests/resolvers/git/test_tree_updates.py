"""A tree becomes the next revision of a space, and a revision becomes a tree again."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from strawberry import ID, Some

from content.git.layout import read_space
from content.git.tree_changes import TreeChanges
from content.git.writer import Tip, write_space
from content.sources.tree import git_blob_oid
from content.sources.zip import open_files
from db.blobs import BlobStore
from db.models.spaces import Space
from db.session import Session
from jobs.import_docs import import_space, prepare
from resolvers.core.context import Context
from resolvers.core.installation import FileAccess
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import UpdatePageInput
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.git.contents import RevisionContent, revision_content
from resolvers.imports.tree_writes import prepare_update, write_update
from resolvers.imports.trees import known_in
from resolvers.revisions.states import revision_of_space
from resolvers.spaces.operations import CreateSpaceInput
from resolvers.writing.operations import ContentWrite, Step, write_steps
from resolvers.writing.received_files import Place
from tests.conftest import World, context, settle

FILES = {
    "README.md": b"---\nicon: house\n---\n\n# Home\n\nSee [set up](guide/setup.md).\n",
    "SUMMARY.md": b"# Table of contents\n\n* [Home](README.md)\n\n## Guide\n\n"
    b"* [Set up](guide/setup.md)\n* [Use](guide/use.md)\n",
    "guide/setup.md": b"# Set up\r\n\r\n1. One\r\n1. Two\r\n\r\n![](../.gitbook/assets/a.png)\r\n",
    "guide/use.md": b"# Use\n\nA line.\n\nAnother line of it.\n\nA third one.\n",
    ".gitbook/assets/a.png": b"first",
    ".gitbook/vars.yaml": b"version: 1\n",
    "main.c": b"int main;\n",
}


def with_files(ctx: Context, folder: Path) -> Context:
    return Context(
        ctx.actor, ctx.session, files=FileAccess(BlobStore.in_folder(folder / "files"), b"key")
    )


async def imported(ctx: Context, world: World) -> Space:
    wanted = CreateSpaceInput(title=Some("Docs"))
    prepared = prepare(read_space(open_files(dict(FILES))), None)
    return (await run(ctx, import_space, world.organization.id, wanted, prepared)).space


async def update(
    ctx: Context,
    space: Space,
    files: Mapping[str, bytes],
    *,
    dry_run: bool = False,
    history: bool = True,
) -> ContentWrite:
    """Import a tree; with `history` the blobs of before are there, as in a clone."""
    tree = open_files(dict(files))
    old = {git_blob_oid(data): data for data in FILES.values()} if history else {}
    prepared = await prepare_update(
        ctx, Place(space.id), read_space(tree), None, read_new=tree.read, read_old=old.get
    )
    return await write_update(ctx, prepared, dry_run=dry_run)


async def content_of(
    ctx: Context, space: Space, blobs: frozenset[str] = frozenset()
) -> RevisionContent:
    async def load(ctx: Context) -> RevisionContent:
        fresh = await ctx.session.get(Space, space.id, populate_existing=True)
        assert fresh is not None
        revision = await revision_of_space(ctx, fresh)
        return await revision_content(ctx, revision, fresh.title, blobs)

    return await load(ctx)


async def written(ctx: Context, space: Space, files: Mapping[str, bytes]) -> TreeChanges:
    """What an export would change of a tree."""
    tree = open_files(dict(files))
    blobs = frozenset(git_blob_oid(data) for data in files.values())
    loaded = await content_of(ctx, space, blobs)
    layout = read_space(tree)
    known = known_in(layout, loaded.stored, tree.read)
    paths = {page.git_path for page in loaded.content.walk() if page.git_path} | {
        file.git_path for file in loaded.content.files if file.git_path
    }
    return await asyncio.to_thread(
        write_space, Tip(tree, layout, known), loaded.content, synced=paths, outside=loaded.outside
    )


async def edit(ctx: Context, space: Space, name: str, input: object) -> None:
    await run(ctx, write_steps, Place(space.id), [Step(name, input, "operation")])


def pages_by_path(loaded: RevisionContent) -> dict[str, str]:
    return {page.path: page.id for page in loaded.stored.pages.values()}


async def test_untouched_space_changes_nothing_in_its_repository(
    session: Session, world: World, tmp_path: Path
) -> None:
    await settle(session)
    ctx = with_files(context(session, world.creator), tmp_path)
    space = await imported(ctx, world)
    changes = await written(ctx, space, FILES)
    assert (dict(changes.writes), changes.deletes) == ({}, ())
    again = await update(ctx, space, FILES)
    assert not again.changed


@pytest.mark.parametrize("history", [True, False])
async def test_update_keeps_ids_and_deletes_what_is_gone(
    session: Session, world: World, tmp_path: Path, history: bool
) -> None:
    await settle(session)
    ctx = with_files(context(session, world.creator), tmp_path)
    space = await imported(ctx, world)
    before = await content_of(ctx, space)
    files = dict(FILES)
    del files["guide/setup.md"], files[".gitbook/assets/a.png"]
    files["guide/operate.md"] = files.pop("guide/use.md").replace(b"A third one.", b"A 3rd one.")
    files["new.md"] = b"# New\n\n[Use](guide/operate.md)\n"
    files["SUMMARY.md"] = b"* [Home](README.md)\n* [New](new.md)\n  * [Use](guide/operate.md)\n"
    planned = await update(ctx, space, files, dry_run=True, history=history)
    assert planned.changed
    assert pages_by_path(await content_of(ctx, space)) == pages_by_path(before)
    assert (await update(ctx, space, files, history=history)).changed
    after = await content_of(ctx, space)
    was, now = pages_by_path(before), pages_by_path(after)
    assert now["readme"] == was["readme"]
    assert now["new/operate"] == was["guide/use"]
    assert now.keys() == {"readme", "new", "new/operate"}
    assert not after.stored.files
    changes = await written(ctx, space, files)
    assert (dict(changes.writes), changes.deletes) == ({}, ())


async def test_one_edit_changes_one_line_of_one_file(
    session: Session, world: World, tmp_path: Path
) -> None:
    await settle(session)
    ctx = with_files(context(session, world.creator), tmp_path)
    space = await imported(ctx, world)
    content = await content_of(ctx, space)
    id = ID(pages_by_path(content)["guide/setup"])
    body = PageBodyInput(markdown="1. One\n1. Two\n\n![](../.gitbook/assets/a.png)\n\nMore.\n")
    await edit(ctx, space, "update_page", UpdatePageInput(page=id, body=body))
    changes = await written(ctx, space, FILES)
    assert {path: data.read() for path, data in changes.writes.items()} == {
        "guide/setup.md": FILES["guide/setup.md"] + b"\r\nMore.\r\n"
    }


async def test_moves_and_renames_are_renames_of_files(
    session: Session, world: World, tmp_path: Path
) -> None:
    await settle(session)
    ctx = with_files(context(session, world.creator), tmp_path)
    space = await imported(ctx, world)
    ids = pages_by_path(await content_of(ctx, space))
    wanted = UpdatePageInput(page=ID(ids["guide/use"]), title=Some("Operate"), slug=Some("operate"))
    await edit(ctx, space, "update_page", wanted)
    changes = await written(ctx, space, FILES)
    assert dict(changes.renames) == {"guide/use.md": "guide/operate.md"}
    texts = {path: data.read() for path, data in changes.writes.items()}
    assert texts == {
        "guide/operate.md": FILES["guide/use.md"].replace(b"# Use", b"# Operate"),
        "SUMMARY.md": FILES["SUMMARY.md"].replace(
            b"[Use](guide/use.md)", b"[Operate](guide/operate.md)"
        ),
    }
