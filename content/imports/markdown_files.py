"""Markdown: one file, archives in the Git layout, and wikis of Git hosts."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

from content.git.case_twins import refuse_case_twins
from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.git.summary import title_from_name
from content.imports.drafts import Draft, space_import
from content.imports.html_page import decode_html
from content.links.relative import MARKDOWN
from content.pages.front_matter import read_front_matter, split_front_matter
from content.pages.front_matter_writer import source_head
from content.pages.title import split_title
from content.sources.tree import SourceTree
from content.sources.zip import open_files

ENDINGS = MARKDOWN
_WIKI_LINK = re.compile(r"(?<![`\\!])\[\[([^\[\]|\n]{1,200})(?:\|([^\[\]\n]{1,200}))?\]\]")


def read_markdown(data: bytes, name: str, charset: str | None = None) -> SpaceImport:
    """One page: front matter and the leading heading are read as in the Git layout."""
    draft = markdown_draft(decode_html(data, charset), name)
    draft.title = draft.title or title_from_name(name)
    return space_import([draft], open_files({}, name=draft.title))


def markdown_draft(text: str, path: str, name: str | None = None) -> Draft:
    """The page of the Markdown document at `path`; its title is "" when it says none."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    yaml_text, body, _ = split_front_matter(text)
    matter = read_front_matter(yaml_text or "", path)
    heading, markdown = split_title(body)
    title = matter.title or heading or ""
    head = source_head(text, markdown)
    return Draft(title, path, markdown.strip("\n"), matter.description, name, matter, head)


def markdown_root(source: SourceTree) -> str:
    """The folder that holds everything, as archives of repositories have one; "" for none."""
    paths = source.paths()
    first = paths[0].partition("/")[0] if paths else ""
    return first if paths and all(path.startswith(f"{first}/") for path in paths) else ""


def read_markdown_files(source: SourceTree) -> SpaceImport:
    """The space in an archive that has the Git layout, with or without a table of contents."""
    if _is_wiki(source):
        return _read_wiki(source)
    return read_space(source, directory=markdown_root(source))


def _is_wiki(source: SourceTree) -> bool:
    names = {posixpath.basename(path).lower() for path in source.paths()}
    return "home.md" in names and "readme.md" not in names and "summary.md" not in names


def _read_wiki(source: SourceTree) -> SpaceImport:
    """A wiki: pages in one heap, `Home` first, links in double brackets."""
    paths = [
        path
        for path in source.paths()
        if path.lower().endswith(ENDINGS) and not posixpath.basename(path).startswith("_")
    ]
    refuse_case_twins(paths)
    by_name = {_wiki_key(posixpath.splitext(posixpath.basename(path))[0]): path for path in paths}

    def linked(match: re.Match[str]) -> str:
        text, target = match.group(1), match.group(2) or match.group(1)
        name, _, anchor = target.partition("#")
        path = by_name.get(_wiki_key(name))
        if path is None:
            return match.group(0)
        fragment = f"#{quote(anchor)}" if anchor else ""
        return f"[{text}](/{quote(path)}{fragment})"

    drafts: list[Draft] = []
    for path in sorted(paths, key=lambda path: (_stem(path).lower() != "home", path)):
        heading, body = split_title(decode_html(source.read(path)))
        markdown = _WIKI_LINK.sub(linked, body).strip("\n")
        title = heading or _stem(path).replace("-", " ")
        drafts.append(Draft(title, path, markdown, name=_stem(path)))
    return space_import(drafts, source)


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _wiki_key(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip()).casefold()
