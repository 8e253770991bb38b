"""Putting the files and reusable contents of an import into a draft.

What the source has not changed since the import before stays as it is. Nothing is removed: other
pages may show what the source has no more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from content.merkle.read import lookup
from resolvers.content_draft import Draft
from resolvers.content_store import walk_one
from resolvers.import_marks import mark_of, text_digest
from resolvers.import_pages import Place
from resolvers.page_rows import File, ReusableContent, content_of, file_of

Json = dict[str, Any]
Row = TypeVar("Row", File, ReusableContent)


async def put_files(draft: Draft, place: Place, values: Sequence[Json]) -> None:
    """Put files; the bytes of changed ones take the place of those that were there."""
    walk = lookup(draft.revision.files_root, [value["id"] for value in values])
    stored = await walk_one(draft.ctx, draft.space_id, walk)
    for value in values:
        mark = mark_of(place.source, value["path"], place.below, value["sha256"])
        known = {name: one for name, one in value.items() if name != "path"}
        file = File(space_id=draft.space_id, revision_id="", imported=mark, **known)
        if file.id in stored:
            old = file_of(draft.space_id, "", file.id, stored[file.id])
            file = _newest(old, file, old.sha256 == file.sha256)
        draft.written.files[file.id] = file


async def put_contents(draft: Draft, place: Place, values: Sequence[Json]) -> None:
    """Put reusable contents."""
    walk = lookup(draft.revision.contents_root, [value["id"] for value in values])
    stored = await walk_one(draft.ctx, draft.space_id, walk)
    for value in values:
        digest = text_digest(value["title"], value["markdown"])
        content = ReusableContent(
            space_id=draft.space_id,
            revision_id="",
            id=value["id"],
            title=value["title"],
            git=value["git"],
            imported=mark_of(place.source, value["path"], place.below, digest),
        )
        if content.id in stored:
            old = content_of(draft.space_id, "", content.id, stored[content.id])
            body = await draft.body(old.document_id) if old.document_id is not None else None
            text = body.markdown if body is not None else ""
            content = _newest(old, content, text_digest(old.title, text) == digest)
        if content.document_id is None:
            content.document_id = draft.written.add_document(value["markdown"], value["document"])
        draft.written.contents[content.id] = content


def _newest(old: Row, new: Row, equal: bool) -> Row:
    """What is there if the source has not changed it, else what the source has."""
    before: Mapping[str, Any] = old.imported or {}
    after: Mapping[str, Any] = new.imported or {}
    if not equal and before.get("digest") != after["digest"]:
        return new
    same = {**before, "source": ""} == {**after, "source": ""}
    from_git = old.imported is None and old.git is not None
    return old if same or from_git else replace(old, imported=new.imported)
