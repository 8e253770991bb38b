"""The headers that say what is left of the limit for which a request was counted."""

import time
from math import ceil

from starlette.types import Scope

# Where the scope of a request holds that limit, and the caller's key there.
COUNTED = "docstead.rate_limit"

Headers = list[tuple[bytes, bytes]]


def limit_headers(scope: Scope) -> Headers:
    """What is left of the limit that a request counted for; nothing for one that did not."""
    counted = scope.get(COUNTED)
    if counted is None:
        return []
    limit, key = counted
    left = limit.left(key)
    full = time.time() + (limit.per_minute - left) * 60 / limit.per_minute
    return [
        (b"x-ratelimit-limit", b"%d" % limit.per_minute),
        (b"x-ratelimit-remaining", b"%d" % left),
        (b"x-ratelimit-reset", b"%d" % ceil(full)),
    ]
