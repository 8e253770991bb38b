"""Every kind of block in every container, spelled as authors do: what is read of it is written so
that it is read as the same, and would be written just so again."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, example, given, settings, strategies as st

from content.documents.keys import content_digest
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown

BLOCKS = (
    "Some text",
    "one  \ntwo",
    "## Head ##",
    "Head\n----",
    '## Head <a href="#x" id="x"></a>',
    "- a\n- b",
    "* a\n  * b\n\n    c",
    "* a\n\n  ```js\n  x\n  ```",
    "* ***",
    "*     code",
    "7) a\n8) b",
    "* [ ] a\n* [x] b",
    "* a\n\n  | a | b |\n  | - | - |\n  | c | d |",
    "> q\nlazy",
    "> * a\n> * b",
    "~~~\nx\n\n~~~",
    "    code",
    "```js\nx",
    '{% code title="a.js" %}\n```js\nx\n```\n{% endcode %}',
    "* * *",
    "$$\na\n\nb\n$$",
    "| a | b |\n|:-|:-:|\n| c |",
    "| a |\n| - |\n| <ul><li>x<li>y</ul> |",
    "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>",
    '<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>',
    "![alt](a.png)",
    '<figure><img src="a.png" alt=""><figcaption></figcaption></figure>',
    '<img src="a.png" alt="x" width="10">',
    "![a](a.png) ![b](b.png)",
    '{% embed url="https://a.b/c" %}',
    '{% file src="a.zip" %}\ncap\n{% endfile %}',
    '{% page-ref page="a.md" %}',
    '{% include "a.md" %}',
    "{% foo %}\nx\n{% endfoo %}",
    "<div>x</div>",
    "<div>\n\ntext\n\n</div>",
    "<!-- c -->",
    "</div>",
    "<ul>\n  <li>a</li>\n  <li>b<ol><li>c</li></ol></li>\n</ul>",
    '<ol start="3">\n\n<li>a</li>\n\n</ol>',
    "<p>para</p>",
    "a<br>b",
    '<a name="x"></a>',
    "<script>\nx\n\ny\n</script>",
    "<pre>\na\n\nb\n</pre>",
    "<details><summary>s</summary>body</details>",
    "a[^1]\n\n[^1]: note",
    "a[^1] b[^1]\n\n[^1]: * x\n\n[^1]: y",
    "[r]\n\n[r]: http://a.b",
    "[a](<b c.md>)",
    "**b** _i_ `c`",
    "&nbsp;&#x20;&amp;",
    "{% x",
    '{% hint style="info" %}*a*{% endhint %}',
    "<a>\n\ntext\n\n</a>",
    '<Tabs>\n  <TabItem value="a" label="A">\n    x\n\n    * y\n  </TabItem>\n</Tabs>',
)


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line if line else line for line in text.split("\n"))


# The block stands where `@` and a number are, indented by as much.
CONTAINERS = (
    "@0",
    "* item\n\n@2",
    "* item\n@2\n* next",
    "1. item\n\n@3",
    "* [ ] item\n\n@2",
    "* a\n  * b\n\n@4\n* c",
    '{% hint style="info" %}\n@0\n{% endhint %}',
    '* item\n\n  {% hint style="info" %}\n@2\n  {% endhint %}',
    '* item\n\n  {% hint style="info" %}\n@2\n{% endhint %}',
    '{% tabs %}\n{% tab title="A" %}\n1. item\n\n@3\n   {% endtab %}\n\n'
    '{% tab title="B" %}\nx\n{% endtab %}\n{% endtabs %}',
    '1. item\n\n   {% tabs %}\n   {% tab title="A" %}\n@3\n   {% endtab %}\n   {% endtabs %}',
    "{% stepper %}\n{% step %}\n@0\n{% endstep %}\n{% endstepper %}",
    "<details>\n\n<summary>S</summary>\n\n@0\n\n</details>",
    "<details>\n<summary>S</summary>\n@0\n</details>",
    "x[^f]\n\n[^f]: y\n\n@4",
    "| h |\n| - |\n| @! |",
    "| @! |\n| - |\n| a |",
    "<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>@0</td></tr></tbody></table>",
    '<table data-view="cards"><thead><tr><th></th></tr></thead>'
    "<tbody><tr><td><b>@0</b></td></tr></tbody></table>",
    '{% embed url="https://a.b" %}\n@0\n{% endembed %}',
    '<figure><img src="a.png" alt=""><figcaption>@!</figcaption></figure>',
    "<div>\n\n@0\n\n</div>",
    "## @!",
    "**@0**",
    "~~@0~~",
    "[@!](u.md)",
    '<mark style="color:red;">@!</mark>',
    '<a href="u.md">@!</a>',
    "<ul><li>@!</li></ul>",
    '<Tabs>\n<Tab title="A">\n@0\n</Tab>\n</Tabs>',
    '<Tabs>\n  <Tab title="A">\n@4\n  </Tab>\n</Tabs>',
)


def placed(block: str, container: str) -> str:
    """A block in a container; where that is a line, on one line."""
    before, _, behind = container.partition("@")
    if behind[0] == "!":
        return before + block.replace("\n", " ").replace("|", "\\|") + behind[1:]
    return before + _indented(block, int(behind[0])) + behind[1:]


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Pages of one to three blocks, each in up to three containers in each other."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        part = draw(st.sampled_from(BLOCKS))
        for _ in range(draw(st.integers(0, 3))):
            if draw(st.integers(0, 3)) == 0:
                part += draw(st.sampled_from(["\n", "\n\n"])) + draw(st.sampled_from(BLOCKS))
            part = placed(part, draw(st.sampled_from(CONTAINERS)))
        parts.append(part)
    return draw(st.sampled_from(["\n\n", "\n\n", "\n"])).join(parts) + "\n"


def stays(markdown: str) -> None:
    read = parse_document(markdown)
    digest = content_digest(read)
    written = write_markdown(read)
    again = parse_document(written)
    assert content_digest(again) == digest, written
    assert write_markdown(again) == written
    styled = parse_with_style(markdown)
    assert content_digest(styled) == digest
    assert content_digest(parse_document(write_markdown(styled))) == digest


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_block_in_every_container(container: str) -> None:
    for block in BLOCKS:
        stays(placed(block, container) + "\n")


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(pages())
# A fence that nothing closes.
@example('<Tabs>\n  <Tab title="A">\n    * item\n\n      ```js\n      x\n  </Tab>\n</Tabs>\n')
# A note of the head of a table, which another cell refers to, too.
@example("| a[^1]  [^1]: note |\n| - |\n| a |\na[^1]\n\n[^1]: note\n")
def test_pages(markdown: str) -> None:
    # Definitions of one label in each other are left out: what is written of them may be another.
    assume(markdown.count("[^f]:") <= 1)
    assume(markdown.count("[^1]:") <= 2)
    stays(markdown)
