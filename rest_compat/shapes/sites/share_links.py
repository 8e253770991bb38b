"""Share links in /v1."""

from rest_compat.shape import shape
from schema.types.sites import share_links

SHARE_LINK = shape(
    share_links.ShareLink,
    "id name active createdAt",
    {"object": "share-link"},
    urls=shape(share_links.ShareLinkUrls, "published?"),
)
