"""Notifications, their settings and tokens of feeds: additions to the published contract."""

from resolvers.core.pagination import PageArguments
from resolvers.notifications import feed_tokens, fields, operations as notifications
from resolvers.notifications.fields import NotificationArguments
from resolvers.organizations import users
from rest_compat.shapes.notifications import (
    FEED_TOKEN,
    LEVEL_OF_SPACE,
    NEW_FEED_TOKEN,
    NOTIFICATION,
    NOTIFICATION_COUNT,
    SETTINGS_OF_USER,
    SPACE_LEVEL,
)
from rest_compat.table import get, page, patch, post, put

TAG = "notifications"
LIST = "/user/notifications"
SETTINGS = "/user/notification-settings"
TOKENS = "/user/feed-tokens"

ROUTES = (
    page(LIST, "listNotifications", TAG, users.get_viewer, fields.notifications_of_users,
         NotificationArguments, NOTIFICATION),
    patch(LIST, "markNotificationsRead", TAG, notifications.mark_notifications_read,
          NOTIFICATION_COUNT),
    patch(f"{LIST}/unread", "markNotificationsUnread", TAG,
          notifications.mark_notifications_unread, NOTIFICATION_COUNT),
    get(SETTINGS, "getNotificationSettings", TAG, users.get_viewer, SETTINGS_OF_USER),
    patch(SETTINGS, "updateNotificationSettings", TAG,
          notifications.update_notification_settings, SETTINGS_OF_USER),
    page(f"{SETTINGS}/spaces", "listSpaceNotificationLevels", TAG, users.get_viewer,
         fields.levels_of_users, PageArguments, SPACE_LEVEL),
    put(f"{SETTINGS}/spaces/{{spaceId}}", "setSpaceNotificationLevel", TAG,
        notifications.set_space_notification_level, LEVEL_OF_SPACE),
    page(TOKENS, "listFeedTokens", TAG, users.get_viewer, fields.feed_tokens_of_users,
         PageArguments, FEED_TOKEN),
    post("/spaces/{spaceId}/feed-tokens", "createFeedToken", TAG, feed_tokens.create_feed_token,
         NEW_FEED_TOKEN, status=201),
    post(f"{TOKENS}/{{feedTokenId}}/revoke", "revokeFeedToken", TAG,
         feed_tokens.revoke_feed_token, FEED_TOKEN),
)  # fmt: skip
