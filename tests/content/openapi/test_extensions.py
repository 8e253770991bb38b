"""Every extension that readers of a specification see the effect of, one by one (docs/
openapi-specifications.md)."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from content.html.document import render_document
from content.html.openapi_requests import takes_requests
from content.html.rendering import Options
from content.openapi.extracts import operation_of
from content.openapi.outline import outline_of

DOCS = Path(__file__).parents[3] / "docs" / "openapi-specifications.md"
PLAIN: dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.example"}],
    "tags": [{"name": "pets"}, {"name": "owners"}],
    "security": [{"token": []}],
    "paths": {
        "/pets": {"get": {
            "tags": ["pets"], "parameters": [{"name": "size", "in": "query", "schema": {
                "type": "string", "enum": ["s", "m"]}}],
            "responses": {"200": {"description": "All of them"}}}},
        "/owners": {"get": {"tags": ["owners"], "responses": {"200": {"description": "ok"}}}},
    },
    "components": {"securitySchemes": {"token": {
        "type": "apiKey", "in": "header", "name": "X-Key"}}},
}  # fmt: skip


def changed(place: str, **members: Any) -> dict[str, Any]:
    """The specification with members at a place, whose parts stand between bars."""
    root = copy.deepcopy(PLAIN)
    at: Any = root
    for part in filter(None, place.split("|")):
        at = at[int(part)] if isinstance(at, list) else at[part]
    at.update(members)
    return root


def html_of(root: dict[str, Any], requests: str = "/requests?page=p") -> str:
    data = {"ref": {"kind": "openapi", "spec": "pets"}, "path": "/pets", "method": "get",
            "shown": operation_of(root, "/pets", "get")}  # fmt: skip
    node = {"object": "block", "type": "openapi-operation", "data": data}
    options = Options(requests=requests)
    return str(render_document({"object": "document", "nodes": [node]}, options).html)


def tags_of(root: dict[str, Any]) -> list[Any]:
    """The pages of tags: title, description, icon, those below."""

    def shown(pages: Any) -> list[Any]:
        return [[page.title, page.lead, page.icon, shown(page.children)] for page in pages]

    return shown(outline_of(root).top)


OPERATION = "paths|/pets|get"
PETS, OWNERS = ["pets", "", "", []], ["owners", "", "", []]


@pytest.mark.parametrize(
    ("place", "members", "pages"),
    [
        ("", {}, [PETS, OWNERS]),
        ("tags|0", {"x-page-title": "All pets"}, [["All pets", "", "", []], OWNERS]),
        ("tags|0", {"x-displayName": "All pets"}, [["All pets", "", "", []], OWNERS]),
        ("tags|0", {"x-page-title": "A", "x-displayName": "B"}, [["A", "", "", []], OWNERS]),
        ("tags|0", {"x-page-description": "Said"}, [["pets", "Said", "", []], OWNERS]),
        ("tags|0", {"x-page-icon": "paw"}, [["pets", "", "paw", []], OWNERS]),
        ("tags|1", {"parent": "pets"}, [["pets", "", "", [OWNERS]]]),
        ("tags|1", {"x-parent": "pets"}, [["pets", "", "", [OWNERS]]]),
        ("tags|0", {"x-internal": True}, [OWNERS]),
        ("tags|0", {"x-gitbook-ignore": True}, [OWNERS]),
        (OPERATION, {"x-internal": True}, [OWNERS]),
        (OPERATION, {"x-gitbook-ignore": True}, [OWNERS]),
    ],
)
def test_pages_of_tags(place: str, members: dict[str, Any], pages: list[Any]) -> None:
    assert tags_of(changed(place, **members)) == pages


SIZE = f"{OPERATION}|parameters|0"
SCHEME = "components|securitySchemes|token"


@pytest.mark.parametrize(
    ("place", "members", "there", "gone"),
    [
        ("", {}, ["curl", "X-Key: YOUR", "openapi-request", "size"], ["Deprecated", "beta"]),
        (OPERATION, {"x-codeSamples": [{"lang": "Go", "label": "Ours", "source": "pets.All()"}]},
         ["Ours", "pets.All()"], ["curl"]),
        (OPERATION, {"x-codeSamples": False}, [], ["curl", "fetch("]),
        ("", {"x-codeSamples": False}, [], ["curl", "fetch("]),
        (f"{SIZE}|schema", {"x-enumDescriptions": {"s": "Small ones"}}, ["Small ones"], []),
        (SIZE, {"x-internal": True}, ["curl"], ["size"]),
        (SIZE, {"x-gitbook-ignore": True}, ["curl"], ["size"]),
        *((OPERATION, {"x-stability": stage}, [stage], []) for stage in (
            "experimental", "alpha", "beta")),
        (OPERATION, {"deprecated": True}, ["Deprecated"], ["until"]),
        (OPERATION, {"deprecated": True, "x-deprecated-sunset": "2030-01-31"},
         ["Deprecated until 2030-01-31"], []),
        (OPERATION, {"x-expandAllResponses": True}, ['openapi-response" open>'], []),
        ("", {"x-expandAllResponses": True}, ['openapi-response" open>'], []),
        (OPERATION, {"x-hideTryItPanel": True}, ["curl"], ["openapi-request"]),
        ("", {"x-hideTryItPanel": True}, ["curl"], ["openapi-request"]),
        # Requests go through nobody, whatever a specification wishes.
        ("", {"x-enable-proxy": True}, ["openapi-request"], []),
        (SCHEME, {"x-gitbook-token-placeholder": "pk_live"}, ["X-Key: pk_live"], []),
        (SCHEME, {"x-gitbook-prefix": "Key", "x-gitbook-token-placeholder": "pk_live"},
         ["X-Key: Key pk_live"], []),
    ],
)  # fmt: skip
def test_operations(place: str, members: dict[str, Any], there: list[str], gone: list[str]) -> None:
    html = html_of(changed(place, **members))
    text = re.sub("<span[^>]*>|</span>", "", html)
    for part in there:
        assert part in text, (part, text)
    for part in gone:
        assert part not in text, (part, text)


def test_an_operation_comes_before_its_specification() -> None:
    root = changed("", **{"x-hideTryItPanel": True})
    root["paths"]["/pets"]["get"]["x-hideTryItPanel"] = False
    extract = operation_of(root, "/pets", "get")
    assert extract is not None
    assert takes_requests(extract)


def test_each_extension_of_the_docs_is_tried() -> None:
    table = DOCS.read_text().partition("| Extension | What it does |")[2].partition("\n\n")[0]
    names = set(re.findall(r"`(x-[A-Za-z-]+|parent|deprecated)`", table.replace("| tag", "")))
    tried = Path(__file__).read_text()
    assert len(names) >= 16
    assert [name for name in sorted(names) if f'"{name}"' not in tried] == []
