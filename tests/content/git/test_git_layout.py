from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from content.errors import LayoutError, YamlError
from content.git.config import read_git_config
from content.git.import_links import ImportLinks
from content.git.layout import read_space, space_folders
from content.git.space_import import SpaceImport
from content.links.relative import relative_target
from content.media.image_size import Dimensions
from content.pages.title import split_title
from content.sources.opening import open_source


def write(root: Path, files: dict[str, str]) -> Path:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    return root


def read(root: Path) -> SpaceImport:
    with open_source(root) as source:
        return read_space(source)


def test_whole_space(space_folder: Path) -> None:
    with open_source(space_folder) as source:
        space = read_space(source)
        assert [file.path for file in space.files] == [
            ".gitbook/assets/pixel.png",
            "data/table.csv",
        ]
        pixel, table = space.files
        assert pixel.dimensions == Dimensions(1, 1)
        assert (pixel.content_type, table.content_type) == ("image/png", "text/csv")
        assert table.read() == b"a,b\n1,2\n"
        assert table.size == 8
        assert table.git_path == "docs/data/table.csv"
    pages = {page.path: page for page in space.walk()}
    assert list(pages) == [
        "readme",
        "project-site",
        "use",
        "use/start",
        "use/start/deep",
        "use/start/planned",
        "use/guide",
        "use/missing",
        "use/api",
    ]
    assert space.title == "Welcome"
    assert space.root == "docs"
    assert space.variables == {"version": "1.2"}
    assert dict(space.redirects) == {"old/start": "use/start", "old/home": "readme#welcome"}
    (content,) = space.reusable_contents
    assert (content.title, content.markdown) == ("Notice", "Mind the gap.\n")
    assert len(space.warnings) == 3
    assert any("guide/missing.md" in warning and "line 12" in warning for warning in space.warnings)
    assert any("2bad" in warning for warning in space.warnings)
    assert any("old/nowhere" in warning for warning in space.warnings)

    welcome, start = pages["readme"], pages["use/start"]
    assert (welcome.title, welcome.description, welcome.icon) == (
        "Welcome",
        "What this is",
        "house",
    )
    assert welcome.cover == {"ref": ".gitbook/assets/pixel.png", "yPos": -12}
    assert welcome.extra == {"tags": ["first"], "published": "2025-01-31"}
    assert welcome.markdown.startswith("See [the start]")
    assert welcome.git_path == "docs/README.md"
    assert welcome.git_oid is not None
    assert start.title == "Getting started"
    assert (start.hidden, start.no_index, start.no_robots_index) == (True, True, False)
    assert start.variables == {"port": 8080}
    assert start.markdown == "Text.\n"
    assert pages["use/start/deep"].title == "Deep dive"
    assert pages["use/start/planned"].git_path is None
    assert pages["use/missing"].markdown == ""
    assert pages["use/missing"].git_oid is None
    assert (pages["project-site"].kind, pages["project-site"].target) == (
        "link",
        "https://example.org/site",
    )
    assert pages["use/api"].kind == "computed"
    assert pages["use"].kind == "group"


def test_without_summary_folders_make_the_tree(tmp_path: Path) -> None:
    space = read(
        write(
            tmp_path,
            {
                "README.md": "# Home",
                "b/two.md": "# Two",
                "a/README.md": "# Part A",
                "a/x.md": "text only",
            },
        )
    )
    found = [(page.path, page.title) for page in space.walk()]
    assert found == [
        ("readme", "Home"),
        ("a", "Part A"),
        ("a/x", "X"),
        ("b", "B"),
        ("b/two", "Two"),
    ]


def test_unlisted_readme_is_the_first_page(tmp_path: Path) -> None:
    space = read(write(tmp_path, {"README.md": "# Home", "a.md": "", "SUMMARY.md": "* [A](a.md)"}))
    assert [page.path for page in space.walk()] == ["readme", "a"]


