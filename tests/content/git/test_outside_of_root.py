"""A readme and a table of contents may be outside of the root that a configuration names."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from content.errors import LayoutError
from content.git.config import read_git_config
from content.git.layout import read_space
from content.git.space_content import PageContent
from content.git.writer import write_space
from content.markdown.parser import parse_document
from content.sources.opening import open_source
from tests.content.git.space_contents import (
    applied,
    content_of,
    file_content,
    tip_of,
    tree_of,
    with_page,
)

README = b"# Project\n\n[Setup](docs/guide/setup.md), ![](docs/.gitbook/assets/a.png).\n"
CONFIG = (
    b"# ours\nroot: ./docs/\nstructure:\n  readme: ../README.md\n"
    b"redirects:\n  old: guide/setup.md\n  home: ../README.md\n"
)
FILES = {
    ".gitbook.yaml": CONFIG,
    "README.md": README,
    "LICENSE": b"MIT\n",
    "src/notes.md": b"# Not of the documentation\n",
    "docs/SUMMARY.md": b"* [Start](../README.md)\n* [Guide](guide/README.md)\n"
    b"  * [Setup](guide/setup.md)\n",
    "docs/guide/README.md": b"# Guide\n\n[Back](../../README.md)\n",
    "docs/guide/setup.md": b'# Setup\n\n{% include "../.gitbook/includes/note.md" %}\n',
    "docs/.gitbook/assets/a.png": b"png",
    "docs/.gitbook/includes/note.md": b"Mind.\n",
    "docs/.gitbook/vars.yaml": b"a: 1\n",
}
# The same with both outside, and with the configuration in the folder.
BOTH = {
    **{path: data for path, data in FILES.items() if path != "docs/SUMMARY.md"},
    "SUMMARY.md": b"* [Start](README.md)\n* [Guide](docs/guide/README.md)\n"
    b"  * [Setup](docs/guide/setup.md)\n",
    ".gitbook.yaml": CONFIG.replace(b"README.md\nred", b"README.md\n  summary: ../SUMMARY.md\nred"),
}


@pytest.mark.parametrize("files", [FILES, BOTH], ids=["readme", "both"])
def test_all_is_read_as_if_it_were_in_the_root(files: dict[str, bytes]) -> None:
    tip = tip_of(tree_of(files))
    layout = tip.layout
    assert [(page.path, page.git_path) for page in layout.walk()] == [
        ("readme", "README.md"),
        ("guide", "docs/guide/README.md"),
        ("guide/setup", "docs/guide/setup.md"),
    ]
    assert [file.git_path for file in layout.files] == ["docs/.gitbook/assets/a.png"]
    assert [one.git_path for one in layout.reusable_contents] == ["docs/.gitbook/includes/note.md"]
    assert layout.variables == {"a": 1}
    assert dict(layout.redirects) == {"old": "guide/setup", "home": "readme"}
    assert layout.warnings == ()
    content = content_of(tip)
    for page, target in (
        ("README.md", "docs/guide/setup.md"),
        ("docs/guide/README.md", "README.md"),
    ):
        (body,) = [one.body for one in content.walk() if one.id == tip.ids.pages[page]]
        assert body is not None
        assert tip.ids.pages[target] in str(body())
    assert not write_space(tip, content)


@pytest.mark.parametrize("files", [FILES, BOTH], ids=["readme", "both"])
def test_what_is_new_comes_into_the_root(files: dict[str, bytes]) -> None:
    tip = tip_of(tree_of(files))
    content = content_of(tip, unchanged=True)
    home = tip.ids.pages["README.md"]
    body = lambda: parse_document("Text.\n")  # noqa: E731
    below = PageContent("n2", "document", "Deep", "deep", body=body)
    wanted = with_page(content, home, title="Renamed", children=(below,))
    wanted = replace(
        with_page(wanted, tip.ids.pages["docs/guide/setup.md"], slug="install"),
        variables={"a": 2},
    )
    wanted = replace(
        wanted,
        pages=(*wanted.pages, PageContent("n1", "document", "Guide", "notes", body=body)),
        files=(*wanted.files, file_content("f", "a.png", b"other")),
    )
    after = applied(files, write_space(tip, wanted))
    assert after["README.md"] == README.replace(b"Project", b"Renamed").replace(
        b"setup", b"install"
    )
    assert after["docs/notes.md"] == b"# Guide\n\nText.\n"
    assert after["docs/readme/deep.md"] == b"# Deep\n\nText.\n"
    assert after["docs/.gitbook/assets/a (1).png"] == b"other"
    assert after["docs/.gitbook/vars.yaml"] == b"a: 2\n"
    assert after[".gitbook.yaml"] == files[".gitbook.yaml"].replace(b"setup", b"install")
    new = after.keys() - files.keys()
    assert all(path.startswith("docs/") for path in new), new
    again = read_space(tree_of(after))
    assert [page.title for page in again.walk()] == ["Renamed", "Deep", "Guide", "Setup", "Guide"]


def test_without_a_table_the_pages_are_those_of_the_root_and_the_readme() -> None:
    files = {path: data for path, data in FILES.items() if path != "docs/SUMMARY.md"}
    layout = read_space(tree_of(files))
    assert [page.path for page in layout.walk()] == ["readme", "guide", "guide/setup"]
    tip = tip_of(tree_of(files))
    assert not write_space(tip, content_of(tip))


def test_the_configuration_may_be_in_the_folder() -> None:
    files = {path: data for path, data in FILES.items() if path != ".gitbook.yaml"}
    files["docs/.gitbook.yaml"] = b"structure:\n  readme: ../README.md\n"
    layout = read_space(tree_of(files), directory="docs")
    assert next(page.git_path for page in layout.walk()) == "README.md"
    assert layout.directory == "docs"


PARTS = st.lists(st.sampled_from(("..", ".", "docs", "a b", "")), max_size=5)


@given(PARTS, PARTS, st.sampled_from(("readme", "summary")))
def test_no_path_leaves_the_repository(root: list[str], path: list[str], key: str) -> None:
    text = f"root: '{'/'.join(root)}'\nstructure:\n  {key}: '{'/'.join([*path, 'X.md'])}'\n"

    def leaves(parts: list[str]) -> bool:
        """Whether steps lead above where they begin; empty ones and dots are none."""
        steps = [-1 if part == ".." else 1 for part in parts if part not in ("", ".")]
        return any(depth < 0 for depth in accumulate(steps))

    if leaves([*root, *path]):
        with pytest.raises(LayoutError, match="leads out of the repository"):
            read_git_config(text)
        return
    config = read_git_config(text)
    for one in (config.root, config.folder, config.readme, config.summary):
        assert ".." not in one.split("/")
        assert not one.startswith("/")
    named = posixpath.normpath("/".join([".", *root, *path, "X.md"]))
    value = config.readme if key == "readme" else config.summary
    assert posixpath.join(config.root, value) == named


def test_links_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n")
    place = tmp_path / "source"
    for path, data in FILES.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(data)
    (place / "README.md").unlink()
    (place / "README.md").symlink_to("../secret.md")
    with open_source(place) as source:
        layout = read_space(source)
        assert "Secret" not in str(layout.pages)
        assert "README.md: is left out, for it is a symbolic link" in layout.warnings
    (place / ".gitbook.yaml").write_text("root: docs\nstructure:\n  readme: ../../secret.md\n")
    with open_source(place) as source, pytest.raises(LayoutError, match="out of the repository"):
        read_space(source)
