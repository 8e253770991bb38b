"""Front matter of pages that are read as Markdown.

A page that is as its import made it has the front matter, and the title, as its file has them.
Others have the keys that the reader of front matter makes the page of, with the title in the
heading as long as that can say it. Visitors get what other reads of a page give them: neither the
condition nor what means nothing here.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from content.pages.front_matter import FrontMatter
from content.pages.front_matter_writer import heading_says, write_front_matter
from resolvers.content.client_markdown import Standpoint, client_addresses
from resolvers.core.context import Context
from resolvers.revisions.import_marks import written_head
from resolvers.revisions.rows import Page

Json = dict[str, Any]
_FIELDS = (
    "description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout", "variables",
)  # fmt: skip
_REFERENCES = ("ref", "refDark")


async def page_heads(ctx: Context, rows: Sequence[Page], headings: Sequence[str]) -> list[str]:
    """Front matter and title of each page; the title is the given heading where there is one."""
    withheld = ctx.actor.visitor is not None
    heads = [None if withheld else written_head(row) for row in rows]
    others = [index for index, head in enumerate(heads) if head is None]
    covers = await _covers(ctx, [rows[index] for index in others])

    def write() -> list[str]:
        return [
            _written(rows[index], cover, headings[index], withheld)
            for index, cover in zip(others, covers, strict=True)
        ]

    # Large front matter takes a while.
    for index, text in zip(others, await asyncio.to_thread(write), strict=True):
        heads[index] = text
    return [head or "" for head in heads]


def _written(page: Page, cover: Json | None, heading: str, withheld: bool) -> str:
    fields = {name: getattr(page, name) for name in _FIELDS}
    text = write_front_matter(
        FrontMatter(
            **fields,
            title=None if heading_says(page.title, heading) else page.title,
            cover=cover,
            condition=None if withheld else page.condition,
            extra={} if withheld else page.extra,
        )
    )
    return f"{text}\n{heading}" if text else heading


async def _covers(ctx: Context, rows: Sequence[Page]) -> list[Json | None]:
    """Covers with addresses in place of content references, as front matter has them."""
    references = [
        [row.cover[name] for name in _REFERENCES if row.cover.get(name)] if row.cover else []
        for row in rows
    ]
    addresses = await client_addresses(ctx, [Standpoint.of(row) for row in rows], references)
    covers: list[Json | None] = []
    for row, cover_addresses in zip(rows, addresses, strict=True):
        names = [name for name in _REFERENCES if row.cover and row.cover.get(name)]
        covers.append(
            None if not row.cover or "ref" not in names
            else {**row.cover, **dict(zip(names, cover_addresses, strict=True))}
        )  # fmt: skip
    return covers
