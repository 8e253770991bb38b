"""By what the lists of GraphQL are sorted: one enumeration for each kind of list."""

import enum


class OrganizationOrderField(enum.Enum):
    """By what a list of organizations is sorted."""

    CREATED_AT = "createdAt"
    TITLE = "title"


class CollectionOrderField(enum.Enum):
    """By what a list of collections is sorted."""

    CREATED_AT = "createdAt"
    TITLE = "title"


class SpaceOrderField(enum.Enum):
    """By what a list of spaces is sorted."""

    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    TITLE = "title"


class SiteOrderField(enum.Enum):
    """By what a list of sites is sorted."""

    CREATED_AT = "createdAt"
    TITLE = "title"


class MemberOrderField(enum.Enum):
    """By what a list of members is sorted."""

    NAME = "name"
    JOINED_AT = "joinedAt"
    LAST_SEEN_AT = "lastSeenAt"
    ROLE = "role"


class ChangeRequestOrderField(enum.Enum):
    """By what a list of change requests is sorted."""

    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    NUMBER = "number"
    SUBJECT = "subject"


class CommentOrderField(enum.Enum):
    """By what a list of comments is sorted."""

    POSTED_AT = "postedAt"
    EDITED_AT = "editedAt"


class SiteRedirectOrderField(enum.Enum):
    """By what a list of redirects of a site is sorted."""

    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    SOURCE = "source"


class ShareLinkOrderField(enum.Enum):
    """By what a list of share links is sorted."""

    CREATED_AT = "createdAt"
    NAME = "name"


class PageOrderField(enum.Enum):
    """By what the list of all pages is sorted."""

    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    TITLE = "title"
    PATH = "path"


class FileOrderField(enum.Enum):
    """By what a list of files is sorted."""

    NAME = "name"
    SIZE = "size"


class ReusableContentOrderField(enum.Enum):
    """By what a list of reusable contents is sorted."""

    TITLE = "title"
