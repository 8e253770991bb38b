"""Of files whose paths differ only in case two pages are refused; what is no page stays."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, assume, event, given, settings, strategies as st

from content.errors import CaseConflictError
from content.git.layout import read_space
from content.git.space_content import PageContent
from content.git.space_import import SpaceImport
from content.git.writer import Tip, write_space
from content.imports.markdown_files import read_markdown_files
from content.markdown.parser import parse_document
from content.slugs import slug_key
from tests.content.git.layouts import repositories
from tests.content.git.space_contents import applied, content_of, tip_of, tree_of, with_page

MANY = settings(
    max_examples=60, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large,
                           HealthCheck.filter_too_much],
)  # fmt: skip


@dataclass(frozen=True)
class WithTwins:
    """Files of a repository, the paths of its pages, and those beside them that are none."""

    files: dict[str, bytes]
    pages: frozenset[str]
    twins: frozenset[str]

    @property
    def conflict(self) -> bool:
        return len({slug_key(path) for path in self.pages}) < len(self.pages)


@st.composite
def with_twins(draw: st.DrawFn) -> WithTwins:
    """Repositories in which some pages have twins that are listed, or are not; of some pairs the
    file of the page is missing."""
    files = dict(draw(repositories()))
    layout = read_space(tree_of(files))
    prefix = f"{layout.root}/" if layout.root else ""
    table = prefix + layout.config.summary
    # Without a table of contents all twins are pages, so mostly there is one.
    assume(table in files or draw(st.integers(0, 4)) == 0)
    pages = {page.git_path for page in layout.walk() if page.git_path and page.git_oid}
    twins: set[str] = set()
    chosen = draw(st.lists(st.sampled_from(sorted(pages)), min_size=1, max_size=3, unique=True))
    for path in chosen:
        own = path.removeprefix(prefix)
        parts = own.split("/")
        number = draw(st.integers(0, len(parts) - 1))
        parts[number] = draw(st.sampled_from((str.swapcase, str.upper, decomposed)))(parts[number])
        twin = prefix + "/".join(parts)
        if twin in files or not twin.lower().endswith(".md"):
            continue
        files[twin] = b"# Twin\n\nOf " + path.encode() + b"\n"
        if table not in files:
            pages.add(twin)
        elif draw(st.integers(0, 9)) == 0:
            target = posixpath.relpath(twin, posixpath.dirname(table) or ".").replace(" ", "%20")
            files[table] += f"\n\n* [Twin]({target})\n".encode()
            pages.add(twin)
        else:
            twins.add(twin)
            if draw(st.integers(0, 2)) == 0 and path != prefix + layout.config.readme:
                del files[path]
                pages.remove(path)
    return WithTwins(files, frozenset(pages), frozenset(twins))


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@given(with_twins(), st.data())
@MANY
def test_twins_that_are_no_pages_refuse_nothing_and_stay(
    repository: WithTwins, data: st.DataObject
) -> None:
    files = repository.files
    if repository.conflict:
        event("refused")
        with pytest.raises(CaseConflictError):
            read_space(tree_of(files))
        return
    tip = tip_of(tree_of(files))
    assert {page.git_path for page in tip.layout.walk() if page.git_oid} == repository.pages
    keys = {slug_key(path) for path in repository.pages}
    beside = {path for path in repository.twins if slug_key(path) in keys}
    named = {line.partition(":")[0] for line in tip.layout.warnings if "in upper and lower" in line}
    assert named == beside
    # Nothing is changed by a write of what is there already.
    content = content_of(tip, unchanged=True)
    assert not write_space(tip, content)
    pages = [page for page in content.walk() if page.kind == "document"]
    page = data.draw(st.sampled_from(pages))
    names = [posixpath.splitext(posixpath.basename(path))[0] for path in sorted(files)]
    slug = data.draw(st.sampled_from([page.slug, *(name for name in names if " " not in name)]))
    wanted = with_page(
        content, page.id, slug=slug, body=lambda: parse_document("Edited.\n"),
    )  # fmt: skip
    if data.draw(st.booleans()):
        name = data.draw(st.sampled_from(names))
        new = PageContent("n", "document", name, name, body=lambda: parse_document("New.\n"))
        wanted = replace(wanted, pages=(*wanted.pages, new))
    if data.draw(st.booleans()) and len(wanted.pages) > 1:
        wanted = replace(wanted, pages=wanted.pages[1:])
    check_write(repository, tip, write_space(tip, wanted, synced=repository.pages))


def check_write(repository: WithTwins, tip: Tip, changes: object) -> None:
    """A twin is as it was, also where capitals do not count: nothing is written to its path."""
    files = repository.files
    after = applied(files, changes)  # type: ignore[arg-type]
    assert repository.twins <= after.keys()
    for twin in repository.twins:
        assert after[twin] == files[twin]
    keys = {slug_key(path): path for path in repository.twins}
    new = after.keys() - files.keys()
    assert [path for path in new if slug_key(path) in keys] == []
    again = read_space(tree_of(after))
    assert repository.twins.isdisjoint(page.git_path for page in again.walk() if page.git_path)


def refusal(files: Mapping[str, bytes]) -> str:
    with pytest.raises(CaseConflictError) as refused:
        read_space(tree_of(files))
    return str(refused.value)


def paths(layout: SpaceImport) -> list[str | None]:
    return [page.git_path for page in layout.walk()]


def test_pages_whose_paths_differ_in_case_are_named_at_once() -> None:
    names = ["A.md", "B.md", "a.md", "b.md", "c\u0327.md", "\xe7.md", "d.md"]
    files = {"SUMMARY.md": "".join(f"* [{name}]({name})\n" for name in names).encode()}
    said = refusal({**files, **dict.fromkeys(names, b"# P\n")})
    assert said.startswith("'A.md' and 'a.md'; 'B.md' and 'b.md'; 'c")
    assert said.endswith("rename one of each pair")
    # Without a table of contents all of them are pages.
    assert refusal(dict.fromkeys(names[:4], b"# P\n")).startswith("'A.md' and 'a.md'; 'B.md'")


def test_only_pages_of_the_space_are_compared() -> None:
    files = {
        ".gitbook.yaml": b"root: docs\n",
        "docs/SUMMARY.md": b"* [Models](models/README.md)\n  * [One](models/one.md)\n",
        "docs/models/README.md": b"# Models\n", "docs/Models/README.md": b"# Old\n",
        "docs/models/one.md": b"# One\n", "docs/MODELS/One.md": b"# Older\n",
        "src/A.md": b"", "src/a.md": b"",
    }  # fmt: skip
    layout = read_space(tree_of(files))
    assert paths(layout) == ["docs/models/README.md", "docs/models/one.md"]
    assert list(layout.warnings) == [
        "docs/MODELS/One.md: is left out, for it differs only in upper and lower case from "
        "'docs/models/one.md', which is a page",
        "docs/Models/README.md: is left out, for it differs only in upper and lower case from "
        "'docs/models/README.md', which is a page",
    ]


def test_reusable_contents_whose_names_differ_in_case_are_two() -> None:
    files = {
        "README.md": b'# R\n\n{% include ".gitbook/includes/Note.md" %}\n',
        ".gitbook/includes/Note.md": b"One.\n",
        ".gitbook/includes/note.md": b"Two.\n",
    }
    layout = read_space(tree_of(files))
    assert [content.markdown for content in layout.reusable_contents] == ["One.\n", "Two.\n"]
    (warning,) = layout.warnings
    assert "differs from '.gitbook/includes/Note.md' only in upper and lower case" in warning


def test_a_missing_page_beside_a_twin_gets_a_file_of_its_own() -> None:
    files = {"SUMMARY.md": b"* [A](Guide/A.md)\n", "guide/a.md": b"# Theirs\n"}
    tip = tip_of(tree_of(files))
    content = content_of(tip)
    assert not write_space(tip, content)
    wanted = with_page(content, content.pages[0].id, body=lambda: parse_document("Text.\n"))
    after = applied(files, write_space(tip, wanted))
    assert after["guide/a.md"] == files["guide/a.md"]
    assert after["Guide/A-1.md"] == b"# A\n\nText.\n"
    assert after["SUMMARY.md"] == b"* [A](Guide/A-1.md)\n"


def test_pages_of_wikis_are_compared() -> None:
    files = {"Home.md": b"# Home\n", "Page.md": b"# P\n", "page.md": b"# P\n"}
    with pytest.raises(CaseConflictError, match=r"'Page\.md' and 'page\.md'"):
        read_markdown_files(tree_of(files))
    aside = read_markdown_files(tree_of({"Home.md": b"", "_Page.md": b"", "_page.md": b""}))
    assert len(aside.pages) == 1
