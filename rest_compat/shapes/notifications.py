"""Notifications, their settings and tokens of feeds in /v1."""

from rest_compat.shape import named_shape, nested, shape
from schema.types import notifications, organizations, spaces

NOTIFICATION = named_shape(
    "Notification",
    notifications.Notification,
    "id kind count unread createdAt updatedAt readAt? spaceId changeRequestId? commentId? "
    "replyId? actorId?",
    {"object": "notification"},
    text=named_shape("NotificationText", notifications.NotificationText, "title url"),
)
# What marking answers with: how many are unread from then on.
NOTIFICATION_COUNT = shape(
    organizations.User, "unread:unreadNotifications", {"object": "notification-count"}
)
NOTIFICATION_SETTINGS = shape(
    notifications.NotificationSettings, "level digest", {"object": "notification-settings"}
)
SETTINGS_OF_USER = shape(
    organizations.User,
    "id",
    {"object": "user"},
    notifications=nested(NOTIFICATION_SETTINGS, of="notificationSettings"),
)
SPACE_LEVEL = shape(notifications.SpaceNotificationLevel, "spaceId level")
LEVEL_OF_SPACE = shape(spaces.Space, "spaceId:id level:notificationLevel?")
FEED_TOKEN = named_shape(
    "FeedToken",
    notifications.FeedToken,
    "id label spaceId createdAt expiresAt? revokedAt?",
    {"object": "feed-token"},
)
NEW_FEED_TOKEN = shape(
    notifications.CreateFeedTokenPayload, "text url", feedToken=nested(FEED_TOKEN)
)
