"""Whole documentations through a real Git server: untouched, an export changes no byte and makes no
commit; one edit changes one file, and of it the lines that were edited.

DOCSTEAD_TEST_SOURCE names others than the examples.
"""

from uuid import uuid4

import pytest

from content.sources.opening import open_source
from db.models.spaces import Space
from tests.conftest import Api, World
from tests.git.server import GitServer, git
from tests.git.test_exports import exported, walk
from tests.git.test_imports import imported
from tests.sources import sources

ADDED = "A paragraph that somebody has added."


@pytest.mark.parametrize("source", sources("gauge-manual", "data-api"))
async def test_untouched_and_edited_once(
    source: str, api: Api, world: World, space: Space, remote: GitServer
) -> None:
    with open_source(source) as tree:
        files: dict[str, str | bytes] = {path: tree.read(path) for path in tree.paths()}
    name = f"docs-{uuid4().hex}"
    remote.make(name, files)
    commit = remote.tip(name)
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    untouched = await exported(api, world, space, remote, name, force=True)
    assert (untouched["state"], remote.tip(name)) == ("success", commit), untouched
    assert remote.files(name) == files

    documents = [page for page in await walk(api, world, space) if page["type"] == "document"]
    page = sorted(documents, key=lambda page: page["path"])[len(documents) // 2]
    path = f"/spaces/{space.id}/content/page/{page['id']}?format=markdown"
    markdown = (await api.rest("GET", path, world.reader)).json()["markdown"]
    document = {"markdown": f"{markdown.rstrip()}\n\n{ADDED}\n"}
    change = {"type": "update_page", "page": page["id"], "document": document}
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content", world.creator, {"changes": [change]}
    )
    assert answer.status_code < 300, answer.text
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    changes = git(
        remote.folder / f"{name}.git", "diff", "--numstat", str(commit), "main"
    ).splitlines()
    assert len(changes) == 1, changes
    added, removed, changed = changes[0].split("\t")
    assert changed == page["git"]["path"]
    assert (int(added) <= 3, int(removed) <= 1) == (True, True), changes
