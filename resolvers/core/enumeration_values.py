"""What the values of the domain's enumerations mean, as GraphQL tells it: one table for each.

A value whose meaning follows from its name alone, such as a language or a font, is described by
the pattern of its enumeration.
"""

import enum
from collections.abc import Callable, Mapping

from resolvers.core.enumeration_values_of_orders import ORDER_TABLES
from resolvers.core.enumeration_values_of_sites import DIRECTIONS, SITE_TABLES, Table

ROLES: Table = {
    "READ": "Read it.",
    "COMMENT": "Read it, and write comments.",
    "EDIT": "Write comments, and edit content.",
    "REVIEW": "Edit content, review and merge change requests.",
    "CREATE": "Review, and make, change and delete spaces, collections and sites.",
    "ADMIN": "Everything, also settings and members of the organization.",
}
CONFLICTS: Table = {"CONFLICTS": "Both sides had changed the same thing."}

TABLES: Mapping[str, Table] = {
    **ORDER_TABLES,
    **SITE_TABLES,
    "PageType": {
        "DOCUMENT": "A page with a body.",
        "GROUP": "A heading in the table of contents with pages below it.",
        "LINK": "An entry of the table of contents that leads elsewhere.",
        "COMPUTED": "A place that a source fills with pages.",
    },
    "NewPageType": {
        "DOCUMENT": "A page with a body.",
        "GROUP": "A heading in the table of contents with pages below it.",
        "LINK": "An entry of the table of contents that leads elsewhere.",
    },
    "LinkStatus": {
        "OK": "The target is there.",
        "BROKEN": "The target is not there, or not for the caller.",
        "IN_APP": "The target is an address of this application.",
    },
    "LinkRelation": {
        "REFERENCE": "Content leads there.",
        "DEPENDS_ON": "Content is made of it.",
    },
    "Evaluated": {
        "TRUE": "All expressions are worked out.",
        "FALSE": "No expression is worked out.",
        "DETERMINISTIC_ONLY": "Only expressions that give the same for every visitor.",
    },
    "ContentChangeType": {
        "PAGE_CREATED": "A page was made.",
        "PAGE_EDITED": "A page was edited.",
        "PAGE_DELETED": "A page was deleted.",
        "PAGE_MOVED": "A page was moved below another one.",
        "FILE_CREATED": "A file was made.",
        "FILE_EDITED": "A file was replaced or renamed.",
        "FILE_DELETED": "A file was deleted.",
        "VARIABLES_EDITED": "The variables of the space were changed.",
        "REUSABLE_CONTENT_CREATED": "A reusable content was made.",
        "REUSABLE_CONTENT_EDITED": "A reusable content was edited.",
        "REUSABLE_CONTENT_DELETED": "A reusable content was deleted.",
    },
    "OrganizationType": {"BUSINESS": "A business.", "COMMUNITY": "A community."},
    "OrganizationUseCase": {
        "INTERNAL_DOCS": "Documentation for its own people.",
        "DOCS_SITE": "A documentation site.",
        "AUDIENCE_CONTROLLED_SITE": "A site for a chosen audience.",
        "PRODUCT_DOCS": "Documentation of a product.",
        "TEAM_KNOWLEDGE_BASE": "What a team knows.",
        "DESIGN_SYSTEM": "A design system.",
        "OPEN_SOURCE_DOCS": "Documentation of open-source software.",
        "NOTES": "Notes.",
        "OTHER": "Something else.",
    },
    "CommunityType": {
        "NON_PROFIT": "Without profit.",
        "OPEN_SOURCE": "Open-source software.",
        "EDUCATION": "Schools and universities.",
    },
    "Role": ROLES,
    "MemberRoleFilter": {**ROLES, "GUEST": "Guests, who have no role."},
    "DefaultLevel": {**ROLES, "INHERIT": "The role that the parent gives."},
    "SortOrder": DIRECTIONS,
    "MemberSort": {
        "JOINED_AT": "By when they joined.",
        "LAST_SEEN_AT": "By when they were last seen, or joined where they never were.",
    },
    "Visibility": {
        "PUBLIC": "Everybody.",
        "UNLISTED": "Everybody who has the address; search engines are asked not to list it.",
        "SHARE_LINK": "Whoever has a share link.",
        "VISITOR_AUTH": "Visitors who have signed in.",
        "IN_COLLECTION": "Those who can see the collection that it is in.",
        "PRIVATE": "Members with access only.",
    },
    "SiteVisibility": {
        "PUBLIC": "Everybody.",
        "UNLISTED": "Everybody who has the address; search engines are asked not to list it.",
        "SHARE_LINK": "Whoever has a share link.",
        "VISITOR_AUTH": "Visitors who have signed in.",
    },
    "SitePreviews": {
        "ANYBODY": "Whoever has the address of a draft.",
        "MEMBERS": "Members who make an address for it.",
        "NOBODY": "Nobody.",
    },
    "EditMode": {
        "LIVE": "The primary content is edited directly, or in change requests.",
        "LOCKED": "The primary content is edited in change requests only.",
    },
    "RevisionType": {
        "EDITS": "Edits, or an import.",
        "MERGE": "The merge of a change request.",
        "ROLLBACK": "Going back to an earlier revision.",
        "UPDATE": "Pulling the content of the space into a change request.",
        "COMPUTED": "A source of computed content.",
    },
    "ChangeRequestStatus": {
        "DRAFT": "Its author still works on it.",
        "OPEN": "It waits for reviews, or to be merged.",
        "ARCHIVED": "It was put aside.",
        "MERGED": "It was merged.",
    },
    "CommentStatus": {
        "OPEN": "The discussion is open.",
        "RESOLVED": "The discussion was closed.",
    },
    "CommentStatusFilter": {
        "ALL": "All comments.",
        "OPEN": "Those whose discussion is open.",
        "RESOLVED": "Those whose discussion was closed.",
    },
    "ReviewStatus": {
        "APPROVED": "It can be merged as it is.",
        "CHANGES_REQUESTED": "It has to be changed first.",
    },
    "ContributionAction": {"EDIT": "Edited content.", "COMMENT": "Wrote comments or replies."},
    "ConflictKind": {
        "PAGE_DELETED_EDITED": "One side has deleted a page that the other has edited.",
        "PAGE_MOVED_TWICE": "Both have moved a page, to different places.",
        "PAGE_CYCLE": "Moves of both put pages below each other.",
        "FIELD": "A field of a page, such as its title.",
        "BLOCK": "A block of a body.",
        "CELL": "A cell, row or column of a table.",
        "FILE": "A file.",
        "REUSABLE_CONTENT": "A reusable content as a whole.",
        "VARIABLE": "A variable of the space.",
    },
    "ConflictResolution": {
        "OURS": "With what the change request has.",
        "THEIRS": "With what the space has.",
        "BOTH": "With both, one after the other.",
        "CUSTOM": "With something else.",
    },
    "BrokenContext": {
        "CHANGE_REQUEST": "The change request has broken it.",
        "SPACE": "It was broken before.",
    },
    "UpdateResult": {"UPDATE": "It has the content of the space now.", **CONFLICTS},
    "MergeResult": {"MERGE": "It was merged.", **CONFLICTS},
    "AgentsContext": {
        "EXCLUDED": "Assistants are kept out.",
        "INCLUDED": "Assistants may read it.",
    },
    "PageWidth": {"DEFAULT": "As wide as is good to read.", "WIDE": "As wide as the window."},
    "PageOutcome": {
        "CREATED": "It was made.",
        "UPDATED": "It was changed.",
        "DELETED": "It was deleted.",
    },
    "ImportLeftOutKind": {"PAGE": "A page.", "FILE": "A file."},
    "ImportMode": {
        "APPEND": "What is imported is added.",
        "UPDATE": "What an earlier import of the same source made is updated.",
    },
    "CoverSize": {"HERO": "As wide as the body.", "FULL": "As wide as the window."},
    "ImportContentSource": {
        "WEBSITE": "Pages of a website.",
        "DOCX": "A Word document.",
        "MARKDOWN": "Markdown.",
        "HTML": "HTML.",
        "ZIP": "An archive of files.",
        "CONFLUENCE": "An export of Confluence.",
        "GITHUB_WIKI": "A wiki of GitHub.",
        "NOTION": "An export of Notion.",
        "GOOGLE_DOCS": "A document of Google Docs.",
    },
}  # fmt: skip


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


