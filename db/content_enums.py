"""Closed sets of values about content, change requests and comments, as in `db/enums.py`."""

import enum


class ContentKind(enum.Enum):
    """What stands beside each other in a collection."""

    SPACE = "space"
    COLLECTION = "collection"


class SearchAudience(enum.Enum):
    """Whose searches find what stands in the index."""

    EVERYONE = "everyone"
    MEMBERS = "members"
    VISITORS = "visitors"


class ChangeRequestStatus(enum.Enum):
    """Where a change request stands in its life."""

    DRAFT = "draft"
    OPEN = "open"
    ARCHIVED = "archived"
    MERGED = "merged"


class ImportContentSource(enum.Enum):
    """What an import reads: how pages were written, or the service that exported them."""

    WEBSITE = "website"
    DOCX = "docx"
    MARKDOWN = "markdown"
    HTML = "html"
    ZIP = "zip"
    CONFLUENCE = "confluence"
    GITHUB_WIKI = "github-wiki"
    NOTION = "notion"
    GOOGLE_DOCS = "google-docs"


class ImportMode(enum.Enum):
    """What an import does where the same source was imported before: add everything again, or
    update what is there."""

    APPEND = "append"
    UPDATE = "update"


class ImportLeftOutKind(enum.Enum):
    """What an import has left out."""

    PAGE = "page"
    FILE = "file"


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


class CommentStatus(enum.Enum):
    """Whether the discussion is still open."""

    OPEN = "open"
    RESOLVED = "resolved"


class CommentStatusFilter(enum.Enum):
    """Which comments to list."""

    ALL = "all"
    OPEN = "open"
    RESOLVED = "resolved"


class ContentFormat(enum.Enum):
    """How rich text is written in an answer."""

    DOCUMENT = "document"
    MARKDOWN = "markdown"


class Evaluated(enum.Enum):
    """Whether expressions in a body are worked out."""

    TRUE = "true"
    FALSE = "false"
    DETERMINISTIC_ONLY = "deterministic-only"


class ContentChangeType(enum.Enum):
    """What happened to a page, a file, the variables or a reusable content."""

    PAGE_CREATED = "page_created"
    PAGE_EDITED = "page_edited"
    PAGE_DELETED = "page_deleted"
    PAGE_MOVED = "page_moved"
    FILE_CREATED = "file_created"
    FILE_EDITED = "file_edited"
    FILE_DELETED = "file_deleted"
    VARIABLES_EDITED = "variables_edited"
    REUSABLE_CONTENT_CREATED = "reusable_content_created"
    REUSABLE_CONTENT_EDITED = "reusable_content_edited"
    REUSABLE_CONTENT_DELETED = "reusable_content_deleted"


class RedirectChangeType(enum.Enum):
    """What happened to a redirect of content."""

    REDIRECT_CREATED = "redirect_created"
    REDIRECT_EDITED = "redirect_edited"
    REDIRECT_DELETED = "redirect_deleted"


class DocumentSchema(enum.Enum):
    """Which version of the shape of documents is wanted; both are the same in this one."""

    CURRENT = "current"
    NEXT = "next"


class RevisionType(enum.Enum):
    """What made a revision."""

    EDITS = "edits"
    MERGE = "merge"
    ROLLBACK = "rollback"
    UPDATE = "update"
    COMPUTED = "computed"


class PageType(enum.Enum):
    """Kind of page."""

    DOCUMENT = "document"
    GROUP = "group"
    LINK = "link"
    COMPUTED = "computed"


class NewPageType(enum.Enum):
    """Kind of a page that people make."""

    DOCUMENT = "document"
    GROUP = "group"
    LINK = "link"


class ContentBatchChange(enum.Enum):
    """What one change of a batch in /v1 does."""

    INSERT_PAGE = "insert_page"
    UPDATE_PAGE = "update_page"
    RENAME_PAGE = "rename_page"
    MOVE_PAGE = "move_page"
    DELETE_PAGE = "delete_page"
    REVERT_PAGE = "revert_page"
    INSERT_FILES = "insert_files"
    REPLACE_FILE = "replace_file"
    DELETE_FILE = "delete_file"
    INSERT_REUSABLE_CONTENT = "insert_reusable_content"
    UPDATE_REUSABLE_CONTENT = "update_reusable_content"
    DELETE_REUSABLE_CONTENT = "delete_reusable_content"
    SET_VARIABLES = "set_variables"
    SET_REDIRECT = "set_redirect"
    DELETE_REDIRECT = "delete_redirect"


class PageOutcome(enum.Enum):
    """What a write made of a page."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"


class PageWidth(enum.Enum):
    """How wide a page is shown."""

    DEFAULT = "default"
    WIDE = "wide"


class CoverMask(enum.Enum):
    """How the edge of a page's cover fades."""

    NONE = "none"
    RADIAL = "radial"


class CoverSize(enum.Enum):
    """How large the cover of a page is shown."""

    HERO = "hero"
    FULL = "full"


class LinkStatus(enum.Enum):
    """Whether what a link leads to is there."""

    OK = "ok"
    BROKEN = "broken"
    IN_APP = "in-app"


class LinkRelation(enum.Enum):
    """Why content refers to something: to lead there, or because it is made of it."""

    REFERENCE = "reference"
    DEPENDS_ON = "dependsOn"


class BrokenContext(enum.Enum):
    """Where a link of a change request broke: in the request, or in the space before it."""

    CHANGE_REQUEST = "change-request"
    SPACE = "space"