def test_slugs_come_from_files_and_stay_unique(tmp_path: Path) -> None:
    space = read(
        write(
            tmp_path,
            {
                "SUMMARY.md": "* [Setup](https://x.y)\n* [One](a/setup.md)\n* [Two](b/setup.md)\n"
                "* [Odd](c+d.md)\n* [R](robots.txt.md)",
                "a/setup.md": "",
                "b/setup.md": "",
                "c+d.md": "",
                "robots.txt.md": "",
            },
        )
    )
    assert [page.path for page in space.walk()] == [
        "setup-2",
        "setup",
        "setup-1",
        "c-d",
        "robots.txt-1",
    ]
    assert len(space.warnings) == 1
    assert "c+d.md" in space.warnings[0]


def test_invalid_front_matter_names_the_file(tmp_path: Path) -> None:
    write(tmp_path, {"SUMMARY.md": "* [A](x/a.md)", "x/a.md": "---\nok: 1\nb: [\n---\n"})
    with pytest.raises(YamlError, match=r"^x/a\.md, line \d"):
        read(tmp_path)


def test_text_that_is_not_utf8_is_read_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_bytes(b"# Caf\xe9\r\n\r\nnul \x00\r\n")
    space = read(tmp_path)
    assert space.pages[0].title == "Caf\ufffd"
    assert space.pages[0].markdown == "nul \ufffd\n"
    assert space.warnings == ("README.md: is not UTF-8, some characters are replaced",)


def test_project_directory_within_a_source(tmp_path: Path) -> None:
    write(tmp_path, {"sub/.gitbook.yaml": "root: d", "sub/d/README.md": "# S", "README.md": "# T"})
    with open_source(tmp_path) as source:
        space = read_space(source, directory="sub")
    assert (space.title, space.root) == ("S", "sub/d")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("root: ../x", "'root'"),
        ("root: [a]", "'root'"),
        ("structure: x", "'structure'"),
        ("structure: {summary: ../../S.md}", "structure.summary"),
        ("redirects: [a]", "'redirects'"),
        ("redirects: {a: 1}", "redirect 'a'"),
        ("- x", "mapping"),
    ],
)
def test_invalid_configuration_names_the_key(text: str, problem: str) -> None:
    with pytest.raises(LayoutError, match=problem):
        read_git_config(text)


def test_configuration_defaults() -> None:
    config = read_git_config("structure:\n  readme: ./intro.md\nother: 1\n")
    assert (config.root, config.readme, config.summary) == ("", "intro.md", "SUMMARY.md")


@pytest.mark.parametrize(
    ("body", "title", "rest"),
    [
        ("# A *b* `c` #\n\ntext\n", "A b c", "text\n"),
        ("\n\n# A\ntext", "A", "text"),
        ("A\n===\n\ntext", "A", "text"),
        ("<!-- note -->\n\n# A\n\ntext", "A", "<!-- note -->\n\ntext"),
        ("intro\n\n# A\n", "A", "intro\n\n# A\n"),
        ("```\n# no\n```\n", None, "```\n# no\n```\n"),
        ("## B\n", None, "## B\n"),
        ("#no\n", None, "#no\n"),
        ("#\n\ntext", None, "text"),
        ("", None, ""),
        ("# #1 issue\n", "#1 issue", ""),
    ],
)
def test_title_is_the_leading_heading(body: str, title: str | None, rest: str) -> None:
    assert split_title(body) == (title, rest)


@pytest.mark.parametrize(
    ("url", "folder", "target"),
    [
        ("a.md", "x", ("x/a.md", "")),
        ("../a%20b.md?v=1#c%20d", "x/y", ("x/a b.md", "c d")),
        ("/a.md", "x", ("a.md", "")),
        ("./", "x", ("x", "")),
        ("../..", "x", None),
        ("https://a.b/c", "", None),
        ("mailto:a@b.c", "", None),
        ("//a.b/c", "", None),
        ("#a", "x", None),
        ("", "x", None),
    ],
)
def test_relative_targets(url: str, folder: str, target: tuple[str, str] | None) -> None:
    assert relative_target(url, folder) == target