# Enumerations whose values are names of things: how one is described.
PATTERNS: Mapping[str, Callable[[enum.Enum], str]] = {
    "Language": lambda value: f"The language with the tag `{value.value}` (BCP 47).",
    "CustomizationLocale": lambda value: f"The language with the tag `{value.value}` (BCP 47).",
    "SiteType": lambda value: f"The plan that clients know as `{value.value}`.",
    "SiteFeatureKey": lambda value: f"{_words(value.name.removeprefix('SITES_'))}.",
    "SiteCustomizationFeature": lambda value: f"{_words(value.name)}.",
    "CustomizationCodeTheme": lambda value: f"The colours of `{value.value}`.",
    "SiteSocialAccountPlatform": lambda value: f"An account on {_words(value.name)}.",
    "CustomizationDefaultFont": lambda value: f"The font {_words(value.name).title()}.",
    "CustomizationDefaultMonospaceFont": lambda value: f"The font {_words(value.name).title()}.",
}


def value_descriptions(kind: type[enum.Enum]) -> dict[str, str]:
    """The description of each value of an enumeration, by name, as far as there is one."""
    pattern = PATTERNS.get(kind.__name__)
    if pattern is not None:
        return {one.name: pattern(one) for one in kind}
    return dict(TABLES.get(kind.__name__, {}))
