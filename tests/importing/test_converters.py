"""Documents of other programs as pages: titles, tree, Markdown, files."""

import io
import stat
import zipfile

import pytest

from content.errors import ContentError
from content.git.space_import import PageImport, SpaceImport
from content.imports import website
from content.imports.formats import Payload, read_payload
from content.imports.remote_images import remote_images
from content.sources.tree import SourceLimits
from tests.importing import documents

LIMITS = SourceLimits(max_file_bytes=5_000_000, max_total_bytes=20_000_000, max_files=1000)


def read(source: str, data: bytes, name: str = "", content_type: str = "") -> SpaceImport:
    name = name or {"docx": "handbook.docx"}.get(source, "export.zip")
    return read_payload(source, Payload(name, content_type, None, data), LIMITS)


def tree(pages: tuple[PageImport, ...]) -> list[object]:
    """Titles, each with those below."""
    return [(page.title, tree(page.children)) if page.children else page.title for page in pages]


def by_title(found: SpaceImport) -> dict[str, PageImport]:
    return {page.title: page for page in found.walk()}


def test_word_document() -> None:
    found = read("docx", documents.docx())
    (page,) = found.pages
    assert page.title == "The Handbook"
    assert page.slug == "the-handbook"
    text = page.markdown
    assert "## Start" in text
    assert "### Code" in text
    assert "Plain, **bold** and `code`, a [link](https://docs.example/x?a=1&b=2)[^1]." in text
    assert "```\nfirst line\n  second line\n```" in text
    assert "| Key | Value |\n| --- | --- |\n| a\\|b | 1 |" in text
    assert "☑ done" in text
    assert "[^1]: A remark." in text
    assert '<figure><img src="images/image1.png" alt="A dot"></figure>' in text
    assert [file.name for file in found.files] == ["image1.png"]
    assert found.files[0].read() == documents.png()
    # What the document names on the disk of the reader is not read.
    assert "passwd" not in text
    assert "root:" not in text


@pytest.mark.parametrize("kind", ["oMath", "oMathPara"])
def test_formulas_of_word_are_missed_with_a_warning(kind: str) -> None:
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    formula = f'<m:{kind} xmlns:m="{math}"><m:r><m:t>E=mc</m:t></m:r></m:{kind}>'
    found = read("docx", documents.docx(f"<w:p><w:r><w:t>a</w:t></w:r>{formula}</w:p>" * 2))
    assert found.warnings == (
        "the formulas of the document are left out; write them again as $$TeX$$",
    )
    assert read("docx", documents.docx()).warnings == ()


def test_headings_without_a_title_give_the_title() -> None:
    body = (
        '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Only</w:t></w:r></w:p>'
        "<w:p><w:r><w:t>text</w:t></w:r></w:p>"
    )
    (page,) = read("docx", documents.docx(body)).pages
    assert (page.title, page.markdown) == ("Only", "text")
    (page,) = read("docx", documents.docx("<w:p><w:r><w:t>text</w:t></w:r></w:p>")).pages
    assert page.title == "Handbook"


BOMB = '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (documents.archive({"a.txt": "x"}), "Word document"),
        (documents.docx()[:-30], "cannot be read"),
        (documents.docx(document=f"{BOMB}<w:document>&b;</w:document>"), "declares entities"),
        (documents.docx(document="<w:document"), "cannot be read as a Word document"),
        (documents.docx("<w:p>" * 3000 + "</w:p>" * 3000), "cannot be read|deeply"),
        (b"text", "a Word document"),
    ],
)
def test_word_documents_that_are_none(data: bytes, problem: str) -> None:
    with pytest.raises((ContentError, RecursionError), match=f"{problem}|recursion"):
        read("docx", data)


@pytest.mark.parametrize("version", [2, 3])
def test_book(version: int) -> None:
    found = read("zip", documents.epub(version=version), "book.epub")
    assert tree(found.pages) == [
        ("Chapter one", ["Chapter two"]), "Chapter three", "Four"
    ]  # fmt: skip
    pages = by_title(found)
    one = pages["Chapter one"].markdown
    assert "[two](/OEBPS/text/two.xhtml#deep)" in one
    assert "Word[^1]" in one
    assert one.endswith("[^1]: The note.")
    assert '<img src="/OEBPS/images/dot.png" alt="Dot">' in one
    assert pages["Chapter two"].markdown == "### Deep\n\n```py\nx = 1\n```".replace("###", "##")
    assert pages["Chapter three"].markdown == "Third.\n\nAfter the anchor."
    assert [file.path for file in found.files] == ["OEBPS/images/dot.png"]


