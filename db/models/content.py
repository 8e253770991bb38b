"""Revisions and what they are made of: map nodes and documents, addressed by their content.

A revision names the roots of five immutable maps (docs/decisions/0007): pages by id, slugs by
parent, files by id, reusable contents by id and redirects by old path. Nodes and documents are
never changed; rows are shared by all revisions of a space that hold the same content.
"""

import datetime as dt

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, Timestamp, enum_type, ordered_text, utc_now
from db.content_enums import RevisionType
from db.ids import new_id


class Revision(Base):
    """An immutable state of a space's content.

    Where `conditional` is false no page has a condition, so every visitor sees all of them.
    """

    __tablename__ = "revision"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    type: Mapped[RevisionType] = mapped_column(enum_type(RevisionType))
    parents: Mapped[list[str]] = mapped_column(default=list)
    pages_root: Mapped[str | None] = mapped_column(String(20))
    slugs_root: Mapped[str | None] = mapped_column(String(20))
    files_root: Mapped[str | None] = mapped_column(String(20))
    contents_root: Mapped[str | None] = mapped_column(String(20))
    redirects_root: Mapped[str | None] = mapped_column(String(20))
    variables: Mapped[Data] = mapped_column(JSON, default=dict)
    conditional: Mapped[bool] = mapped_column(default=True)
    git: Mapped[Data | None] = mapped_column(JSON(none_as_null=True))
    merged_from_id: Mapped[Id | None]
    # The revision that was written, where this one shows it with the pages of its sources.
    expands_id: Mapped[Id | None] = mapped_column(index=True)
    author_id: Mapped[Id | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "space_id", "id"),)


class ContentNode(Base):
    """A node of one of the maps; `id` is derived from `data`."""

    __tablename__ = "content_node"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    id: Mapped[Id] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class Document(Base):
    """The body of a page: its Markdown and the same as JSON nodes; `id` is derived from both."""

    __tablename__ = "document"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    id: Mapped[Id] = mapped_column(primary_key=True)
    markdown: Mapped[str]
    data: Mapped[bytes] = mapped_column(LargeBinary)


class ComputedPage(Base):
    """A computed page of a space's primary content: its source, and the pages that it has made.

    `name` is that of what the source depends on, such as the slug of a specification; `version` is
    the version of it that `pages` were made of, `tried` the one that was last tried. `pages` are
    all pages that it makes, each behind the one above it; null before any were made. `files` are
    those that they show. `failures` counts the attempts since the last success, `retry_at` is when
    the server tries again by itself.
    """

    __tablename__ = "computed_page"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    page_id: Mapped[Id] = mapped_column(primary_key=True)
    source: Mapped[Data] = mapped_column(JSON)
    # Those of integrations are a range of the index (resolvers/content/source_dependencies.py).
    name: Mapped[str] = mapped_column(ordered_text(100), index=True)
    version: Mapped[str | None] = mapped_column(String(64))
    tried: Mapped[str | None] = mapped_column(String(64))
    pages: Mapped[list[Data] | None] = mapped_column(JSON(none_as_null=True))
    files: Mapped[list[Data] | None] = mapped_column(JSON(none_as_null=True))
    failures: Mapped[int] = mapped_column(default=0)
    retry_at: Mapped[dt.datetime | None] = mapped_column(Timestamp)


class PageRedirect(Base):
    """A path that once led to a page of a space's primary content; the newest page keeps it.

    It names the page, not its next path: redirects cannot form chains or loops, and what was below
    the page is found below it. `key` is derived from the path, which has no bound that fits into
    an index.
    """

    __tablename__ = "page_redirect"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[Id] = mapped_column(primary_key=True)
    path: Mapped[str]
    page_id: Mapped[Id]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class ContentRedirect(Base):
    """A redirect of a space's primary content, as the map of its active revision has it.

    It is there so that one look tells whether a path has one; the map is what counts. `key` is
    that of `PageRedirect`.
    """

    __tablename__ = "content_redirect"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[Id] = mapped_column(primary_key=True)
    page_id: Mapped[Id]
    anchor: Mapped[str | None]


class ContentOwner(Base):
    """The space in which a page, file or reusable content has its stable id as its id in GraphQL.

    That is where the id was first, unless something else had it already (decision 0049). `kind` is
    that of a content reference.
    """

    __tablename__ = "content_owner"
    id: Mapped[Id] = mapped_column(primary_key=True)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(32))


class ContentHomonym(Base):
    """A page, file or reusable content of primary content whose stable id something else has."""

    __tablename__ = "content_homonym"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(32), primary_key=True)
    id: Mapped[Id] = mapped_column(primary_key=True)


class FileUpload(Base):
    """Bytes that somebody may send, or has sent, to become a file of a space's content.

    `sha256`, `size`, `content_type` and the dimensions of an image are set when they arrive.
    """

    __tablename__ = "file_upload"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    user_id: Mapped[Id | None] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    name: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now, index=True)
    uploaded_at: Mapped[dt.datetime | None]
    sha256: Mapped[str | None] = mapped_column(String(64))
    size: Mapped[int | None]
    content_type: Mapped[str | None] = mapped_column(String(255))
    width: Mapped[int | None]
    height: Mapped[int | None]
