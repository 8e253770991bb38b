"""Collections and spaces in /v1."""

from rest_compat.projector import Reference, shape
from schema.types import spaces

SPACE = shape(
    "Space",
    spaces.Space,
    "id title createdAt updatedAt",
    {"object": "space"},
    organization=Reference(),
)
