"""Options of selects that integrations name by an address, read while a block is drawn.

Readers' browsers ask no other host, so the server asks in their place, by the guarded client of
scripts: for addresses that the integration has answered, and for no others.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from content.documents.integration_options import option_addresses, read_options, with_options
from resolvers.integrations.shown import fits

Json = dict[str, Any]
# What is at an address that an integration has named; None where that cannot be read.
ReadNamed = Callable[[str], Awaitable[bytes | None]]


async def with_read_options(read_named: ReadNamed, shown: Json) -> Json:
    """What a block shows, with the options of all its selects."""
    addresses = option_addresses(shown)
    if not addresses:
        return shown
    answers = await asyncio.gather(*map(read_named, addresses))
    options = {
        address: read_options(data) for address, data in zip(addresses, answers, strict=True)
    }
    filled = dict(with_options(shown, options))
    return filled if fits(filled) else dict(with_options(shown, {}))
