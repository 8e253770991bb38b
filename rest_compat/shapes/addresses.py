"""What addresses lead to, in /v1."""

from rest_compat.shape import nested, shape
from rest_compat.shapes.content import page_shape
from rest_compat.shapes.discussions import CHANGE_REQUEST
from rest_compat.shapes.spaces import COLLECTION, SPACE
from schema.types import addresses

CONTENT_AT_URL = shape(
    "ContentAtURL",
    addresses.ContentAtUrl,
    "",
    collection=nested(COLLECTION, optional=True),
    space=nested(SPACE, optional=True),
    changeRequest=nested(CHANGE_REQUEST, optional=True),
    page=nested(page_shape(None), optional=True),
)
EMBED = shape("Embed", addresses.Embed, "type title site icon? html?")
