"""What sources of integrations have answered, as pages, files and documents: checked as a
stranger's.

Documents refer to pages and files of the same answer by the ids that these have there, to files by
their names, too; those ids are not the ones that they are stored under.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from content.documents.content_references import read_reference
from content.documents.limits import text_problem
from content.documents.shape import DocumentError, checked_document
from content.emoji import EMOJI
from content.json_types import JsonObject as Reference
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from content.pages.front_matter import ICON
from content.slugs import slug_from_title, slug_key, unique_slug
from db.content_enums import PageType
from resolvers.content.documents import DocumentRow
from resolvers.core.errors import ApiError, Unavailable
from resolvers.core.scalars import JsonObject
from resolvers.revisions import limits
from resolvers.revisions.references import read_reference_input
from resolvers.revisions.rows import File, Page

Json = dict[str, Any]
# Of one revision: pages, how deep they stand in each other, and files.
MOST_PAGES, DEPTH, MOST_FILES = 200, 10, 50
# What an integration may say of one that is not fetched yet.
MOST_FILE_BYTES, MOST_PIXELS = 100_000_000, 1_000_000
TITLE = 100
_TYPES = {type.value: type for type in PageType}


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file that an integration has made: under which id it is stored, and where it is."""

    id: str
    name: str
    url: str
    # What the integration says of it; what is stored is what was fetched.
    content_type: str = "application/octet-stream"
    size: int = 0
    dimensions: tuple[int, int] | None = None

    def as_file(self, space_id: str) -> File:
        """The file as the source has it, which nobody has fetched."""
        width, height = self.dimensions or (None, None)
        return File(
            space_id=space_id, revision_id="", id=self.id, name=self.name, sha256="",
            size=self.size, content_type=self.content_type, width=width, height=height,
            elsewhere=self.url,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class OwnNames:
    """What documents of an answer may refer to: ids as they are stored, by those of the answer, and
    files by their names."""

    pages: Mapping[str, str]
    files: Mapping[str, str]

    def resolve(self, url: str) -> Reference | None:
        """What an address means in a document of the answer; None for one of something else."""
        reference = read_reference(url)
        if reference is None:
            id = self.files.get(unquote(url))
            return None if id is None else {"kind": "file", "file": id}
        kind = reference["kind"]
        name, ids = ("file", self.files) if kind == "file" else ("page", self.pages)
        id = ids.get(str(reference.get(name)))
        if id is None or kind not in ("file", "page", "anchor"):
            return None
        return {"kind": kind, name: id} | (
            {"anchor": reference["anchor"]} if kind == "anchor" and "anchor" in reference else {}
        )


NOTHING_OWN = OwnNames({}, {})


def document_of_answer(value: Any, seed: str, own: OwnNames = NOTHING_OWN) -> DocumentRow:
    """A document that an integration has made; Unavailable says what is wrong with it."""
    markdown = ""
    if isinstance(value, dict) and isinstance(value.get("markdown"), str):
        markdown = value["markdown"]
    elif isinstance(value, dict):
        nodes = value.get("document", value)
        try:
            if isinstance(nodes, dict) and nodes.get("nodes"):
                markdown = write_markdown(checked_document(nodes))
        except DocumentError as error:
            raise Unavailable(f"the integration has made no document: {error}") from error
    elif value is not None:
        raise Unavailable("the integration has made no document: it must be an object")
    if problem := text_problem(markdown):
        raise Unavailable(f"the document of the integration {problem}")
    document = parse_document(markdown, seed=seed, resolve=own.resolve)
    if own.pages or own.files:
        # As it is stored, it has the ids that its pages and files are stored under.
        markdown = write_markdown(document)
    return DocumentRow(None, dict(document), markdown)


def files_of_answer(values: Any, seed: str) -> tuple[list[OfferedFile], dict[str, str]]:
    """The files that an integration has made, and their ids by their own ids and their names;
    Unavailable says what is wrong with one."""
    if values is None:
        return [], {}
    if not isinstance(values, list) or len(values) > MOST_FILES:
        raise Unavailable(f"`files` must be a list of at most {MOST_FILES} files")
    files: dict[str, OfferedFile] = {}
    ids: dict[str, str] = {}
    for value in values:
        members = value if isinstance(value, dict) else {}
        name, url, own = (members.get(key) for key in ("name", "downloadURL", "id"))
        if not isinstance(name, str) or not _FILE_NAME.fullmatch(name):
            raise Unavailable(
                f"each file must have a `name` of 1 to {limits.NAME} characters, without a path"
            )
        if not isinstance(url, str) or not _FILE_URL.fullmatch(url):
            raise Unavailable(f"the file {name[:100]!r} must have a `downloadURL` of http or https")
        own = own if isinstance(own, str) and own else name
        id = _stored_id(seed, f"file\n{own}")
        if id in files:
            raise Unavailable(f"two files have the id {own[:100]!r}")
        files[id] = OfferedFile(id, name, url, **_said_of(members))
        ids.setdefault(name, id)
        ids[own] = id
    return list(files.values()), ids


def _said_of(members: Json) -> Json:
    """What an integration says of a file, as far as it can be true."""
    said: Json = {}
    type, size, dimensions = (members.get(key) for key in ("contentType", "size", "dimensions"))
    if isinstance(type, str) and _MEDIA_TYPE.fullmatch(type):
        said["content_type"] = type.lower()
    if (number := _number(size, MOST_FILE_BYTES)) is not None:
        said["size"] = number
    if isinstance(dimensions, dict):
        width, height = (_number(dimensions.get(n), MOST_PIXELS) for n in ("width", "height"))
        if width and height:
            said["dimensions"] = width, height
    return said


def _number(value: Any, most: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        return None
    return int(value)


_FILE_URL = re.compile(r"(?i:https?://)[^\s\x00-\x1f\x7f\ud800-\udfff]{1,2000}")
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,100}/[A-Za-z0-9!#$&^_.+-]{1,100}")
_FILE_NAME = re.compile(rf"(?!\.{{1,2}}$)[^/\\\x00-\x1f\x7f\ud800-\udfff]{{1,{limits.NAME}}}")


def _stored_id(seed: str, name: str) -> str:
    return hashlib.blake2b(f"{seed}\n{name}".encode(), digest_size=10).hexdigest()


class PagesOfAnswer:
    """Makes rows of the pages that an integration has answered; equal seeds give equal ids."""

    def __init__(self, space_id: str, seed: str) -> None:
        self._space_id, self._seed = space_id, seed
        self._left = MOST_PAGES
        # Ids as they are stored, by those of the answer.
        self.ids: dict[str, str] = {}

    def below(self, values: Any, parent: Page | None, path: str, depth: int) -> list[Page]:
        """Pages with those below them; Unavailable says what is wrong with one."""
        if values is None:
            return []
        if not isinstance(values, list) or depth > DEPTH:
            raise Unavailable(f"`pages` must be lists, at most {DEPTH} in each other")
        rows: list[Page] = []
        taken: set[str] = set()
        for value in values:
            self._left -= 1
            if self._left < 0:
                raise Unavailable(f"more than {MOST_PAGES} pages were made")
            rows.append(self._page(value, parent, path, taken, len(rows), depth))
        return rows

    def _page(
        self, value: Any, parent: Page | None, path: str, taken: set[str], number: int, depth: int
    ) -> Page:
        title = value.get("title") if isinstance(value, dict) else None
        if not isinstance(title, str) or not title.strip():
            raise Unavailable("each page must have a `title`")
        title = " ".join(title.split())[:TITLE]
        type = _TYPES.get(str(value.get("type")))
        if type is None or type is PageType.COMPUTED:
            raise Unavailable("the `type` of a page must be document, group or link")
        slug = None
        if type is not PageType.LINK:
            wanted_slug = value.get("slug")
            chosen = wanted_slug if isinstance(wanted_slug, str) and wanted_slug else title
            slug = unique_slug(slug_from_title(chosen), taken)
            taken.add(slug_key(slug))
        here = path if slug is None else f"{path}{slug}"
        page = Page(
            space_id=self._space_id, revision_id="", id=self._id(value.get("id"), here, number),
            type=type, title=title, parent_id=None if parent is None else parent.id,
            order=f"{number:06}", slug=slug, path=here, children=[],
        )  # fmt: skip
        for name, pattern in (("emoji", EMOJI), ("icon", ICON)):
            text = value.get(name)
            if isinstance(text, str) and len(text) <= TITLE and re.fullmatch(pattern, text):
                setattr(page, name, text)
        if isinstance(value.get("description"), str):
            page.description = " ".join(value["description"].split())[: limits.DESCRIPTION] or None
        if type is PageType.LINK:
            page.target = _target(value.get("target"))
        computed = value.get("computed")
        if type is PageType.DOCUMENT and isinstance(computed, dict):
            page.computed = {name: computed.get(name) for name in ("type", "props", "dependencies")}
        page.children = self.below(value.get("pages"), page, f"{here}/", depth + 1)
        return page

    def _id(self, own: Any, path: str, number: int) -> str:
        name = own if isinstance(own, str) and own else f"{path}\n{number}"
        if name in self.ids:
            raise Unavailable(f"two pages have the id {name[:100]!r}")
        self.ids[name] = _stored_id(self._seed, name)
        return self.ids[name]


def _target(value: Any) -> Json:
    url = value.get("url") if isinstance(value, dict) and value.get("kind") == "url" else None
    if not isinstance(url, str) or not url:
        raise Unavailable("the `target` of a link must be of the kind url")
    try:
        return read_reference_input(JsonObject({"kind": "url", "url": url}), "target", {}, ("url",))
    except ApiError as error:
        raise Unavailable(f"the integration has made no link: {error.message}") from error
