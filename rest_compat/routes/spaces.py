"""Spaces."""

from resolvers import spaces
from rest_compat.shapes.spaces import SPACE
from rest_compat.table import get

ROUTES = (
    get("/spaces/{spaceId}", "getSpaceById", "spaces", spaces.get_space, SPACE, id="spaceId"),
)  # fmt: skip
