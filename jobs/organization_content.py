"""What an import has written of content, walked from the roots of its revisions: every read of it
finds what it needs, and of the kind that it needs."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from content.merkle.node import CorruptMapError, Leaf, Node, Ref, parse_node
from db.inserts import parts
from db.models.all import metadata
from jobs.organization_archive import ArchiveError
from jobs.organization_schemas import MAPS, entry_problem

BATCH = 500
_NODES, _DOCUMENTS = metadata.tables["content_node"], metadata.tables["document"]
_REVISIONS = metadata.tables["revision"]


async def check_content(connection: AsyncConnection, space_id: str) -> None:
    """ArchiveError, with the place, where the maps of a space are not whole, have an entry that is
    none, or name a document that is not there."""
    roots = await connection.execute(
        select(*(_REVISIONS.columns[name] for name in MAPS)).where(
            _REVISIONS.columns.space_id == space_id
        )
    )
    ids: dict[str, set[str]] = {name: set() for name in MAPS}
    for row in roots:
        for name, id in zip(MAPS, row, strict=True):
            if id is not None:
                ids[name].add(id)
    documents: set[str] = set()
    for name, some in ids.items():
        await _check_map(connection, space_id, name, some, documents)
    there: set[str] = set()
    for part in parts(sorted(documents), BATCH):
        rows = select(_DOCUMENTS.columns.id).where(
            _DOCUMENTS.columns.space_id == space_id, _DOCUMENTS.columns.id.in_(part)
        )
        there.update(row[0] for row in await connection.execute(rows))
    if documents - there:
        raise _wrong(space_id, f"the document {min(documents - there)} is not in the export")


async def _check_map(
    connection: AsyncConnection, space_id: str, name: str, roots: set[str], documents: set[str]
) -> None:
    """All nodes of the maps with these roots, each once, level by level."""
    seen, level = set(roots), sorted(roots)
    expected: dict[str, Ref] = {}
    while level:
        below: dict[str, Ref] = {}
        for part in parts(level, BATCH):
            for id, node in (await _nodes(connection, space_id, part)).items():
                ref = expected.get(id)
                if ref is not None and (node.first_key, node.size, node.level) != ref[:1] + ref[2:]:
                    raise _wrong(space_id, f"map node {id} is not what its parent says")
                if isinstance(node, Leaf):
                    _check_entries(space_id, name, node, documents)
                else:
                    below |= {child.id: child for child in node.children}
        level = [id for id in below if id not in seen]
        seen.update(level)
        expected = below


async def _nodes(connection: AsyncConnection, space_id: str, ids: Iterable[str]) -> dict[str, Node]:
    columns = _NODES.columns
    rows = await connection.execute(
        select(columns.id, columns.data).where(columns.space_id == space_id, columns.id.in_(ids))
    )
    there = {row[0]: row[1] for row in rows}
    try:
        return {id: parse_node(id, there.get(id)) for id in ids}
    except CorruptMapError as error:
        raise _wrong(space_id, str(error)) from error


def _check_entries(space_id: str, name: str, leaf: Leaf, documents: set[str]) -> None:
    for key, entry in leaf.entries.items():
        problem = entry_problem(name, entry)
        if problem is not None:
            map_name = name.removesuffix("_root")
            raise _wrong(space_id, f"{map_name} {key[:100]!r}: {problem}")
        document = entry.get("document_id")
        if document is not None:
            documents.add(document)


def _wrong(space_id: str, problem: str) -> ArchiveError:
    return ArchiveError(f"the content of space {space_id}: {problem}")
