"""Putting the files and reusable contents of an import into a draft.

What the source has not changed since the import before stays as it is. Nothing is removed: other
pages may show what the source has no more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from content.merkle.read import lookup
from resolvers.drafts.draft import Draft
from resolvers.imports.pages import BODIES_AT_ONCE, Place
from resolvers.revisions.import_marks import mark_of, text_digest
from resolvers.revisions.rows import File, ReusableContent, content_of, file_of
from resolvers.revisions.states import bodies
from resolvers.revisions.store import walk_one

Json = dict[str, Any]
Row = TypeVar("Row", File, ReusableContent)


async def put_files(draft: Draft, place: Place, values: Sequence[Json]) -> None:
    """Put files; the bytes of changed ones take the place of those that were there."""
    walk = lookup(draft.revision.files_root, [value["id"] for value in values])
    stored = await walk_one(draft.ctx, draft.space_id, walk)
    for value in values:
        mark = mark_of(place.source, value["path"], place.below, value["sha256"])
        attributes = {name: item for name, item in value.items() if name != "path"}
        file = File(space_id=draft.space_id, revision_id="", imported=mark, **attributes)
        if file.id in stored:
            old = file_of(draft.space_id, "", file.id, stored[file.id])
            file = _newest(old, file, old.sha256 == file.sha256)
        draft.written.files[file.id] = file


async def put_contents(draft: Draft, place: Place, values: Sequence[Json]) -> None:
    """Put reusable contents."""
    walk = lookup(draft.revision.contents_root, [value["id"] for value in values])
    stored = await walk_one(draft.ctx, draft.space_id, walk)
    before = {id: content_of(draft.space_id, "", id, entry) for id, entry in stored.items()}
    digests = await _digests(draft, list(before.values()))
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
        old = before.get(content.id)
        if old is not None:
            content = _newest(old, content, digests[old.id] == digest)
        if content.document_id is None:
            content.document_id = draft.written.add_document(value["markdown"], value["document"])
        draft.written.contents[content.id] = content


async def _digests(draft: Draft, contents: Sequence[ReusableContent]) -> dict[str, str]:
    """Digests of titles and texts of stored contents, by id."""
    digests: dict[str, str] = {}
    for start in range(0, len(contents), BODIES_AT_ONCE):
        some = contents[start : start + BODIES_AT_ONCE]
        stored = await bodies(
            draft.ctx, [(draft.space_id, content.document_id) for content in some]
        )
        for content, body in zip(some, stored, strict=True):
            digests[content.id] = text_digest(content.title, "" if body is None else body.markdown)
    return digests


def _newest(old: Row, new: Row, equal: bool) -> Row:
    """The stored object if the source has not changed it, else the one of the source."""
    before: Mapping[str, Any] = old.imported or {}
    after: Mapping[str, Any] = new.imported or {}
    if not equal and before.get("digest") != after["digest"]:
        return new
    same = {**before, "source": ""} == {**after, "source": ""}
    from_git = old.imported is None and old.git is not None
    return old if same or from_git else replace(old, imported=new.imported)
