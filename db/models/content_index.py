"""The index of the primary content of spaces: pages, their sections, and what links to what.

It is derived from the active revision of each space (resolvers/search/index.py) and can be built
again at any time. The words of pages stand in a table of their own, `search_text`, which is of
another kind on each database and no part of the models (resolvers/search/sqlite.py,
resolvers/search/postgresql.py): its rows have the number of their page and go with it.
"""

import datetime as dt

from sqlalchemy import (
    JSON,
    ColumnElement,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    cast,
    literal,
    select,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, enum_type, utc_now
from db.content_enums import LinkRelation, LinkStatus, SearchAudience
from db.ids import new_id
from db.models.spaces import Space

# What `search_text` consists of on SQLite is named with this in front.
SEARCH_TEXT = "search_text"


class ContentIndex(Base):
    """What is known of a space: which revision the index shows.

    `revision_id` is null while the index is built, by the builder with the id `builder`. `built_at`
    is when it was changed last, or the builder was last seen. A space without a row, or with
    another `format` than that of the running version, is not indexed.
    """

    __tablename__ = "content_index"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    revision_id: Mapped[Id | None]
    format: Mapped[int]
    builder: Mapped[Id | None]
    built_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


def index_state() -> ColumnElement[str | None]:
    """The state of the index of the `Space` of a statement: another text where what it holds may be
    another; null where it does not show the active revision."""
    index = ContentIndex
    state = cast(index.format, String).concat(literal(" ")).concat(cast(index.built_at, String))
    shown = (index.space_id == Space.id) & (index.revision_id == Space.revision_id)
    return select(state).where(shown).scalar_subquery()


class IndexedPage(Base):
    """A document page; its words are in `search_text` when `searchable`.

    A page that holds `if` blocks is there twice: as it is for people of the organization, and
    without these blocks for visitors of sites.
    """

    __tablename__ = "indexed_page"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    page_id: Mapped[Id]
    searchable: Mapped[bool]
    audience: Mapped[SearchAudience] = mapped_column(
        enum_type(SearchAudience), server_default=SearchAudience.MEMBERS.value
    )
    __table_args__ = (UniqueConstraint("space_id", "page_id", "audience"),)


class IndexedSection(Base):
    """A heading of a page and the plain text below it; the part before the first has no anchor.

    A negative position has an anchor only: one that a heading of the page had before it was
    renamed, which links may still lead to.
    """

    __tablename__ = "indexed_section"
    page: Mapped[int] = mapped_column(
        ForeignKey("indexed_page.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    anchor: Mapped[str | None]
    heading: Mapped[str]
    body: Mapped[str]


class Spelling(Base):
    """A word that pages of a space have, or had: what mistyped ones are compared with.

    Each is there twice, as it is and, behind `>`, from its end to its beginning, so that words with
    the same beginning and those with the same end are neighbours. Whether a page that somebody may
    read has the word is not said here.
    """

    __tablename__ = "spelling"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    letters: Mapped[Id] = mapped_column(primary_key=True)
    __table_args__ = ({"sqlite_with_rowid": False},)


class FormerHome(Base):
    """An organization that spaces of another one were in, and whose word pages of them still have.

    `former_id` may be that of an organization which is gone.
    """

    __tablename__ = "former_home"
    organization_id: Mapped[Id] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE"), primary_key=True
    )
    former_id: Mapped[Id] = mapped_column(primary_key=True)


class ContentLink(Base):
    """Something that pages or reusable contents of a space refer to, once for each relation.

    `digest` is derived from `reference` and `relation`. `target_space_id` is the space of the
    target, which may be another one; `status` is what holds for those who may see it.
    """

    __tablename__ = "content_link"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    digest: Mapped[Id]
    relation: Mapped[LinkRelation] = mapped_column(enum_type(LinkRelation))
    status: Mapped[LinkStatus] = mapped_column(enum_type(LinkStatus))
    kind: Mapped[str] = mapped_column(String(32))
    reference: Mapped[Data] = mapped_column(JSON)
    target_space_id: Mapped[Id | None]
    target_id: Mapped[Id | None]
    anchor: Mapped[str | None]
    __table_args__ = (
        UniqueConstraint("space_id", "digest"),
        Index(None, "space_id", "id"),
        Index(None, "target_space_id", "target_id"),
    )


class ContentLinkUse(Base):
    """A block that holds a link: of a page, or of a reusable content. Without `node` the page
    itself does, by its cover or as a link page."""

    __tablename__ = "content_link_use"
    link_id: Mapped[Id] = mapped_column(
        ForeignKey("content_link.id", ondelete="CASCADE"), primary_key=True
    )
    source_id: Mapped[Id] = mapped_column(primary_key=True)
    node: Mapped[Id] = mapped_column(primary_key=True)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    reusable: Mapped[bool]
    text: Mapped[str]
    __table_args__ = (Index(None, "space_id", "source_id"),)


class ShownFile(Base):
    """A file that pages of primary content show to every reader, by the key of its address.

    Reusable content shows its files on the pages that hold it. Where the content is read, and by
    whom, is not said here.
    """

    __tablename__ = "shown_file"
    address: Mapped[Id] = mapped_column(primary_key=True)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    content_type: Mapped[str] = mapped_column(String(255))


class ShownFileUse(Base):
    """A page that shows such a file."""

    __tablename__ = "shown_file_use"
    address: Mapped[Id] = mapped_column(
        ForeignKey("shown_file.address", ondelete="CASCADE"), primary_key=True
    )
    page_id: Mapped[Id] = mapped_column(primary_key=True)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    __table_args__ = (Index(None, "space_id", "page_id"),)
