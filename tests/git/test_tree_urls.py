"""Links to files of the repository that are outside of the content: addresses in the space, and in
the repository as authors have written them."""

from typing import Any
from uuid import uuid4

import pytest

from content.git.path_links import PathLinks
from db.models.spaces import Space
from tests.conftest import Api, World
from tests.git.server import GitServer
from tests.git.test_exports import edit, exported, walk
from tests.git.test_imports import imported

TREE = "https://git.example.com/team/docs/blob/main"
FILES = {
    ".gitbook.yaml": "root: ./docs/\n",
    "docs/README.md": "# Home\n\nSee [the code](../src/app.py#L3) and [out](../../other).\n",
    "docs/guide/first.md": "# First\n\nRead [it](../../LICENSE).\n\nThe second part.\n",
    "docs/SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [First](guide/first.md)\n",
    "src/app.py": "pass\n",
    "LICENSE": "MIT\n",
}


async def markdown(api: Api, world: World, space: Space, path: str) -> str:
    answer = await api.rest(
        "GET", f"/spaces/{space.id}/content/path/{path}?format=markdown", world.reader
    )
    text: str = answer.json()["markdown"]
    return text


async def documents(api: Api, world: World, space: Space) -> str:
    page = next(page for page in await walk(api, world, space) if page["path"] == "first")
    answer = await api.rest(
        "GET", f"/spaces/{space.id}/content/page/{page['id']}?format=document", world.reader
    )
    return answer.text


async def test_files_outside_of_the_content_have_addresses(
    api: Api, world: World, space: Space, remote: GitServer
) -> None:
    name = f"docs-{uuid4().hex}"
    remote.make(name, FILES)
    done = await imported(api, world, space, remote, name, repoTreeURL=f"{TREE}/")
    assert done["state"] == "success", done
    assert f'"url":"{TREE}/LICENSE"' in (await documents(api, world, space)).replace(" ", "")
    # Nothing has changed, so nothing is written, whatever the export says of the tree.
    untouched = await exported(api, world, space, remote, name, force=True)
    assert untouched["state"] == "success"
    assert untouched["commit"] == done["commit"]
    # One edit changes its lines; links stay as they were written.
    await edit(api, world, space, "first", f"Read [it now]({TREE}/LICENSE).\n\nThe second part.\n")
    await exported(api, world, space, remote, name)
    files = {path: text.encode() for path, text in FILES.items()}
    after = remote.files(name)
    changed = {path for path in after if after[path] != files.get(path)}
    assert changed == {"docs/guide/first.md"}
    assert after["docs/guide/first.md"] == (
        b"# First\n\nRead [it now](../../LICENSE).\n\nThe second part.\n"
    )
    # A page that moves keeps its link to the file.
    pages: dict[str, Any] = {page["path"]: page for page in await walk(api, world, space)}
    home = next(page for path, page in pages.items() if path != "first")
    move = [{"type": "move_page", "page": pages["first"]["id"], "parent": home["id"]}]
    answer = await api.rest("POST", f"/spaces/{space.id}/content", world.creator, {"changes": move})
    assert answer.status_code < 300, answer.text
    await exported(api, world, space, remote, name)
    moved = {path: data for path, data in remote.files(name).items() if path not in FILES}
    for data in moved.values():
        assert b"LICENSE)" in data
        assert TREE.encode() not in data


async def test_another_address_is_taken_over_and_none_leaves_links_alone(
    api: Api, world: World, space: Space, remote: GitServer
) -> None:
    name = f"docs-{uuid4().hex}"
    remote.make(name, FILES)
    await imported(api, world, space, remote, name)
    assert "(../../LICENSE)" in await markdown(api, world, space, "first")
    await imported(api, world, space, remote, name, repoTreeURL=TREE, force=True)
    assert f"{TREE}/LICENSE" in await documents(api, world, space)
    other = TREE.replace("main", "next")
    await imported(api, world, space, remote, name, repoTreeURL=other, force=True)
    assert f"{other}/LICENSE" in await documents(api, world, space)
    untouched = await exported(api, world, space, remote, name, force=True)
    assert untouched["state"] == "success"
    assert {path: data.decode() for path, data in remote.files(name).items()} == FILES


@pytest.mark.parametrize(
    ("url", "path", "address"),
    [
        ("../src/app.py", "README.md", f"{TREE}/src/app.py"),
        ("../src/a%20b.py?x=1#L3", "README.md", f"{TREE}/src/a%20b.py?x=1#L3"),
        ("../../LICENSE", "guide/first.md", f"{TREE}/LICENSE"),
        ("../../docs2/x.md", "guide/first.md", f"{TREE}/docs2/x.md"),
        # Out of the repository, inside of the content, absolute, or no path at all.
        ("../../../x", "guide/first.md", None),
        ("../..", "guide/first.md", None),
        ("other.md", "README.md", None),
        ("../docs/other.md", "README.md", None),
        ("/src/app.py", "README.md", None),
        ("https://example.com/../x", "README.md", None),
        ("//example.com/../x", "README.md", None),
        ("mailto:../x", "README.md", None),
        ("#../x", "README.md", None),
        ("../src/app.py", "", None),
    ],
)
def test_what_is_outside(url: str, path: str, address: str | None) -> None:
    links = PathLinks(f"{TREE}/", "docs")
    expected = None if address is None else {"kind": "url", "url": address}
    assert links.resolve(url, path) == expected
    assert PathLinks("", "docs").resolve(url, path) is None
    if expected is not None:
        written = links.url(expected, path)
        assert written is not None
        assert links.resolve(written, path) == expected
