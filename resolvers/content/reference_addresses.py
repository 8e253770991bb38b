"""Addresses of what content references lead to, for texts that leave this server.

Whoever reads a text may follow them with what they read it with. What is not there, or has no
address of its own, has one below `/s/SPACE/~/references`, from which a text that comes back is
understood again (`AppAddresses.reference`).
"""

import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from content.links.references import reference_key
from db.models.spaces import Space
from resolvers.addresses.app import MARK, REFERENCES
from resolvers.addresses.spaces import space_urls
from resolvers.content.files import file_urls
from resolvers.core.context import Context
from resolvers.lists.batches import visible_in
from resolvers.revisions.objects import CONTENTS, FILES, find_pages, readable_revisions
from resolvers.revisions.read_targets import stored_revisions
from resolvers.revisions.rows import Page

Json = dict[str, Any]
# (space, id)
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Address:
    """Where something is: as an absolute URL, and in the source that it came with."""

    url: str
    git: Json | None = None

    def seen_from(self, git: Json | None) -> str:
        """The path to it from a text of the same source; else the URL."""
        path = _path_between(git, self.git)
        if path is None:
            return self.url
        anchor = self.url.partition("#")[2]
        return quote(path) + (f"#{anchor}" if anchor else "")


@dataclass(slots=True)
class Addresses:
    """The addresses of what texts of one revision refer to; `space_id` is that of the revision."""

    public_url: str
    space_id: str
    pages: dict[Key, Page] = field(default_factory=dict)
    files: dict[str, Address] = field(default_factory=dict)
    contents: dict[str, Json | None] = field(default_factory=dict)
    # Of spaces that a visitor is shown, on the site.
    sites: Mapping[str, str] = field(default_factory=dict)

    def of(self, reference: Mapping[str, Any], page_id: str | None = None) -> Address:
        """The address of what a content reference leads to, for a text on a page."""
        kind, space = reference.get("kind"), str(reference.get("space") or self.space_id)
        if kind == "url":
            return Address(str(reference.get("url", "")))
        if kind in ("page", "anchor"):
            address = self._page(reference, space, page_id)
        elif kind == "file":
            address = self.file(reference)
        else:
            address = self._other(str(kind), reference, space)
        return self._reference(reference, space) if address is None else address

    def file(self, reference: Mapping[str, Any] | None) -> Address | None:
        """The address of a file of the content itself; None for any other."""
        if reference is None or (reference.get("space") or self.space_id) != self.space_id:
            return None
        return self.files.get(str(reference.get("file")))

    def _page(
        self, reference: Mapping[str, Any], space: str, page_id: str | None
    ) -> Address | None:
        anchor = str(reference.get("anchor") or "")
        end = f"#{quote(anchor)}" if anchor else ""
        id = str(reference.get("page") or page_id or "")
        if end and id == page_id and space == self.space_id:
            return Address(end)
        page = self.pages.get((space, id))
        if page is None:
            return Address(end) if end and not id else None
        base = self.sites.get(space) or f"{self.public_url}/s/{space}"
        return Address(f"{base}/{quote(page.path)}{end}", page.git)

    def _other(self, kind: str, reference: Mapping[str, Any], space: str) -> Address | None:
        if kind == "space":
            return Address(self.sites.get(space) or f"{self.public_url}/s/{space}")
        if kind == "collection" and reference.get("collection"):
            return Address(f"{self.public_url}/c/{quote(str(reference['collection']), safe='')}")
        if kind == "user" and reference.get("user"):
            return Address(f"{self.public_url}/v1/users/{quote(str(reference['user']), safe='')}")
        return None

    def _reference(self, reference: Mapping[str, Any], space: str) -> Address:
        fields = {
            name: value
            for name, value in sorted(reference.items())
            if name not in ("kind", "space") and isinstance(value, str)
        }
        kind = quote(str(reference.get("kind")), safe="")
        query = f"?{urlencode(fields)}" if fields else ""
        return Address(
            f"{self.public_url}/s/{quote(space, safe='')}/{MARK}/{REFERENCES}/{kind}{query}"
        )

    def include(self, id: str, git: Json | None) -> str | None:
        """The path of a reusable content from a text of the same source; None without one."""
        return _path_between(git, self.contents.get(id))


