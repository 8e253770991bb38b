"""Writing a space into a tree: what is there stays as it is written, what differs is written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, Phase, settings, strategies as st

from content.git.layout import read_space
from content.git.space_content import SpaceContent
from content.git.space_import import PageImport, SpaceImport
from content.git.tree_changes import TreeChanges
from content.git.writer import Tip, write_space
from content.markdown.parser import parse_document
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
    max_examples=60, deadline=None, phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
BUNDLES = "/work/shared/data"


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


@given(repositories())
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
