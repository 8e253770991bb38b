"""Repositories of other forms than usual ones: refs, names and texts stay as they are."""

import unicodedata
from uuid import uuid4

import pytest

from db.models.spaces import Space
from tests.conftest import Api, World
from tests.git.server import GitServer, git
from tests.git.test_both_sides import markdown
from tests.git.test_exports import edit, exported, walk
from tests.git.test_imports import FILES, imported


@pytest.fixture
def name(remote: GitServer) -> str:
    name = f"forms-{uuid4().hex}"
    remote.make(name, FILES)
    return name


async def test_ten_thousand_refs_and_odd_ones(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    """A branch that is called as a tag is, too, and names that Git takes."""
    bare = remote.folder / f"{name}.git"
    first = str(remote.tip(name))
    odd = ("refs/heads/größe/ü-é", "refs/heads/a@b", "refs/heads/-x", "refs/tags/main",
           "refs/heads/main.d/HEAD", "refs/heads/" + "l" * 200, "refs/notes/commits",
           "refs/heads/refs/heads/main", "refs/pull/1/head")  # fmt: skip
    many = [f"refs/{kind}/n{number}" for kind in ("heads", "tags") for number in range(5_000)]
    git(bare, "update-ref", "--stdin", text="".join(
        f"create {ref} {first}\n" for ref in (*odd, *many)
    ))  # fmt: skip
    git(bare, "pack-refs", "--all")
    remote.commit(name, {"guide/first.md": "# First\n\nOf the branch.\n"})
    for ref in ("refs/heads/main", "refs/heads/größe/ü-é", "refs/heads/a@b", "refs/heads/n4999"):
        done = await imported(api, world, space, remote, name, ref=ref, force=True)
        assert (done["state"], done.get("error")) == ("success", None), (ref, done)
        text = await markdown(api, world, space, "first")
        assert ("Of the branch." in text) is (ref == "refs/heads/main"), ref
        await edit(api, world, space, "first", f"Into {ref}.")
        done = await exported(api, world, space, remote, name, ref=ref)
        assert done["state"] == "success", (ref, done)
        branch = ref.removeprefix("refs/heads/")
        assert f"Into {ref}.".encode() in remote.read(name, "guide/first.md", f"heads/{branch}")
    assert git(bare, "rev-parse", "refs/tags/main") == first
    done = await imported(api, world, space, remote, name, ref="refs/heads/none")
    assert (done["state"], "more" in done["error"]) == ("failure", True)


@pytest.mark.parametrize("head", ["ref: refs/heads/gone", "{}", "ref: refs/tags/v1"])
async def test_a_head_that_is_no_branch(
    api: Api, world: World, space: Space, remote: GitServer, name: str, head: str
) -> None:
    bare = remote.folder / f"{name}.git"
    git(bare, "tag", "v1", "main")
    (bare / "HEAD").write_text(head.format(remote.tip(name)) + "\n")
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    await edit(api, world, space, "first", "Edited.")
    for ref in ("refs/heads/main", "refs/heads/new"):
        done = await exported(api, world, space, remote, name, ref=ref, force=True)
        assert done["state"] == "success", (ref, done)
        branch = ref.removeprefix("refs/heads/")
        assert b"Edited." in remote.read(name, "guide/first.md", f"heads/{branch}")


async def test_a_repository_of_a_submodule_alone(
    api: Api, world: World, space: Space, remote: GitServer
) -> None:
    name = f"forms-{uuid4().hex}"
    remote.make(name, {"x": "x"})
    remote.put(name, ("160000", b"library", b""))
    remote.commit(name, {"x": None})
    done = await imported(api, world, space, remote, name)
    assert (done["state"], "no page" in done["error"]) == ("failure", True), done
    await edit_home(api, world, space)
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert b"160000" in remote.entries(name)


async def edit_home(api: Api, world: World, space: Space) -> None:
    change = {"type": "insert_page", "title": "Home", "kind": "document",
              "document": {"markdown": "New.\n"}}  # fmt: skip
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content", world.creator, {"changes": [change]}
    )
    assert answer.status_code < 300, answer.text


@pytest.mark.parametrize("length", [200, 255, 600, 4_200])
async def test_long_paths(
    api: Api, world: World, space: Space, remote: GitServer, name: str, length: int
) -> None:
    """Beside pages anything may stand; a page is read, or refused by its name."""
    part = "d" * min(length, 200)
    folder = "/".join([part] * max(1, length // 201))
    other, page = f"{folder}/{'o' * 50}.bin", f"{folder}/{'p' * 40}.md"
    remote.put(name, ("100644", other.encode(), b"x"))
    before = remote.entries(name)
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    remote.commit(name, {page: "# Deep\n\nText.\n",
                         "SUMMARY.md": f"{FILES['SUMMARY.md']}* [Deep]({page})\n"})  # fmt: skip
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "success" or page[:20] in done["error"], done
    if done["state"] == "success":
        assert "Deep" in {one["title"] for one in await walk(api, world, space)}
        await edit(api, world, space, "first", "Edited.")
        assert (await exported(api, world, space, remote, name))["state"] == "success"
        assert remote.read(name, page) == b"# Deep\n\nText.\n"
    assert remote.entries(name) == before


async def test_names_that_differ_in_normalization(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    """One of them would be lost where clones are on a Mac: as pages they are refused in words that
    say what nobody sees."""
    composed, apart = (unicodedata.normalize(form, "größe.md") for form in ("NFC", "NFD"))
    both = f"* [Composed]({composed})\n* [Apart]({apart})\n"
    remote.commit(name, {composed: "# Composed\n", apart: "# Apart\n",
                         "SUMMARY.md": FILES["SUMMARY.md"] + both})  # fmt: skip
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "failure"
    assert "composed (NFC) or not (NFD)" in done["error"]
    # One alone is no trouble, and stays as it is written.
    remote.commit(name, {composed: None, "SUMMARY.md": FILES["SUMMARY.md"]})
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    await edit(api, world, space, "first", "Edited.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, apart) == b"# Apart\n"


@pytest.mark.parametrize(
    "attributes", ["* text=auto eol=crlf\n", "*.md text eol=lf\n", "*.md -text\n",
                   "*.md working-tree-encoding=UTF-16LE eol=crlf\n"]
)  # fmt: skip
@pytest.mark.parametrize("text", ["# First\r\n\r\nOne.\r\n\r\nTwo.", "# First\n\nOne.\n\nTwo."])
async def test_ends_of_lines_and_files_stay(
    api: Api, world: World, space: Space, remote: GitServer, name: str, attributes: str, text: str
) -> None:
    """Blobs are what is stored: attributes say how work trees look, of which there are none."""
    remote.commit(name, {".gitattributes": attributes, "guide/first.md": text})
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    await edit(api, world, space, "readme", "Edited.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, "guide/first.md") == text.encode()
    await edit(api, world, space, "first", "One.\n\nThree.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    end = "\r\n" if "\r" in text else "\n"
    after = remote.read(name, "guide/first.md").decode()
    assert after in (text.replace("Two.", "Three."), text.replace("Two.", "Three.") + end)
