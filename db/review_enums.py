"""Enumerations of reviews, merges and conflicts; registered like those of db/enums.py."""

import enum


class ReviewStatus(enum.Enum):
    """What a reviewer thinks of a change request."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes-requested"


class ContributionAction(enum.Enum):
    """What somebody did in a change request."""

    EDIT = "edit"
    COMMENT = "comment"


class MergeResult(enum.Enum):
    """How a merge ended."""

    MERGE = "merge"
    CONFLICTS = "conflicts"


class UpdateResult(enum.Enum):
    """How pulling the space's content into a change request ended."""

    UPDATE = "update"
    CONFLICTS = "conflicts"


class ConflictKind(enum.Enum):
    """What a change request and its space both changed."""

    PAGE_DELETED_EDITED = "page_deleted_edited"
    PAGE_MOVED_TWICE = "page_moved_twice"
    PAGE_CYCLE = "page_cycle"
    FIELD = "field"
    BLOCK = "block"
    CELL = "cell"
    FILE = "file"
    REUSABLE_CONTENT = "reusable_content"
    VARIABLE = "variable"


class ConflictResolution(enum.Enum):
    """How a conflict was settled."""

    OURS = "ours"
    THEIRS = "theirs"
    BOTH = "both"
    CUSTOM = "custom"
