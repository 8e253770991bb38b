"""Closed sets of values about content, change requests and comments, as in `db/enums.py`."""

import enum

from db.enums import Described


class ContentKind(Described):
    """What stands beside each other in a collection."""

    SPACE = "space", "A space."
    COLLECTION = "collection", "A collection."


class SearchAudience(enum.Enum):
    """Whose searches find what stands in the index."""

    EVERYONE = "everyone"
    MEMBERS = "members"
    VISITORS = "visitors"


class ChangeRequestStatus(Described):
    """Where a change request stands in its life."""

    DRAFT = "draft", "Its author still works on it."
    OPEN = "open", "It waits for reviews, or to be merged."
    ARCHIVED = "archived", "It was put aside."
    MERGED = "merged", "It was merged."


class ImportContentSource(Described):
    """What an import reads: how pages were written, or the service that exported them."""

    WEBSITE = "website", "Pages of a website."
    DOCX = "docx", "A Word document."
    MARKDOWN = "markdown", "Markdown."
    HTML = "html", "HTML."
    ZIP = "zip", "An archive of files."
    CONFLUENCE = "confluence", "An export of Confluence."
    GITHUB_WIKI = "github-wiki", "A wiki of GitHub."
    NOTION = "notion", "An export of Notion."
    GOOGLE_DOCS = "google-docs", "A document of Google Docs."


class ImportMode(Described):
    """What an import does where the same source was imported before: add everything again, or
    update what is there."""

    APPEND = "append", "What is imported is added."
    UPDATE = "update", "What an earlier import of the same source made is updated."


class ImportLeftOutKind(Described):
    """What an import has left out."""

    PAGE = "page", "A page."
    FILE = "file", "A file."


class ReviewStatus(Described):
    """What a reviewer thinks of a change request."""

    APPROVED = "approved", "It can be merged as it is."
    CHANGES_REQUESTED = "changes-requested", "It has to be changed first."


class ContributionAction(Described):
    """What somebody did in a change request."""

    EDIT = "edit", "Edited content."
    COMMENT = "comment", "Wrote comments or replies."


class MergeResult(Described):
    """How a merge ended."""

    MERGE = "merge", "It was merged."
    CONFLICTS = "conflicts", "Both sides had changed the same thing."


class UpdateResult(Described):
    """How pulling the space's content into a change request ended."""

    UPDATE = "update", "It has the content of the space now."
    CONFLICTS = "conflicts", "Both sides had changed the same thing."


class ConflictKind(Described):
    """What a change request and its space both changed."""

    PAGE_DELETED_EDITED = (
        "page_deleted_edited",
        "One side has deleted a page that the other has edited.",
    )
    PAGE_MOVED_TWICE = "page_moved_twice", "Both have moved a page, to different places."
    PAGE_CYCLE = "page_cycle", "Moves of both put pages below each other."
    FIELD = "field", "A field of a page, such as its title."
    BLOCK = "block", "A block of a body."
    CELL = "cell", "A cell, row or column of a table."
    FILE = "file", "A file."
    REUSABLE_CONTENT = "reusable_content", "A reusable content as a whole."
    VARIABLE = "variable", "A variable of the space."


class ConflictResolution(Described):
    """How a conflict was settled."""

    OURS = "ours", "With what the change request has."
    THEIRS = "theirs", "With what the space has."
    BOTH = "both", "With both, one after the other."
    CUSTOM = "custom", "With something else."


class CommentStatus(Described):
    """Whether the discussion is still open."""

    OPEN = "open", "The discussion is open."
    RESOLVED = "resolved", "The discussion was closed."


class CommentStatusFilter(Described):
    """Which comments to list."""

    ALL = "all", "All comments."
    OPEN = "open", "Those whose discussion is open."
    RESOLVED = "resolved", "Those whose discussion was closed."


class ContentFormat(enum.Enum):
    """How rich text is written in an answer."""

    DOCUMENT = "document"
    MARKDOWN = "markdown"


