"""Repositories in the Git layout, as Hypothesis makes them up."""

from __future__ import annotations

import posixpath
from urllib.parse import quote

from hypothesis import strategies as st

NAMES = ("setup", "guide", "Use", "c+d", "été", "a b", "faq", "deep-dive", "v1.2")
BODIES = (
    "",
    "Text.\n",
    "- dash\n- list\n\n1) one\n2) two\n",
    "A *b* __c__ [site](https://example.org).\n\n{% hint style=\"info\" %}\nMind.\n{% endhint %}\n",
    "| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nx\n```\nno newline at the end",
    "<!-- for authors -->\n\nSetext\n------\n\n* * *\n\n![x](LINK)\n",
    "{% include \"INCLUDE\" %}\n\n[to it](LINK) and [again](LINK#part).\n\n\n\nGap.\n",
    "{% content-ref url=\"LINK\" %}\n[x](LINK)\n{% endcontent-ref %}\n\n[ref]: LINK\n\n[ref].\n",
    "{% unknown-tag a=\"b\" %}\n\n&copy; \\* 1\\. x  \nbreak\n",
    "Blank lines at the end.\n\n\n\n",
)  # fmt: skip
HEADS = (
    "# TITLE\n\n",
    "# TITLE #\n",
    "TITLE\n=====\n\n",
    "",
    "---\ndescription: 'One: two'   # why\n---\n\n# TITLE\n\n",
    "---\ntitle: \"Other TITLE\"\nicon: house\nunknown: {a: [1, 2]}\n---\n\n# TITLE\n\n",
    "---\n# comment\nlayout:\n  width: wide\n  outline:\n    visible: false\n    odd: 1\n"
    "hidden: perhaps\n---\n# TITLE\n\n",
    "---\ncover: COVER\ncoverY: -12\nvars:\n  port: 8080\n  2bad: x\n"
    "if: visitor.claims.x == 1\nid: pageId7\n---\n# TITLE\n\n",
    "<!-- first -->\n\n# TITLE\n\n",
)  # fmt: skip
TITLES = ("Start", "A & B", "Über *uns*", "1. First", "Two [brackets]", "x_y_z", "Q: what?")


@st.composite
def repositories(draw: st.DrawFn) -> dict[str, bytes]:
    """The files of a repository: pages in folders, groups, links, computed pages, entries without
    links, includes, assets, variables, redirects, foreign files; CRLF, marks of byte order. The
    readme and the table of contents may be outside of the root that the configuration names."""
    files: dict[str, bytes] = {}
    root = draw(st.sampled_from(("", "", "docs")))
    summary = draw(st.sampled_from(("SUMMARY.md", "SUMMARY.md", "toc/CONTENTS.md")))
    if root and draw(st.booleans()):
        summary = "../SUMMARY.md"
    readme = "../README.md" if root and draw(st.booleans()) else ""
    assets = [".gitbook/assets/a b.png", ".gitbook/assets/c (1).bin", "data.csv"]
    include = ".gitbook/includes/notice.md"
    pages = draw(_tree(""))
    paths = [path for path, _, _ in _flat(pages)]
    for path, title, head in _flat(pages):
        body = draw(st.sampled_from(BODIES))
        folder = posixpath.dirname(path) or "."
        target = posixpath.relpath(draw(st.sampled_from([*paths, *assets, "none.md"])), folder)
        body = body.replace("LINK", target.replace(" ", "%20"))
        body = body.replace("INCLUDE", posixpath.relpath(include, folder))
        head = HEADS[head].replace("TITLE", title)
        head = head.replace("COVER", posixpath.relpath(assets[0], folder))
        text = head + body
        data = draw(_ends(text.encode()))
        if draw(st.integers(0, 5)) == 0:
            data = b"\xef\xbb\xbf" + data
        files[path] = data
    files |= {path: path.encode() for path in assets}
    files[include] = b"---\ntitle: Notice\nown: 1\n---\nSee [x](../../data.csv).\n"
    files[".gitbook/vars.yaml"] = b"# numbers\nversion: '1.2'\n2bad: x\n"
    files["src/main.js"] = b"run()"
    if draw(st.integers(0, 4)):
        folder = posixpath.dirname(posixpath.normpath(posixpath.join(root, summary)))
        listed = [(readme, "Outer", 0, []), *pages] if readme and draw(st.booleans()) else pages
        text = draw(_summary_of(listed, root, folder))
        files[summary] = draw(_ends(text.encode()))
    if readme:
        place = quote(draw(st.sampled_from([*paths, *assets])))
        files[readme] = f"# Outer\n\n[to](docs/{place}) ![](docs/{place})\n".encode()
    result = {posixpath.normpath(posixpath.join(root, path)): data for path, data in files.items()}
    config = f"# of us\nroot: ./{root}/\nstructure:\n  summary: {summary}\nother: 1\n"
    if readme:
        config = config.replace("structure:\n", f"structure:\n  readme: {readme}\n")
    elif draw(st.integers(0, 3)) == 0:
        config = config.replace(
            "structure:\n", f"structure:\n  readme: {draw(st.sampled_from(paths))}\n"
        )
    if draw(st.booleans()):
        config += f"redirects:\n  old/way: {paths[0]}\n  'lost': nowhere.md\n"
    if readme or root or summary != "SUMMARY.md" or draw(st.booleans()):
        result[".gitbook.yaml"] = config.encode()
    return result


