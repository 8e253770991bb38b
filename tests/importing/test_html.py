"""HTML of any origin as Markdown of the dialect: one table of what becomes what."""

import pytest
from hypothesis import example, given, strategies as st

from content.imports.dom import parse_html
from content.imports.html_blocks import html_markdown
from content.imports.html_page import decode_html, page_of_html
from content.markdown.parser import parse_document
from tests.growth import soon

# ruff: noqa: E501 (one case a line)
CASES = [
    # Text and marks
    ("<p>a <b>b</b> <i>c</i> <s>d</s> <kbd>e</kbd></p>", "a **b** _c_ ~~d~~ <kbd>e</kbd>"),
    ("a<br>b", "a\\\nb"),
    ("<p>one</p>two<p>three", "one\n\ntwo\n\nthree"),
    ("<p>a\n   b&nbsp;c</p>", "a b\xa0c"),
    ("<p># no *heading*</p>", "\\# no \\*heading\\*"),
    ("<span style='font-weight:700'>x</span>", "**x**"),
    ("<p> </p><div></div>", ""),
    # Headings
    ("<h1>A</h1><h2>B</h2><h6>C</h6>", "## A\n\n### B\n\n#### C"),
    ("<h2>A</h2><h3>B</h3>", "## A\n\n### B"),
    ("<h2 id='Own Id'>A</h2>", '## A <a href="#own-id" id="own-id"></a>'),
    ("<h2 id='a-b'>A B</h2>", "## A B"),
    ("<h2>A<a class='x' href='#a'>#</a></h2>", "## A"),
    # Lists
    ("<ul><li>a<li>b</ul>", "* a\n* b"),
    ("<ol start='3'><li>a<li>b</ol>", "3. a\n4. b"),
    ("<ul><li>a<ul><li>b</ul></ul>", "* a\n  * b"),
    ("<ul><li>a</li><ul><li>b</li></ul></ul>", "* a\n  * b"),
    ("<ul><li><input type=checkbox checked> a<li><input type=checkbox>b</ul>", "* [x] a\n* [ ] b"),
    ("<ul><li><p>a</p><pre>b</pre></ul>", "* a\n\n  ```\n  b\n  ```"),
    ("<dl><dt>a<dd>b</dl>", "**a**\n\nb"),
    # Links
    ("<a href='x.html'>a</a>", "[a](x.html)"),
    ("<a href='javascript:alert(1)'>a</a>", "a"),
    ("<a href=' JaVa\nScript:alert(1)'>a</a>", "a"),
    ("<a href='data:text/html,x'>a</a>", "a"),
    ("<a href='#Some%20Part'>a</a>", "[a](#some-20part)"),
    ("<a name='x'></a>text", "text"),
    # Pictures
    ("<p><img src='a.png' alt='A \"b\"'></p>", '<figure><img src="a.png" alt="A &quot;b&quot;"></figure>'),
    ("<img src='a.png' width=20>", '<figure><img src="a.png" alt="" width="20"></figure>'),
    ("<figure><img src=a.png><figcaption>C & d</figcaption></figure>",
     '<figure><img src="a.png" alt=""><figcaption><p>C &amp; d</p></figcaption></figure>'),
    ("a <img src='b.png' alt=c> d", "a ![c](b.png) d"),
    ("<img src='data:image/png;base64,AA'>", ""),
    # Code
    ("<pre><code class='language-Python'>a\n b</code></pre>", "```python\na\n b\n```"),
    ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
    ("<div class='highlight-rust'><pre>x</pre></div>", "```rust\nx\n```"),
    ("<pre data-title='f.py'>x</pre>", '{% code title="f.py" %}\n```\nx\n```\n{% endcode %}'),
    ("<pre><span class='lineno'>1</span>x</pre>", "```\nx\n```"),
    ("<p>a <code>b|`c`</code></p>", "a `` b|`c` ``"),
    # Tables
    ("<table><tr><th>A<th align=right>B<tr><td>1<td>2</table>", "| A | B |\n| --- | --: |\n| 1 | 2 |"),
    ("<table><tr><td>A<td>B<tr><td>1<td>2</table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
    ("<table><tr><th>A<td>1<tr><th>B<td>2</table>", "|  |  |\n| --- | --- |\n| A | 1 |\n| B | 2 |"),
    ("<table><tr><th colspan=2>A<th>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
     "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |"),
    ("<table><tr><th>A<tr><td><code>a|b</code> c|d</table>", "| A |\n| --- |\n| `a\\|b` c\\|d |"),
    ("<table><tr><td><p>only</p><pre>x</pre></table>", "only\n\n```\nx\n```"),
    ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
    # Boxes
    ("<details><summary>A &lt;b&gt;</summary>c</details>",
     "<details>\n\n<summary>A &lt;b&gt;</summary>\n\nc\n\n</details>"),
    ("<div class='admonition tip'><p class='admonition-title'>Tip</p><p>a</p></div>",
     '{% hint style="success" %}\na\n{% endhint %}'),
    ("<div class='admonition danger'><p class='admonition-title'>Read me</p>a</div>",
     '{% hint style="danger" %}\n**Read me**\n\na\n{% endhint %}'),
    ("<div class='markdown-alert markdown-alert-note'><p class='markdown-alert-title'>Note</p>a</div>",
     '{% hint style="info" %}\na\n{% endhint %}'),
    ("<div class='theme-admonition theme-admonition-warning alert alert--warning'>a</div>",
     '{% hint style="warning" %}\na\n{% endhint %}'),
    ("<ac:structured-macro ac:name='warning'><ac:parameter ac:name='title'>T</ac:parameter>"
     "<ac:rich-text-body><p>a</p></ac:rich-text-body></ac:structured-macro>",
     '{% hint style="danger" %}\n**T**\n\na\n{% endhint %}'),
    ("<ac:structured-macro ac:name='code'><ac:parameter ac:name='language'>sql</ac:parameter>"
     "<ac:plain-text-body><![CDATA[a < b]]></ac:plain-text-body></ac:structured-macro>",
     "```sql\na < b\n```"),
    ("<ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>a</ac:task-body>"
     "</ac:task></ac:task-list>", "* [x] a"),
    # Quotes, rules, formulas, notes
    ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    ("a<hr>b", "a\n\n***\n\nb"),
    ("<p>a <span class='katex'><math><annotation encoding='application/x-tex'>x^2</annotation></math>"
     "</span></p>", "a $$x^2$$"),
    ("<p>a<sup><a href='#fn1' id='r1'>1</a></sup></p><section class='footnotes'><hr><ol><li id='fn1'>"
     "<p>b <a href='#r1'>↩</a></p></li></ol></section>", "a[^1]\n\n[^1]: b"),
    ("<p>a<sup>2</sup> <a href='#b'>c</a></p><p id='b'>d</p>", "a<sup>2</sup> [c](#b)\n\nd"),
    # Frames and bookmarks show another place; in a tag an address is written as it is.
    ("a<iframe src='https://video.test/v?a=1&amp;b=2'>no frames <b></iframe>b",
     'a\n\n{% embed url="https://video.test/v?a=1&b=2" %}\n\nb'),
    ("<p><iframe src='//maps.test/x\"%}y z'></iframe></p>",
     '{% embed url="https://maps.test/x%22%%7Dy%20z" %}'),
    ("<iframe src='https://count.test/' width=0 height=0></iframe>"
     "<iframe src='javascript:alert(1)'></iframe><iframe></iframe>a", "a"),
    ("<figure><a class='bookmark source' href='https://x.test/?a=1&amp;b=2'><div>X</div></a></figure>",
     '{% embed url="https://x.test/?a=1&b=2" %}'),
    ("<table><tr><th>A<th>B<tr><td><pre>a = 1\n\n  b|c\n</pre>d<td>e</table>",
     "| A | B |\n| --- | --- |\n| `a = 1`<br>`b\\|c`<br>d | e |"),
    # What is no content
    ("<script>x</script><style>y</style><iframe src=z></iframe><!-- c -->a", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "markdown"), CASES, ids=[case[0][:40] for case in CASES])
def test_case(html: str, markdown: str) -> None:
    assert html_markdown(parse_html(html)) == markdown


@pytest.mark.parametrize(
    ("html", "title", "markdown"),
    [
        ("<title>A – Site</title><nav>n</nav><main><h1>A</h1>b</main><footer>f</footer>", "A", "b"),
        ("<title>A</title><body><p>b</p></body>", "A", "b"),
        ("<main></main><article><h1>A</h1>b</article>", "A", "b"),
        ("<main>x<article><h1>A</h1>b</article></main>", "A", "b"),
        ("<body><header><h1>A</h1></header><div class='markdown-body'>b</div></body>", "A", "b"),
        ("<body><div class='breadcrumbs'>n</div><h1>A ¶</h1>b<form>c</form></body>", "A", "b"),
    ],
)
def test_pages(html: str, title: str, markdown: str) -> None:
    page = page_of_html(html, lambda url: url)
    assert (page.title, page.markdown) == (title, markdown)


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("é".encode(), None, "é"),
        ("é".encode("latin-1"), "iso-8859-1", "é"),
        (b'<meta charset="latin-1">' + "é".encode("latin-1"), None, '<meta charset="latin-1">é'),
        ("é".encode("utf-16"), None, "é"),
        ("é".encode(), "no-such-charset", "é"),
        ("é".encode(), "no\0charset", "é"),
        # None of texts, and of quadratic time: this would take hours.
        (b"-" + b"b" * 5_000_000, "punycode", "-" + "b" * 5_000_000),
        (b"xn--80ak6aa92e.com", "idna", "xn--80ak6aa92e.com"),
        (rb"\u0041", "unicode_escape", r"\u0041"),
        (b"\xff", None, "\ufffd"),
        (b"\xef\xbb\xbfa\0", None, "a\ufffd"),
    ],
)
def test_charsets(data: bytes, charset: str | None, text: str) -> None:
    assert decode_html(data, charset).lstrip("\ufeff") == text


