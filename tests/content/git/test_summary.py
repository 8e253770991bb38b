from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from content.errors import ContentError, LayoutError, YamlError
from content.git.summary import (
    SummaryEntry,
    infer_summary,
    natural_order,
    parse_summary,
    refuse_repeated_files,
    title_from_name,
    with_links_for_repeated_files,
)

Shape = list[tuple[str, str, str | None, "Shape"]]


def shape(entries: tuple[SummaryEntry, ...]) -> Shape:
    return [(e.kind, e.title, e.target, shape(e.children)) for e in entries]


def test_groups_pages_links_and_nesting() -> None:
    entries = parse_summary(
        "# Contents\n\n* [Home \\(x\\)](README.md)\n  * [In `code`](<a b.md>)\n"
        "* [Site](https://x.y/z)\n* [Part](a.md#b)\n* [Sheet](t.csv)\n\n"
        '## Group <a href="#g" id="g"></a>\n\n- [Deep](x/../y/z%20z.md "Nav")\n    - Plain\n'
    )
    assert shape(entries) == [
        ("page", "Home (x)", "README.md", [("page", "In code", "a b.md", [])]),
        ("link", "Site", "https://x.y/z", []),
        ("link", "Part", "a.md#b", []),
        ("link", "Sheet", "t.csv", []),
        ("group", "Group", None, [("page", "Deep", "y/z z.md", [("page", "Plain", None, [])])]),
    ]
    assert entries[4].slug == "g"
    assert [entry.line for entry in entries] == [3, 5, 6, 7, 9]


def test_links_are_relative_to_the_folder_of_the_summary() -> None:
    (entry,) = parse_summary("* [A](a.md)", "toc/SUMMARY.md")
    assert entry.target == "toc/a.md"


def test_link_with_spaces_is_still_a_page() -> None:
    (entry,) = parse_summary("* [My \\[page\\]](my page.md)")
    assert (entry.kind, entry.title, entry.target) == ("page", "My [page]", "my page.md")


def test_path_out_of_the_root_is_no_page() -> None:
    (entry,) = parse_summary("* [A](../../etc/a.md)")
    assert (entry.kind, entry.target) == ("link", "../../etc/a.md")


def test_computed_page() -> None:
    (entry,) = parse_summary(
        "* ```yaml\n  type: builtin:openapi\n  title: API\n  slug: api\n"
        "  props:\n    models: true\n  ```"
    )
    assert (entry.kind, entry.title, entry.slug) == ("computed", "API", "api")
    assert entry.source == {
        "type": "builtin:openapi",
        "title": "API",
        "slug": "api",
        "props": {"models": True},
    }


def test_computed_page_with_bad_yaml_names_the_line() -> None:
    with pytest.raises(YamlError) as caught:
        parse_summary("# T\n\n* ```yaml\n  type: [\n  ```")
    assert caught.value.path == "SUMMARY.md"
    assert caught.value.line in (4, 5)
    with pytest.raises(LayoutError, match="line 1: a computed page needs"):
        parse_summary("* ```yaml\n  props: {}\n  ```")


def test_same_file_twice_names_both_lines() -> None:
    with pytest.raises(LayoutError, match=r"'a\.md' is listed twice, on line 1 and on line 4"):
        refuse_repeated_files(
            parse_summary("* [A](a.md)\n* [B](b.md)\n\n* [Again](./a.md)"), "SUMMARY.md"
        )


def test_repeated_files_become_links_to_the_first() -> None:
    summary = "* [A](a.md)\n  * [A, too](a.md)\n* [Again](./a.md)\n  * [B](b%20c.md)\n* [B](b c.md)"
    first, second, third = with_links_for_repeated_files(parse_summary(summary))
    assert (first.kind, first.target) == ("page", "a.md")
    (within,) = first.children
    assert (within.kind, within.title, within.target) == ("link", "A, too", "/a.md")
    # Links hold no pages, so a page without a text does.
    assert (second.kind, second.title, second.target) == ("page", "Again", None)
    assert [(entry.kind, entry.target) for entry in second.children] == [
        ("link", "/a.md"),
        ("page", "b c.md"),
    ]
    assert (third.kind, third.target) == ("link", "/b%20c.md")


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=20))
def test_each_file_is_one_page_and_every_entry_stays(listed: list[tuple[int, int]]) -> None:
    lines, depth = [], -1
    for number, (wanted, file) in enumerate(listed):
        depth = min(wanted, depth + 1)
        lines.append(f"{'  ' * depth}* [T{number}](f{file}.md)")
    entries = parse_summary("\n".join(lines))
    shown = with_links_for_repeated_files(entries)
    refuse_repeated_files(shown, "SUMMARY.md")
    every = [entry for top in shown for entry in top.walk()]
    # Each line of the source is a page, a link, or a page without a text with that link in it.
    assert {entry.line for entry in every} == set(range(1, len(lines) + 1))
    pages = [entry.target for entry in every if entry.kind == "page" and entry.target]
    assert sorted(pages) == sorted({f"f{file}.md" for _, file in listed})
    links = [entry for entry in every if entry.kind == "link"]
    assert len(links) == len(listed) - len(pages)
    assert all(not link.children for link in links)
    if len(pages) == len(listed):
        assert shown == entries


@given(st.text(alphabet='*-# []()\n`ab.md\\<>"/:', max_size=120))
def test_any_summary_is_read_or_refused(text: str) -> None:
    try:
        parse_summary(text)
        message = "SUMMARY.md"
    except ContentError as error:
        message = str(error)
    assert message.startswith("SUMMARY.md")


def test_tree_inferred_from_folders() -> None:
    entries = infer_summary(
        [
            "docs/README.md",
            "docs/page-10.md",
            "docs/page-2.md",
            "docs/guide/README.md",
            "docs/guide/one.md",
            "docs/plain/deep/x.md",
            "docs/.hidden/y.md",
            "docs/image.png",
        ]
    )
    assert shape(entries) == [
        ("page", "README", "docs/README.md", []),
        ("page", "README", "docs/guide/README.md", [("page", "One", "docs/guide/one.md", [])]),
        ("page", "Page 2", "docs/page-2.md", []),
        ("page", "Page 10", "docs/page-10.md", []),
        (
            "page",
            "Plain",
            None,
            [("page", "Deep", None, [("page", "X", "docs/plain/deep/x.md", [])])],
        ),
    ]
    assert entries[4].slug == "plain"


def test_natural_order_takes_numbers_of_any_size() -> None:
    names = ["b", "a10", "a2", "A1", "a" + "9" * 5000]
    assert sorted(names, key=natural_order) == ["A1", "a2", "a10", "a" + "9" * 5000, "b"]
    assert title_from_name("x/getting_started-now.md") == "Getting started now"
