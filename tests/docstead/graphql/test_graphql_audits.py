"""The audits of the npm package graphql-http against a real server."""

import json
from pathlib import Path

from tests.docstead.graphql_server import endpoint, serving
from tests.docstead.test_serve import run as docstead, serving as docstead_serving
from tests.node_packages import run_node


async def audit(*arguments: str) -> list[dict[str, str]]:
    """What each audit of the server at a URL says."""
    results: list[dict[str, str]] = json.loads(await run_node("http_audits.js", *arguments))
    return results


async def test_all_audits_of_the_endpoint_pass() -> None:
    with serving(endpoint()) as port:
        results = await audit(f"http://127.0.0.1:{port}/graphql")
    assert len(results) == 61
    assert [result for result in results if result["status"] != "ok"] == []


async def test_all_audits_of_the_product_pass(tmp_path: Path) -> None:
    with docstead_serving(tmp_path / "data") as (base, _):
        made = docstead(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(tmp_path / "data"),
        )  # fmt: skip
        results = await audit(f"{base}/graphql", made["token"])
    assert len(results) == 61
    assert [result for result in results if result["status"] != "ok"] == []
