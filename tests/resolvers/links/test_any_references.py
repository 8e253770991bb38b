"""References in documents whose member is no text: they are kept as they are."""

from pathlib import Path
from typing import Any

import pytest

from db.blobs import BlobStore
from db.session import Session
from resolvers.core.installation import FileAccess
from resolvers.core.runners import run
from resolvers.spaces import operations as space_operations
from tests.conftest import Api, World, context
from tests.merging import filled_space

MEMBERS = {"page": "page", "anchor": "page", "file": "file", "reusable-content": "reusableContent"}


@pytest.mark.parametrize("value", [[], {}, [1], {"a": 1}, 5, None, True])
async def test_members_that_are_no_text(
    api: Api, world: World, session: Session, tmp_path: Path, value: Any
) -> None:
    space = await filled_space(session, world, 1)
    nodes = [
        {"object": "block", "type": "paragraph", "nodes": [],
         "data": {"ref": {"kind": kind, member: value}}}
        for kind, member in MEMBERS.items()
    ]  # fmt: skip
    changes = [
        {"type": "update_page", "page": "p0", "document": {"object": "document", "nodes": nodes}}
    ]
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content", world.editor, {"changes": changes}
    )
    assert answer.status_code == 200, answer.text
    answer = await api.rest("GET", f"/spaces/{space.id}/links", world.reader)
    assert answer.status_code == 200
    ctx = context(session, world.creator)
    ctx.files = FileAccess(BlobStore.in_folder(tmp_path), b"key")
    copy = await run(ctx, space_operations.duplicate_space, space.id)
    answer = await api.rest("GET", f"/spaces/{copy.id}/content/pages", world.creator)
    assert answer.status_code == 200
