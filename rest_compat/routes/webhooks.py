"""Webhooks: additions to the published contract."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import operations as organizations
from resolvers.sites import operations as sites
from resolvers.spaces import operations as spaces
from resolvers.webhooks import operations as webhooks
from resolvers.webhooks.operations import DeliveryArguments
from rest_compat.shapes.webhooks import DELIVERY, SECRET, WEBHOOK
from rest_compat.table import delete, get, page, patch, post

TAG = "webhooks"
ALL = "/orgs/{organizationId}/webhooks"
ONE = f"{ALL}/{{webhookId}}"
DELIVERIES = f"{ONE}/deliveries"
DELIVERED = f"{DELIVERIES}/{{webhookDeliveryId}}"

ROUTES = (
    page(ALL, "listWebhooks", TAG, organizations.get_organization,
         webhooks.webhooks_of_organizations, PageArguments, WEBHOOK),
    page("/spaces/{spaceId}/webhooks", "listSpaceWebhooks", TAG, spaces.get_space,
         webhooks.webhooks_of_spaces, PageArguments, WEBHOOK),
    page("/orgs/{organizationId}/sites/{siteId}/webhooks", "listSiteWebhooks", TAG, sites.get_site,
         webhooks.webhooks_of_sites, PageArguments, WEBHOOK),
    post(ALL, "createWebhook", TAG, webhooks.create_webhook, SECRET, status=201),
    get(ONE, "getWebhook", TAG, webhooks.get_webhook, WEBHOOK),
    patch(ONE, "updateWebhook", TAG, webhooks.update_webhook, WEBHOOK),
    delete(ONE, "deleteWebhook", TAG, webhooks.delete_webhook),
    post(f"{ONE}/rotate-secret", "rotateWebhookSecret", TAG, webhooks.rotate_webhook_secret,
         SECRET),
    post(f"{ONE}/test", "sendWebhookTest", TAG, webhooks.send_webhook_test, DELIVERY),
    page(DELIVERIES, "listWebhookDeliveries", TAG, webhooks.get_webhook,
         webhooks.deliveries_of_webhooks, DeliveryArguments, DELIVERY),
    get(DELIVERED, "getWebhookDelivery", TAG, webhooks.get_webhook_delivery, DELIVERY),
    post(f"{DELIVERED}/redeliver", "redeliverWebhookDelivery", TAG,
         webhooks.redeliver_webhook_delivery, DELIVERY),
)  # fmt: skip
