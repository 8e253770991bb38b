"""Collections, spaces and the roles granted on them."""

import datetime as dt

from sqlalchemy import JSON, CheckConstraint, ColumnElement, ForeignKey, Index, String, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, LevelRank, RoleRank, SortKey, enum_type, utc_now
from db.enums import DefaultLevel, EditMode, Language, Role
from db.ids import new_id
from db.text_order import SortedByTitle

# Levels of collections.
LEVEL_LIMIT = 20


class Collection(SortedByTitle, Base):
    """A folder of spaces and other collections.

    `depth`, `level_rank` and `level_depth` are derived from the ancestors and kept by
    `resolvers/spaces/collection_tree.py`: distance from the top level (0), and the nearest default
    level at or above this collection that does not inherit, with the depth it stands at.
    """

    __tablename__ = "collection"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    parent_id: Mapped[Id | None] = mapped_column(ForeignKey("collection.id"))
    title: Mapped[str] = mapped_column(String(50))
    description: Mapped[str | None] = mapped_column(String(100))
    default_level: Mapped[DefaultLevel | None] = mapped_column(
        LevelRank, default=DefaultLevel.INHERIT, nullable=False
    )
    position: Mapped[SortKey]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    depth: Mapped[int] = mapped_column(default=0)
    level_rank: Mapped[int | None]
    level_depth: Mapped[int | None]
    __table_args__ = (
        Index(None, "organization_id", "id"),
        Index(None, "organization_id", "parent_id", "position"),
        Index(None, "parent_id", "position", "id"),
        Index(None, "organization_id", "title_key", "id"),
        Index(None, "organization_id", "created_at", "id"),
    )


class CollectionAncestor(Base):
    """Closure of the collection tree: every collection with each ancestor and with itself."""

    __tablename__ = "collection_ancestor"
    collection_id: Mapped[Id] = mapped_column(
        ForeignKey("collection.id", ondelete="CASCADE"), primary_key=True
    )
    ancestor_id: Mapped[Id] = mapped_column(
        ForeignKey("collection.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class Space(SortedByTitle, Base):
    """A container of pages and files."""

    __tablename__ = "space"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    parent_id: Mapped[Id | None] = mapped_column(ForeignKey("collection.id"))
    title: Mapped[str] = mapped_column(String(50))
    emoji: Mapped[str] = mapped_column(String(50), default="1f4d8")
    icon_url: Mapped[str | None] = mapped_column(String(2048))
    edit_mode: Mapped[EditMode] = mapped_column(enum_type(EditMode), default=EditMode.LOCKED)
    default_level: Mapped[DefaultLevel | None] = mapped_column(
        LevelRank, default=DefaultLevel.INHERIT, nullable=False
    )
    language: Mapped[Language | None] = mapped_column(enum_type(Language))
    # What is said of the Git repository that it is synchronised with: `provider`, `url`,
    # `repoName`, `updatedAt`.
    git_info: Mapped[Data | None] = mapped_column(JSON(none_as_null=True))
    merge_rules: Mapped[Data] = mapped_column(JSON, default=lambda: {"type": "inherit"})
    # The source that its content is computed from, such as a translation; nobody edits it then.
    computed_source: Mapped[Data | None] = mapped_column(JSON(none_as_null=True))
    # The active revision of the primary content: what readers see. No foreign key: a revision
    # names its space.
    revision_id: Mapped[Id]
    # The revision that was written, where what readers see has the pages of sources in it, too.
    written_id: Mapped[Id | None]
    # Numbers of change requests come from here, under the row's lock: no gaps, no duplicates.
    last_change_request: Mapped[int] = mapped_column(default=0)
    position: Mapped[SortKey]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    deleted_at: Mapped[dt.datetime | None]
    __table_args__ = (
        Index(None, "organization_id", "id"),
        Index(None, "organization_id", "parent_id", "position"),
        Index(None, "parent_id", "position", "id"),
        Index("ix_space_deleted", "deleted_at"),
        Index(None, "organization_id", "title_key", "id"),
        Index(None, "organization_id", "created_at", "id"),
        Index(None, "organization_id", "updated_at", "id"),
    )


def written_revision(space: Space) -> str:
    """Id of the newest revision that was written in a space: what writes stand on."""
    return space.written_id or space.revision_id


def written_revision_of(space: type[Space]) -> ColumnElement[str]:
    """The same of the spaces of a statement."""
    return func.coalesce(space.written_id, space.revision_id)


class AccessGrant(Base):
    """A role of one person or one team on one space or one collection; no role = no access."""

    __tablename__ = "access_grant"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id | None] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    collection_id: Mapped[Id | None] = mapped_column(
        ForeignKey("collection.id", ondelete="CASCADE")
    )
    user_id: Mapped[Id | None] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    team_id: Mapped[Id | None] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    role: Mapped[Role | None] = mapped_column(RoleRank, nullable=False)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        CheckConstraint("(space_id IS NULL) <> (collection_id IS NULL)", name="one_object"),
        CheckConstraint("(user_id IS NULL) <> (team_id IS NULL)", name="one_subject"),
        Index("uq_access_grant_space_user", "space_id", "user_id", unique=True),
        Index("uq_access_grant_space_team", "space_id", "team_id", unique=True),
        Index("uq_access_grant_collection_user", "collection_id", "user_id", unique=True),
        Index("uq_access_grant_collection_team", "collection_id", "team_id", unique=True),
        Index("ix_access_grant_user", "user_id"),
        Index("ix_access_grant_team", "team_id"),
    )