def test_wiki_export() -> None:
    found = read("confluence", documents.confluence())
    assert tree(found.pages) == [("Home", ["Setup", "Usage"]), "Lost"]
    pages = by_title(found)
    assert pages["Home"].markdown == "Welcome."
    assert pages["Setup"].markdown == (
        "## First <a href=\"#setup-first\" id=\"setup-first\"></a>\n\n"
        "See [usage](/DOCS/Usage_3.html#usage-options).\n\n"
        '{% hint style="warning" %}\n**Mind**\n\nthe gap\n{% endhint %}\n\n'
        '{% code title="run.sh" %}\n```bash\necho "<hi>"\nexit\n```\n{% endcode %}\n\n'
        "<details>\n\n<summary>Details</summary>\n\ninside\n\n</details>\n\n"
        "* [x] done\n* [ ] open\n\n"
        '<figure><img src="/DOCS/attachments/2/9.png" alt="Plan"></figure>\n\n'
        "| Name | Meaning |\n| --- | --- |\n| a | one<br>two |"
    )  # fmt: skip
    assert 'id="usage-options"' in pages["Usage"].markdown
    assert [file.path for file in found.files] == ["DOCS/attachments/2/9.png"]


def test_notes_in_html() -> None:
    found = read("notion", documents.notion_html())
    # Siblings stand in the order in which their parent links to them.
    assert tree(found.pages) == [("Team", ["Zebra", "Apple"])]
    pages = by_title(found)
    assert {title: page.emoji for title, page in pages.items()} == {
        "Team": "1f3e0", "Zebra": None, "Apple": None,
    }  # fmt: skip
    folder = f"/Team%20{documents.ROOT_ID}"
    assert pages["Team"].markdown == (
        "Welcome **all**.\n\n"
        f"[Zebra]({folder}/Zebra%20{documents.OTHER_ID}.html)\n\n"
        f"[Apple]({folder}/Apple%20{documents.CHILD_ID}.html)"
    )
    text = pages["Apple"].markdown
    assert "| Status | Done |" in text
    assert '{% hint style="info" %}\nRemember _this_\n{% endhint %}' in text
    assert "<details>\n\n<summary>More</summary>\n\nhidden\n\n</details>" in text
    assert "* [x] bought" in text
    assert "* [ ] missing" in text
    assert "```javascript\nlet x;\n```" in text
    assert f'src="{folder}/Apple/dot.png"' in text
    assert "<figcaption><p>A dot</p></figcaption>" in text
    assert "$$\na^2\n$$" in text
    assert '{% embed url="https://docs.example/" %}' in text
    assert "{% columns %}\n{% column %}\nleft\n{% endcolumn %}" in text
    assert len(found.files) == 1


@pytest.mark.parametrize(
    ("icon", "style", "text"),
    [("💡", "info", "this"), ("⚠️", "warning", "this"), ("⚠", "warning", "this"),
     ("🚨", "danger", "this"), ("✅", "success", "this"), ("🦄", "info", "🦄 this")],
)  # fmt: skip
def test_icons_of_callouts(icon: str, style: str, text: str) -> None:
    """An icon that the style of a hint says is left out; others are kept."""
    html = (
        f'<figure class="callout"><div><span class="icon">{icon}</span></div>'
        "<div><p>this</p></div></figure>"
    )
    page = (
        '<html><body><article><header><h1 class="page-title">A</h1></header>'
        f'<div class="page-body">{html}</div></article></body></html>'
    )
    exported = {
        f"A {documents.ROOT_ID}.html": page,
        f"B {documents.CHILD_ID}.md": f"# B\n\n<aside>\n{icon} this\n\n</aside>\n",
    }
    found = read("notion", documents.archive({**exported}))
    hint = f'{{% hint style="{style}" %}}\n{text}\n{{% endhint %}}'
    assert [page.markdown for page in found.walk()] == [hint, hint]


def test_notes_in_markdown() -> None:
    found = read("notion", documents.notion_markdown())
    assert tree(found.pages) == [("Team", ["Apple"])]
    text = found.pages[0].markdown
    assert '{% hint style="info" %}\nRemember *this*\n{% endhint %}' in text
    assert "```html\n<aside>\nstays\n</aside>\n```" in text
    assert [file.name for file in found.files] == ["dot.png"]


def test_archive_of_markdown_in_the_git_layout() -> None:
    data = documents.archive(
        {
            "repo-main/README.md": "# Home\n\n[more](guide/more.md) ![](.gitbook/assets/dot.png)\n",
            "repo-main/SUMMARY.md": "* [Home](README.md)\n  * [More](guide/more.md)\n",
            "repo-main/guide/more.md": "---\nicon: gear\n---\n\n# More\n\ntext\n",
            "repo-main/.gitbook/assets/dot.png": documents.png(),
        }
    )
    found = read("markdown", data)
    assert tree(found.pages) == [("Home", ["More"])]
    assert by_title(found)["More"].icon == "gear"
    assert [file.path for file in found.files] == [".gitbook/assets/dot.png"]


