"""What addresses lead to."""

from resolvers.published import embeds, url_content
from rest_compat.shapes.published.url_content import CONTENT_AT_URL, EMBED
from rest_compat.table import get

TAG = "urls"
NEEDS = {"query_names": {"url": "url"}}

ROUTES = (
    get("/urls/content", "getContentByUrl", TAG, url_content.get_content_by_url, CONTENT_AT_URL,
        **NEEDS),
    get("/urls/embed", "getEmbedByUrl", TAG, embeds.get_embed, EMBED, **NEEDS),
    get("/spaces/{spaceId}/embed", "getEmbedByUrlInSpace", "space-embeds", embeds.get_space_embed,
        EMBED, **NEEDS),
)  # fmt: skip
