"""Addresses of PDFs: signed, expiring, for whoever holds them; what they show is made on demand."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, urlencode

import strawberry

from content.pdf.job import NOT_INSTALLED, makes_pdfs
from content.slugs import slug_from_title
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.change_requests.operations import get_change_request
from resolvers.core import inputs
from resolvers.core.arguments import ChangeRequestId, SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, NotInstalled, invalid
from resolvers.core.signed_addresses import holder_of, signature, valid_until
from resolvers.lists.batches import reads, visible_by_key
from resolvers.revisions.ids import PAGE, stable_id_by_space
from resolvers.revisions.tree import find_page, hidden_mask

T = TypeVar("T")
PagesFrom = Annotated[
    strawberry.ID | None, inputs.argument("Only the page with this id and the pages below it.")
]
OnlyPage = Annotated[
    bool | None, inputs.argument("Only the page itself, without the pages below it.")
]


InChangeRequest = Annotated[
    strawberry.ID | None,
    inputs.argument("Id or number of a change request of the space; its own content when absent."),
]


@dataclass(frozen=True)
class PdfArguments:
    """Which pages are wanted."""

    page: PagesFrom = None
    only: OnlyPage = None


@dataclass(frozen=True, slots=True)
class Pdf:
    """Where a PDF is fetched."""

    url: str


@dataclass(frozen=True, slots=True)
class Printout:
    """The scope of one PDF: pages of a revision, perhaps of a change request."""

    space_id: str
    revision_id: str
    page_id: str = ""
    only: bool = False
    change_request_id: str = ""
    # Stands for the words on the title sheet: with other words it is another PDF.
    title: str = ""
    # The pages that are hidden from a visitor (resolvers/revisions/conditions.py).
    hidden: str = ""

    def parts(self) -> list[Any]:
        """All of it as JSON, for signatures and names."""
        return [self.space_id, self.revision_id, self.page_id, self.only,
            self.change_request_id, self.title, self.hidden]  # fmt: skip


async def get_space_pdf(
    ctx: Context, space_id: SpaceId, page: PagesFrom = None, only: OnlyPage = None
) -> Pdf:
    """The address of a PDF of a space's content: all pages, or one with those below it."""
    space = await must(ctx, Space, space_id)
    (pdf,) = await space_pdfs(ctx, [space], PdfArguments(page, only))
    return _existing(pdf)


async def get_change_request_pdf(
    ctx: Context,
    space_id: SpaceId,
    id: ChangeRequestId,
    page: PagesFrom = None,
    only: OnlyPage = None,
) -> Pdf:
    """The address of a PDF of a change request's content: all pages, or one with those below."""
    change_request = await get_change_request(ctx, space_id, id)
    (pdf,) = await change_request_pdfs(ctx, [change_request], PdfArguments(page, only))
    return _existing(pdf)


def _existing(value: T | None) -> T:
    if value is None:
        raise NotFound("the space is in the bin: its content cannot be read")
    return value


_revisions = visible_by_key(Revision, "revision_id")


@reads("id", "title", "revision_id")
async def space_pdfs(
    ctx: Context, rows: Sequence[Space], arguments: PdfArguments
) -> list[Pdf | None]:
    """Where PDFs of spaces are fetched; None where the content may not be read."""
    return await _pdfs(ctx, rows, arguments, [(row.title, row.title, "") for row in rows])


@reads("id", "number", "subject", "revision_id")
async def change_request_pdfs(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: PdfArguments
) -> list[Pdf | None]:
    """Where PDFs of change requests are fetched; None where the content may not be read."""
    described = [(f"change-request-{row.number}", row.subject, row.id) for row in rows]
    return await _pdfs(ctx, rows, arguments, described)


async def printout_of_space(
    ctx: Context, space: Space, arguments: PdfArguments
) -> tuple[Printout, str]:
    """What a PDF of a space shows, and the name of its file."""
    described = [(space.title, space.title, "")]
    return _existing((await _printouts(ctx, [space], arguments, described))[0])


async def printout_of_change_request(
    ctx: Context, row: ChangeRequest, arguments: PdfArguments
) -> tuple[Printout, str]:
    """What a PDF of a change request shows, and the name of its file."""
    described = [(f"change-request-{row.number}", row.subject, row.id)]
    return _existing((await _printouts(ctx, [row], arguments, described))[0])


async def _pdfs(
    ctx: Context,
    rows: Sequence[Space | ChangeRequest],
    arguments: PdfArguments,
    described: Sequence[tuple[str, str, str]],
) -> list[Pdf | None]:
    printouts = await _printouts(ctx, rows, arguments, described)
    return [None if named is None else signed_pdf(ctx, *named) for named in printouts]


async def _printouts(
    ctx: Context,
    rows: Sequence[Space | ChangeRequest],
    arguments: PdfArguments,
    described: Sequence[tuple[str, str, str]],
) -> list[tuple[Printout, str] | None]:
    """What the PDF of each row shows, and the name of its file; `described` are name, title and id
    of the change request, if any."""
    revisions = await _revisions(ctx, rows, None)
    pages: dict[str, str] = {}
    if arguments.page is not None:
        spaces = {revision.space_id for revision in revisions if revision is not None}
        pages = await stable_id_by_space(ctx, spaces, PAGE, arguments.page)
    return [
        None if revision is None else await _printout(ctx, revision, arguments, pages, *names)
        for revision, names in zip(revisions, described, strict=True)
    ]


async def _printout(
    ctx: Context,
    revision: Revision,
    arguments: PdfArguments,
    pages: Mapping[str, str],
    name: str,
    title: str,
    change_request_id: str,
) -> tuple[Printout, str]:
    if not makes_pdfs():
        raise NotInstalled(NOT_INSTALLED)
    if arguments.page is None and arguments.only:
        raise invalid("only", "true is not allowed without `page`; name the page")
    page_id = pages.get(revision.space_id, arguments.page)
    if page_id is not None:
        name = (await find_page(ctx, revision, page_id)).title
    printout = Printout(
        revision.space_id,
        revision.id,
        page_id or "",
        bool(arguments.only),
        change_request_id,
        hashlib.sha256(title.encode()).hexdigest()[:12],
        await hidden_mask(ctx, revision),
    )
    return printout, f"{slug_from_title(name)}.pdf"


def signed_pdf(ctx: Context, printout: Printout, name: str) -> Pdf:
    """The address of a PDF, from now on for an hour or two."""
    key, holder, expires = ctx.file_access.key, holder_of(ctx.actor), valid_until(ctx.now())
    query = {
        "page": printout.page_id,
        "only": "true" if printout.only else "",
        "changeRequest": printout.change_request_id,
        "title": printout.title,
        "hidden": printout.hidden,
        "by": holder,
        "expires": expires,
        "signature": pdf_signature(key, printout, name, holder, expires),
    }
    parameters = urlencode({name: value for name, value in query.items() if value != ""})
    path = f"/pdf/{printout.space_id}/{printout.revision_id}/{quote(name, safe='')}?{parameters}"
    return Pdf(ctx.settings.public_url + path)


def pdf_signature(key: bytes, printout: Printout, name: str, holder: str, expires: int) -> str:
    """The signature of an address that this server gave out; `expires` in seconds since 1970."""
    # With a word of its own, so that no address of a file can pass for one of a PDF.
    return signature(key, "pdf", *printout.parts(), name, holder, expires)
