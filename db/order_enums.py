"""By what the lists of GraphQL are sorted: one enumeration for each kind of list."""

from db.enums import Described


class OrganizationOrderField(Described):
    """By what a list of organizations is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    TITLE = "title", "By its title; capitals do not matter."


class CollectionOrderField(Described):
    """By what a list of collections is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    TITLE = "title", "By its title; capitals do not matter."


class SpaceOrderField(Described):
    """By what a list of spaces is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    UPDATED_AT = "updatedAt", "By the time of its last change."
    TITLE = "title", "By its title; capitals do not matter."


class SiteOrderField(Described):
    """By what a list of sites is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    TITLE = "title", "By its title; capitals do not matter."


class MemberOrderField(Described):
    """By what a list of members is sorted."""

    NAME = "name", "By the person's name; capitals do not matter."
    JOINED_AT = "joinedAt", "By when they joined."
    LAST_SEEN_AT = (
        "lastSeenAt",
        "By when they were last seen; who was never seen stands where they joined.",
    )
    ROLE = "role", "By the role: guests, `READ`, `COMMENT`, `EDIT`, `REVIEW`, `CREATE`, `ADMIN`."


class TeamOrderField(Described):
    """By what a list of teams is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    TITLE = "title", "By its title; capitals do not matter."


class TeamMemberOrderField(Described):
    """By what a list of the members of a team is sorted."""

    NAME = "name", "By the person's name; capitals do not matter."


class ChangeRequestOrderField(Described):
    """By what a list of change requests is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    UPDATED_AT = "updatedAt", "By the time of its last change."
    NUMBER = "number", "By its number in its space."
    SUBJECT = "subject", "By its subject; capitals do not matter, and an empty one comes first."


class CommentOrderField(Described):
    """By what a list of comments is sorted."""

    POSTED_AT = "postedAt", "By when it was posted."
    EDITED_AT = (
        "editedAt",
        "By its last edit; one that was never edited stands where it was posted.",
    )


class SiteRedirectOrderField(Described):
    """By what a list of redirects of a site is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    UPDATED_AT = "updatedAt", "By the time of its last change."
    SOURCE = "source", "By the path it leads from; capitals do not matter."


class ShareLinkOrderField(Described):
    """By what a list of share links is sorted."""

    CREATED_AT = "createdAt", "By the time it was made."
    NAME = "name", "By its name; capitals do not matter."


class PageOrderField(Described):
    """By what the list of all pages is sorted."""

    CREATED_AT = (
        "createdAt",
        "By the time it was made; pages without that time count as the oldest.",
    )
    UPDATED_AT = (
        "updatedAt",
        "By the time of its last edit; pages without that time count as the oldest.",
    )
    TITLE = "title", "By its title; capitals do not matter."
    PATH = "path", "By its path, segment by segment; capitals do not matter."


class FileOrderField(Described):
    """By what a list of files is sorted."""

    NAME = "name", "By its name; capitals do not matter."
    SIZE = "size", "By its size in bytes."


class ReusableContentOrderField(Described):
    """By what a list of reusable contents is sorted."""

    TITLE = "title", "By its title; capitals do not matter."


class AuditOrderField(Described):
    """By what the audit log is sorted."""

    AT = "at", "By the time of the act."
