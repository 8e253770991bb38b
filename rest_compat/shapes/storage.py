"""Uploads, fonts, instructions and what the server says of itself in /v1."""

from rest_compat.shape import named_shape, nested, shape
from schema.types import storage

UPLOAD = named_shape(
    "StorageUploadURL", storage.StorageUploadUrl, "url key", {"object": "storage-signed-url"}
)
FONT = named_shape(
    "CustomFont",
    storage.CustomFont,
    "id custom fontFamily",
    fontFaces=nested(
        shape(
            storage.CustomFontFace,
            "weight",
            sources=nested(shape(storage.CustomFontSource, "url format")),
        )
    ),
    permissions=shape(storage.CustomFontPermissions, "edit"),
)
INSTRUCTIONS = named_shape(
    "OrganizationAgentInstructions",
    storage.AgentInstructions,
    "instructions updatedAt updatedBy",
    {"object": "agent-instructions"},
    urls=shape(storage.AgentInstructionsUrls, "location"),
)
INFORMATION = shape(storage.ApiInformation, "version build")
