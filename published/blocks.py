"""What readers do in blocks of integrations: pressed buttons, changed controls, messages of frames.

The integration is asked with the action and the state of the reader's own page, and what it answers
is drawn as any block is. Nothing of it is kept, and nobody else sees it. Only blocks that the page
has for this reader are asked for, with the properties that stand there.
"""

import asyncio
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from content.html.integration_blocks import frame_origins
from jobs.rendering import RenderingError, Subject
from published import answers, visits
from published.assemble import subject_of
from published.look import Look, read_look
from published.page_actions import BLOCK_PATH
from published.posts import Taker, is_from_elsewhere
from published.resolution import resolve_visit
from published.visits import Visit
from resolvers.core.actors import NOBODY, OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, BadRequest, NotFound, Unavailable, invalid
from resolvers.core.installation import Concerns
from resolvers.core.rate_limits import Quota
from resolvers.core.runners import read
from resolvers.integrations.shown import KEY_OF_BLOCK, SHOWN, WantedBlock, result_of
from resolvers.published.pages import read_published_page
from resolvers.published.urls import PublishedContent, PublishedRedirect
from resolvers.published.visitor_tokens import VisitorRefused
from resolvers.published.visitors import as_visitor

Json = dict[str, Any]
MOST_BYTES = 50_000
_THEMES = ("dark", "light")


@dataclass(frozen=True, slots=True)
class BlockAction:
    """What a reader has done in a block of a page, and what it shows to them."""

    block: str
    theme: str
    action: Json | None
    state: Json


def read_action(value: Any) -> BlockAction:
    """An action as our script sends it; BadRequest or Invalid says what is wrong with it."""
    if not isinstance(value, dict):
        raise BadRequest("the body must be a JSON object")
    block, theme = value.get("block"), value.get("theme", "light")
    action, state = value.get("action"), value.get("state", {})
    if not isinstance(block, str) or not block:
        raise invalid("block", "is required: the key of a block of the page")
    if theme not in _THEMES:
        raise invalid("theme", f"must be one of {', '.join(_THEMES)}")
    if not isinstance(state, dict):
        raise invalid("state", "must be an object")
    if action is not None:
        name = action.get("action") if isinstance(action, dict) else None
        if not isinstance(name, str) or not name:
            raise invalid("action", "must be an object with the name of an `action`")
        if name.startswith("@"):
            raise invalid("action.action", "is one of an editor; readers have those without '@'")
    return BlockAction(block, theme, action, state)


class BlockActions(Taker):
    """What readers do in the blocks of all sites of this server process."""

    async def answer(self, request: Request, origin: str) -> Response:
        """The block as it is after the action: `{"html"}`, null where it stays as it is."""
        if is_from_elsewhere(request):
            return _failure(HTTPStatus.FORBIDDEN, "the request was sent from another site")
        try:
            async with asyncio.timeout(self._seconds):
                return await self._answered(request, visits.read_visit(request, origin))
        except TimeoutError:
            return _failure(HTTPStatus.GATEWAY_TIMEOUT, "it took too long")
        except VisitorRefused as refusal:
            return _failure(HTTPStatus.FORBIDDEN, refusal.message)
        except ApiError as error:
            return answers.with_retry_after(_failure(error.status, error.message), error)

    async def _answered(self, request: Request, visit: Visit) -> Response:
        action = read_action(await self._bodies.json(request, MOST_BYTES))
        quota = self._quota_of(request.scope)
        content, block, shown, subject = await self._live.read_in_place(
            lambda: self._found(visit, quota, action.block)
        )
        event = block.event(action.theme) | {"state": action.state}
        if action.action is not None:
            event["action"] = action.action
        async with self._live.context_of(OPERATOR) as ctx:
            ask = ctx.ask_integration
        if ask is None:
            raise Unavailable("this server runs no integrations")
        answer = await ask(block.integration_id, event, Concerns(space_id=block.space_id))
        result, html = result_of(answer), None
        if answer.failed:
            raise Unavailable("the integration has failed")
        if result is not None:
            data: Json = {
                SHOWN: result[0], KEY_OF_BLOCK: action.block, "theme": action.theme,
                "frames": frame_origins(shown),
            }  # fmt: skip
            node: Json = {"object": "block", "type": "integration", "data": data}
            document: Json = {"object": "document", "nodes": [node]}
            try:
                rendered = await self._live.renderer.render(replace(subject, document=document))
            except RenderingError as error:
                raise Unavailable("the block could not be drawn") from error
            html = rendered.html
        response = Response(orjson.dumps({"html": html}), media_type="application/json")
        response.headers["Cache-Control"] = "no-store"
        return answers.protected(response, content, personal=True, repeats=True)

    async def _found(
        self, visit: Visit, quota: Quota | None, key: str
    ) -> tuple[PublishedContent, WantedBlock, Json, Subject]:
        """The block of the page that this reader sees, and what it was drawn as."""
        async with self._live.context_of(NOBODY) as ctx:
            if quota is not None:
                ctx.limits.blocks.must(quota.key, 1, "actions in blocks from this address")
            content, _ = await resolve_visit(ctx, visit)
            if isinstance(content, PublishedRedirect):
                raise NotFound("the site has another address now, or you have to sign in first")
            block = await read(as_visitor(ctx, content.visitor), _block_of, visit, content, key)
            return content, *block


async def _block_of(
    ctx: Context, visit: Visit, content: PublishedContent, key: str
) -> tuple[WantedBlock, Json, Subject]:
    look: Look = await read_look(ctx, visit, content)
    if content.pathname != BLOCK_PATH or content.is_preview or content.signed:
        raise NotFound("nobody acts in blocks here")
    path = dict(reversed(visits.pairs(visit.query))).get("page", "")
    shown = await read_published_page(ctx, content.space, path, content.shown_revision)
    drawn = shown.space.drawn
    if key not in drawn.blocks:
        raise NotFound("the page has no such block of an integration")
    return drawn.blocks[key], drawn.additions[key].get(SHOWN) or {}, subject_of(look, shown)


def _failure(status: int, message: str) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(orjson.dumps({"message": message}), status, headers, "application/json")