def test_archive_of_a_wiki() -> None:
    data = documents.archive(
        {
            "wiki/Home.md": "Start: [[Set Up|Setup]] and [[Missing]] `[[Setup]]`.",
            "wiki/Setup.md": "# Setting up\n\ntext",
            "wiki/_Sidebar.md": "x",
        }
    )
    found = read("github-wiki", data)
    assert tree(found.pages) == ["Home", "Setting up"]
    assert found.pages[0].markdown == (
        "Start: [Set Up](/wiki/Setup.md) and [[Missing]] `[[Setup]]`."
    )


def test_archive_of_html_nests_by_folders() -> None:
    data = documents.archive(
        {
            "site/index.html": "<title>Site</title><body><p>Root <a href='guide/a.html'>a</a></p>",
            "site/guide/index.html": "<h1>Guide</h1>",
            "site/guide/a.html": "<h1>A</h1><p><a href='../index.html'>up</a></p>",
            "site/guide/b.html": "<h1>B</h1>",
            "site/other.html": "<h1>Other</h1>",
        }
    )
    found = read("html", data)
    assert tree(found.pages) == [("Site", [("Guide", ["A", "B"]), "Other"])]
    assert by_title(found)["A"].path == "site/guide/a"


def test_the_index_of_all_comes_first_and_others_by_the_names_of_their_folders() -> None:
    names = ["a/index.html", "index.html", "b.html", "c/index.html", "c/d.html", "page-10.html",
             "page-2/index.html"]  # fmt: skip
    found = read("html", documents.archive({name: f"<h1>{name}</h1>x" for name in names}))
    assert tree(found.pages) == [
        "index.html", "a/index.html", "b.html", ("c/index.html", ["c/d.html"]),
        "page-2/index.html", "page-10.html",
    ]  # fmt: skip


def test_front_matter_of_one_document() -> None:
    markdown = b"""---
title: Other
icon: bolt
hidden: true
noIndex: true
noRobotsIndex: true
layout: {width: wide}
cover: img/top.png
vars: {version: 2}
if: visitor.claims.a
tags: [x]
emoji: 1f600
coverY: up
---

# Heading
"""
    found = read("markdown", markdown, "page.md", "text/plain")
    (page,) = found.pages
    assert (page.title, page.icon, page.hidden) == ("Other", "bolt", True)
    assert (page.no_index, page.no_robots_index) == (True, True)
    assert page.layout == {"width": "wide"}
    assert page.cover == {"ref": "img/top.png", "yPos": 0}
    assert page.variables == {"version": 2}
    assert (page.condition, page.emoji) == ("visitor.claims.a", "1f600")
    assert page.extra == {"tags": ["x"], "coverY": "up"}
    assert found.warnings == ("page.md: front matter 'coverY' is ignored: it must be a number",)


def test_markdown_of_a_site_has_links_as_seen_from_each_document() -> None:
    def page(path: str, text: str) -> website.SitePage:
        url = f"https://docs.test/{path}"
        place = website.Place(url, "")
        return website.SitePage(place, url, "text/markdown", None, text.encode())

    found = website.read_site(
        [
            page("docs/a.md", "---\nicon: bolt\n---\n# A\n\n[b](sub/b.md#x) [c](../c.md)"),
            page("docs/sub/b.md", "# B\n\n![p](p.png) [a](/docs/a.md)\n\n`[a](p.png)`\n"),
        ]
    )
    first, second = found.pages
    assert (first.icon, first.title) == ("bolt", "A")
    assert first.markdown == "[b](/docs/sub/b.md#x) [c](https://docs.test/c.md)"
    assert second.markdown == (
        "![p](https://docs.test/docs/sub/p.png) [a](/docs/a.md)\n\n`[a](p.png)`"
    )


def test_pictures_that_are_there_are_not_fetched() -> None:
    """Also where everything is within one folder, as archives of repositories have it."""
    files = {
        "repo/README.md": "---\ncover: top.png\n---\n# A\n\n![](docs/a.png) ![](https://x.test/b.png)",
        "repo/docs/b.md": "# B\n\n![](a.png) ![](gone.png)\n\n<img src='../docs/a.png'>",
        "repo/.gitbook/includes/i.md": "![](../../docs/a.png) ![](https://x.test/c.png)",
        "repo/docs/a.png": documents.png(), "repo/top.png": documents.png(),
    }  # fmt: skip
    found = read("zip", documents.archive(files))
    assert remote_images(found, "") == ["https://x.test/b.png", "https://x.test/c.png"]
    alone = read(
        "markdown", b"---\ncover: top.png\n---\n# A\n\n![](a.png)", "page.md", "text/plain"
    )
    assert remote_images(alone, "https://x.test/y/") == [
        "https://x.test/y/top.png", "https://x.test/y/a.png",
    ]  # fmt: skip


