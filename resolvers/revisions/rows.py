"""Pages and files as they are stored in the maps of a revision, and as rows.

A page's map entry leaves out what is empty or default, so that equal pages have equal bytes.
The second map finds children: "parent id/slug" (or "parent id/:id" for pages without a slug),
with the empty parent id for the top level.
"""

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

from content.merkle.node import Value
from content.pages.keys import child_key
from content.pages.stored import repaired_page
from db.content_enums import PageType
from resolvers.core.scalars import read_time, write_time

Json = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Page:
    """One page of one revision. `path` joins the slugs from the top level down."""

    space_id: str
    revision_id: str
    id: str
    type: PageType
    title: str
    parent_id: str | None
    order: str
    slug: str | None = None
    # Whether somebody chose the slug: then it stays when the title changes.
    slug_set: bool = False
    path: str = ""
    description: str | None = None
    emoji: str | None = None
    icon: str | None = None
    hidden: bool = False
    no_index: bool = False
    no_robots_index: bool = False
    layout: Json = field(default_factory=dict)
    cover: Json | None = None
    variables: Json = field(default_factory=dict)
    condition: str | None = None
    # Keys of the front matter that mean nothing here, for export.
    extra: Json = field(default_factory=dict)
    document_id: str | None = None
    target: Json | None = None
    computed: Json | None = None
    git: Json | None = None
    # What it was imported from (resolvers/revisions/import_marks.py).
    imported: Json | None = None
    created_at: dt.datetime | None = None
    updated_at: dt.datetime | None = None
    # Whether a page above it is left out of search, or closed to crawlers; not stored.
    above_no_index: bool = False
    above_no_robots_index: bool = False
    # Pages directly below, in display order; None while they were not read.
    children: "list[Page] | None" = None
    # Roots of the maps it was read from: pages, slugs by parent.
    pages_root: str | None = None
    slugs_root: str | None = None
    # The change request (id or number) or revision that it was asked for in; see content_ids.py.
    asked_in: str | None = None

    @property
    def key(self) -> str:
        """The key of this page in the map of children."""
        return child_key(self.parent_id, self.slug, self.id)

    @property
    def out_of_search(self) -> bool:
        """Whether search leaves it out: of its own or because a page above it is."""
        return self.no_index or self.above_no_index

    @property
    def closed_to_crawlers(self) -> bool:
        """Whether crawlers are kept out: of its own or because a page above it is closed."""
        return self.no_robots_index or self.above_no_robots_index


# Attributes that an entry holds as they are, with their empty values.
_PLAIN: dict[str, Any] = {
    "slug": None,
    "slug_set": False,
    "description": None,
    "emoji": None,
    "icon": None,
    "hidden": False,
    "no_index": False,
    "no_robots_index": False,
    "layout": {},
    "cover": None,
    "variables": {},
    "condition": None,
    "extra": {},
    "document_id": None,
    "target": None,
    "computed": None,
    "git": None,
    "imported": None,
}


def entry_of(page: Page) -> Value:
    """The entry of a page in the map of pages; without path and children, which others decide."""
    entry: Json = {"type": page.type.value, "title": page.title, "order": page.order}
    if page.parent_id is not None:
        entry["parent"] = page.parent_id
    for name, empty in _PLAIN.items():
        value = getattr(page, name)
        if value != empty:
            entry[name] = value
    if page.created_at is not None:
        entry["created_at"] = write_time(page.created_at)
    if page.updated_at is not None:
        entry["updated_at"] = write_time(page.updated_at)
    return entry


def page_of(space_id: str, revision_id: str, page_id: str, entry: Value) -> Page:
    """The page that an entry describes; path and children are set by whoever knows the tree."""
    stored: Json = repaired_page(dict(entry))
    return Page(
        space_id=space_id,
        revision_id=revision_id,
        id=page_id,
        type=PageType(stored["type"]),
        title=stored["title"],
        parent_id=stored.get("parent"),
        order=stored["order"],
        created_at=read_time(stored["created_at"]) if "created_at" in stored else None,
        updated_at=read_time(stored["updated_at"]) if "updated_at" in stored else None,
        **{name: stored[name] for name in _PLAIN if name in stored},
    )


@dataclass(slots=True, kw_only=True)
class File:
    """One file of one revision."""

    space_id: str
    revision_id: str
    id: str
    name: str
    content_type: str
    size: int
    sha256: str
    width: int | None = None
    height: int | None = None
    git: Json | None = None
    # As that of a page.
    asked_in: str | None = None
    imported: Json | None = None


def file_entry(file: File) -> Value:
    """The entry of a file in the map of files."""
    entry: Json = {
        "name": file.name,
        "type": file.content_type,
        "size": file.size,
        "sha256": file.sha256,
    }
    if file.width is not None and file.height is not None:
        entry["width"], entry["height"] = file.width, file.height
    if file.git is not None:
        entry["git"] = file.git
    if file.imported is not None:
        entry["imported"] = file.imported
    return entry


def file_of(space_id: str, revision_id: str, file_id: str, entry: Value) -> File:
    """The file that an entry describes."""
    stored: Json = dict(entry)
    return File(
        space_id=space_id,
        revision_id=revision_id,
        id=file_id,
        name=stored["name"],
        content_type=stored["type"],
        size=stored["size"],
        sha256=stored["sha256"],
        width=stored.get("width"),
        height=stored.get("height"),
        git=stored.get("git"),
        imported=stored.get("imported"),
    )


@dataclass(slots=True, kw_only=True)
class ReusableContent:
    """A named piece of content that pages include."""

    space_id: str
    revision_id: str
    id: str
    title: str
    document_id: str | None = None
    git: Json | None = None
    # As that of a page.
    asked_in: str | None = None
    imported: Json | None = None


def content_entry(content: ReusableContent) -> Value:
    """The entry of a reusable content in its map."""
    entry: Json = {"title": content.title}
    if content.document_id is not None:
        entry["document_id"] = content.document_id
    if content.git is not None:
        entry["git"] = content.git
    if content.imported is not None:
        entry["imported"] = content.imported
    return entry


def content_of(space_id: str, revision_id: str, content_id: str, entry: Value) -> ReusableContent:
    """The reusable content that an entry describes."""
    stored: Json = dict(entry)
    return ReusableContent(
        space_id=space_id,
        revision_id=revision_id,
        id=content_id,
        title=stored["title"],
        document_id=stored.get("document_id"),
        git=stored.get("git"),
        imported=stored.get("imported"),
    )


@dataclass(slots=True, kw_only=True)
class ContentRedirect:
    """A redirect of one revision, as the configuration of a space sets it.

    `path` is the old path as it is compared; it is what the map has redirects by.
    """

    space_id: str
    revision_id: str
    path: str
    page_id: str
    anchor: str | None = None


def redirect_entry(redirect: ContentRedirect) -> Value:
    """The entry of a redirect in its map."""
    entry: Json = {"page": redirect.page_id}
    if redirect.anchor is not None:
        entry["anchor"] = redirect.anchor
    return entry


def redirect_of(space_id: str, revision_id: str, path: str, entry: Value) -> ContentRedirect:
    """The redirect that an entry describes."""
    stored: Json = dict(entry)
    return ContentRedirect(
        space_id=space_id,
        revision_id=revision_id,
        path=path,
        page_id=stored["page"],
        anchor=stored.get("anchor"),
    )
