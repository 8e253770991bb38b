"""A cache of the JSON of large immutable members: the page tree of a revision.

The JSON depends on content that never changes, on the settings of the server, and on the pages
that are hidden from a visitor; that the caller may read the row was checked before the row
was found.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import orjson

from content.recent_cache import RecentCache
from resolvers.core.context import Batch, Context
from resolvers.revisions.tree import hidden_from

Key = tuple[Hashable, ...]
# The size of the cache: of all JSON texts in it together.
BYTES = 64 * 1024 * 1024


CACHE: RecentCache[Key, bytes] = RecentCache(BYTES, len, largest=BYTES // 4)


def with_cached_json(batch: Batch, name: Hashable, attributes: Sequence[str], show: Any) -> Batch:
    """A batch function of revisions whose values are JSON, cached by the values of `attributes`.

    `show(ctx, value)` turns a value of `batch` into JSON; `name` identifies the member.
    """

    async def call(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[Any]:
        hidden = await hidden_from(ctx, rows)
        keys = [
            (
                name,
                ctx.settings.public_url,
                hidden.get(row.id),
                *(getattr(row, attribute) for attribute in attributes),
            )
            for row in rows
        ]
        texts = [CACHE.get(key) for key in keys]
        missing = [place for place, text in enumerate(texts) if text is None]
        if missing:
            values = await batch(ctx, [rows[place] for place in missing], arguments)
            for place, value in zip(missing, values, strict=True):
                text = orjson.dumps(await show(ctx, value))
                CACHE.put(keys[place], text)
                texts[place] = text
        return [orjson.Fragment(text) for text in texts if text is not None]

    return call