def test_one_page_of_html_and_of_markdown() -> None:
    html = (
        b"<!doctype html><title>T | Site</title><main><h1>T</h1><p>x</p></main><footer>f</footer>"
    )
    (page,) = read("html", html, "page.html", "text/html").pages
    assert (page.title, page.markdown) == ("T", "x")
    markdown = b"---\ndescription: About\n---\n\n# Title\n\nBody [x](y.md)\n"
    (page,) = read("markdown", markdown, "page.md", "text/plain").pages
    assert (page.title, page.description, page.markdown) == ("Title", "About", "Body [x](y.md)")


@pytest.mark.parametrize(
    ("source", "data", "name", "problem"),
    [
        ("zip", b"PK\x03\x04broken", "a.zip", "cannot be read as a zip archive"),
        ("zip", documents.archive({}), "a.zip", "is not what is expected"),
        ("zip", documents.archive({"a.bin": b"\0"}), "a.zip", "no Markdown, HTML, EPUB or Word"),
        ("markdown", b"\0\1\2", "a.md", "is not what is expected"),
        ("html", b"# text", "a.md", "is not what is expected: HTML"),
        ("confluence", documents.archive({"x.css": "x"}), "a.zip", "holds no Markdown"),
        ("zip", documents.archive({"META-INF/container.xml": "<x/>"}), "b.epub", "no package"),
        ("zip", documents.archive({"META-INF/container.xml": "<x"}), "b.epub", "not valid XML"),
        ("markdown", documents.archive({"A.md": "x", "a.md": "y"}), "a.zip", "upper and lower"),
        ("markdown", b"---\na: [\n---\n", "a.md", "a.md"),
    ],
)
def test_what_cannot_be_read_is_named(source: str, data: bytes, name: str, problem: str) -> None:
    with pytest.raises(ContentError, match=problem):
        read(source, data, name)


def hostile(**changes: object) -> bytes:
    """An archive with one harmless file and one with something wrong."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("README.md", "# Harmless")
        info = zipfile.ZipInfo(str(changes.get("name", "evil.md")))
        info.external_attr = int(str(changes.get("mode", 0o644))) << 16
        info.compress_type = int(str(changes.get("method", zipfile.ZIP_DEFLATED)))
        made.writestr(info, changes.get("data", "# Evil"))  # type: ignore[arg-type]
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (hostile(name="../evil.md"), "'..'"),
        (hostile(name="/etc/evil.md"), "must not have the part ''"),
        (hostile(name="a\\b.md"), "is not allowed in a path"),
        (hostile(name="../evil.png"), "'..'"),
        (hostile(name="a/.git/config"), "must not lead into '.git'"),
        (hostile(data=b"\0" * 6_000_000), "at most 5000000"),
        (hostile(data=b"x" * 4_900_000), "200 times its size"),
        (hostile(method=zipfile.ZIP_BZIP2), "not supported"),
        (documents.archive({f"{n}.md": "" for n in range(1001)}), "more than 1000 files"),
    ],
)  # fmt: skip
def test_hostile_archives(data: bytes, problem: str) -> None:
    with pytest.raises(ContentError, match=problem):
        read("zip", data)


@pytest.mark.parametrize("inside", [False, True])
def test_files_of_odd_names_are_left_out_and_named(inside: bool) -> None:
    data = hostile(name="a\\b.png")
    found = read("zip", documents.archive({"part.zip": data}) if inside else data)
    assert tree(found.pages) == ["Harmless"]
    (warning,) = found.warnings
    assert warning.startswith("a\\b.png: is left out, for its name")


def test_links_in_archives_are_left_out() -> None:
    found = read("zip", hostile(mode=stat.S_IFLNK | 0o777, data="/etc/passwd"))
    assert tree(found.pages) == ["Harmless"]


def test_archives_that_lie_about_sizes() -> None:
    data = bytearray(hostile(data=b"# Evil\n" + b"x" * 100_000))
    place = data.rindex(b"PK\x01\x02")
    # The directory at the end says that the entry is small.
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")
    with pytest.raises(ContentError, match=r"evil\.md"):
        read("zip", bytes(data))
