"""Changes of a site's settings that nobody has saved, in an address or behind it.

A preview shows them (resolvers/published/previews.py). They are changes to what is saved, so that a
site with many settings leaves room for them, and what others save meanwhile is shown beside them.
What is too long for an address is kept among the files, for as long as previews last, and the
address has its digest.
"""

import asyncio
import base64
import hashlib
import zlib
from collections.abc import Mapping

import orjson

from content.recent_cache import RecentCache
from db.blobs import BlobMissingError, BlobStore
from resolvers.core.errors import Forbidden
from resolvers.customization.checks import SIZE
from resolvers.customization.defaults import DEFAULTS, SECTIONS
from resolvers.customization.json import Sections
from resolvers.customization.table import Json

# What settings have in common: names, and the form of links, which there may be many of.
_WORDS = orjson.dumps(DEFAULTS) + orjson.dumps(
    {
        "announcement": {"enabled": True, "message": "", "style": "info", "link": {"title": ""}},
        "footer": {"copyright": "", "groups": [{"links": [], "title": ""}]},
        "header": {
            "links": [
                {"links": [], "style": "link", "title": "", "to": {"kind": "url", "url": "https://"}},
                {"title": "", "to": {"kind": "page", "page": "", "space": ""}},
            ]
        },
    }
)  # fmt: skip
# Characters that the address of a site leaves for them, beside the paths of its pages.
MOST_CHARACTERS = 900
# Where longer ones are kept, by site, and what stands before a digest, which nothing packed has.
FOLDER, DIGEST = "looks", "~"
# Seconds, longer than a preview and its content tokens last; and of one site at most.
KEPT_SECONDS, KEPT_OF_SITE = 3 * 3600, 50
# Of changes as JSON: of all settings, with null for all that were there.
_LONGEST = 2 * SIZE


async def put_aside(blobs: BlobStore, site_id: str, packed: str) -> str:
    """What an address carries of changes: themselves, or their digest where they are long."""
    if len(packed) <= MOST_CHARACTERS:
        return packed
    digest = hashlib.sha256(packed.encode()).hexdigest()
    await blobs.put_derived(FOLDER, _name(site_id, digest), packed.encode())
    await forget(blobs, _name(site_id, ""), KEPT_OF_SITE)
    return f"{DIGEST}{digest}"


async def taken_up(blobs: BlobStore, site_id: str, carried: str) -> str:
    """The changes that an address of a site carries; Forbidden where they were removed."""
    if not carried.startswith(DIGEST):
        return carried
    try:
        stored = await blobs.open_derived(FOLDER, _name(site_id, carried.removeprefix(DIGEST)))
    except BlobMissingError as error:
        raise Forbidden("the preview has expired; make a new one") from error
    return b"".join([chunk async for chunk in stored.chunks]).decode()


async def forget(blobs: BlobStore, of: str = "", most: int | None = None) -> None:
    """Remove changes that no preview needs any more, and the oldest of more than `most`."""
    await blobs.delete_derived(FOLDER, of, KEPT_SECONDS, most)


def _name(site_id: str, digest: str) -> str:
    return f"{site_id}/{digest}"


def packed_changes(before: Json, after: Json) -> str:
    """What makes settings as they are stored into others."""
    compressor = zlib.compressobj(9, zdict=_WORDS)
    text = orjson.dumps(changes_between(before, after, SECTIONS), option=orjson.OPT_SORT_KEYS)
    return base64.b64encode(compressor.compress(text) + compressor.flush()).decode()


# Changes that were shown of late, for each page shows them anew; with their characters, as JSON and
# as they were packed. As objects they take several times as much.
_UNPACKED: RecentCache[str, tuple[int, Json]] = RecentCache(1_000_000, lambda changes: changes[0])


async def _unpacked(packed: str) -> Json:
    changes = _UNPACKED.get(packed)
    if changes is None:
        is_long = len(packed) > MOST_CHARACTERS
        changes = await asyncio.to_thread(_read, packed) if is_long else _read(packed)
        _UNPACKED.put(packed, changes)
    return changes[1]


def _read(packed: str) -> tuple[int, Json]:
    try:
        text = zlib.decompressobj(zdict=_WORDS).decompress(base64.b64decode(packed), _LONGEST)
    except zlib.error as error:
        # Another release has other settings, so other words.
        raise Forbidden("the preview was made by another release; make a new one") from error
    changes: Json = orjson.loads(text)
    return len(text) + len(packed), changes


async def with_packed(stored: Json | None, packed: str) -> Json:
    """Stored settings with changes that were packed."""
    return _changed(stored or {}, await _unpacked(packed), SECTIONS)


def changes_between(before: Json, after: Json, sections: Sections) -> Json:
    """What is set differently, section by section; null for what is not set any more."""
    changes: Json = {}
    for name in before.keys() | after.keys():
        if before.get(name) == after.get(name):
            continue
        if name in sections:
            changes[name] = changes_between(
                before.get(name) or {}, after.get(name) or {}, sections[name]
            )
        else:
            changes[name] = after.get(name)
    return changes


def _changed(stored: Json, changes: Mapping[str, object], sections: Sections) -> Json:
    result = dict(stored)
    for name, value in changes.items():
        if name in sections and isinstance(value, Mapping):
            value = _changed(result.get(name) or {}, value, sections[name]) or None
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result
