"""Awaiting many things concurrently, each with an outcome of its own."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any

from graphql.pyutils import is_awaitable

from schema.engine.failures import Failure


async def gather_outcomes(awaitables: Sequence[Awaitable[Any]]) -> list[Any]:
    """The result of each awaitable, a Failure for those that raise."""
    if len(awaitables) == 1:
        return [await _outcome(awaitables[0])]
    return list(await asyncio.gather(*map(_outcome, awaitables)))


async def gather_values(values: Sequence[Any]) -> Sequence[Any]:
    """The values with what is awaitable among them awaited."""
    places = [index for index, value in enumerate(values) if is_awaitable(value)]
    if not places:
        return values
    gathered = list(values)
    results = await gather_outcomes([values[index] for index in places])
    for index, result in zip(places, results, strict=True):
        gathered[index] = result
    return gathered


async def _outcome(awaitable: Awaitable[Any]) -> Any:
    try:
        return await awaitable
    except Exception as error:
        return Failure(error)
