"""The Workbench as it was built from `app/`: what its pages load, and the files themselves."""

import json
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Mount

from account_pages.workbench import ASSETS, Workbench
from docstead.graphql.pages import Assets

STATIC = Path(__file__).parent / "static" / "workbench"
ENTRY, SPACE = "src/main.tsx", "src/space/routes.tsx"


def built_workbench() -> Workbench:
    """What the pages load first, as the build's manifest names it."""
    manifest = json.loads((STATIC / "manifest.json").read_text(encoding="utf-8"))
    chunks = first_chunks(manifest, ENTRY)
    of_spaces = [chunk for chunk in first_chunks(manifest, SPACE) if chunk not in chunks]
    digests = json.loads((STATIC / "style-digests.json").read_text(encoding="utf-8"))
    return Workbench(
        scripts=_scripts(chunks),
        styles=_styles(chunks),
        style_digests=tuple(digests),
        space_scripts=_scripts(of_spaces),
        space_styles=_styles(of_spaces),
    )


def _scripts(chunks: list[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(Path(chunk["file"]).name for chunk in chunks)


def _styles(chunks: list[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(Path(name).name for chunk in reversed(chunks) for name in chunk.get("css", ()))


def first_chunks(manifest: dict[str, Any], entry: str) -> list[dict[str, Any]]:
    """An entry and all that it imports at once, the entry first."""
    names = [entry]
    for name in names:
        names += [chunk for chunk in manifest[name].get("imports", ()) if chunk not in names]
    return [manifest[name] for name in names]


def workbench_routes() -> list[BaseRoute]:
    """The scripts and styles of the Workbench."""
    return [Mount(ASSETS, Assets(directory=STATIC / "assets"))]
