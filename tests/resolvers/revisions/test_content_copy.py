"""Copying content: new ids, the same bytes, links that stay inside the copy."""

from pathlib import Path

from content.markdown.parser import parse_document
from db.blobs import BlobStore
from db.content_enums import PageType
from db.enums import Role
from db.session import Session
from resolvers.access.policy import must
from resolvers.core.context import Context
from resolvers.core.installation import FileAccess
from resolvers.core.runners import run
from resolvers.revisions.objects import FILES
from resolvers.revisions.rows import File, Page
from resolvers.revisions.states import Changes, bodies, revision_of_space, write_revision
from resolvers.revisions.tree import all_pages
from resolvers.spaces import operations as space_operations
from tests import factories
from tests.conftest import World, context, settle


async def test_duplicate_has_its_own_pages_and_files(
    session: Session, world: World, tmp_path: Path
) -> None:
    space = await factories.make_space(session, world.organization, title="Handbook")
    await settle(session)
    ctx = context(session, world.creator)
    ctx.files = FileAccess(BlobStore.in_folder(tmp_path), b"key")
    sha256 = await ctx.blobs.put(space.id, b"picture")

    async def fill(ctx: Context) -> None:
        found = await must(ctx, type(space), space.id, Role.CREATE)
        changes = Changes(variables={"version": "2"})
        changes.files["f1"] = File(
            space_id=space.id, revision_id="", id="f1", name="a.png", content_type="image/png",
            size=7, sha256=sha256,
        )  # fmt: skip
        links = {"a": {"kind": "page", "page": "p2"}, "b": {"kind": "file", "file": "f1"}}
        body = parse_document("[one](a) ![](b)", seed="p1", resolve=links.get)
        for id, parent in (("p1", None), ("p2", "p1")):
            changes.pages[id] = Page(
                space_id=space.id, revision_id="", id=id, type=PageType.DOCUMENT, title=id,
                parent_id=parent, order="V", slug=id,
                document_id=changes.add_document("[one](a) ![](b)", body),
            )  # fmt: skip
        found.revision_id = (await write_revision(ctx, space.id, None, changes)).id

    await run(ctx, fill)
    copy = await run(ctx, space_operations.duplicate_space, space.id)

    revision = await revision_of_space(ctx, copy)
    assert revision.variables == {"version": "2"}
    (pages,) = await all_pages(ctx, [revision])
    assert [page.path for page in pages] == ["p1", "p1/p2"]
    assert {page.id for page in pages}.isdisjoint({"p1", "p2"})
    ((file,),) = await FILES.all(ctx, [revision])
    assert file.id != "f1"
    assert [chunk async for chunk in ctx.blobs.read(copy.id, file.sha256)] == [b"picture"]
    (body,) = await bodies(ctx, [(copy.id, pages[0].document_id)])
    assert body is not None
    text = str(body.document)
    assert f"'page': '{pages[1].id}'" in text
    assert f"'file': '{file.id}'" in text
    assert "'p2'" not in text
