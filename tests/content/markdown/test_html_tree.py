"""Tags in the HTML of the dialect."""

import pytest

from content.markdown.html_tree import parse_html_tag


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("<a>", {}),
        ("<a b>", {"b": ""}),
        ('<a B = "c d" e=\'f"g\' h=i/j >', {"b": "c d", "e": 'f"g', "h": "i/j"}),
        ("<a b='&lt;'/>", {"b": "<"}),
        ("<a b=>", None),
        ("<a b=>-< c=d=>", None),
        ("<a bb  =\n>>", None),
        ('<a b="c>', None),
        ("<a b='c' =>", None),
    ],
)
def test_a_tag_has_its_attributes(text: str, attributes: dict[str, str] | None) -> None:
    tag = parse_html_tag(text)
    assert (tag and dict(tag.attributes)) == attributes
