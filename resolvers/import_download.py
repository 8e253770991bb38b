"""What an import reads: fetched, read by a process of its own, and packed for the store."""

import asyncio
import posixpath
import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from content.media_types import media_type
from db.content_enums import ImportContentSource
from fetching.client import Fetched, Fetcher
from fetching.errors import FetchError
from fetching.several import some_at_once
from resolvers import content_limits
from resolvers.errors import BadRequest
from resolvers.import_site import fetch_site
from resolvers.import_worker import ImportWorker, import_worker
from resolvers.installation import ImportAccess

Json = dict[str, Any]
PICTURE_TYPES = ("image/",)
PICTURE_BYTES = 10_000_000
# Bytes of all pictures of an import together.
PICTURES_BYTES = 100_000_000
_GOOGLE_DOCUMENT = re.compile(r"https://docs\.google\.com/document/d/([A-Za-z0-9_-]+)(?:/.*)?")
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f\ud800-\udfff/\\:*?"<>|#%\[\]()]+')


# Takes the bytes of one file; gives their SHA-256.
Keep = Callable[[bytes], Awaitable[str]]


async def download(access: ImportAccess, url: str, source: ImportContentSource, keep: Keep) -> Json:
    """Fetch and convert: what is to be stored, as `content.imports.packing` makes it.

    `keep` gets the bytes of its files, one after the other. BadRequest says what could not be
    reached or read.
    """
    try:
        async with (
            asyncio.timeout(access.seconds) as deadline,
            import_worker(max(1, int(access.seconds))) as worker,
        ):
            return await _download(access, worker, url, source, keep)
    except FetchError as error:
        raise BadRequest(f"url: {error}") from error
    except TimeoutError:
        if not deadline.expired():
            raise
        raise BadRequest(
            f"url: the import took longer than {access.seconds:g} seconds; nothing was written"
        ) from None


async def _download(
    access: ImportAccess,
    worker: ImportWorker,
    url: str,
    source: ImportContentSource,
    keep: Keep,
) -> Json:
    fetcher = access.fetcher
    first = await fetcher.get(address_of(url, source))
    missing: list[str] = []
    not_fetched = 0
    if source is ImportContentSource.WEBSITE or await _is_site(worker, first, source):
        read, missing, not_fetched = await fetch_site(fetcher, worker, url, first, access.pages)
    else:
        read = await worker.call(
            "read",
            [first.data],
            url=first.url,
            source=source.value,
            limits={
                "max_file_bytes": fetcher.limits.bytes,
                "max_total_bytes": 10 * fetcher.limits.bytes,
                "max_files": content_limits.FILES,
            },
            **description_of(first),
        )
    pictures, lost = await _pictures(fetcher, read["pictures"], access.files)
    value, hashes = await worker.exchange(
        "pack",
        [picture.data for _, picture in pictures],
        keep,
        pictures=[
            {"url": address, "path": f"pictures/{number}/{_picture_name(picture)}"}
            for number, (address, picture) in enumerate(pictures)
        ],
        pages=access.pages,
        files=access.files,
        characters=content_limits.BODY,
        found=not_fetched + len(read["pictures"]) - len(pictures),
    )
    value["warnings"] = [*missing, *value["warnings"], *lost]
    if not value["pages"]:
        raise BadRequest("url: there is nothing to import: no page was found")
    for file, sha256 in zip(value["files"], hashes, strict=True):
        file["sha256"] = sha256
    return value


def address_of(url: str, source: ImportContentSource) -> str:
    """The address to fetch; documents that are edited in a browser have another one for that."""
    if source is ImportContentSource.GOOGLE_DOCS:
        document = _GOOGLE_DOCUMENT.fullmatch(url)
        if document is not None:
            return f"https://docs.google.com/document/d/{document.group(1)}/export?format=docx"
    return url


async def _is_site(worker: ImportWorker, first: Fetched, source: ImportContentSource) -> bool:
    """Whether a wiki of a Git host is given by the address of its pages."""
    if source is not ImportContentSource.GITHUB_WIKI:
        return False
    answer = await worker.call("kind", [first.data], **description_of(first))
    return bool(answer["kind"] == "html")


def description_of(fetched: Fetched) -> Json:
    """What is known of a document beside its bytes."""
    return {
        "name": file_name_of(fetched),
        "type": fetched.content_type,
        "charset": fetched.charset,
    }


def file_name_of(fetched: Fetched) -> str:
    """The name of what was fetched: as the server suggests, else the end of its address."""
    last = posixpath.basename(unquote(urlsplit(fetched.url).path).rstrip("/"))
    name = _UNSAFE.sub("-", posixpath.basename(fetched.file_name or last)).strip("-. ")
    return name[-content_limits.NAME // 2 :] or "document"


def _picture_name(picture: Fetched) -> str:
    """A name with an ending that says what the picture is."""
    name = file_name_of(picture)
    if media_type(name) == picture.content_type:
        return name
    kind = picture.content_type.removeprefix("image/").partition("+")[0]
    return f"{posixpath.splitext(name)[0]}.{kind}" if kind.isalnum() else name


async def _pictures(
    fetcher: Fetcher, urls: list[str], most: int
) -> tuple[list[tuple[str, Fetched]], list[str]]:
    """The pictures that could be fetched, and a line about each that could not."""

    async def fetch(url: str) -> Fetched | FetchError:
        try:
            return await fetcher.get(url, accepts=_is_picture, max_bytes=PICTURE_BYTES)
        except FetchError as error:
            return error

    found: list[tuple[str, Fetched]] = []
    lost: list[str] = []
    total = 0
    for url, result in zip(urls, await some_at_once(fetch, urls[:most]), strict=False):
        if isinstance(result, FetchError):
            lost.append(f"a picture stays where it is: {result}")
        elif total + len(result.data) > PICTURES_BYTES:
            lost.append(f"a picture stays where it is: {url}: all together are too large")
        else:
            total += len(result.data)
            found.append((url, result))
    return found, lost


def _is_picture(content_type: str) -> bool:
    return content_type.startswith(PICTURE_TYPES)
