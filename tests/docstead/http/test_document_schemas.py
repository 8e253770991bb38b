"""The schema of documents at its addresses and from the command line."""

import pytest

from content.documents.schema import json_schema_text, typescript_text
from tests.conftest import Api
from tests.docstead.command_line import docstead

FILES = {
    "/schemas/document/1.json": (json_schema_text(), "application/schema+json"),
    "/schemas/document/1.d.ts": (typescript_text(), "text/plain; charset=utf-8"),
}


@pytest.mark.parametrize("path", FILES)
async def test_schemas_are_served_and_cached(api: Api, path: str) -> None:
    """Without a token; the addresses of other versions are not there."""
    client = api.client
    text, kind = FILES[path]
    answer = await client.get(path)
    assert (answer.status_code, answer.text) == (200, text)
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == "public, max-age=3600"
    head = await client.head(path)
    assert (head.status_code, head.text, head.headers["etag"]) == (200, "", answer.headers["etag"])
    again = await client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.text) == (304, "")
    assert again.headers["etag"] == answer.headers["etag"]
    assert (await client.get(path.replace("/1.", "/2."))).status_code == 404
    assert (await client.post(path)).status_code == 405


def test_schemas_are_printed() -> None:
    assert docstead("document-schema").out == json_schema_text()
    assert docstead("document-schema", "--typescript").out == typescript_text()
