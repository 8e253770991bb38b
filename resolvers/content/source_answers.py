"""What sources of integrations have answered, as pages and documents: checked as a stranger's."""

import hashlib
import re
from typing import Any

from content.documents.limits import text_problem
from content.documents.shape import DocumentError, checked_document
from content.emoji import EMOJI
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
from resolvers.revisions.rows import Page

Json = dict[str, Any]
# Of one revision: pages, and how deep they stand in each other.
MOST_PAGES, DEPTH = 200, 10
TITLE = 100
_TYPES = {type.value: type for type in PageType}


def document_of_answer(value: Any, seed: str) -> DocumentRow:
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
    return DocumentRow(None, dict(parse_document(markdown, seed=seed)), markdown)


class PagesOfAnswer:
    """Makes rows of the pages that an integration has answered; equal seeds give equal ids."""

    def __init__(self, space_id: str, seed: str) -> None:
        self._space_id, self._seed = space_id, seed
        self._left = MOST_PAGES
        self._names: set[str] = set()

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
        if name in self._names:
            raise Unavailable(f"two pages have the id {name[:100]!r}")
        self._names.add(name)
        return hashlib.blake2b(f"{self._seed}\n{name}".encode(), digest_size=10).hexdigest()


def _target(value: Any) -> Json:
    url = value.get("url") if isinstance(value, dict) and value.get("kind") == "url" else None
    if not isinstance(url, str) or not url:
        raise Unavailable("the `target` of a link must be of the kind url")
    try:
        return read_reference_input(JsonObject({"kind": "url", "url": url}), "target", {}, ("url",))
    except ApiError as error:
        raise Unavailable(f"the integration has made no link: {error.message}") from error
