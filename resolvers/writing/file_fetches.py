"""Bytes of files that are fetched from addresses before the transaction.

As imports do (docs/decisions/0022): whoever may not write there makes the server fetch nothing,
and nothing is locked while somebody else's server answers.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from fetching.client import Fetched
from fetching.errors import FetchError
from fetching.several import some_at_once
from resolvers.core.context import Context, run
from resolvers.core.errors import invalid
from resolvers.core.transactions import before_slow_work
from resolvers.drafts.draft import FileBytes
from resolvers.revisions.write_targets import Target, look_at_target, open_target
from resolvers.writing.received_files import UNKNOWN, ReceivedFiles, file_name_of
from resolvers.writing.uploads import content_type_of

# Addresses of one write, and bytes of all of them; each has the limit of one fetch.
ADDRESSES = 50
BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where content is written: a space or, by id or number, one of its change requests."""

    space_id: str
    change_request_id: str | None = None
    expected_revision: str | None = None


async def fetch_files(
    ctx: Context, place: Place, places: Mapping[str, str], received: ReceivedFiles
) -> dict[str, FileBytes]:
    """The files at addresses, by address; `places` has the field of each that errors name.

    Invalid when one cannot be fetched, is too large, or all take too long; nothing is fetched
    when content may not be written at `place`.
    """
    if not places:
        return {}
    for url in list(places)[ADDRESSES:]:
        raise invalid(places[url], f"is one too many: one write fetches at most {ADDRESSES} files")
    await run(ctx, check_place, place)
    access = ctx.import_access
    left = BYTES

    async def fetch(url: str) -> FileBytes:
        nonlocal left
        try:
            response = await access.fetcher.get(url)
        except FetchError as error:
            raise invalid(places[url], str(error)) from error
        left -= len(response.data)
        if left < 0:
            raise invalid(places[url], f"all files together have more than {BYTES} bytes")
        return await received.add(response.data, _type_of(response), file_name_of(response))

    try:
        async with asyncio.timeout(access.seconds) as deadline:
            fetched = await some_at_once(fetch, places)
    except TimeoutError:
        if not deadline.expired():
            raise
        raise invalid(
            next(iter(places.values())),
            f"all files together took longer than {access.seconds:g} seconds",
        ) from None
    return dict(zip(places, fetched, strict=True))


@before_slow_work
async def check_place(ctx: Context, place: Place) -> None:
    """Whether content may be written there, before anything is fetched or received for it."""
    await open_place(ctx, place)


async def open_place(ctx: Context, place: Place) -> Target:
    """The target of a write; see `open_target`."""
    return await open_target(
        ctx, place.space_id, place.change_request_id, expected_revision=place.expected_revision
    )


async def look_at_place(ctx: Context, place: Place) -> Target:
    """The target of a write as it is now, with nothing locked; see `look_at_target`."""
    return await look_at_target(
        ctx, place.space_id, place.change_request_id, expected_revision=place.expected_revision
    )


def _type_of(response: Fetched) -> str:
    """The content type that the server names; a guess from the name when it names none."""
    if response.content_type in ("", UNKNOWN):
        return content_type_of(file_name_of(response), b"")
    return response.content_type
