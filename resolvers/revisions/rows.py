"""Pages and files as they are stored in the maps of a revision, and as rows.

A page's map entry leaves out what is empty or default, so that equal pages have equal bytes.
The second map finds children: "parent id/slug" (or "parent id/:id" for pages without a slug),
with the empty parent id for the top level.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from content.merkle.node import Value
from content.pages.stored import child_key, repaired_page
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
    # Where the bytes are of one that is stored nowhere.
    elsewhere: str | None = None


# What an entry of each calls the attributes that it holds; those that are None it leaves out.
_OF_FILE = {
    "name": "name",
    "type": "content_type",
    "size": "size",
    "sha256": "sha256",
    "width": "width",
    "height": "height",
    "git": "git",
    "imported": "imported",
}


def _entry(row: Any, names: Mapping[str, str]) -> Value:
    values = {name: getattr(row, attribute) for name, attribute in names.items()}
    return {name: value for name, value in values.items() if value is not None}


def _attributes(entry: Value, names: Mapping[str, str]) -> Json:
    stored: Json = dict(entry)
    return {attribute: stored[name] for name, attribute in names.items() if name in stored}


def file_entry(file: File) -> Value:
    """The entry of a file in the map of files."""
    return _entry(file, _OF_FILE)


def file_of(space_id: str, revision_id: str, file_id: str, entry: Value) -> File:
    """The file that an entry describes."""
    attributes = _attributes(entry, _OF_FILE)
    return File(space_id=space_id, revision_id=revision_id, id=file_id, **attributes)


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


_OF_CONTENT = {name: name for name in ("title", "document_id", "git", "imported")}


def content_entry(content: ReusableContent) -> Value:
    """The entry of a reusable content in its map."""
    return _entry(content, _OF_CONTENT)


def content_of(space_id: str, revision_id: str, content_id: str, entry: Value) -> ReusableContent:
    """The reusable content that an entry describes."""
    attributes = _attributes(entry, _OF_CONTENT)
    return ReusableContent(space_id=space_id, revision_id=revision_id, id=content_id, **attributes)


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


_OF_REDIRECT = {"page": "page_id", "anchor": "anchor"}


def redirect_entry(redirect: ContentRedirect) -> Value:
    """The entry of a redirect in its map."""
    return _entry(redirect, _OF_REDIRECT)


def redirect_of(space_id: str, revision_id: str, path: str, entry: Value) -> ContentRedirect:
    """The redirect that an entry describes."""
    attributes = _attributes(entry, _OF_REDIRECT)
    return ContentRedirect(space_id=space_id, revision_id=revision_id, path=path, **attributes)
