"""Slugs of pages and groups, and the form in which request paths are matched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from urllib.parse import unquote

from content.errors import SlugError

MAX_SLUG_LENGTH = 100
MAX_PATH_LENGTH = 2048
FALLBACK_SLUG = "page"

RESERVED_FIRST_SEGMENTS = frozenset(
    {
        "~",
        "~gitbook",
        "~docs",
        "~assets",
        "~preview",
        "llms.txt",
        "llms-full.txt",
        "robots.txt",
        "sitemap.xml",
        "sitemap-pages.xml",
    }
)

_ASCII_RUN = re.compile(r"[^a-z0-9]")
_SLASHES = re.compile(r"/+")
_NUMBER = re.compile(r"-[1-9][0-9]{0,8}")


def slug_from_title(title: str) -> str:
    """The slug of a title: 1..100 characters, lower-case, words joined by `-`.

    Latin letters lose their marks, letters and digits of other scripts are kept (composed form),
    everything else separates words. A title without any letter or digit gives `page`.
    """
    return _slug(title) or FALLBACK_SLUG


def _slug(text: str) -> str:
    characters: list[str] = []
    for char in unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower()):
        characters.append(_slug_character(char, after=characters[-1] if characters else "-"))
    joined = unicodedata.normalize("NFC", "".join(characters))
    words = [word for word in joined.split("-") if word]
    return "-".join(words)[:MAX_SLUG_LENGTH].strip("-")


def _slug_character(char: str, *, after: str) -> str:
    """The characters of a slug for `char`; `after` is the result for the one before it."""
    if char.isascii():
        return "-" if _ASCII_RUN.match(char) else char
    category = unicodedata.category(char)
    if category[0] == "M":
        # A vowel sign belongs to the letter of its script; an accent on a Latin letter goes.
        return "" if after.isascii() else char
    base = [c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)]
    plain = "".join(base).lower()
    if plain.isascii():
        return _ASCII_RUN.sub("-", plain)
    if category[0] not in "LN" or "LATIN" in unicodedata.name(char, ""):
        return "-"
    return char


def is_made_from(slug: str, title: str) -> bool:
    """Whether a slug is that of a title, with a number behind it or without one."""
    from_title = slug_from_title(title)
    return slug == from_title or (
        slug.startswith(from_title) and _NUMBER.fullmatch(slug[len(from_title) :]) is not None
    )


def is_valid_slug(slug: str) -> bool:
    """Whether an explicitly chosen slug is allowed below the root; see `check_slug`."""
    return _slug_problem(slug, at_root=False) is None


def check_slug(slug: str, *, at_root: bool = False) -> None:
    """Raise `SlugError` unless `slug` is 1..100 letters, digits, `-`, `_`, `.` or `~`.

    `at_root` refuses the first segments that a published space keeps for itself. `.` and `..`
    are refused because browsers resolve them away.
    """
    problem = _slug_problem(slug, at_root)
    if problem is not None:
        raise SlugError(f"slug: {problem}")


def _slug_problem(slug: str, at_root: bool) -> str | None:
    if not slug:
        return "must not be empty"
    if len(slug) > MAX_SLUG_LENGTH:
        return f"has {len(slug)} characters, at most {MAX_SLUG_LENGTH} are allowed"
    if slug in (".", ".."):
        return f"{slug!r} is not allowed"
    for char in slug:
        if char not in "-_.~" and unicodedata.category(char)[0] not in "LNM":
            return f"{char!r} is not allowed, use letters, digits, '-', '_', '.' and '~'"
    if at_root and slug.casefold() in RESERVED_FIRST_SEGMENTS:
        return f"{slug!r} is reserved at the root of a space"
    return None


def slug_key(slug: str) -> str:
    """The form in which slugs are compared: siblings must not share it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", slug).casefold())


def unique_slug(slug: str, taken: Collection[str], *, at_root: bool = False) -> str:
    """`slug`, or `slug-1`, `slug-2` ... so that its `slug_key` is neither taken nor reserved.

    `taken` holds the `slug_key`s of the siblings. The result has at most 100 characters.
    """
    reserved: Collection[str] = RESERVED_FIRST_SEGMENTS if at_root else ()
    candidate, number = slug[:MAX_SLUG_LENGTH], 0
    while (key := slug_key(candidate)) in taken or key in reserved:
        number += 1
        suffix = f"-{number}"
        candidate = slug[: MAX_SLUG_LENGTH - len(suffix)] + suffix
    return candidate


def normalize_path(path: str) -> str:
    """The form in which page paths and redirects are matched: as `clean_path`, composed and case
    folded. The root is the empty string.

    Raises `SlugError` for more than 2048 characters and for control characters.
    """
    return slug_key(clean_path(path))


def clean_path(path: str) -> str:
    """A path without outer or double slashes, percent-decoded at most twice.

    Raises `SlugError` for more than 2048 characters and for control characters.
    """
    if len(path) > MAX_PATH_LENGTH:
        raise SlugError(f"path: has {len(path)} characters, at most {MAX_PATH_LENGTH} are allowed")
    for _ in range(2):
        decoded = unquote(path, errors="replace")
        if decoded == path:
            break
        path = decoded
    for char in path:
        if unicodedata.category(char) in ("Cc", "Cs"):
            raise SlugError(f"path: the character {char!r} is not allowed")
    return _SLASHES.sub("/", path).strip("/")
