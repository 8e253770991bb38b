"""Enumerations of notifications."""

from db.enums import Described


class NotificationKind(Described):
    """Why somebody is notified."""

    REVIEW_REQUESTED = "review_requested", "You were asked for a review."
    MENTIONED = "mentioned", "Somebody has mentioned you."
    REPLIED = "replied", "Somebody has answered a comment of yours, or one that you have answered."
    REVIEWED = "reviewed", "Somebody has reviewed your change request, or one that you follow."
    COMMENTED = (
        "commented", "Somebody has commented on your change request, or on what you follow.",
    )  # fmt: skip
    MERGED = "merged", "Your change request, or one that you follow, was merged."
    ARCHIVED = "archived", "Your change request, or one that you follow, was archived."
    CONFLICTED = "conflicted", "Your change request has conflicts."
    OPENED = (
        "opened",
        "A change request was opened that nobody was asked to review, or that you follow.",
    )
    CONTENT_UPDATED = "content_updated", "The content of a space that you follow was changed."


class NotificationLevel(Described):
    """What of a space somebody is notified of."""

    ALL = "all", "Of everything that happens to its content, change requests and comments."
    PARTICIPATING = (
        "participating",
        "Of what concerns you: your change requests and comments, reviews that you are asked for, "
        "and where you are mentioned.",
    )
    NONE = "none", "Of nothing, mentions included."


class DigestFrequency(Described):
    """How soon unread notifications are sent by mail."""

    OFF = "off", "They are not sent."
    IMMEDIATE = "immediate", "Five minutes after the first one, all that have come since."
    DAILY = "daily", "A day after the first one, all that have come since."
    WEEKLY = "weekly", "A week after the first one, all that have come since."
