"""What blocks of pages show of specifications: extracts of the last good versions."""

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import bindparam, select

from content.json_types import values_in
from content.openapi.compression import decompressed
from content.openapi.extracts import operation_of, schemas_of, webhook_of
from content.recent_cache import RecentCache
from db.models.spaces import Space
from db.models.specifications import Specification, SpecificationContent, SpecificationVersion
from db.prepared import KEY, among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement

Json = dict[str, Any]
BLOCKS = frozenset({"openapi-operation", "openapi-schemas", "openapi-webhook"})
# Specifications that one page shows.
MOST_SHOWN = 20
# Bytes of specifications, as JSON, that a process keeps parsed: each takes several times that.
_PARSED: RecentCache[str, tuple[Json, int]] = RecentCache(16_000_000, lambda parsed: parsed[1])
# Bytes that the blocks of one page show, as JSON; those behind them name what they would show.
MOST_BYTES = 4_000_000
# A page with more blocks of schemas shows each without those that it refers to: on a page of all
# schemas, each would stand in all that use it.
MOST_NESTED = 60
# The member of a block's data that holds what is shown; it is never stored.
SHOWN = "shown"


@statement
def _latest(viewer: Viewer) -> Written:
    return (
        select(Specification.slug, SpecificationVersion.digest, Space.organization_id)
        .join(Space, Space.organization_id == Specification.organization_id)
        .join(SpecificationVersion, SpecificationVersion.id == Specification.last_version_id)
        .where(Space.id == bindparam("space", type_=KEY), among(Specification.slug, "slugs"))
    )


@statement
def _data(viewer: Viewer) -> Written:
    return select(SpecificationContent.digest, SpecificationContent.data).where(
        SpecificationContent.organization_id == bindparam("organization", type_=KEY),
        among(SpecificationContent.digest, "digests"),
    )


async def specifications_for(
    ctx: Context, space_id: str, slugs: Collection[str]
) -> dict[str, Json]:
    """The last good versions of specifications by slug, for what is shown in a space.

    Whoever may read a page of the space may read what it shows of its organization's
    specifications; the caller has asked whether they may.
    """
    if not slugs:
        return {}
    chosen = sorted(slugs)[:MOST_SHOWN]
    rows = await _latest.rows(ctx, space=space_id, slugs=chosen)
    digests = {row.digest for row in rows}
    read = {digest: parsed for digest in digests if (parsed := _PARSED.get(digest))}
    missing = digests - read.keys()
    if missing:
        organization = rows[0].organization_id
        for row in await _data.rows(ctx, organization=organization, digests=missing):
            read[row.digest] = await asyncio.to_thread(_parsed, bytes(row.data))
            _PARSED.put(row.digest, read[row.digest])
    return {row.slug: read[row.digest][0] for row in rows if row.digest in read}


def _parsed(data: bytes) -> tuple[Json, int]:
    text = decompressed(data)
    return orjson.loads(text), len(text)


async def with_specifications(ctx: Context, space_id: str, documents: Iterable[Json]) -> list[Json]:
    """Documents whose blocks hold what they show of specifications, beside their own data."""
    documents = list(documents)
    slugs = {slug for document in documents for slug in await asyncio.to_thread(slugs_of, document)}
    if not slugs:
        return documents
    roots = await specifications_for(ctx, space_id, slugs)
    return await asyncio.to_thread(filled_documents, roots, documents)


def filled_documents(roots: dict[str, Json], documents: Iterable[Json]) -> list[Json]:
    """Copies of the documents of a page with what their blocks show of specifications by slug."""
    filling = _Filling(roots)
    return [filling.document(document) for document in documents]


def _has_many_schemas(document: Json) -> bool:
    count = 0
    for value in values_in([document]):
        count += isinstance(value, dict) and value.get("type") == "openapi-schemas"
        if count > MOST_NESTED:
            return True
    return False


def slugs_of(document: Json) -> set[str]:
    """The specifications that blocks of a document name."""
    slugs = set()
    waiting: list[Any] = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            if value.get("type") in BLOCKS and (slug := slug_of_block(value)) is not None:
                slugs.add(slug)
            waiting.extend(value[name] for name in ("nodes", "fragments") if name in value)
    return slugs


def slug_of_block(block: Json) -> str | None:
    """The specification that a block names."""
    data = block.get("data")
    reference = data.get("ref") if isinstance(data, dict) else None
    slug = reference.get("spec") if isinstance(reference, dict) else None
    return slug if isinstance(slug, str) else None


@dataclass(slots=True)
class _Filling:
    """Copies of documents with what they show, as long as there is room."""

    roots: dict[str, Json]
    left: int = MOST_BYTES
    alone: bool = False

    def document(self, value: Json) -> Json:
        """The copy of one document."""
        self.alone = _has_many_schemas(value)
        filled: Json = self.filled(value)
        return filled

    def filled(self, value: Any) -> Any:
        """A value with blocks in it, copied; everything else is the same."""
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        if not isinstance(value, dict):
            return value
        if value.get("type") in BLOCKS:
            return self._block(value)
        return {
            name: self.filled(item) if name in ("nodes", "fragments") else item
            for name, item in value.items()
        }

    def _block(self, block: Json) -> Json:
        slug, data = slug_of_block(block), block.get("data")
        if slug not in self.roots or not isinstance(data, dict):
            return block
        extract = extract_of(self.roots[slug], str(block["type"]), data, alone=self.alone)
        self.left -= 0 if extract is None else len(orjson.dumps(extract))
        if extract is None or self.left < 0:
            return block
        return {**block, "data": {**data, SHOWN: extract}}


def extract_of(root: Json, kind: str, data: Json, *, alone: bool = False) -> Json | None:
    """What a block shows of a specification; None when there is no such thing in it. `alone` as in
    `schemas_of`."""
    method = str(data.get("method", ""))
    if kind == "openapi-operation":
        return operation_of(root, str(data.get("path", "")), method)
    if kind == "openapi-webhook":
        return webhook_of(root, str(data.get("name", "")), method)
    names = data.get("schemas")
    listed = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return schemas_of(root, listed, alone=alone)
