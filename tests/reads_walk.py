"""Every read of the route table, asked with the ids that its own answers name.

A listing gives the ids for the paths below it, so the walk follows what a server holds, whatever
that is.
"""

import itertools
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin
from urllib.parse import quote

from rest_compat.endpoint import plan_of
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from rest_compat.values import _core

Json = dict[str, Any]
Given = tuple[str, ...]
# Asks for a path with a query and, for reads by POST, a body: (status, JSON or None).
Ask = Callable[[str, str, Json | None, Json | None], Awaitable[tuple[int, Any]]]

_PARAMETER = re.compile(r"\{(\w+)(?::path)?\}")


def _items(body: Any) -> list[Json]:
    return body if isinstance(body, list) else body.get("items") or []


def pages_of(body: Any) -> Iterator[Json]:
    """All pages of a revision, or of its page tree."""
    for page in body.get("pages", ()):
        yield page
        yield from pages_of(page)


def _ids(body: Any) -> list[str]:
    found = [one.get("id") or one.get("user", {}).get("id") for one in _items(body)]
    return [id for id in found if id]


def _paths(body: Any) -> list[str]:
    return [page["path"] for page in pages_of(body) if page.get("path")]


# Where the last parameter of a path comes from: the end of the path that lists it, seen from what
# is before it, and what the values in that answer are. `../` goes up a step.
SOURCES: dict[str, tuple[str, Callable[[Any], Iterable[str]]]] = {
    "/orgs/{}": ("/orgs", _ids),
    "/org/{}": ("/orgs", _ids),
    "/users/{}": ("/orgs/{organizationId}/members", _ids),
    "/spaces/{}": ("/orgs/{organizationId}/spaces", _ids),
    "/collections/{}": ("/orgs/{organizationId}/collections", _ids),
    "/page/{}": ("/pages", lambda body: [page["id"] for page in pages_of(body)]),
    "/path/{}": ("/pages", _paths),
    "/reusable-contents/{}": (
        "", lambda body: [one["id"] for one in body.get("reusableContents", ())],
    ),
    "/revisions/{}": ("/content", lambda body: [body["id"], *body["parents"]]),
    "/documents/{}": (
        "/content/pages",
        lambda body: [page["documentId"] for page in pages_of(body) if "documentId" in page],
    ),
    "/subdomains/{}": ("", lambda body: ["docs"]),
    "/email-domains/{}": ("", lambda body: ["docs.example"]),
    "/custom-hostnames/{}": ("", lambda body: ["docs.example.com"]),
}  # fmt: skip


# Their choices depend on each other.
NARROW = ("getSpacePDF", "getChangeRequestPDF")


@dataclass
class ReadsWalk:
    """Asks for everything; `most` is how many values of one parameter are tried below each path,
    but for spaces and for bodies of primary content, which are all read."""

    ask: Ask
    # Bodies of reads by POST, and queries that operations cannot do without, by operation.
    bodies: dict[str, Json]
    queries: dict[str, Json]
    most: int = 4
    known: dict[str, dict[str, None]] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    _answers: dict[str, Any] = field(default_factory=dict)

    async def run(self) -> None:
        """Ask for every row."""
        rows = [row for row in ROUTES if row.method == "GET" or row.operation_id in self.bodies]
        for row in sorted(rows, key=lambda row: row.path.count("{")):
            for path in await self._filled(row.path):
                await self._ask_row(row, path)

    def unasked(self) -> set[str]:
        """Operations for which nothing is known that they could be asked for."""
        reads = {row.operation_id for row in ROUTES if row.method == "GET"}
        return reads - self.asked.keys()

    async def _ask_row(self, row: Row, path: str) -> None:
        first = row.operation_id not in self.asked
        for query in self._queries(row) if first else [self.queries.get(row.operation_id, {})]:
            self.asked[row.operation_id] = self.asked.get(row.operation_id, 0) + 1
            body = self.bodies.get(row.operation_id) if row.method == "POST" else None
            await self.ask(row.operation_id, path, query, body)

    def _queries(self, row: Row) -> Iterator[Json]:
        """The plain query, then each value that a parameter of few values may have."""
        plain = self.queries.get(row.operation_id, {})
        yield plain
        if row.operation_id in NARROW:
            return
        plan = plan_of(row)
        hints = {name: hint for name, (_, hint, _) in plan.query.items()} | dict(row.choices)
        for name, hint in hints.items():
            core = _core(hint)
            if core is bool:
                values: Sequence[Any] = ("true", "false")
            elif isinstance(core, type) and hasattr(core, "__members__"):
                values = [one.value for one in core]
            elif get_origin(core) in (list, tuple) and hasattr(get_args(core)[0], "__members__"):
                values = [one.value for one in get_args(core)[0]]
            else:
                continue
            for value in values:
                yield {**plain, name: value}

    async def _filled(self, template: str) -> list[str]:
        """The paths of a template with what is known of the server."""
        found = [""]
        position = 0
        for match in _PARAMETER.finditer(template):
            fixed = template[position : match.start()]
            position = match.end()
            name, below = match.group(1), []
            for path in found:
                values = await self._values(path + fixed, name)
                below += [f"{path}{fixed}{quote(value)}" for value in values]
            found = below
        return [path + template[position:] for path in found]

    async def _values(self, path: str, name: str) -> list[str]:
        """What may stand behind a path that ends with a slash."""
        above, _, step = path[:-1].rpartition("/")
        source = SOURCES.get(f"/{step}/{{}}")
        if source is None or (above and source[0].startswith("/orgs")):
            values = _ids(await self._read(path[:-1]))
        elif source[0].startswith("/orgs/"):
            answers = [await self._read(one) for one in await self._filled(source[0])]
            values = [value for body in answers for value in source[1](body)]
        elif name in ("subdomain", "hostname"):
            values = list(source[1](None))
        else:
            values = list(source[1](await self._read(f"{above}{source[0]}")))
        whole = name in ("spaceId", "documentId")
        few = values if whole else list(itertools.islice(values, self.most))
        self.known.setdefault(name, {}).update(dict.fromkeys(few))
        return few

    async def _read(self, path: str) -> Any:
        if path not in self._answers:
            self._answers[path] = (await self.ask("", path, {}, None))[1]
        return self._answers[path]