class Evaluated(Described):
    """Whether expressions in a body are worked out."""

    TRUE = "true", "All expressions are worked out."
    FALSE = "false", "No expression is worked out."
    DETERMINISTIC_ONLY = (
        "deterministic-only",
        "Only expressions that give the same for every visitor.",
    )
    VALUES_ONLY = (
        "values-only",
        "Only expressions that depend on variables only; conditional blocks stay, "
        "with all in them.",
    )


class ContentChangeType(Described):
    """What happened to a page, a file, the variables or a reusable content."""

    PAGE_CREATED = "page_created", "A page was made."
    PAGE_EDITED = "page_edited", "A page was edited."
    PAGE_DELETED = "page_deleted", "A page was deleted."
    PAGE_MOVED = "page_moved", "A page was moved below another one."
    FILE_CREATED = "file_created", "A file was made."
    FILE_EDITED = "file_edited", "A file was replaced or renamed."
    FILE_DELETED = "file_deleted", "A file was deleted."
    VARIABLES_EDITED = "variables_edited", "The variables of the space were changed."
    REUSABLE_CONTENT_CREATED = "reusable_content_created", "A reusable content was made."
    REUSABLE_CONTENT_EDITED = "reusable_content_edited", "A reusable content was edited."
    REUSABLE_CONTENT_DELETED = "reusable_content_deleted", "A reusable content was deleted."


class RedirectChangeType(Described):
    """What happened to a redirect of content."""

    REDIRECT_CREATED = "redirect_created", "It was set."
    REDIRECT_EDITED = "redirect_edited", "It leads elsewhere."
    REDIRECT_DELETED = "redirect_deleted", "It was removed."


class DocumentSchema(enum.Enum):
    """Which version of the shape of documents is wanted; both are the same in this one."""

    CURRENT = "current"
    NEXT = "next"


class RevisionType(Described):
    """What made a revision."""

    EDITS = "edits", "Edits, or an import."
    MERGE = "merge", "The merge of a change request."
    ROLLBACK = "rollback", "Going back to an earlier revision."
    UPDATE = "update", "Pulling the content of the space into a change request."
    COMPUTED = "computed", "A source of computed content."


class PageType(Described):
    """Kind of page."""

    DOCUMENT = "document", "A page with a body."
    GROUP = "group", "A heading in the table of contents with pages below it."
    LINK = "link", "An entry of the table of contents that leads elsewhere."
    COMPUTED = "computed", "A place that a source fills with pages."


class NewPageType(Described):
    """Kind of a page that people make."""

    DOCUMENT = "document", "A page with a body."
    GROUP = "group", "A heading in the table of contents with pages below it."
    LINK = "link", "An entry of the table of contents that leads elsewhere."


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


class PageOutcome(Described):
    """What a write made of a page."""

    CREATED = "created", "It was made."
    UPDATED = "updated", "It was changed."
    DELETED = "deleted", "It was deleted."


class PageWidth(Described):
    """How wide a page is shown."""

    DEFAULT = "default", "As wide as is good to read."
    WIDE = "wide", "As wide as the window."


class CoverMask(Described):
    """How the edge of a page's cover fades."""

    NONE = "none", "The whole picture."
    RADIAL = "radial", "The picture fades to its edges."


class CoverSize(Described):
    """How large the cover of a page is shown."""

    HERO = "hero", "As wide as the body."
    FULL = "full", "As wide as the window."


class LinkStatus(Described):
    """Whether what a link leads to is there."""

    OK = "ok", "The target is there."
    BROKEN = "broken", "The target is not there, or not for the caller."
    IN_APP = "in-app", "The target is an address of this application."


class LinkRelation(Described):
    """Why content refers to something: to lead there, or because it is made of it."""

    REFERENCE = "reference", "Content leads there."
    DEPENDS_ON = "dependsOn", "Content is made of it."


class BrokenContext(Described):
    """Where a link of a change request broke: in the request, or in the space before it."""

    CHANGE_REQUEST = "change-request", "The change request has broken it."
    SPACE = "space", "It was broken before."
