"""JSON of large immutable members, made once and kept: the page tree of a revision.

What is kept follows from content that never changes, from the settings of the server, and from the
pages that are hidden from a visitor; that the caller may read the row was checked before the row
was found.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any

import orjson

from resolvers.context import Batch, Context
from resolvers.page_tree import hidden_from

Key = tuple[Hashable, ...]


class KeptJson:
    """JSON texts by key, bounded by their bytes; the longest unused go first."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._texts: OrderedDict[Key, bytes] = OrderedDict()
        # Reads of /v1 may run in a thread beside writes, which show shapes as well.
        self._lock = threading.Lock()

    def get(self, key: Key) -> bytes | None:
        """The text of a key; None when it is not kept."""
        with self._lock:
            found = self._texts.get(key)
            if found is not None:
                self._texts.move_to_end(key)
            return found

    def put(self, key: Key, text: bytes) -> None:
        """Keep a text, unless it alone takes more than a quarter of the room."""
        with self._lock:
            if key in self._texts or len(text) > self._limit // 4:
                return
            self._texts[key] = text
            self._size += len(text)
            while self._size > self._limit:
                _, dropped = self._texts.popitem(last=False)
                self._size -= len(dropped)


KEPT = KeptJson(64 * 1024 * 1024)


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
