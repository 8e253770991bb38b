"""Share links in /v1."""

from rest_compat.shape import nested, shape
from schema.types.sites import share_links

SHARE_LINK = shape(
    "ShareLink",
    share_links.ShareLink,
    "id name active createdAt",
    {"object": "share-link"},
    urls=nested(shape("ShareLinkUrls", share_links.ShareLinkUrls, "published?")),
)
