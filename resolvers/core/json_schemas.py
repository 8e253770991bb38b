"""Sentences of descriptions about the JSON Schema of documents and its definitions."""

from content.documents.nodes import SCHEMA_VERSION

_ADDRESS = f"/schemas/document/{SCHEMA_VERSION}"
DOCUMENT_SCHEMA = f"GET {_ADDRESS}.json is its JSON Schema, {_ADDRESS}.d.ts its TypeScript types."
BLOCKS_SCHEMA = f"`Block` in GET {_ADDRESS}.json is the JSON Schema of each."
NODES_SCHEMA = f"GET {_ADDRESS}.json is the JSON Schema of nodes."
REFERENCE_SCHEMA = f"`ContentReference` in GET {_ADDRESS}.json is its JSON Schema."
