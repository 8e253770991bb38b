"""The table of docs/compatibility.md: what became of each operation of the published contract.

`python -m tests.compatibility` writes it. It is made from the contract's packages (tests/node), the
route table, the schema of GraphQL and the list of deviations.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphql import GraphQLObjectType

from rest_compat.deviations import DEVIATIONS
from rest_compat.openapi import VERSION
from rest_compat.pending import PENDING
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from schema.build import build_schema
from schema.sources import DEFINITION
from schema.wiring import OPERATION, SOURCE
from tests.published_contract import (
    FOLLOWED,
    NEWEST,
    ContractOperation,
    PublishedContract,
    published_contract,
)

PAGE = Path(__file__).parent.parent / "docs" / "compatibility.md"
# The version of Docstead that served an operation first, where that is not the first one.
SINCE: dict[str, str] = {}
# Where /v1 has a function of its own on top of what these fields show.
OWN_WAYS = {
    "getSpacePDF": "Space.pdf",
    "getChangeRequestPDF": "ChangeRequest.pdf",
    "renderIntegrationUIWithGet": "Query.integrationUi",
    "writeSpaceContent": "Mutation.writeContent",
    "writeChangeRequestContent": "Mutation.writeContent",
    "resolvePublishedContentByUrl": "Query.publishedSite",
}
HEAD = """\
# Compatibility

`/v1` follows release {followed} of the published contract (the npm package `@gitbook/api`). Every
answer of the flows in `tests/node/flows`, which call all operations that are served through that
client, keeps to its schemas. The same flows run with release {newest}, the newest one known.

This page is generated (`make compatibility`) from both releases, the route table and the schema of
GraphQL.

* **Releases**: which of the two has the operation; *own* ones are additions of Docstead.
* **Served**: the version of Docstead since which it is; `501` is the answer where it is not built
  yet.
* **GraphQL**: the root field or the field that does the same.
* **Newer members**: what release {newest} requires of answers and is absent here; the reasons are
  [below](#newer-members).

| Operation | Request | Releases | Served | GraphQL | Newer members |
| --- | --- | --- | --- | --- | --- |
"""
TAIL = """
## Newer members

| Member | Why it is absent |
| --- | --- |
"""


def page(followed: PublishedContract, newest: PublishedContract) -> str:
    """The whole page."""
    way = _ways()
    rows = {_key(row.method, row.path): row for row in ROUTES}
    pending = {_key(one.method, one.path) for one in PENDING}
    lines = []
    for operation, releases in _operations(followed, newest):
        key = _key(operation.method, operation.path)
        row = rows.pop(key, None)
        assert (row is None) == (key in pending), f"{operation.id} is neither served nor pending"
        served = "501" if row is None else SINCE.get(row.operation_id, VERSION)
        lines.append(
            f"| {operation.id} | `{operation.method} {operation.path}` | {', '.join(releases)} "
            f"| {served} | {way(row)} | {_newer(newest, operation.id) if row else ''} |\n"
        )
    for row in rows.values():
        since = SINCE.get(row.operation_id, VERSION)
        lines.append(
            f"| {row.operation_id} | `{row.method} {row.path}` | own | {since} | {way(row)} | |\n"
        )
    reasons = "".join(
        f"| {', '.join(f'`{one.schema}.{member}`' for member in one.members)} | {one.reason} |\n"
        for one in DEVIATIONS
    )
    head = HEAD.format(followed=followed.version, newest=newest.version)
    lines.sort(key=str.casefold)
    return head + "".join(lines) + TAIL + reasons


def _key(method: str, path: str) -> tuple[str, str]:
    """What a request is: the names of its path's parameters do not matter."""
    return method, re.sub(r"{[^}]*}", "{}", path)


def _operations(
    *contracts: PublishedContract,
) -> Iterator[tuple[ContractOperation, list[str]]]:
    """All operations of these releases, with those that have it; the first one names it."""
    merged: dict[tuple[str, str], tuple[ContractOperation, list[str]]] = {}
    for contract in contracts:
        for operation in contract.operations.values():
            key = _key(operation.method, operation.path)
            merged.setdefault(key, (operation, []))[1].append(contract.version)
    yield from merged.values()


def _ways() -> Callable[[Row | None], str]:
    """From a route to the field of GraphQL with its operation, or its list's batch function."""
    fields: defaultdict[Any, list[str]] = defaultdict(list)
    for type_ in build_schema()._schema.type_map.values():
        if isinstance(type_, GraphQLObjectType):
            for name, field in type_.fields.items():
                definition = field.extensions.get(DEFINITION)
                metadata = definition.metadata if definition is not None else {}
                if OPERATION in metadata:
                    fields[metadata[OPERATION].operation].append(f"{type_.name}.{name}")
                elif SOURCE in metadata and metadata[SOURCE].batch is not None:
                    fields[metadata[SOURCE].batch].append(f"{type_.name}.{name}")

    def way(row: Row | None) -> str:
        if row is None:
            return ""
        own = OWN_WAYS.get(row.operation_id)
        found = [own] if own else fields[row.children or row.operation]
        assert found, f"{row.operation_id} has no field of GraphQL: name one in OWN_WAYS"
        return f"`{found[0]}`"

    return way


def _newer(contract: PublishedContract, id: str) -> str:
    """The members that the answers of an operation lack."""
    if id not in contract.operations:
        return ""
    schemas = contract.schemas_of_answers(id)
    return ", ".join(
        f"`{one.schema}.{member}`"
        for one in DEVIATIONS
        if one.schema in schemas
        for member in one.members
    )


async def _contracts() -> tuple[PublishedContract, PublishedContract]:
    return await published_contract(FOLLOWED), await published_contract(NEWEST)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(*asyncio.run(_contracts())), encoding="utf-8")


if __name__ == "__main__":
    main()
