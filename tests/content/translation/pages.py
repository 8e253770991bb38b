"""Markdown of pages with everything that can stand in a line, and many kinds of blocks."""

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "page",
        "API",
        "change request",
        "a < b",
        "x & y",
        "größer",
        "日本語",
        "one",
        "&lt;x1&gt;",
        "<x1>",
    ]
)
PIECES = st.one_of(
    WORDS,
    WORDS.map("**{}**".format),
    WORDS.map("_{}_".format),
    WORDS.map("**_{}_ both**".format),
    st.sampled_from(["`code`", "`<x1>`", "[a **bold** link](https://example.com/a)", ":smile:",
                     "![alt text](a.png)", "{{ a.b }}", "https://example.com/b", "<https://c.example>",
                     '<code class="expression">space.vars.a</code>', "$$x^2$$", "H<sub>2</sub>O",
                     '<mark style="color:red;">red words</mark>', "\\\n",
                     "[mail](mailto:a@b.example)", "~~gone~~", "[`code` in a link](guide.md#top)"]),
)  # fmt: skip
LINES = st.lists(PIECES, min_size=1, max_size=7).map(" ".join)
BLOCKS = st.one_of(
    LINES,
    LINES.map("## {}".format),
    st.lists(LINES, min_size=1, max_size=3).map(
        lambda lines: "\n".join(f"* {line}" for line in lines)
    ),
    LINES.map("- [ ] {}".format),
    LINES.map("> {}".format),
    LINES.map('{{% hint style="info" %}}\n{}\n{{% endhint %}}'.format),
    LINES.map(
        '{{% tabs %}}\n{{% tab title="A page" %}}\n{}\n{{% endtab %}}\n{{% endtabs %}}'.format
    ),
    st.just("| A page | B |\n| --- | --- |\n| one `code` | **two** [three](a.md) |"),
    st.just('{% code title="main.py" %}\n```python\nprint("page")\n```\n{% endcode %}'),
    st.just(
        '<figure><img src="a.png" alt="A page"><figcaption><p>A **page**</p></figcaption></figure>'
    ),
    st.just("<details>\n\n<summary>A page</summary>\n\nOf *words*.\n\n</details>"),
    st.just("A note[^1].\n\n[^1]: With a page and `code`."),
    st.just("$$\nx^2\n$$"),
)


def pages() -> st.SearchStrategy[str]:
    """Texts of one to five blocks."""
    return st.lists(BLOCKS, min_size=1, max_size=5).map("\n\n".join)
