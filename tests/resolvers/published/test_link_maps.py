"""What the URLs of a stored text lead to, whatever the text."""

from hypothesis import example, given, strategies as st

from content.markdown.parser import parse_document
from resolvers.published.link_maps import _PLACE, read_links

TARGETS = st.text(
    st.sampled_from("ab/.#?=&;<>()[]\\\"'`%{}- \n\t\x0b\x1c\x7f\x85\xa0\u2028\u3000\ufeffé"),
    max_size=12,
)
FORMS = (
    "[a]({})", "![a]({} 't')", "[a](<{}>)", "[a](\n{})", "[a]\n\n[a]: {}", "[a]\n\n[a]:\n{}",
    "<https:{}>",
    '<a href="{}">x</a>', "<img src={}>", '{{% embed url="{}" %}}', "[^1]\n\n[^1]: [b]({})",
)  # fmt: skip
PREFIXES = ("", "x/", "https://x.example/", "docstead:tag?tag=", "docst&#101;ad:tag?tag=9", "/v1/")
LINKS = st.builds(
    lambda form, prefix, target: form.format(prefix + target),
    st.sampled_from(FORMS), st.sampled_from(PREFIXES), TARGETS,
)  # fmt: skip


@given(st.lists(LINKS, min_size=1, max_size=4).map("\n\n".join))
@example("[a](\ndocstead:tag?tag=99)")
@example("[a](https://x.example/a\u3000b(c(d(e(f)))).png)")
def test_every_text_has_a_map(markdown: str) -> None:
    document = parse_document(markdown, resolve=lambda url: {"kind": "url", "url": url})
    links = read_links(markdown, document)
    # No mark of the reading is left in any of them.
    assert not [url for url in links.urls if _PLACE in url]


def test_a_target_of_several_words_of_another_script_is_one() -> None:
    markdown = "[a](guide/图\u3000一.md) ![b](<c d.png>) [e](f(g(h)i).md)"
    document = parse_document(markdown, resolve=lambda url: {"kind": "url", "url": url})
    links = read_links(markdown, document)
    assert links.urls == {"guide/图\u3000一.md", "c d.png", "f(g(h)i).md"}
    assert links.whole


def test_what_looks_like_a_mark_is_none() -> None:
    markdown = "[a](x.md)\n\n[b](\ndocstead:tag?tag=0)"
    document = parse_document(markdown, resolve=lambda url: {"kind": "url", "url": url})
    assert read_links(markdown, document).urls == {"x.md", "docstead:tag?tag=0"}
