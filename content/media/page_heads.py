"""Title, site and icon of a web page, from its head. Bounded, whatever the page is.

Only three kinds of tags are looked at, and only as far as their attributes; no tree is made. Each
expression takes linear time.
"""

import html
import re
from dataclasses import dataclass

# Heads longer than this hold what nobody asked for.
CHARACTERS = 400_000
_TAG = re.compile(r"<(title|meta|link|body)\b([^<>]{0,4000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""([a-z][a-z:-]{0,40})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_END_OF_TITLE = re.compile(r"</title", re.IGNORECASE)
_TITLE_LENGTH = 4000
TITLES = 10
_ICONS = ("icon", "apple-touch-icon", "apple-touch-icon-precomposed")


@dataclass(frozen=True, slots=True)
class PageHead:
    """Each is None where the page does not say it; the icon is an address as it stands there."""

    title: str | None = None
    site: str | None = None
    icon: str | None = None


def read_head(text: str) -> PageHead:
    """The head of an HTML document."""
    text = text[:CHARACTERS]
    title: str | None = None
    tries = 0
    metas: dict[str, str] = {}
    icons: dict[str, str] = {}
    for tag in _TAG.finditer(text):
        kind = tag.group(1).lower()
        if kind == "body":
            break
        if kind == "title":
            # Pictures have titles, too, and hostile pages have thousands.
            tries += 1
            if title is None and tries <= TITLES:
                title = _title(text, tag.end())
            continue
        attributes = _attributes(tag.group(2))
        if kind == "meta":
            name = (attributes.get("property") or attributes.get("name") or "").lower()
            metas.setdefault(name, attributes.get("content", ""))
        else:
            for word in attributes.get("rel", "").lower().split():
                icons.setdefault(word, attributes.get("href", ""))
    return PageHead(
        _plain(metas.get("og:title")) or title or _plain(metas.get("twitter:title")),
        _plain(metas.get("og:site_name")) or _plain(metas.get("application-name")),
        next((icons[name].strip() for name in _ICONS if icons.get(name, "").strip()), None),
    )


def _title(text: str, start: int) -> str | None:
    within = text[start : start + _TITLE_LENGTH]
    end = _END_OF_TITLE.search(within)
    return _plain(html.unescape(within[: end.start()])) if end is not None else None


def _attributes(text: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = next(group for group in match.groups()[1:] if group is not None)
        attributes.setdefault(match.group(1).lower(), html.unescape(value))
    return attributes


def _plain(text: str | None) -> str | None:
    """Text on one line, without what cannot be shown; None when nothing is left."""
    if text is None:
        return None
    shown = "".join(
        character if character.isprintable() or character.isspace() else "" for character in text
    )
    return " ".join(shown.split()) or None
