"""Links and images of Markdown as a reader finds them, and whether they lead anywhere.

Reading is done by other programs than our own: markdown-it, and the parser of HTML of Python.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from content.documents.content_references import KINDS
from tests.conftest import Api

# The host that the tests serve; all others are other people's.
HOST = "docs.test"
PRIVATE = re.compile(rf"docstead:(?:{'|'.join(KINDS)})\?")
_TAG = re.compile(r"\{%-?\s*[\w@/-]+\s[^%]*?\b(?:url|src)=(\"[^\"\n]*\"|'[^'\n]*')")
_FENCE = re.compile(r"^([ \t>*+-]*)(`{3,}|~{3,})[^\n]*\n.*?^[ \t>]*\2[`~]*[ \t]*$", re.M | re.S)
_READER = MarkdownIt("commonmark", {"html": True}).enable("table")


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.urls += [
            value for name, value in attrs if name in ("href", "src", "srcset", "poster") and value
        ]


def urls_of(markdown: str) -> list[str]:
    """Every link and image of a text, in any form; code has none."""
    reader = _Html()
    reader.feed(_READER.render(markdown))
    return reader.urls + [found[1:-1] for found in _TAG.findall(_FENCE.sub("", markdown))]


@dataclass
class Links:
    """The links of texts that were followed: those that lead nowhere, by the text."""

    api: Api
    faults: list[str] = field(default_factory=list)
    followed: dict[str, int] = field(default_factory=dict)

    async def follow(self, where: str, markdown: str) -> list[str]:
        """Request every address of this server; those that are not complete are the answer."""
        left: list[str] = []
        if PRIVATE.search(markdown):
            self.faults.append(f"{where}: holds {PRIVATE.search(markdown)}")
        for url in urls_of(markdown):
            parts = urlsplit(url)
            if not parts.scheme:
                left.append(url)
            elif parts.hostname == HOST:
                path = url.partition("#")[0].removeprefix(f"{parts.scheme}://{parts.netloc}")
                if path not in self.followed:
                    answer = await self.api.client.get(path or "/")
                    self.followed[path] = answer.status_code
                if self.followed[path] != 200:
                    self.faults.append(f"{where}: {url} is answered with {self.followed[path]}")
        return left


def names(url: str) -> str:
    """The path that a relative URL names, decoded and without what comes behind it."""
    return unquote(url.partition("#")[0].partition("?")[0])
