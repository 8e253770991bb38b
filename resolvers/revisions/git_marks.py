"""Where pages, files and reusable contents stand in Git, and whether they are still as there.

A mark names the blob and the path, with the content root that links count from, and a digest of
what the page was when it was last read from that blob or written to it. A page whose digest
differs was edited since.
"""

from collections.abc import Iterable
from typing import Any

from content.git.identity import Trace, Traces
from content.hashing import content_id
from content.links.meaning import from_root
from content.merkle.node import canonical
from resolvers.revisions.rows import File, Page, ReusableContent

Json = dict[str, Any]
_FIELDS = (
    "title", "description", "emoji", "icon", "hidden", "no_index", "no_robots_index", "layout",
    "cover", "variables", "condition", "extra", "document_id",
)  # fmt: skip


def git_mark(oid: str, path: str, root: str, tree_url: str = "") -> Json:
    """Where something stands; paths count from the root of the repository. `tree_url` is what
    addresses of files outside of the content root begin with."""
    mark = {"oid": oid, "path": path}
    if root:
        mark["root"] = root
    if tree_url:
        mark["tree"] = tree_url
    return mark


def tree_url_of(rows: Iterable[Page | File | ReusableContent]) -> str:
    """What addresses of files outside of the content root begin with, as they were read last."""
    return next((str(row.git["tree"]) for row in rows if row.git and row.git.get("tree")), "")


def with_digest(row: Page | File | ReusableContent) -> None:
    """Note in the mark of a row that it is as its blob has it."""
    if row.git is not None:
        row.git = {**row.git, "digest": synced_digest(row)}


def synced_digest(row: Page | File | ReusableContent) -> str:
    """Equal for rows that make the same file at the same place."""
    if isinstance(row, File):
        return row.sha256
    names = _FIELDS if isinstance(row, Page) else ("title", "document_id")
    return content_id(canonical([getattr(row, name) for name in names]))


def is_synced(row: Page | File | ReusableContent) -> bool:
    """Whether a row is as it was when its mark was made."""
    return row.git is not None and row.git.get("digest") == synced_digest(row)


def trace_of(row: Page | File | ReusableContent) -> Trace | None:
    """Where a part of a space was, in Git or in what it was imported from."""
    if row.git is not None and "path" in row.git:
        path = from_root(str(row.git["path"]), str(row.git.get("root") or ""))
        return Trace(path, row.git.get("oid"))
    if row.imported is not None and "into" not in row.imported:
        return Trace(str(row.imported["path"]))
    return None


def traces_of(pages: list[Page], files: list[File], contents: list[ReusableContent]) -> Traces:
    """The traces of all parts of a space; pages have their paths."""

    def traces(rows: list[Any]) -> dict[str, Trace]:
        return {row.id: trace for row in rows if (trace := trace_of(row)) is not None}

    addresses: dict[str, str] = {}
    for page in pages:
        addresses.setdefault(f"{page.type.value}:{page.path}", page.id)
    return Traces(traces(pages), traces(files), traces(contents), addresses)