PIECES = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<ul>",
        "</ul>",
        "<li>",
        "<table>",
        "<tr>",
        "<td>",
        "<tbody>",
        "<thead>",
        "<caption>",
        "</caption>",
        "</table>",
        "<b>",
        "</b>",
        "<pre>",
        "</pre>",
        "<a",
        "href='x'>",
        "</a>",
        "<h2>",
        "</h2>",
        "<details>",
        "<summary>",
        "</details>",
        "<div>",
        "</div>",
        "<br>",
        "<img",
        "src='y'>",
        "<blockquote>",
        "</blockquote>",
        "a",
        "*",
        "_",
        "`",
        "[",
        "]",
        "|",
        "{%",
        "$",
        "#",
        "-",
        "1.",
        "&lt;",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=40).map(" ".join))
@example("<ul> a <li>")
@example("<ol><li>a</li> b <b>c</b> <ul> d </ul>")
@example("<table> <td> a")
@example("<table> <tbody> <td> a <td> b <tr> <td> c </table>")
def test_any_mixture_gives_markdown_that_keeps_its_text(html: str) -> None:
    root = parse_html(html)
    markdown = html_markdown(parse_html(html))
    parse_document(markdown)
    words = [word for word in root.text().split() if word.isalnum()]
    assert all(word in markdown for word in words)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 25_000,
        "<ul><li>" * 5_000,
        "<b>" * 25_000 + "x",
        "<a href='x'>" * 12_500 + "x",
        "<p>" * 25_000,
        "<table>" * 7_500,
        "<table><tr>" + "<td>x" * 12_500,
        "<table>" + "<tr><td colspan=1000 rowspan=1000>x" * 1_250,
        "<" * 25_000,
        "<!--" * 12_500,
        "&" * 50_000,
        "<p " + "a=b " * 25_000 + ">",
    ],
)  # fmt: skip
def test_hostile_html_takes_bounded_time(html: str) -> None:
    with soon():
        page_of_html(html, lambda url: url)
