"""A finished import as plain values: what a process that converts hands to the one that stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from content.documents.content_references import read_reference, reference_url
from content.documents.limits import document_problem, lines_problem
from content.documents.nodes import Node
from content.errors import SourceLimitError
from content.git.import_links import NOTHING, ImportLinks, Known, page_paths, renamed
from content.git.space_import import FileImport, PageImport, ReusableContentImport, SpaceImport
from content.imports.markdown_links import replace_links
from content.imports.remote_images import absolute_url
from content.json_types import JsonObject
from content.markdown.spelling import parse_with_style
from content.ordering import spread
from content.pages.front_matter import MAX_DESCRIPTION_LENGTH
from content.pages.stored import stored_title
from content.script_addresses import BROKEN, runs_script

NAME = 255
_FIELDS = ("description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout",
           "variables", "condition", "extra", "head")  # fmt: skip


@dataclass(frozen=True, slots=True)
class PackLimits:
    """How many pages and files are packed; what is beyond is counted and left out.
    `characters` is what the Markdown of one page may have; a longer one ends the import."""

    pages: int
    files: int
    characters: int = 1_000_000


class Take(Protocol):
    """Is handed each page (parents before children), then each reusable content, as JSON without
    its document; `document` is that, None where there is none."""

    def __call__(
        self, kind: Literal["pages", "contents"], values: JsonObject, document: Node | None
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Packed:
    """`value` is JSON: files, redirects, variables, warnings, and how many resources were found.
    `files` are the files in the same order, to be read one after the other: together they may be
    much larger than what holds them."""

    value: JsonObject
    files: Sequence[FileImport]


# What is left out is named up to here, and counted beyond.
LEFT_OUT = 100


def limited(source: SpaceImport, limits: PackLimits) -> SpaceImport:
    """The first pages, depth first, and the first files."""
    left = limits.pages

    def kept(pages: Sequence[PageImport]) -> tuple[PageImport, ...]:
        nonlocal left
        result: list[PageImport] = []
        for page in pages:
            if left == 0:
                break
            left -= 1
            result.append(replace(page, children=kept(page.children)))
        return tuple(result)

    return replace(source, pages=kept(source.pages), files=source.files[: limits.files])


def pack(
    source: SpaceImport,
    limits: PackLimits,
    new_id: Callable[[], str],
    take: Take,
    *,
    base: str,
    pictures: Mapping[str, FileImport],
    not_fetched: int = 0,
    existing: Known = NOTHING,
    texts: Mapping[str, str] | None = None,
) -> Packed:
    """Give ids to everything, and make all links references, or absolute as seen from `base`.

    Pages and reusable contents go to `take` one after the other, so that no more than one document
    is held here: those of thousands of pages fill a process.
    `pictures` are files that were fetched for addresses in pages. `not_fetched` counts resources
    that are not in the source for that. What is `existing` keeps its id, and so do pages that were
    renamed: `texts` are those of pages whose files are gone, by id.
    """
    paths = page_paths(source)
    all_files = [*source.files, *pictures.values()]
    total = len(paths) + len(all_files) + not_fetched
    if texts:
        new = [
            (path, f"{page.title}\n{page.markdown}")
            for page, path in paths
            if page.kind == "document" and path not in existing.pages
        ]
        existing = replace(existing, pages={**existing.pages, **renamed(texts, new)})
    left_out = _left_out(paths[limits.pages :], all_files[limits.files :], limits)
    source = limited(source, limits)
    picked = dict(list(pictures.items())[: max(0, limits.files - len(source.files))])
    source = replace(source, files=(*source.files, *picked.values()))
    packer = _Packer(source, new_id, base, limits.characters, existing)
    packer.pictures.update({url: file.path for url, file in picked.items()})
    pages = _placed(source.pages, None)
    for placed, (_, path) in zip(pages, paths, strict=False):
        packed, document = packer.page(*placed)
        changed = source.changed_at(placed[0].git_path or "")
        packed["changed"] = None if changed is None else changed.isoformat()
        take("pages", {**packed, "path": path}, document)
    for content in source.reusable_contents:
        take("contents", *packer.content(content))
    redirects = packer.redirects()
    warnings = [*source.warnings]
    if packer.scripts:
        warnings.append(f"{packer.scripts} links that run a script are left out")
    if len(redirects) < len(source.redirects):
        count = len(source.redirects) - len(redirects)
        warnings.append(f"{count} redirects are left out, their pages are not imported")
    value: JsonObject = {
        "files": [packer.file(file) for file in source.files],
        "redirects": [*redirects],
        "variables": source.variables,
        "warnings": [*warnings],
        "paths": [path for _, path in paths],
        "left_out": [*left_out],
        "left_out_pages": max(0, len(paths) - limits.pages),
        "left_out_files": max(0, len(all_files) - limits.files),
        "imported": len(pages) + len(source.files),
        "total": total,
    }
    return Packed(value, source.files)


def _left_out(
    pages: Sequence[tuple[PageImport, str]], files: Sequence[FileImport], limits: PackLimits
) -> list[JsonObject]:
    """The first of what is beyond the limits."""
    warnings: list[JsonObject] = [
        {
            "kind": "page",
            "title": stored_title(page.title),
            "path": path,
            "reason": f"is beyond the {limits.pages} pages of one import",
        }
        for page, path in pages[:LEFT_OUT]
    ]
    warnings += [
        {
            "kind": "file",
            "title": file.name[-NAME:],
            "path": file.path,
            "reason": f"is beyond the {limits.files} files of one import",
        }
        for file in files[: LEFT_OUT - len(warnings)]
    ]
    return warnings


Place = tuple[PageImport, PageImport | None, str]


def _placed(pages: Sequence[PageImport], parent: PageImport | None) -> list[Place]:
    """(page, page above, sort key), depth first."""
    placed: list[Place] = []
    for page, order in zip(pages, spread(len(pages)), strict=True):
        placed.append((page, parent, order))
        placed += _placed(page.children, page)
    return placed


class _Packer:
    def __init__(
        self,
        source: SpaceImport,
        new_id: Callable[[], str],
        base: str,
        characters: int,
        existing: Known,
    ) -> None:
        self._links = ImportLinks(source, new_id, keep_claimed=False, existing=existing)
        self._root = source.root
        self._base = base
        self._characters = characters
        # Addresses of pictures that were fetched -> paths of their files.
        self.pictures: dict[str, str] = {}
        # Links that were left out because they run a script.
        self.scripts = 0

    def page(
        self, page: PageImport, parent: PageImport | None, order: str
    ) -> tuple[JsonObject, Node | None]:
        packed: JsonObject = {
            "id": self._links.page_id(page),
            "parent": self._links.page_id(parent) if parent is not None else None,
            "order": order,
            "type": page.kind,
            "title": stored_title(page.title),
            "cover": self._cover(page),
            "git": self._stands_at(page.git_path),
            **{name: getattr(page, name) for name in _FIELDS},
        }
        if page.description is not None:
            packed["description"] = page.description[:MAX_DESCRIPTION_LENGTH]
        if page.kind in ("document", "group"):
            packed["slug"] = page.slug
        document = None
        if page.kind == "document":
            packed["markdown"], document = self._body(
                page.markdown, str(packed["id"]), page.git_path, page.title
            )
        elif page.kind == "link":
            packed["target"] = self._links.reference(page.target or "", None)
        elif page.kind == "computed":
            packed["computed"] = page.source
        return packed, document

    def _cover(self, page: PageImport) -> JsonObject | None:
        """The cover with references; pictures that were fetched for it are files."""
        cover = self._links.cover(page)
        for name in ("ref", "refDark"):
            reference = (cover or {}).get(name)
            if cover is None or not isinstance(reference, dict) or reference["kind"] != "url":
                continue
            cover[name] = self._picture(absolute_url(str(reference["url"]), self._base))
        return cover

    def _picture(self, url: str) -> JsonObject:
        """The file that was fetched for an address, or the address."""
        path = self.pictures.get(url)
        if path is None:
            return {"kind": "url", "url": url}
        return {"kind": "file", "file": self._links.file_id(path)}

    def content(self, content: ReusableContentImport) -> tuple[JsonObject, Node]:
        id = self._links.content_id(content.path)
        markdown, document = self._body(content.markdown, id, content.git_path, content.title)
        packed: JsonObject = {
            "id": id,
            "path": content.path,
            "title": stored_title(content.title),
            "git": self._stands_at(content.git_path),
            "markdown": markdown,
        }
        return packed, document

    def file(self, file: FileImport) -> JsonObject:
        size, fetched = file.dimensions, self.pictures.values()
        return {
            "id": self._links.file_id(file.path),
            "path": file.path,
            "name": file.name[-NAME:],
            "content_type": file.content_type,
            "size": file.size,
            "sha256": file.sha256,
            "width": size.width if size is not None else None,
            "height": size.height if size is not None else None,
            # What was fetched for a page has a path of our own making.
            "git": None if file.path in fetched else self._stands_at(file.git_path),
        }

    def _stands_at(self, path: str | None) -> JsonObject | None:
        """Where something stands in the source, as in Git but for the id of a blob: links between
        texts count from there."""
        if not path:
            return None
        return {"path": path, **({"root": self._root} if self._root else {})}

    def redirects(self) -> list[JsonObject]:
        """Old paths and the pages that they lead to, without pages that were left out."""
        return [
            {"path": path, "page": page_id, "anchor": anchor}
            for path, (page_id, anchor) in self._links.redirects().items()
        ]

    def _body(self, markdown: str, seed: str, git_path: str | None, title: str) -> tuple[str, Node]:
        """Markdown and document; links in both name what they lead to, not where that was."""
        name = f"{git_path or title[:100]!r}"
        if len(markdown) > self._characters:
            raise SourceLimitError(
                f"{name}: has {len(markdown):,} characters; a page holds {self._characters:,}"
            )
        problem = lines_problem(markdown)
        if problem is not None:
            raise SourceLimitError(f"{name}: {problem}")

        def link(url: str) -> str | None:
            if runs_script(url):
                self.scripts += 1
                return BROKEN
            reference = self._links.resolve(url, git_path)
            if reference is not None:
                return reference_url(reference)
            if url.startswith("#"):
                return None
            return reference_url(self._picture(absolute_url(url, self._base)))

        def include(path: str) -> str | None:
            reference = self._links.resolve(path, git_path)
            if reference is None or reference["kind"] != "reusable-content":
                return None
            return f"/reusable-content/{reference['reusableContent']}"

        text = replace_links(markdown, link, include, autolinks=False)
        document = parse_with_style(text, seed=seed, resolve=read_reference)
        problem = document_problem(document)
        if problem is not None:
            raise SourceLimitError(f"{name}: {problem}")
        return text, document
