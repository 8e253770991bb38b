"""What the values of the enumerations mean that lists are sorted by."""

from collections.abc import Mapping

from resolvers.core.enumeration_values_of_sites import Table

_CREATED_AT = {"CREATED_AT": "By the time it was made."}
_UPDATED_AT = {"UPDATED_AT": "By the time of its last change."}
_TITLE = {"TITLE": "By its title; capitals do not matter."}
_NAME = {"NAME": "By its name; capitals do not matter."}

ORDER_TABLES: Mapping[str, Table] = {
    "OrganizationOrderField": {**_CREATED_AT, **_TITLE},
    "CollectionOrderField": {**_CREATED_AT, **_TITLE},
    "SpaceOrderField": {**_CREATED_AT, **_UPDATED_AT, **_TITLE},
    "SiteOrderField": {**_CREATED_AT, **_TITLE},
    "MemberOrderField": {
        "NAME": "By the person's name; capitals do not matter.",
        "JOINED_AT": "By when they joined.",
        "LAST_SEEN_AT": "By when they were last seen; who was never seen stands where they joined.",
        "ROLE": "By the role: guests, `READ`, `COMMENT`, `EDIT`, `REVIEW`, `CREATE`, `ADMIN`.",
    },
    "ChangeRequestOrderField": {
        **_CREATED_AT,
        **_UPDATED_AT,
        "NUMBER": "By its number in its space.",
        "SUBJECT": "By its subject; capitals do not matter, and an empty one comes first.",
    },
    "CommentOrderField": {
        "POSTED_AT": "By when it was posted.",
        "EDITED_AT": "By its last edit; one that was never edited stands where it was posted.",
    },
    "SiteRedirectOrderField": {
        **_CREATED_AT,
        **_UPDATED_AT,
        "SOURCE": "By the path it leads from; capitals do not matter.",
    },
    "ShareLinkOrderField": {**_CREATED_AT, **_NAME},
    "PageOrderField": {
        "CREATED_AT": "By the time it was made; pages without that time count as the oldest.",
        "UPDATED_AT": "By the time of its last edit; pages without that time count as the oldest.",
        **_TITLE,
        "PATH": "By its path, segment by segment; capitals do not matter.",
    },
    "FileOrderField": {**_NAME, "SIZE": "By its size in bytes."},
    "ReusableContentOrderField": _TITLE,
}
