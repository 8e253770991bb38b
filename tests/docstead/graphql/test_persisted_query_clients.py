"""The links for persisted queries of Apollo Client and urql, unmodified, against the product."""

import hashlib
import json
from pathlib import Path
from typing import Any

from tests.docstead.test_serve import run, serving
from tests.node_packages import run_node

CLIENTS = ("apolloPost", "apolloGet", "urqlPost", "urqlGet")
Turns = list[dict[str, Any]]


async def turns(base: str, token: str) -> dict[str, Turns]:
    """What each client got for one operation, the first and the second time."""
    printed = await run_node("persisted_queries.js", f"{base}/graphql", token)
    found: dict[str, Turns] = json.loads(printed)
    assert tuple(found) == CLIENTS
    for answers in found.values():
        for answer in answers:
            assert answer["error"] is None
            assert answer["data"]["viewer"]["email"] == "ada@example.com"
    return found


def sent(turn: dict[str, Any]) -> list[tuple[bool, int]]:
    """Of each request whether it had the text of the document, and its status."""
    return [(request["query"] is not None, request["status"]) for request in turn["wire"]]


async def test_links_of_clients(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as (base, _):
        made = run(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(data),
        )  # fmt: skip
        automatic = await turns(base, made["token"])
    # The text goes over the wire once, whatever the method.
    for first, second in automatic.values():
        assert sent(first) == [(False, 404), (True, 200)]
        assert sent(second) == [(False, 200)]
    assert automatic["apolloGet"][1]["wire"][0]["method"] == "GET"
    assert automatic["urqlGet"][1]["wire"][0]["method"] == "GET"
    # With a manifest of the same documents it never does.
    texts = [first["wire"][1]["query"] for first, _ in automatic.values()]
    manifest = {hashlib.sha256(text.encode()).hexdigest(): text for text in texts}
    (tmp_path / "documents.json").write_text(json.dumps(manifest))
    settings = {"DOCSTEAD_TRUSTED_DOCUMENTS": str(tmp_path / "documents.json")}
    with serving(data, settings=settings) as (base, _):
        trusted = await turns(base, made["token"])
    for answers in trusted.values():
        assert [sent(turn) for turn in answers] == [[(False, 200)], [(False, 200)]]
