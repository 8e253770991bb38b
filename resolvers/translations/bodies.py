"""Pages of a source as pages of its result: their texts, and what they become."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from content.collector import paused_for
from content.documents.heading_aliases import carry_aliases
from content.documents.limits import bytes_problem, document_problem, text_problem
from content.hashing import content_id
from content.markdown.rewriting import rewrite_markdown
from content.pages.stored import stored_title
from content.translation.document import Text, plain_text, texts_of
from content.translation.terms import Terms
from resolvers.revisions import limits as content_limits
from resolvers.revisions.references import Addresses
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.states import Body

Json = dict[str, Any]


@dataclass(slots=True)
class Owner:
    """A page or a reusable content that is translated: its copy for the result, with its texts.

    `digests` are those of the texts, in order.
    """

    row: Any
    body: Body | None
    document: Json | None
    texts: list[Text] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    untranslated: int = 0

    @property
    def missing(self) -> list[int]:
        """Which texts there are that nothing is known of; filled by `translate`."""
        return [index for index, digest in enumerate(self.digests) if digest not in self.known]

    # What its texts were translated to, by digest; None where no answer could be used.
    known: dict[str, str | None] = field(default_factory=dict)


def open_owner(
    row: Page | ReusableContent,
    body: Body | None,
    earlier: Mapping[str, str | None],
    terms: Terms,
    context: str,
    spaces: Mapping[str, str],
) -> Owner:
    """Find the texts of a page or reusable content; takes a while, so run it in a thread.

    `spaces` are the spaces that references to are led on: source to result.
    """
    document = None
    if body is not None:
        # A document of its own, for texts are put into it.
        with paused_for(body.markdown):
            document = orjson.loads(orjson.dumps(relinked(body.document, spaces)))
    copy = replace(row)
    if isinstance(copy, Page):
        copy.target, copy.cover = relinked(copy.target, spaces), relinked(copy.cover, spaces)
    owner = Owner(copy, body, document)
    texts = [_line(copy, "title", terms, stored_title)]
    if isinstance(copy, Page) and copy.description:
        texts.append(_line(copy, "description", terms, _description))
    owner.texts = [text for text in texts if text is not None]
    if document is not None:
        owner.texts += texts_of(document, terms)
    owner.digests = [text.digest(_context_of(text, context, terms)) for text in owner.texts]
    owner.known = {digest: earlier[digest] for digest in owner.digests if digest in earlier}
    return owner


def _context_of(text: Text, context: str, terms: Terms) -> str:
    """All else that the translation of a text follows from: of the glossary its own terms."""
    used = terms.used_in(text.tagged)
    return f"{context}\0{sorted(used.items())}" if used else context


def _line(row: Any, name: str, terms: Terms, fit: Callable[[str], str]) -> Text | None:
    def put(value: str) -> None:
        setattr(row, name, fit(value))

    return plain_text(getattr(row, name), terms, put)


def _description(text: str) -> str:
    return text[: content_limits.DESCRIPTION].rstrip()


def relinked(value: Any, spaces: Mapping[str, str]) -> Any:
    """A copy in which references to spaces, and to what is in them, name others."""
    if isinstance(value, list):
        return [relinked(item, spaces) for item in value]
    if not isinstance(value, dict):
        return value
    copy = {name: relinked(item, spaces) for name, item in value.items()}
    space = value.get("space")
    if isinstance(value.get("kind"), str) and isinstance(space, str) and space in spaces:
        copy["space"] = spaces[space]
    return copy


@dataclass(frozen=True, slots=True)
class Translated:
    """A page of the result, its body if that is new, and what is remembered of its texts."""

    row: Any
    document: tuple[str, tuple[str, bytes]] | None
    texts: Mapping[str, str]
    untranslated: int


def close_owner(owner: Owner) -> Translated:
    """Put translations in; takes a while, so run it in a thread. Texts without one stay as they
    are, and so does a body that would be too large."""
    untranslated = 0
    for text, digest in zip(owner.texts, owner.digests, strict=True):
        answer = owner.known.get(digest)
        if answer is None or not text.take(answer):
            owner.known[digest] = None
            untranslated += 1
    row, stored = owner.row, None
    if owner.body is not None and owner.document is not None:
        document, markdown = _written(owner.body, owner.document)
        data = orjson.dumps(document)
        if text_problem(markdown) or bytes_problem(len(data)) or document_problem(document):
            document, markdown = owner.body.document, owner.body.markdown
            data, untranslated = orjson.dumps(document), len(owner.texts)
        stored = content_id(orjson.dumps([markdown]) + data), (markdown, data)
        row.document_id = stored[0]
    # What has no translation is asked for again when the page is looked at again.
    texts = {digest: text for digest, text in owner.known.items() if text is not None}
    return Translated(row, stored, texts, untranslated)


def _written(body: Body, translated: Json) -> tuple[Json, str]:
    """A translated document as it is stored, and its Markdown: headings are found by the anchors
    that they have in the source, and what was not translated is written as it is there."""
    document = dict(carry_aliases(translated, body.document))
    addresses = Addresses(body.markdown, body.document)
    markdown = rewrite_markdown(
        document, [body.markdown], resolve=addresses.resolve, link=addresses.link
    )
    return document, markdown
