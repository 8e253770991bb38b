"""Bodies as they leave this server: no address in them is one that only this server understands.

What is stored may name things as `docstead:KIND?...` (content/documents/content_references.py).
Clients get the path to the thing from the file of the page, where both came with files of one
source, as their author wrote it; else its absolute address.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar
from urllib.parse import parse_qs

import orjson

from content.documents.content_references import KINDS, SCHEME, read_reference
from content.imports.markdown_links import (
    matches,
    outside_code,
    replace_links,
    substitute,
    without_script_links,
)
from content.json_types import JsonObject
from content.script_addresses import may_run_script, without_scripts
from resolvers.content.reference_addresses import Addresses, addresses_in
from resolvers.core.context import Context
from resolvers.revisions.rows import Page, ReusableContent

T = TypeVar("T")
Json = dict[str, Any]
D = TypeVar("D", bound=Json | None)
# Characters of texts that the event loop has time for.
IN_PLACE = 20_000
INCLUDED = "/reusable-content/"
FILES = "/files/"
# Wherever a private URL stands, up to what may come behind an address.
_ANYWHERE = outside_code(rf"{SCHEME}(?:{'|'.join(KINDS)})\?[^\s<>\"'`()\[\]{{}}\\]*")


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Where a text stands: its revision, its page if it is that of one, its file in a source."""

    revision_id: str
    page_id: str | None = None
    git: Json | None = None

    @classmethod
    def of(cls, row: Page | ReusableContent) -> Self:
        """Where the body of a page or reusable content stands."""
        return cls(row.revision_id, row.id if isinstance(row, Page) else None, row.git)


async def client_markdown(
    ctx: Context, standpoints: Sequence[Standpoint | None], texts: Sequence[str]
) -> list[str]:
    """Stored Markdown for clients; what stands nowhere stays as it is."""
    if any(may_run_script(text) for text in texts):
        size = sum(map(len, texts))
        texts = await beside_if_long(size, lambda: [without_script_links(text) for text in texts])
    private = [
        standpoint is not None and is_private(text)
        for standpoint, text in zip(standpoints, texts, strict=True)
    ]
    if not any(private):
        return list(texts)
    files = file_addresses(ctx)
    size = sum(len(text) for text, may in zip(texts, private, strict=True) if may)
    named = await beside_if_long(
        size,
        lambda: [
            _named_in(text, files) if may else {} for text, may in zip(texts, private, strict=True)
        ],
    )
    if not any(named):
        return list(texts)
    addresses = await _addresses(ctx, standpoints, named)
    return await beside_if_long(
        size,
        lambda: [
            public_text(text, standpoint, addresses[standpoint.revision_id])
            if standpoint is not None and names
            else text
            for text, standpoint, names in zip(texts, standpoints, named, strict=True)
        ],
    )


async def client_documents(
    ctx: Context,
    standpoints: Sequence[Standpoint],
    documents: Sequence[D],
    texts: Sequence[str] | None = None,
) -> list[D]:
    """Documents for clients: content references in place of private URLs, and addresses where
    there is room for a URL only. Their `texts` tell sooner which of them have private URLs."""
    if texts is None:
        texts = [orjson.dumps(document).decode() for document in documents]
    scripts = {index for index, text in enumerate(texts) if may_run_script(text)}
    if scripts:
        size = sum(len(texts[index]) for index in scripts)
        documents = await beside_if_long(
            size,
            lambda: [
                without_scripts(document) if index in scripts else document
                for index, document in enumerate(documents)
            ],
        )
    private = [index for index, text in enumerate(texts) if is_private(text)]
    if not private:
        return list(documents)
    named: list[dict[str, JsonObject]] = [{} for _ in documents]
    files = file_addresses(ctx)
    size = sum(len(orjson.dumps(documents[index])) for index in private)

    # With references in place of private URLs already: only texts still wait for addresses.
    referring = list(documents)

    def refer() -> None:
        for index in private:
            referring[index] = _rewritten(documents[index], partial(_note, named[index], files))

    await beside_if_long(size, refer)
    addresses = await _addresses(ctx, standpoints, named)

    def public(document: D, standpoint: Standpoint) -> D:
        rewritten: D = _rewritten(
            document, lambda text: public_text(text, standpoint, addresses[standpoint.revision_id])
        )
        return rewritten

    return await beside_if_long(
        size,
        lambda: [
            public(document, standpoint) if names else document
            for document, standpoint, names in zip(referring, standpoints, named, strict=True)
        ],
    )


async def beside_if_long(size: int, work: Callable[[], T]) -> T:
    """The result of work on so many characters; off the event loop if they are many."""
    return work() if size <= IN_PLACE else await asyncio.to_thread(work)


async def client_addresses(
    ctx: Context, standpoints: Sequence[Standpoint], references: Sequence[Sequence[JsonObject]]
) -> list[list[str]]:
    """The addresses of content references, for each standpoint those that belong to it."""
    named = [
        {str(index): _meant(reference) for index, reference in enumerate(some)}
        for some in references
    ]
    addresses = await _addresses(ctx, standpoints, named)
    return [
        [
            addresses[standpoint.revision_id]
            .of(reference, standpoint.page_id)
            .seen_from(standpoint.git)
            for reference in names.values()
        ]
        for standpoint, names in zip(standpoints, named, strict=True)
    ]


