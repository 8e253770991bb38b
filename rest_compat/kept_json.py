"""JSON of large immutable members, made once and kept: the page tree of a revision.

What is kept follows from content that never changes, from the settings of the server, and from the
pages that are hidden from a visitor; that the caller may read the row was checked before the row
was found.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import orjson

from content.recent_cache import RecentCache
from resolvers.core.context import Batch, Context
from resolvers.revisions.tree import hidden_from

Key = tuple[Hashable, ...]
# JSON texts that are kept together.
BYTES = 64 * 1024 * 1024


KEPT: RecentCache[Key, bytes] = RecentCache(BYTES, len, largest=BYTES // 4)


def keeping(batch: Batch, name: Hashable, attributes: Sequence[str], show: Any) -> Batch:
    """A batch function of revisions whose values are JSON, made once for equal `attributes`.

    `show(ctx, value)` makes JSON of what `batch` gives for a row; `name` tells members apart.
    """

    async def call(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[Any]:
        hidden = await hidden_from(ctx, rows)
        keys = [
            (
                name,
                ctx.settings.public_url,
                hidden.get(row.id),
                *(getattr(row, one) for one in attributes),
            )
            for row in rows
        ]
        texts = [KEPT.get(key) for key in keys]
        missing = [place for place, text in enumerate(texts) if text is None]
        if missing:
            found = await batch(ctx, [rows[place] for place in missing], arguments)
            for place, value in zip(missing, found, strict=True):
                text = orjson.dumps(await show(ctx, value))
                KEPT.put(keys[place], text)
                texts[place] = text
        return [orjson.Fragment(text) for text in texts if text is not None]

    return call
