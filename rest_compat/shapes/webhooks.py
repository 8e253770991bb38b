"""Webhooks in /v1."""

from rest_compat.shape import named_shape, nested, reference, shape
from schema.types import webhooks

WEBHOOK = shape(
    webhooks.Webhook,
    "id url description types? enabled stop? failingSince? nextAttemptAt? position "
    "oldSecretUntil? createdAt updatedAt",
    {"object": "webhook"},
    organization=reference(),
    space=reference(optional=True),
    site=reference(optional=True),
    owner=reference(optional=True),
)
SECRET = named_shape(
    "WebhookSecret",
    webhooks.WebhookSecretPayload,
    "secret",
    {"object": "webhook-secret"},
    webhook=nested(WEBHOOK),
)
DELIVERY = shape(
    webhooks.WebhookDelivery,
    "id messageId type body state attemptCount createdAt finishedAt?",
    {"object": "webhook-delivery"},
    attempts=nested(
        shape(webhooks.WebhookAttempt, "at milliseconds requestHeaders status? answer? error?")
    ),
    webhook=reference(),
)