@pytest.mark.parametrize(
    "line", ["# " + " " * 50_000 + "x", "# " + "# " * 25_000, "# " + "[" * 50_000]
)
@pytest.mark.timeout(20)
def test_title_of_a_very_long_line_is_found_soon(line: str) -> None:
    title, rest = split_title(f"{line}\n\ntext")
    assert title
    assert rest == "text"


def test_source_without_pages_is_read_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"picture.png": "x"})
    found = read(tmp_path)
    assert found.pages == ()
    assert len(found.warnings) == 1
    assert "the source has no page" in found.warnings[0]


def test_target_outside_of_the_root_is_a_link_with_a_warning(tmp_path: Path) -> None:
    targets = ("README.md", "../above.md", "#part", "https://x.example/")
    summary = "".join(f"* [Page]({target})\n" for target in targets)
    write(
        tmp_path,
        {
            ".gitbook.yaml": "root: docs",
            "docs/README.md": "# Home",
            "docs/SUMMARY.md": summary,
            "above.md": "# Above",
        },
    )
    found = read(tmp_path)
    assert [page.kind for page in found.pages] == ["document", "link", "link", "link"]
    assert found.warnings == (
        "docs/SUMMARY.md, line 2: '../above.md' is outside of the content root, "
        "so it is a link that leads nowhere",
    )


@pytest.mark.parametrize(
    ("place", "url", "expected"),
    [
        ("guide/setup.md", "../install.md", "install"),
        ("guide/setup.md", "../install", "install"),
        ("guide/setup.md", "../install/#first", "install#first"),
        ("guide/setup.md", "/install?a=b#c%20d", "install#c d"),
        ("guide/setup.md", "./", "guide"),
        ("guide/setup.md", "../guide/", "guide"),
        ("guide/setup.md", "more", "guide/more"),
        ("guide/setup.md", "../lower", "lower"),
        ("README.md", "guide", "guide"),
        ("README.md", "guide/README", "guide"),
        ("README.md", "guide/setup", "guide/setup"),
        ("README.md", "/", "readme"),
        # As seen from a page with pages below it, or by the addresses of pages.
        ("install.md", "linux", "install/linux"),
        ("install.md", "install/linux", "install/linux"),
        ("install.md", "chapter/listed", "chapter/listed"),
        ("elsewhere/listed.md", "../install", "install"),
        ("elsewhere/listed.md", "../CHAPTER/Listed", "chapter/listed"),
        # What is there with this name comes first; what is nowhere stays as it is.
        ("README.md", "LICENSE", "file"),
        ("guide/setup.md", "../gone", None),
        ("guide/setup.md", "../../guide/setup", None),
        ("guide/setup.md", "https://a.example/install", None),
        ("guide/setup.md", "#here", None),
    ],
)
def test_relative_links_lead_to_pages_with_and_without_their_ending(
    tmp_path: Path, place: str, url: str, expected: str | None
) -> None:
    files = {
        "README.md": "[l](LICENSE)\n", "LICENSE": "Free", "LICENSE.md": "# License\n",
        "install.md": "# Install\n", "install/linux.md": "# Linux\n",
        "guide/README.md": "# Guide\n", "guide/setup.md": "# Setup\n", "guide/more.md": "# More\n",
        "lower/readme.md": "# Lower\n", "elsewhere/listed.md": "# Listed\n",
        "SUMMARY.md": (
            "# Summary\n\n* [Home](README.md)\n* [License](LICENSE.md)\n"
            "* [Install](install.md)\n  * [Linux](install/linux.md)\n"
            "* [Guide](guide/README.md)\n  * [Setup](guide/setup.md)\n  * [More](guide/more.md)\n"
            "* [Lower](lower/readme.md)\n\n## Chapter\n\n* [Listed](elsewhere/listed.md)\n"
        ),
    }  # fmt: skip
    space = read(write(tmp_path, files))
    ids = itertools.count()
    links = ImportLinks(space, lambda: f"id-{next(ids)}")
    paths = {links.page_id(page): page.path for page in space.walk()}
    found = links.resolve(url, place)
    if expected is None:
        assert found is None
    elif expected == "file":
        assert found == {"kind": "file", "file": links.file_id("LICENSE")}
    else:
        path, _, anchor = expected.partition("#")
        assert found is not None
        assert paths[str(found["page"])] == path
        assert (found["kind"], found.get("anchor")) == (
            ("anchor", anchor) if anchor else ("page", None)
        )


