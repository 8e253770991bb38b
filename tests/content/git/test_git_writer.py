"""Writing a space into a tree: what is there stays as it is written, what differs is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from content.git import writer
from content.git.layout import read_space
from content.git.space_content import PageContent, SpaceContent
from content.git.space_import import PageImport
from content.git.tree_changes import TreeChanges
from content.git.writer import Tip, write_space
from content.markdown.parser import parse_document
from content.pages.front_matter import FrontMatter
from content.sources.opening import open_source
from tests.content.git.layouts import repositories
from tests.content.git.space_contents import (
    applied,
    content_of,
    file_content,
    ids_of,
    tip_of,
    tree_of,
    with_page,
)

MANY = settings(
    max_examples=25, deadline=None, 
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip


@given(repositories(), st.booleans())
@MANY
def test_what_nobody_has_changed_has_no_changes(files: dict[str, bytes], unchanged: bool) -> None:
    tip = tip_of(tree_of(files), repeated_as_links=True)
    changes = write_space(tip, content_of(tip, unchanged=unchanged))
    assert {path: data.read() for path, data in changes.writes.items()} == {}
    assert (changes.deletes, changes.problems, dict(changes.renames)) == ((), (), {})


def tree_said(pages: tuple[PageImport, ...]) -> list[object]:
    return [
        (page.kind, page.title, page.slug, page.description, page.icon, page.hidden, page.layout,
         page.variables, page.condition, page.extra, page.source, tree_said(page.children))
        for page in pages
    ]  # fmt: skip


# Another file than README.md is the first page, and that is one of the others.
ANOTHER_FIRST = {
    **dict.fromkeys(
        ("deep-dive.md", "deep-dive/c+d.md", "setup/README.md", "setup/setup.md",
         "setup/setup/setup.md", "setup/setup/guide.md", "setup/guide.md", "guide.md"),
        b"# Start\n",
    ),
    "README.md": b"# Home\n",
    ".gitbook.yaml": b"structure:\n  readme: setup/setup/setup.md\n",
}  # fmt: skip


@given(repositories())
@example(ANOTHER_FIRST)
@MANY
def test_a_space_in_an_empty_repository_is_read_as_it_was(files: dict[str, bytes]) -> None:
    tip = tip_of(tree_of(files), repeated_as_links=True)
    content = content_of(tip)
    changes = write_space(None, content)
    written = applied({}, changes)
    again = read_space(tree_of(written))
    before = tree_said(tip.layout.pages)
    assert [line[:2] for line in before] == [line[:2] for line in tree_said(again.pages)]
    # Written once more, nothing changes.
    ids = replace(
        ids_of(again),
        pages={path: id for id, path in changes.paths.pages.items()},
        files={path: id for id, path in changes.paths.files.items()},
        contents={path: id for id, path in changes.paths.contents.items()},
    )
    second = write_space(Tip(tree_of(written), again, ids), content)
    assert applied(written, second) == written


EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*/"))


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_examples_have_no_changes(folder: Path) -> None:
    with open_source(folder) as tree:
        tip = tip_of(tree, repeated_as_links=True)
        if tip.layout.pages:
            assert not write_space(tip, content_of(tip, unchanged=True))


FILES = {
    "README.md": b"# Home\n\n[Set up](guide/setup.md#one), [its folder](guide/).\n",
    "SUMMARY.md": b"# Contents\n\n- [Home](README.md)\n- [The guide](guide/README.md)\n"
    b"    - [Set up](guide/setup.md)\n    - [Use](guide/use.md)\n\n<!-- more -->\n\n"
    b'## Rest <a href="#more" id="more"></a>\n\n- [Site](https://example.org)\n- [Last](last.md)\n',
    "guide/README.md": b"---\ntags: [a,  b]  # ours\nicon: book\n---\n\n# Guide\n\nText.\n",
    "guide/setup.md": b"\xef\xbb\xbf# Set up\r\n\r\n* One\r\n* Two\r\n\r\nThree [use](use.md)\r\n",
    "guide/use.md": b"Use\n===\n\n![](../.gitbook/assets/a.png)\n",
    "last.md": b'# Last\n\n{% include ".gitbook/includes/note.md" %}\n',
    ".gitbook/includes/note.md": b"---\ntitle: Note\nown: 1\n---\nMind.\n",
    ".gitbook/assets/a.png": b"a",
    ".gitbook/vars.yaml": b"a: 1 # one\nb: 2\n",
    ".gitbook.yaml": b"# ours\nredirects:\n  old: guide/use.md\n  lost: no.md\nother: [1]\n",
    "notes.md": b"not listed",
}


def page_at(tip: Tip, path: str) -> str:
    return tip.ids.pages[path]


def change(files: Mapping[str, bytes], wanted: SpaceContent, tip: Tip) -> dict[str, bytes]:
    """What a write changes: new bytes by path; None for what it deletes is not here."""
    changes = write_space(tip, wanted, synced=frozenset(files) - {"notes.md"})
    again = read_back(files, changes, tip)
    assert not write_space(again, wanted), "written twice, it changes something"
    return {path: data.read() for path, data in changes.writes.items()} | {
        path: b"" for path in changes.deletes
    }


def read_back(files: Mapping[str, bytes], changes: TreeChanges, tip: Tip) -> Tip:
    tree = tree_of(applied(files, changes))
    layout = read_space(tree)
    paths = changes.paths
    others = {path: id for path, id in tip.ids.pages.items() if ":" in path}
    ids = replace(
        tip.ids,
        pages={path: id for id, path in paths.pages.items()} | others,
        files={path: id for id, path in paths.files.items()},
        contents={path: id for id, path in paths.contents.items()},
    )
    return Tip(tree, layout, ids)


@pytest.fixture
def tip() -> Tip:
    return tip_of(tree_of(FILES))


@pytest.fixture
def content(tip: Tip) -> SpaceContent:
    return content_of(tip, unchanged=True)


def body(markdown: str):  # type: ignore[no-untyped-def]
    return lambda: parse_document(markdown)


def test_an_edit_changes_its_lines(tip: Tip, content: SpaceContent) -> None:
    wanted = with_page(
        content, page_at(tip, "guide/setup.md"), body=body("* One\n* Two\n\nThree\n\nFour\n")
    )
    (text,) = change(FILES, wanted, tip).values()
    assert text == FILES["guide/setup.md"].replace(b" [use](use.md)\r\n", b"\r\n\r\nFour\r\n")


def test_fields_change_their_keys(tip: Tip, content: SpaceContent) -> None:
    matter = FrontMatter(hidden=True, extra={"tags": ["a", "b"]})
    wanted = with_page(content, page_at(tip, "guide/README.md"), matter=matter)
    assert change(FILES, wanted, tip) == {
        "guide/README.md": FILES["guide/README.md"].replace(b"icon: book", b"hidden: true")
    }


def test_a_title_changes_the_heading_and_what_the_table_says(
    tip: Tip, content: SpaceContent
) -> None:
    wanted = with_page(content, page_at(tip, "guide/use.md"), title="Use [it]")
    wanted = with_page(wanted, page_at(tip, "guide/README.md"), title="Handbook")
    assert change(FILES, wanted, tip) == {
        # "The guide" is what its authors call it there, whatever its title.
        "SUMMARY.md": FILES["SUMMARY.md"].replace(b"[Use](", b"[Use [it]]("),
        "guide/use.md": FILES["guide/use.md"].replace(b"Use\n===\n", b"# Use [it]\n"),
        "guide/README.md": FILES["guide/README.md"].replace(b"# Guide", b"# Handbook"),
    }


def test_a_slug_renames_the_folder_with_all_in_it(tip: Tip, content: SpaceContent) -> None:
    wanted = with_page(content, page_at(tip, "guide/README.md"), slug="book")
    changes = write_space(tip, wanted)
    assert dict(changes.renames) == {
        f"guide/{name}": f"book/{name}" for name in ("README.md", "setup.md", "use.md")
    }
    texts = change(FILES, wanted, tip)
    assert (
        texts["README.md"]
        == b"# Home\n\n[Set up](book/setup.md#one), [its folder](book/README.md).\n"
    )
    assert texts["SUMMARY.md"] == FILES["SUMMARY.md"].replace(b"(guide/", b"(book/")
    assert texts[".gitbook.yaml"] == FILES[".gitbook.yaml"].replace(b"guide/use", b"book/use")
    for name in ("README.md", "setup.md", "use.md"):
        assert texts[f"book/{name}"] == FILES[f"guide/{name}"]


def test_a_case_only_rename(tip: Tip, content: SpaceContent) -> None:
    wanted = with_page(content, page_at(tip, "last.md"), slug="Last")
    changes = write_space(tip, wanted)
    assert dict(changes.renames) == {"last.md": "Last.md"}
    assert changes.deletes == ("last.md",)
    assert changes.writes["Last.md"].read() == FILES["last.md"]


def moved(content: SpaceContent, id: str, below: str | None) -> SpaceContent:
    """The content with a page as the last one below another."""
    (page,) = [page for page in content.walk() if page.id == id]

    def without(pages: tuple[PageContent, ...]) -> tuple[PageContent, ...]:
        kept = [replace(one, children=without(one.children)) for one in pages if one.id != id]
        return tuple(
            replace(one, children=(*one.children, page)) if one.id == below else one for one in kept
        )

    pages = without(content.pages)
    return replace(content, pages=pages if below is not None else (page, *pages))


def test_a_moved_page_moves_its_file_and_aims_its_links_anew(
    tip: Tip, content: SpaceContent
) -> None:
    wanted = moved(content, page_at(tip, "last.md"), page_at(tip, "guide/README.md"))
    texts = change(FILES, wanted, tip)
    assert texts["guide/last.md"] == FILES["last.md"].replace(b'".gitbook', b'"../.gitbook')
    lines = FILES["SUMMARY.md"].decode()
    assert texts["SUMMARY.md"].decode() == lines.replace("- [Last](last.md)\n", "").replace(
        "    - [Use](guide/use.md)\n",
        "    - [Use](guide/use.md)\n    - [Last](guide/last.md)\n",
    )
    assert texts.keys() == {"guide/last.md", "last.md", "SUMMARY.md"}


def test_new_pages_and_files_find_a_place(tip: Tip, content: SpaceContent) -> None:
    new = PageContent("n1", "document", "Notes", "notes", body=body("Text.\n"), children=(
        PageContent("n2", "document", "Deep", "deep", body=body("")),))  # fmt: skip
    pages = list(content.pages)
    pages[-1] = replace(pages[-1], children=(*pages[-1].children, new))
    home = PageContent("n3", "document", "Notes", "notes", body=body(""))
    wanted = replace(
        content, pages=(*pages[:1], home, *pages[1:]),
        files=(*content.files, file_content("f", "a.png", b"b"), file_content("g", "a.png", b"c")),
    )  # fmt: skip
    texts = change(FILES, wanted, tip)
    assert texts.keys() == {
        # `notes.md` is somebody's, and stays.
        "notes-1.md", "more/notes/README.md", "more/notes/deep.md", "SUMMARY.md",
        ".gitbook/assets/a (1).png", ".gitbook/assets/a (2).png",
    }  # fmt: skip
    assert texts["more/notes/README.md"] == b"# Notes\n\nText.\n"
    assert texts["more/notes/deep.md"] == b"# Deep\n"
    added = "- [Notes](more/notes/README.md)\n    - [Deep](more/notes/deep.md)\n"
    assert (
        texts["SUMMARY.md"].decode()
        == FILES["SUMMARY.md"]
        .decode()
        .replace("- [The guide]", "- [Notes](notes-1.md)\n- [The guide]")
        + added
    )


def test_what_is_gone_is_deleted_if_a_synchronization_knew_it(
    tip: Tip, content: SpaceContent
) -> None:
    pages = (content.pages[0], replace(content.pages[1], children=()), *content.pages[2:])
    wanted = replace(content, pages=pages, files=(), redirects={})
    assert write_space(tip, wanted).deletes == ()
    changes = write_space(
        tip, wanted, synced={"guide/setup.md", "guide/use.md", ".gitbook/assets/a.png"}
    )
    assert changes.deletes == (".gitbook/assets/a.png", "guide/setup.md", "guide/use.md")
    texts = {path: data.read() for path, data in changes.writes.items()}
    assert texts[".gitbook.yaml"] == b"# ours\nredirects:\n  lost: no.md\nother: [1]\n"
    assert b"    - " not in texts["SUMMARY.md"]
    assert b"<!-- more -->" in texts["SUMMARY.md"]


def test_variables_and_reusable_contents(tip: Tip, content: SpaceContent) -> None:
    (note,) = content.reusable_contents
    note = replace(note, title="A note", unchanged=False)
    wanted = replace(content, reusable_contents=(note,), variables={"a": 1, "c": "x"})
    assert change(FILES, wanted, tip) == {
        ".gitbook/vars.yaml": b"a: 1 # one\nc: x\n",
        ".gitbook/includes/note.md": b"---\ntitle: A note\nown: 1\n---\nMind.\n",
    }


@pytest.mark.parametrize("name", ["a.js", "B.HTML", "c.html"])
def test_unsafe_files_are_refused_by_name(tip: Tip, content: SpaceContent, name: str) -> None:
    wanted = replace(content, files=(*content.files, file_content("f", name, b"x")))
    (problem,) = write_space(tip, wanted).problems
    assert problem.path == f".gitbook/assets/{name}"
    assert "run where they are opened" in problem.problem


def test_twice_the_pages_take_twice_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of pages that nobody has edited are not parsed, and each is read once."""
    parsed = []
    monkeypatch.setattr(writer, "rewrite_markdown", lambda *a, **k: parsed.append(1))

    def reads(count: int) -> int:
        files = {f"p{number}.md": b"# P\n\n[n](p1.md)\n" for number in range(count)}
        tip = tip_of(tree_of(files))
        content = content_of(tip, unchanged=True)
        done = []
        load = tip.tree._load
        tip.tree._load = lambda path: (done.append(path), load(path))[1]
        assert not write_space(tip, content)
        return len(done)

    assert reads(200) <= 2.3 * reads(100)
    assert parsed == []