def _path_between(git: Json | None, other: Json | None) -> str | None:
    """The path from a file of a source to another one; None where they are of no one source."""
    if not git or not other or git.get("root") != other.get("root"):
        return None
    return posixpath.relpath(str(other["path"]), posixpath.dirname(str(git["path"])) or ".")


_readable = visible_in(Space.id, "spaces")


async def addresses_in(
    ctx: Context, references: Mapping[str, Iterable[Mapping[str, Any]]]
) -> dict[str, Addresses]:
    """The addresses of what texts refer to, by the revision that the texts are in.

    The number of statements does not depend on the number of references. Of other spaces there
    is what the caller may read.
    """
    named = {
        id: {reference_key(reference): reference for reference in some}.values()
        for id, some in references.items()
    }
    revisions = await stored_revisions(ctx, named)
    addresses = {
        id: Addresses(ctx.settings.public_url, row.space_id) for id, row in revisions.items()
    }
    elsewhere: dict[str, set[str]] = {}
    own: list[tuple[Any, set[str]]] = []
    for id, of_revision in addresses.items():
        pages: set[str] = set()
        for reference in named[id]:
            space, page = reference.get("space") or of_revision.space_id, reference.get("page")
            if reference.get("kind") not in ("page", "anchor", "space"):
                continue
            if space != of_revision.space_id or reference.get("kind") == "space":
                elsewhere.setdefault(str(space), set()).update([page] if page else [])
            elif isinstance(page, str):
                pages.add(page)
        own.append((revisions[id], pages))
    placed = await find_pages(ctx, own) if any(pages for _, pages in own) else []
    for (row, _), pages_found in zip(own, placed, strict=False):
        addresses[row.id].pages.update(
            ((row.space_id, id), page) for id, page in pages_found.items()
        )
    others = await _elsewhere(ctx, elsewhere) if elsewhere else {}
    spaces = {row.space_id for row in revisions.values()} | elsewhere.keys()
    sites = await _on_site(ctx, spaces) if ctx.actor.visitor is not None else {}
    await _files(ctx, revisions, named, addresses)
    for of_revision in addresses.values():
        of_revision.pages.update(others)
        of_revision.sites = sites
    return addresses


async def _elsewhere(ctx: Context, ids_by_space: Mapping[str, set[str]]) -> dict[Key, Page]:
    """Pages of the primary content of other spaces that the caller may read."""
    revisions = await readable_revisions(ctx, ids_by_space)
    lookups = [(revision, ids_by_space[space]) for space, revision in revisions.items()]
    placed = await find_pages(ctx, lookups)
    return {
        (revision.space_id, id): page
        for (revision, _), pages in zip(lookups, placed, strict=True)
        for id, page in pages.items()
    }


async def _on_site(ctx: Context, spaces: Collection[str]) -> dict[str, str]:
    """Where a visitor reads spaces."""
    rows: Sequence[Space] = await _readable.rows(ctx, spaces=set(spaces))
    urls = await space_urls(ctx, rows, None)
    return {
        row.id: url.published.rstrip("/")
        for row, url in zip(rows, urls, strict=True)
        if url.published is not None
    }


async def _files(
    ctx: Context,
    revisions: Mapping[str, Any],
    named: Mapping[str, Collection[Mapping[str, Any]]],
    addresses: Mapping[str, Addresses],
) -> None:
    """Add files and reusable contents of the revisions themselves."""

    def own(kind: str, member: str) -> list[tuple[Any, set[str]]]:
        return [
            (row, {
                str(reference[member])
                for reference in named[id]
                if reference.get("kind") == kind and reference.get(member)
                and reference.get("space") in (None, row.space_id)
            })
            for id, row in revisions.items()
        ]  # fmt: skip

    contents = await CONTENTS.find(ctx, own("reusable-content", "reusableContent"))
    for revision_id, by_id in zip(revisions, contents, strict=True):
        addresses[revision_id].contents.update((id, row.git) for id, row in by_id.items())
    found_files = await FILES.find(ctx, own("file", "file"))
    files = [file for by_id in found_files for file in by_id.values()]
    for file, url in zip(files, await file_urls(ctx, files, None), strict=True):
        address = f"{url}{'&' if '?' in url else '?'}file={quote(file.id, safe='')}"
        addresses[file.revision_id].files[file.id] = Address(address, file.git)