def test_redirects_that_are_left_out(tmp_path: Path) -> None:
    config = (
        "redirects:\n  a/b: guide.md\n  /A/B/: README.md\n  '': guide.md\n  '/': guide.md\n"
        f"  {'x' * 513}: guide.md\n  '~/changes': guide.md\n  \"c\\ad\": guide.md\n"
        "  to/address: https://a.example\n  to/outside: ../guide.md\n  to/anchor: guide.md#x\n"
    )
    space = read(write(tmp_path, {".gitbook.yaml": config, "README.md": "#", "guide.md": "# G\n"}))
    assert dict(space.redirects) == {"a/b": "guide", "to/anchor": "guide#x"}
    problems = ["the same path as 'a/b'", "the root of a space", "the root of a space",
                "at most 512", "'~' is not the path of a page", "'\\x07' is not allowed",
                "not the file of a page", "not the file of a page"]  # fmt: skip
    assert len(space.warnings) == len(problems)
    for warning, problem in zip(space.warnings, problems, strict=True):
        assert warning.startswith(".gitbook.yaml: the redirect from '")
        assert problem in warning
        assert len(warning) < 500


@pytest.mark.parametrize(
    ("paths", "folders"),
    [
        (["README.md", "a/b.md"], []),
        (["a/.gitbook.yaml", "b/.gitbook.yaml", "b/c/.gitbook.yaml", "d/SUMMARY.md"], ["a", "b"]),
        ([".gitbook.yaml", "a/.gitbook.yaml"], [""]),
        (["en/SUMMARY.md", "zh/SUMMARY.md", "en/x/SUMMARY.md"], ["en", "zh"]),
        (["SUMMARY.md", "en/SUMMARY.md"], [""]),
        ([], []),
    ],
)
def test_folders_that_hold_a_space_each(paths: list[str], folders: list[str]) -> None:
    assert space_folders(paths) == folders


def test_tables_of_contents_and_files_for_assistants_are_no_pages(tmp_path: Path) -> None:
    names = ("a.md", "AGENTS.md", "CLAUDE.md", "part/SUMMARY.md", "part/b.md", ".github/x.md")
    write(tmp_path, dict.fromkeys(names, "# Title\n"))
    pages = [page.git_path for top in read(tmp_path).pages for page in top.walk()]
    assert [path for path in pages if path] == ["a.md", "part/b.md"]


def test_a_file_that_is_listed_twice_is_refused_or_becomes_a_link(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitbook.yaml": "root: docs",
            "docs/SUMMARY.md": "* [Home](README.md)\n* [A](a/x.md)\n\n## More\n\n* [X](a/x.md)",
            "docs/README.md": "# Home",
            "docs/a/x.md": "# X\n\nText",
        },
    )
    with pytest.raises(LayoutError, match="line 2 and on line 6"):
        read(tmp_path)
    with open_source(tmp_path) as source:
        space = read_space(source, repeated_as_links=True)
    assert [(page.kind, page.title) for page in space.walk()] == [
        ("document", "Home"), ("document", "X"), ("group", "More"), ("link", "X")
    ]  # fmt: skip
    assert space.warnings == (
        "docs/SUMMARY.md, line 6: 'a/x.md' is listed again, "
        "so this is a link to its page of line 2",
    )
    numbers = itertools.count()
    links = ImportLinks(space, lambda: f"id{next(numbers)}")
    pages = list(space.walk())
    assert links.reference(pages[3].target or "", None) == {
        "kind": "page", "page": links.page_id(pages[1])
    }  # fmt: skip
