"""What addresses lead to, in /v1."""

from rest_compat.shape import named_shape, nested, shape
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from rest_compat.shapes.content.pages import page_shape
from rest_compat.shapes.spaces import COLLECTION, SPACE
from schema.types.published import url_content

CONTENT_AT_URL = named_shape(
    "ContentAtURL",
    url_content.ContentAtUrl,
    "",
    collection=nested(COLLECTION, optional=True),
    space=nested(SPACE, optional=True),
    changeRequest=nested(CHANGE_REQUEST, optional=True),
    page=nested(page_shape(None), optional=True),
)
EMBED = shape(url_content.Embed, "type title site icon? html?")