def _meant(reference: JsonObject) -> JsonObject:
    """A content reference; one to a private URL is what that URL says."""
    url = reference.get("url")
    target = (
        read_reference(url) if reference.get("kind") == "url" and isinstance(url, str) else None
    )
    return target or reference


async def _addresses(
    ctx: Context, standpoints: Sequence[Standpoint | None], named: Sequence[dict[str, JsonObject]]
) -> dict[str, Addresses]:
    references: dict[str, list[JsonObject]] = {}
    for standpoint, names in zip(standpoints, named, strict=True):
        if standpoint is not None and names:
            references.setdefault(standpoint.revision_id, []).extend(names.values())
    return await addresses_in(ctx, references) if references else {}


def is_private(text: str) -> bool:
    """Whether a text may hold internal URLs, which clients get as public ones; False is certain."""
    return SCHEME in text or INCLUDED in text or (FILES in text and "file=" in text)


def file_addresses(ctx: Context) -> str:
    """The prefix of addresses of files on this server. They expire, so they are made anew."""
    return f"{ctx.settings.public_url}{FILES}"


def named_by(url: str, files: str | None = None) -> JsonObject | None:
    """The content reference that a stored URL says by itself; `files` as `file_addresses`."""
    if files is not None and url.startswith(files):
        space = url.removeprefix(files).partition("/")[0]
        ids = parse_qs(url.partition("#")[0].partition("?")[2]).get("file")
        return {"kind": "file", "file": ids[0], "space": space} if ids else None
    if url.startswith(INCLUDED) and url.removeprefix(INCLUDED).isalnum():
        return {"kind": "reusable-content", "reusableContent": url.removeprefix(INCLUDED)}
    return read_reference(url)


def _note(names: dict[str, JsonObject], files: str, text: str) -> str:
    names.update(_named_in(text, files))
    return text


def _named_in(text: str, files: str) -> dict[str, JsonObject]:
    """The private URLs of a text, with what they name."""
    names: dict[str, JsonObject] = {}

    def note(url: str) -> None:
        reference = named_by(url, files)
        if reference is not None:
            names[url] = reference

    replace_links(text, note, note)
    for match in matches(_ANYWHERE, text):
        if match["found"] is not None:
            note(match["found"])
    return names


def public_text(text: str, standpoint: Standpoint, addresses: Addresses) -> str:
    """A text with other URLs in place of private ones; code stays as it is."""

    files = f"{addresses.public_url}{FILES}"

    def link(url: str) -> str | None:
        if url.startswith(files):
            address = addresses.file(named_by(url, files))
            return None if address is None else address.seen_from(standpoint.git)
        reference = read_reference(url)
        return (
            None
            if reference is None
            else addresses.of(reference, standpoint.page_id).seen_from(standpoint.git)
        )

    def include(path: str) -> str | None:
        reference = named_by(path)
        if reference is None:
            return None
        id = str(reference.get("reusableContent", ""))
        if reference["kind"] != "reusable-content" or not id.isalnum():
            return link(path)
        return addresses.include(id, standpoint.git) or f"{INCLUDED}{id}"

    # What is left stands in no usual place.
    return without_private(replace_links(text, link, include), link)


def without_private(text: str, link: Callable[[str], str | None]) -> str:
    """The text with what `link` gives in place of private URLs, wherever they stand but in code."""

    def replaced(match: re.Match[str]) -> str:
        url: str | None = match["found"]
        return match[0] if url is None else link(url) or url

    return substitute(_ANYWHERE, replaced, text) if SCHEME in text else text


def _rewritten(value: Any, text: Callable[[str], Any], depth: int = 0) -> Any:
    """A copy of a document with private URLs replaced: by the references that they are, where
    those may stand, else by what `text` makes of the text that holds them."""
    if isinstance(value, list):
        return [_rewritten(item, text, depth + 1) for item in value]
    if not isinstance(value, dict) or depth > 1000 or value.get("type") == "code":
        return value
    if value.get("object") == "leaf":
        return _leaf(value, text)
    if value.get("kind") == "url" and isinstance(value.get("url"), str):
        reference = read_reference(value["url"])
        if reference is not None:
            return reference
    copy = {name: _rewritten(member_value, text, depth + 1) for name, member_value in value.items()}
    kind, data = value.get("type"), copy.get("data")
    member = {"embed": "url", "markdown": "source"}.get(str(kind))
    if member is not None and isinstance(data, dict) and is_private(str(data.get(member))):
        copy["data"] = {**data, member: text(str(data[member]))}
    return copy


def _leaf(leaf: Json, text: Callable[[str], Any]) -> Json:
    """Text that shows an address, as links without another text do."""
    shown, marks = leaf.get("text"), leaf.get("marks")
    is_code = isinstance(marks, list) and any(
        isinstance(mark, dict) and mark.get("type") == "code" for mark in marks
    )
    if not isinstance(shown, str) or SCHEME not in shown or is_code:
        return leaf
    return {**leaf, "text": text(shown)}