@st.composite
def _ends(draw: st.DrawFn, data: bytes) -> bytes:
    """Lines that end as on one system, on another, or as whoever has edited them last had it."""
    parts = data.split(b"\n")
    ends = draw(st.sampled_from(((b"\n",), (b"\r\n",), (b"\r\n", b"\n", b"\n"))))
    return b"".join(
        part + (ends[number % len(ends)] if number < len(parts) - 1 else b"")
        for number, part in enumerate(parts)
    )


@st.composite
def _tree(draw: st.DrawFn, folder: str, depth: int = 0) -> list:
    nodes = []
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)):
        kind = draw(st.sampled_from(("file", "folder", "entry", "beside")))
        title, head = draw(st.sampled_from(TITLES)), draw(st.integers(0, len(HEADS) - 1))
        below = (
            draw(_tree(posixpath.join(folder, name), depth + 1))
            if depth < 2 and draw(st.booleans())
            else []
        )
        path = posixpath.join(folder, f"{name}.md")
        if kind == "folder":
            path = posixpath.join(folder, name, "README.md")
        nodes.append((None if kind == "entry" and depth else path, title, head, below))
    if not folder and draw(st.booleans()):
        nodes.insert(0, ("README.md", "Home", 0, []))
    return nodes


def _flat(nodes: list):
    for path, title, head, below in nodes:
        if path is not None:
            yield path, title, head
        yield from _flat(below)


@st.composite
def _summary_of(draw: st.DrawFn, nodes: list, root: str, folder: str) -> str:
    marker = draw(st.sampled_from("*-"))
    step = draw(st.sampled_from((2, 4)))
    between = draw(st.sampled_from(("", "", "\n")))
    lines = [draw(st.sampled_from(("# Table of contents\n\n", "# Contents\n", "")))]
    cut = draw(st.integers(0, len(nodes)))

    def item(node, depth: int) -> None:
        path, title, _, below = node
        label = title.replace("[", "\\[").replace("]", "\\]").replace("*", "\\*")
        if path is not None:
            full = posixpath.normpath(posixpath.join(root, path))
            target = posixpath.relpath(full, folder or ".").replace(" ", "%20")
            label = f"[{label}]({target})"
        lines.append(f"{' ' * step * depth}{marker} {label}\n{between}")
        for child in below:
            item(child, depth + 1)

    for node in nodes[:cut]:
        item(node, 0)
    if draw(st.booleans()):
        lines.append(f"{marker} [Site](https://example.org/x)\n")
    for number, node in enumerate(nodes[cut:]):
        anchor = draw(st.sampled_from(("", ' <a href="#own" id="own"></a>'))) if not number else ""
        lines.append(f"\n## Group {number}{anchor}\n\n")
        item(node, 0)
        if draw(st.integers(0, 3)) == 0:
            lines.append(
                f"{marker} ```yaml\n  type: builtin:openapi\n  title: Api {number}\n"
                "  props:\n    models: true\n  ```\n"
            )
        if draw(st.integers(0, 3)) == 0:
            lines.append(f"{marker} [To it]({posixpath.relpath('data.csv', folder or '.')})\n")
    return "".join(lines)
