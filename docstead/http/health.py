"""What load balancers and supervisors ask: whether the process lives, and whether it can serve."""

import asyncio
from functools import cache

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from db.session import Database
from db.standing import head, standing
from resolvers.core.errors import Unavailable

_newest = cache(head)


def health_routes(database: Database) -> list[BaseRoute]:
    """`/livez`, `/readyz`, and `/health` as another name of `/readyz`."""

    async def ready(request: Request) -> Response:
        """200 while requests can be answered, else 503 that says why; for load balancers."""
        newest = await asyncio.to_thread(_newest)
        at = await standing(database)
        if at != newest:
            raise Unavailable(
                f"the database stands at migration {at or 'none'}, this version needs "
                f"{newest}; try again after `docstead migrate`"
            )
        return _well()

    return [Route("/livez", _alive), Route("/readyz", ready), Route("/health", ready)]


async def _alive(request: Request) -> Response:
    """200 while the event loop turns; for supervisors, which start a process anew that hangs."""
    return _well()


def _well() -> Response:
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})
