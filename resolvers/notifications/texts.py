"""Notifications in words, in lists and in mail."""

from collections.abc import Mapping
from typing import Final

from db.notification_enums import NotificationKind as Kind

# What somebody has done: with a change request, or in a space.
_DONE: Final[Mapping[Kind, str]] = {
    Kind.REVIEW_REQUESTED: "asked you to review",
    Kind.MENTIONED: "mentioned you in",
    Kind.REPLIED: "answered in a discussion of",
    Kind.REVIEWED: "reviewed",
    Kind.COMMENTED: "commented on",
    Kind.MERGED: "merged",
    Kind.ARCHIVED: "archived",
    Kind.CONFLICTED: "found conflicts in",
    Kind.OPENED: "opened",
    Kind.CONTENT_UPDATED: "changed the content of",
}
SOMEBODY = "Somebody"
NO_SUBJECT = "No subject"


def sentence(
    kind: Kind,
    count: int,
    person: str | None,
    space: str,
    change_request: tuple[int, str] | None,
) -> str:
    """One sentence: who has done what, `change_request` by number and subject, and how often."""
    what = space
    if change_request is not None:
        number, subject = change_request
        what = f"#{number} {subject.strip() or NO_SUBJECT}"
    times = f", {count} times" if count > 1 else ""
    return f"{person or SOMEBODY} {_DONE[kind]} {what}{times}"
