"""What repositories have beside documentation, and in odd forms, stops no synchronisation."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from content.sources.git import check_pack
from db.models.spaces import Space
from tests.conftest import Api, World
from tests.git.server import GitServer, git
from tests.git.test_both_sides import markdown
from tests.git.test_exports import edit, exported, walk
from tests.git.test_imports import FILES, imported

POINTER = (
    "version https://git-lfs.github.com/spec/v1\noid sha256:"
    f"{'7' * 64}\nsize 12345\n"
)  # fmt: skip
NAMES = (b"units/a\\x2db.service", b"tests/\xff\xfe.txt", b"Icon\r", b"x" * 200 + b"/y" * 500)


@pytest.fixture
def name(remote: GitServer) -> str:
    name = f"odd-{uuid4().hex}"
    remote.make(name, FILES)
    return name


async def test_names_that_are_not_portable_stay_as_they_are(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    remote.put(name, *(("100644", path, b"x") for path in NAMES))
    before = remote.entries(name)
    assert all(path in before for path in NAMES)
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["warnings"]) == ("success", []), done
    await edit(api, world, space, "first", "Edited.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, "guide/first.md") == b"# First\n\nEdited.\n"
    assert remote.entries(name) == before


async def test_a_page_with_such_a_name_is_refused(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    remote.put(name, ("100644", b"guide/a\\b.md", b"# A\n"))
    done = await imported(api, world, space, remote, name)
    assert (done["state"], "a\\\\b.md" in done["error"]) == ("failure", True), done


async def test_a_twin_that_is_not_listed_stays_as_it_is(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    twin, theirs = "Guide/First.md", "# First\n\nOf before.\n"
    remote.commit(name, {twin: theirs})
    done = await imported(api, world, space, remote, name)
    (warning,) = done["warnings"]
    assert (done["state"], warning.startswith(f"{twin}: is left out")) == ("success", True), done
    await edit(api, world, space, "first", "Edited.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, "guide/first.md") == b"# First\n\nEdited.\n"
    (page,) = [page for page in await walk(api, world, space) if page["title"] == "First"]
    path = f"/spaces/{space.id}/content"
    changes = [{"type": "update_page", "page": page["id"], "slug": "other"}]
    answer = await api.rest("POST", path, world.creator, {"changes": changes})
    assert answer.status_code < 300, answer.text
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, "guide/other.md") == b"# First\n\nEdited.\n"
    assert remote.read(name, twin) == theirs.encode()
    # The table lists the other one of two from now on: the page is the same, and so are the files.
    table = "# Table of contents\n\n* [Home](README.md)\n* [First](GUIDE/OTHER.md)\n"
    remote.commit(name, {"SUMMARY.md": table, "GUIDE/OTHER.md": "# First\n\nEdited.\n"})
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    (other,) = [page for page in await walk(api, world, space) if page["title"] == "First"]
    assert other["id"] == page["id"]
    before = remote.entries(name)
    await imported(api, world, space, remote, name, force=True)
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert remote.entries(name) == before
    assert remote.read(name, "guide/other.md") == b"# First\n\nEdited.\n"


async def test_listed_twins_are_refused_and_nothing_is_written(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    table = FILES["SUMMARY.md"] + "* [Second](Guide/FIRST.md)\n"
    remote.commit(name, {"Guide/FIRST.md": "# Second\n", "SUMMARY.md": table})
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "failure"
    assert "'Guide/FIRST.md' and 'guide/first.md' differ only in upper and lower" in done["error"]
    assert {page["title"] for page in await walk(api, world, space)}.isdisjoint({"First", "Second"})


async def test_a_readme_outside_of_the_root_is_read_and_written(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    config = "# ours\nroot: ./guide/\nstructure:\n  readme: ../README.md\n"
    config += "  summary: ../SUMMARY.md\n"
    remote.commit(name, {".gitbook.yaml": config})
    before = remote.entries(name)
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["warnings"]) == ("success", []), done
    pages = {page["title"]: page for page in await walk(api, world, space)}
    assert pages.keys() == {"Home", "First"}
    await edit(api, world, space, pages["Home"]["path"], "See [the guide](first).")
    changes = [{"type": "insert_page", "title": "New", "kind": "document",
                "document": {"markdown": "To [the first](first).\n"}}]  # fmt: skip
    path = f"/spaces/{space.id}/content"
    answer = await api.rest("POST", path, world.creator, {"changes": changes})
    assert answer.status_code < 300, answer.text
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert remote.read(name, "README.md") == b"# Home\n\nSee [the guide](guide/first.md).\n"
    assert remote.read(name, "guide/new.md") == b"# New\n\nTo [the first](first.md).\n"
    table = FILES["SUMMARY.md"] + "* [New](guide/new.md)\n"
    assert remote.read(name, "SUMMARY.md") == table.encode()
    assert remote.read(name, ".gitbook.yaml") == config.encode()
    assert remote.entries(name) == before
    again = await imported(api, world, space, remote, name, force=True)
    assert again["state"] == "success", again
    after = {page["title"]: page["id"] for page in await walk(api, world, space)}
    assert {title: page["id"] for title, page in pages.items()}.items() <= after.items()


async def test_a_readme_outside_of_the_repository_is_refused(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    remote.commit(name, {".gitbook.yaml": "root: guide\nstructure:\n  readme: ../../README.md\n"})
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "failure"
    assert "'structure.readme' is '../../README.md', which leads out of the" in done["error"]


async def test_links_and_submodules_are_named_and_nothing_takes_their_place(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    remote.put(
        name, ("120000", b"linked.md", b"/etc/passwd"), ("160000", b"library.md", b""),
        ("120000", b"other", b"guide"),
    )  # fmt: skip
    before = remote.entries(name)
    done = await imported(api, world, space, remote, name)
    assert done["warnings"] == [
        "library.md: is left out, for it is a submodule",
        "linked.md: is left out, for it is a symbolic link",
    ]
    changes = [
        {"type": "insert_page", "title": title, "kind": "document",
         "document": {"markdown": f"About {title}.\n"}}
        for title in ("Linked", "Library", "Other")
    ]  # fmt: skip
    path = f"/spaces/{space.id}/content"
    answer = await api.rest("POST", path, world.creator, {"changes": changes})
    assert answer.status_code < 300, answer.text
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert remote.read(name, "linked-1.md") == b"# Linked\n\nAbout Linked.\n"
    assert remote.read(name, "library-1.md") == b"# Library\n\nAbout Library.\n"
    assert remote.entries(name) == before
    again = await imported(api, world, space, remote, name, force=True)
    assert again["state"] == "success"
    titles = {page["title"] for page in await walk(api, world, space)}
    assert titles == {"Home", "First", "Linked", "Library", "Other"}


async def test_pages_go_beside_what_stands_where_their_folder_would_be(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    remote.put(
        name, ("120000", b"other", b"guide"), ("160000", b"library", b""),
        ("100644", b"license", b"MIT"),
    )  # fmt: skip
    before = remote.entries(name)
    await imported(api, world, space, remote, name)
    path = f"/spaces/{space.id}/content"
    for title, kind in (("Other", "group"), ("Library", "document"), ("License", "group")):
        parent: dict[str, Any] = {"type": "insert_page", "title": title, "kind": kind}
        if kind == "document":
            parent["document"] = {"markdown": "About all.\n"}
        answer = await api.rest("POST", path, world.creator, {"changes": [parent]})
        assert answer.status_code < 300, answer.text
        (id,) = [p["id"] for p in await walk(api, world, space) if p["title"] == title]
        inner = {"type": "insert_page", "title": "Inner", "kind": "document", "into": id,
                 "document": {"markdown": f"In {title}.\n"}}  # fmt: skip
        answer = await api.rest("POST", path, world.creator, {"changes": [inner]})
        assert answer.status_code < 300, answer.text
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    for title in ("Other", "Library", "License"):
        text = remote.read(name, f"{title.lower()}-1/inner.md")
        assert text == f"# Inner\n\nIn {title}.\n".encode()
    assert remote.entries(name) == before
    titles = sorted(page["title"] for page in await walk(api, world, space))
    again = await imported(api, world, space, remote, name, force=True)
    assert again["state"] == "success", again
    assert sorted(page["title"] for page in await walk(api, world, space)) == titles


async def test_pointers_without_their_files_are_named(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    picture = ".gitbook/assets/large.png"
    remote.commit(name, {picture: POINTER, ".gitbook/assets/small.txt": "version 1\n"})
    done = await imported(api, world, space, remote, name)
    (warning,) = done["warnings"]
    assert warning.startswith(f"{picture}: is left out, for its bytes are kept by Git LFS")
    await edit(api, world, space, "first", "Edited.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, picture) == POINTER.encode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
async def test_files_in_utf_16_stay_in_it(
    api: Api, world: World, space: Space, remote: GitServer, name: str, encoding: str
) -> None:
    def coded(text: str) -> bytes:
        return ("\ufeff" + text).encode(encoding)

    remote.commit(name, {"guide/first.md": coded("# Größe\r\n\r\nEins 😀.\r\n\r\nZwei.\r\n")})
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["warnings"]) == ("success", [])
    assert "Eins 😀." in await markdown(api, world, space, "first")
    await edit(api, world, space, "first", "Eins 😀.\n\nDrei.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    after = coded("# Größe\r\n\r\nEins 😀.\r\n\r\nDrei.\r\n")
    assert remote.read(name, "guide/first.md") == after


async def test_a_repository_without_all_of_its_history(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    for number in range(3):
        remote.commit(name, {"guide/first.md": f"# First\n\nVersion {number}.\n"})
    shallow = f"{name}-shallow"
    bare = remote.folder / f"{shallow}.git"
    git(remote.folder, "clone", "-q", "--bare", "--depth=1", f"file://{remote.folder}/{name}.git",
        str(bare))  # fmt: skip
    git(bare, "config", "http.receivepack", "true")
    done = await imported(api, world, space, remote, shallow)
    assert done["state"] == "success", done
    await edit(api, world, space, "first", "Edited.")
    assert (await exported(api, world, space, remote, shallow))["state"] == "success"
    assert remote.read(shallow, "guide/first.md") == b"# First\n\nEdited.\n"


async def test_damaged_commits_of_the_past(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    bare = remote.folder / f"{name}.git"
    text = git(bare, "cat-file", "commit", "main") + "\n"
    for author, committer in (("A <a@b> x", "<> "), ("A B", "A B"), ("A <a@b> 9 +9999", "A> 1 1")):
        lines = [
            f"author {author}" if line.startswith("author ")
            else f"committer {committer}" if line.startswith("committer ") else line
            for line in text.split("\n")
        ]  # fmt: skip
        damaged = git(
            bare, "hash-object", "-t", "commit", "-w", "--stdin", "--literally",
            text="\n".join(lines),
        )  # fmt: skip
        git(bare, "update-ref", "refs/heads/main", damaged)
        remote.commit(name, {"guide/first.md": f"# First\n\nAfter {author}.\n"})
        done = await imported(api, world, space, remote, name)
        assert done["state"] == "success", done


def test_versions_of_a_long_file_are_counted_as_they_are_packed(tmp_path: Path) -> None:
    lines = [f"* [Page {number}](pages/{number}.md)" for number in range(4_000)]
    stream = b""
    for number in range(300):
        lines[number] = f"* [Changed {number}](changed.md)"
        text = "\n".join(lines).encode()
        stream += b"commit refs/heads/main\ncommitter A <a@b.c> %d +0000\ndata 0\n" % number
        stream += b"M 100644 inline SUMMARY.md\ndata %d\n%s\n" % (len(text), text)
    git(tmp_path, "init", "-q", "--bare", ".")
    git(tmp_path, "fast-import", "--quiet", text=stream.decode())
    (pack,) = (tmp_path / "objects" / "pack").glob("*.pack")
    total = 300 * len(text)
    check_pack(pack.read_bytes(), max_object_bytes=1_000_000, max_total_bytes=total // 10)


async def add_file(api: Api, world: World, space: Space, name: str, data: bytes) -> str:
    """A new file of the space; its id."""
    there = await api.data(
        """mutation ($space: ID!, $name: String!) { createFileUpload(
             spaceId: $space, input: {name: $name}) { id url } }""",
        world.creator, space=space.id, name=name,
    )  # fmt: skip
    address = urlsplit(there["createFileUpload"]["url"])
    sent = await api.client.put(f"{address.path}?{address.query}", content=data)
    assert sent.status_code == 200, sent.text
    added = await api.data(
        """mutation ($space: ID!, $upload: ID!) { createFile(
             spaceId: $space, input: {upload: $upload}) { files { id } } }""",
        world.creator, space=space.id, upload=there["createFileUpload"]["id"],
    )  # fmt: skip
    return str(added["createFile"]["files"][0]["id"])


@pytest.mark.parametrize(
    ("mode", "place"),
    [
        ("120000", ".gitbook/assets"),
        ("160000", ".gitbook/assets"),
        ("120000", ".gitbook"),
        ("100644", ".gitbook/assets"),
    ],
)
async def test_a_new_file_without_a_folder_is_named(
    api: Api, world: World, space: Space, remote: GitServer, name: str, mode: str, place: str
) -> None:
    """Beside the folder of assets it would be no part of the space, so it goes nowhere else."""
    remote.put(name, (mode, place.encode(), b"guide"))
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    before = remote.tip(name)
    await edit(api, world, space, "first", "Edited.")
    await add_file(api, world, space, "new.txt", b"new")
    done = await exported(api, world, space, remote, name)
    assert (done["state"], remote.tip(name)) == ("failure", before), done
    assert ".gitbook/assets/new.txt: has no place" in done["error"]
    assert repr(place) in done["error"]
