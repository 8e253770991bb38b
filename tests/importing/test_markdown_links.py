"""Targets of links are replaced where they are links, and nowhere else."""

from functools import partial

import pytest

from content.imports.markdown_links import replace_links
from tests.growth import assert_growth

NEW = {"b.md": "docstead:page?page=1&x=2", "c d.png": "docstead:file?file=f", "p?a=1&b": "n&m"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x](b.md)", "[x](docstead:page?page=1&x=2)"),
        ('[x](b.md "title")', '[x](docstead:page?page=1&x=2 "title")'),
        ("![x](<c d.png>)", "![x](<docstead:file?file=f>)"),
        ("[![x](<c d.png>)](b.md)", "[![x](<docstead:file?file=f>)](docstead:page?page=1&x=2)"),
        ('<img src="p?a=1&amp;b">', '<img src="n&amp;m">'),
        ('{% file src="b.md" %}', '{% file src="docstead:page?page=1&x=2" %}'),
        ("[r]: b.md", "[r]: docstead:page?page=1&x=2"),
        ("[r]: <c d.png>", "[r]: <docstead:file?file=f>"),
        ("[^1]: b.md", "[^1]: b.md"),
        ("[x](other.md)", "[x](other.md)"),
        ("`[x](b.md)`", "`[x](b.md)`"),
        ("``a ` [x](b.md)``", "``a ` [x](b.md)``"),
        ("```\n[x](b.md)\n```", "```\n[x](b.md)\n```"),
        ("* ~~~\n  [x](b.md)\n  ~~~\n\n[x](b.md)",
         "* ~~~\n  [x](b.md)\n  ~~~\n\n[x](docstead:page?page=1&x=2)"),
    ],
)  # fmt: skip
def test_replaces(text: str, expected: str) -> None:
    assert replace_links(text, NEW.get) == expected


@pytest.mark.parametrize(
    "url",
    ["a\u3000b.md", "a\xa0b.md", "a\x85b.md", "a\u2028b.md", "a(b(c(d)e)f)g.md", "a\\)b.md",
     "a\\(b.md", "a<b>c.md"],
)  # fmt: skip
@pytest.mark.parametrize("form", ["[x]({})", '![x]({} "t")', "[x]\n\n[x]: {} 't'"])
def test_targets_end_where_they_end_in_commonmark(form: str, url: str) -> None:
    targets: list[str] = []
    replace_links(form.format(url), targets.append)
    assert targets == [_TOKENS.get(url, url)]
    assert replace_links(form.format(url), lambda url: "new") == form.format("new")


_TOKENS = {"a\\)b.md": "a)b.md", "a\\(b.md": "a(b.md"}


@pytest.mark.parametrize(
    ("piece", "end"),
    [("](", ""), ("[a](", ""), ("](a(", ""), ("](a(b()", ""), ("](a\\(", ""), ("> ", "```"),
     ('src="', ""), ("`a", "")],
)  # fmt: skip
def test_hostile_text_takes_time_in_proportion(piece: str, end: str) -> None:
    text = piece * 20_000 + end
    assert replace_links(text, NEW.get) == text
    assert_growth(lambda size: partial(replace_links, piece * size + end, NEW.get), 20_000)


@pytest.mark.parametrize(
    "text",
    [
        "`" * 300_000,
        "```a\n" * 60_000,
        "~~~~ x\n~~~\n" * 100_000,
        "> " * 50_000 + "```x\n",
        # Fences that are shorter and shorter, each of which looks for its end.
        "".join("`" * length + "x\n" for length in range(1_500, 3, -1)) + "```\n" * 200_000,
    ],
)
def test_fences_that_nothing_closes_take_no_time(text: str) -> None:
    # These would take minutes or hours.
    assert replace_links(text + "\n[a](b)", lambda url: "c").endswith("](c)")


@pytest.mark.parametrize("attribute", ['src="b.md" ', "href='b.md' ", '{% x url="b.md" '])
def test_attributes_of_one_long_line_take_no_time(attribute: str) -> None:
    # These would take minutes: of each one it is asked whether a tag of the dialect is open.
    replaced = replace_links(attribute * 150_000, NEW.get)
    assert replaced.count("docstead:page") == 150_000
    assert replaced.count("&amp;") == (0 if "%" in attribute else 150_000)


def test_what_only_looks_like_a_fence_is_none() -> None:
    text = "```x``` [a](b)\n```\n[a](b)\n```\n~~~[a](b)\n[a](b)"
    assert replace_links(text, lambda url: "c") == (
        "```x``` [a](c)\n```\n[a](b)\n```\n~~~[a](c)\n[a](c)"
    )


def test_a_fence_is_closed_by_one_as_long() -> None:
    text = "````\n```\n[a](b)\n`````\n[a](b)\n~~~\n[a](b)\n```\n[a](b)\n~~~ \n```\n[a](b)"
    assert replace_links(text, lambda url: "c") == (
        "````\n```\n[a](b)\n`````\n[a](c)\n~~~\n[a](b)\n```\n[a](b)\n~~~ \n```\n[a](c)"
    )
