"""Redirects of a configuration: none is lost, comments stay, and each leads to its page."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given, settings, strategies as st

from content.git.config import read_git_config
from content.git.layout import read_space
from content.git.writer import Tip, write_space
from content.links.redirect_paths import old_path_key
from content.safe_yaml import load_yaml
from tests.content.git.space_contents import applied, content_of, tip_of, tree_of, with_page

PAGES = ("one.md", "two.md", "part/three.md")
TARGETS = (*PAGES, "two.md#some", "none.md", "https://example.org/x", "notes.md")
# Some are the same path as they are compared.
OLD = ("old", "OLD", "/old/", "o%6Cd", "part/old", "part/old/", "other", "ümlaut", "404")


@st.composite
def configured(draw: st.DrawFn) -> dict[str, bytes]:
    numbers = iter(range(1000))

    def remark(indent: str) -> list[str]:
        return [f"{indent}# c{next(numbers)}."] if draw(st.booleans()) else []

    lines = [*remark(""), "root: ./", *remark(""), "redirects:", *remark("  ")]
    for old in draw(st.lists(st.sampled_from(OLD), min_size=1, max_size=6)):
        behind = f"   # c{next(numbers)}." if draw(st.integers(0, 3)) == 0 else ""
        lines += [f"  {old}: {draw(st.sampled_from(TARGETS))}{behind}", *remark("  ")]
    lines += [*draw(st.sampled_from(([], ["other: [1]"]))), *remark("")]
    end = draw(st.sampled_from(("\n", "\r\n")))
    files = {path: b"# " + path.encode() + b"\n\nText.\n" for path in (*PAGES, "notes.md")}
    files["SUMMARY.md"] = "".join(f"* [{path}]({path})\n" for path in PAGES).encode()
    files[".gitbook.yaml"] = end.join([*lines, ""]).encode()
    return files


def leads(tip: Tip) -> dict[str, tuple[str, str | None]]:
    """Where redirects lead, by id of the page."""
    return dict(content_of(tip).redirects)


def config_of(files: dict[str, bytes]) -> str:
    return files[".gitbook.yaml"].decode()


@given(configured(), st.data())
@settings(max_examples=80, deadline=None)
def test_redirects_follow_their_pages_and_none_is_lost(
    files: dict[str, bytes], data: st.DataObject
) -> None:
    tip = tip_of(tree_of(files))
    content = content_of(tip, unchanged=True)
    assert not write_space(tip, content)
    path = data.draw(st.sampled_from(PAGES))
    wanted = with_page(content, tip.ids.pages[path], slug="renamed")
    changes = write_space(tip, wanted)
    assert [line for line in changes.warnings if "redirect" in line] == []
    after = applied(files, changes)
    before, text = config_of(files), config_of(after)
    assert re.findall(r"# c\d+\.", text) == re.findall(r"# c\d+\.", before)
    old, new = (read_git_config(one).redirects for one in (before, text))
    assert list(new) == list(old)
    to = changes.paths.pages[tip.ids.pages[path]]
    moved = {target: target.replace(path, to) for target in (path, f"{path}#some")}
    assert new == {source: moved.get(target, target) for source, target in old.items()}
    ids = {path: id for id, path in changes.paths.pages.items()}
    again = Tip(tree_of(after), read_space(tree_of(after)), replace(tip.ids, pages=ids))
    assert leads(again) == leads(tip)
    # Lines that say the same are the same.
    about = (f": {path}", f": {to}")
    rest = [line for line in before.splitlines() if about[0] not in line]
    assert [line for line in text.splitlines() if not any(one in line for one in about)] == rest


def test_names_with_invisible_characters_are_read_and_stay() -> None:
    config = "root: ./docs/\n\u200bstructure:\n    readme: Start.md\u200b\n    summary: T.md\xa0\n"
    config += "\u2060redirects:\n  old: a.md # ours\n"
    files = {
        ".gitbook.yaml": config.encode(), "docs/T.md": b"* [A](a.md)\n", "docs/a.md": b"# A\n",
        "docs/Start.md": b"# Start\n",
    }  # fmt: skip
    tip = tip_of(tree_of(files))
    assert [page.git_path for page in tip.layout.walk()] == ["docs/Start.md", "docs/a.md"]
    content = content_of(tip, unchanged=True)
    assert dict(tip.layout.redirects) == {"old": "a"}
    assert not write_space(tip, content)
    wanted = with_page(content, tip.ids.pages["a.md"], slug="b")
    after = applied(files, write_space(tip, wanted))
    assert config_of(after) == config.replace("old: a.md", "old: b.md")


@given(configured(), st.data())
@settings(max_examples=40, deadline=None)
def test_a_redirect_that_the_space_has_no_more_goes_and_is_named(
    files: dict[str, bytes], data: st.DataObject
) -> None:
    tip = tip_of(tree_of(files))
    content = content_of(tip, unchanged=True)
    if not content.redirects:
        return
    gone = data.draw(st.sampled_from(sorted(content.redirects)))
    left = {key: value for key, value in content.redirects.items() if key != gone}
    changes = write_space(tip, replace(content, redirects=left))
    after = applied(files, changes)
    old, new = (read_git_config(config_of(one)).redirects for one in (files, after))
    lost = [source for source in old if source not in new]
    assert lost
    assert {old_path_key(source) for source in lost} == {gone}
    assert [line.split("'")[1] for line in changes.warnings] == lost
    assert new == {source: target for source, target in old.items() if source not in lost}
    again = Tip(tree_of(after), read_space(tree_of(after)), tip.ids)
    assert leads(again) == left
    assert load_yaml(config_of(after), "") is not None
