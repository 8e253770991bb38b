"""The source of an import: fetched, read by a process of its own, and packed for the store."""

import asyncio
import posixpath
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from content.git.import_links import NOTHING, Known
from content.hashing import content_id
from content.imports.packing import LEFT_OUT
from content.media.media_types import media_type
from db.content_enums import ImportContentSource
from fetching.client import Fetched, Fetcher
from fetching.errors import FetchError
from fetching.several import some_at_once
from resolvers.core.errors import BadRequest
from resolvers.core.installation import ImportAccess, ImportBudget
from resolvers.imports.site import Missing, Report, fetch_site, left_out, no_report
from resolvers.imports.worker import ImportWorker, import_worker
from resolvers.revisions import limits as content_limits
from resolvers.writing.received_files import file_name_of

Json = dict[str, Any]
PICTURE_TYPES = ("image/",)
PICTURE_BYTES = 10_000_000
# Pages that are compared with new ones, for their files may have been renamed.
RENAMED = 100
# Bytes of all pictures of an import.
PICTURES_BYTES = 100_000_000
_GOOGLE_DOCUMENT = re.compile(r"https://docs\.google\.com/document/d/([A-Za-z0-9_-]+)(?:/.*)?")


# Takes the bytes of one file; gives their SHA-256.
Keep = Callable[[bytes], Awaitable[str]]
# Gives the texts of pages, by id: title and body.
Texts = Callable[[Sequence[str]], Awaitable[dict[str, str]]]
# Gives what is found again of a source with these paths of pages.
KnownTo = Callable[[Sequence[str]], Known]


async def _no_texts(ids: Sequence[str]) -> dict[str, str]:
    return {}


def _nothing(paths: Sequence[str]) -> Known:
    return NOTHING


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an import: `keep` gets the bytes of its files, one after the
    other. Pages, files and contents that are `known` keep their ids; `texts` gives those of known
    pages whose files are gone, which may have been renamed. `report` hears how far it is."""

    keep: Keep
    known: KnownTo = _nothing
    texts: Texts = _no_texts
    report: Report = no_report


async def download(
    access: ImportAccess, url: str, source: ImportContentSource, target: Target
) -> Json:
    """Fetch and convert: what is to be stored, as `content.imports.packing` makes it.

    BadRequest says what could not be reached or read.
    """
    budget = access.budget
    try:
        async with (
            asyncio.timeout(budget.seconds) as deadline,
            import_worker(max(1, int(budget.seconds))) as worker,
        ):
            return await _download(access, worker, url, source, target)
    except FetchError as error:
        raise BadRequest(f"url: {error}") from error
    except TimeoutError:
        if not deadline.expired():
            raise
        raise BadRequest(
            f"url: the import took longer than {budget.seconds:g} seconds; nothing was written"
        ) from None


async def _download(
    access: ImportAccess,
    worker: ImportWorker,
    url: str,
    source: ImportContentSource,
    target: Target,
) -> Json:
    fetcher, budget = access.fetcher, access.budget
    target.report("fetching")
    first = access.received or await fetcher.get(address_of(url, source))
    missing = Missing()
    is_website = source is ImportContentSource.WEBSITE and access.received is None
    if is_website or await _is_site(worker, first, source):
        read, missing = await fetch_site(fetcher, worker, url, first, budget.pages, target.report)
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
    target.report("fetching files", 0, min(len(read["pictures"]), budget.files))
    pictures, lost = await _pictures(fetcher, read["pictures"], budget.files)
    earlier = target.known(read["paths"])
    gone = sorted(earlier.pages.keys() - set(read["paths"]))[:RENAMED]
    texts = await target.texts([earlier.pages[path] for path in gone]) if gone else {}
    target.report("converting")
    value, hashes = await worker.exchange(
        "pack",
        [picture.data for _, picture in pictures],
        target.keep,
        pictures=[
            {
                "url": address,
                "path": f"pictures/{content_id(address.encode())}/{_picture_name(picture)}",
            }
            for address, picture in pictures
        ],
        pages=budget.pages,
        files=budget.files,
        characters=content_limits.BODY,
        found=missing.count + len(read["pictures"]) - len(pictures),
        known=asdict(earlier),
        texts=texts,
    )
    value = {"pages": [], "contents": [], **value}
    failed = lost[: len(lost) - max(0, len(read["pictures"]) - budget.files)]
    value["left_out"] = [*value["left_out"], *missing.left_out, *lost][:LEFT_OUT]
    value["left_out_pages"] += missing.count
    value["left_out_files"] += len(lost)
    value["complete"] = not missing.count
    value["warnings"] = [
        *_beyond(value["left_out_pages"] - len(missing.warnings), "pages", budget),
        *_beyond(value["left_out_files"] - len(failed), "files", budget),
        *missing.warnings,
        *value["warnings"],
        *(f"a picture {picture['reason']}" for picture in failed),
    ]
    if not value["pages"]:
        raise BadRequest("url: there is nothing to import: no page was found")
    for file, sha256 in zip(value["files"], hashes, strict=True):
        file["sha256"] = sha256
    return value


def _beyond(count: int, what: Literal["pages", "files"], budget: ImportBudget) -> list[str]:
    """A line about what is beyond a limit; none without that."""
    if count <= 0:
        return []
    most = budget.pages if what == "pages" else budget.files
    setting = f"{budget.settings}_{what.upper()}"
    return [f"{count} {what} are left out: one import takes {most} ({setting})"]


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
    """The metadata of a document."""
    return {
        "name": file_name_of(fetched),
        "type": fetched.content_type,
        "charset": fetched.charset,
        "changed": fetched.changed,
    }


def _picture_name(picture: Fetched) -> str:
    """A name with an ending that says what the picture is."""
    name = file_name_of(picture)
    if media_type(name) == picture.content_type:
        return name
    kind = picture.content_type.removeprefix("image/").partition("+")[0]
    return f"{posixpath.splitext(name)[0]}.{kind}" if kind.isalnum() else name


async def _pictures(
    fetcher: Fetcher, urls: list[str], most: int
) -> tuple[list[tuple[str, Fetched]], list[Json]]:
    """The pictures that could be fetched, and what is left out, which stays where it is."""

    async def fetch(url: str) -> Fetched | FetchError:
        try:
            return await fetcher.get(url, accepts=_is_picture, max_bytes=PICTURE_BYTES)
        except FetchError as error:
            return error

    pictures: list[tuple[str, Fetched]] = []
    lost: list[Json] = []
    total = 0

    def lose(url: str, reason: str) -> None:
        lost.append(left_out("file", posixpath.basename(urlsplit(url).path), url, reason))

    for url, result in zip(urls, await some_at_once(fetch, urls[:most]), strict=False):
        if isinstance(result, FetchError):
            lose(url, f"stays where it is: {result}")
        elif total + len(result.data) > PICTURES_BYTES:
            lose(url, f"stays where it is: {url}: all together are too large")
        else:
            total += len(result.data)
            pictures.append((url, result))
    for url in urls[most:]:
        lose(url, f"stays where it is: it is beyond the {most} files of one import")
    return pictures, lost


def _is_picture(content_type: str) -> bool:
    return content_type.startswith(PICTURE_TYPES)
