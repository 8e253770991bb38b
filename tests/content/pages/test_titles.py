"""The leading heading of a page is found without reading the page."""

from hypothesis import example, given, settings, strategies as st
from markdown_it import MarkdownIt

from content.pages.title import leading_title, split_title
from tests.growth import assert_growth

BLOCKS = MarkdownIt("commonmark")
LINES = st.sampled_from(
    ["# A", "#", " # B #", "A", "===", "==", "<!-- note -->", "<!--", "-->", " -->  # C", "<!-->",
     "[a]: b", "[a]:", "  b", "", "", " ", "\t", "text", "## D", "    # code", "- # item", "> # E",
     "```", "---", "<div>", "[a](b)", "# \\#"],
)  # fmt: skip
BODIES = st.builds(
    lambda lines, end: end.join(lines),
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
)


def place_by_reading_all(body: str) -> tuple[bool, int | None]:
    """Whether the first level-1 heading leads, and its line; by all blocks of the body."""
    tokens = BLOCKS.parse(body)
    for position, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1" and token.level == 0:
            leads = all(
                one.type == "html_block" and one.content.lstrip().startswith("<!--")
                for one in tokens[:position]
            )
            return leads, None if token.map is None else token.map[0]
    return False, None


@settings(max_examples=400)
@given(BODIES)
@example("[a]: b\n<!-- x\n\n-->\n\n# A")
@example("<!-- a -->\n<!-- b\n\n c -->\n# A\n\n\ntext")
@example("[a]: b\n\n[c]: d\n\nA\n===\ntext")
def test_a_leading_heading_is_that_of_the_whole_page(body: str) -> None:
    leads, line = place_by_reading_all(body)
    title, rest = leading_title(body)
    assert (rest != body) == leads
    if not leads:
        assert title is None
        assert split_title(body) == split_title(rest)
        return
    assert split_title(body) == (title, rest)
    # Only the heading and the blank lines around it are gone.
    assert line is not None
    words = [word for word in body.split() if word]
    assert len(rest.split()) < len(words)
    before = " ".join(body.split("\n")[:line]).split()
    assert rest.split()[: len(before)] == before


def test_a_long_page_is_not_read() -> None:
    for begin in ("text\n\n", "[a]: b\n\n", "<!-- a -->\n", "[a]: b\n<!-- c -->\n", "x\n", "===\n"):
        assert_growth(lambda size, begin=begin: lambda: leading_title(begin * size), 2_000)  # type: ignore[misc]
    long = "\n\n".join(["text"] * 200_000)
    assert leading_title(f"A\n===\n\n{long}") == ("A", long)
