"""What readers do in blocks of integrations: pressed buttons, changed controls, messages of frames.

The integration is asked with the action and the state of the reader's own page, and what it answers
is drawn as any block is. Nothing of it is kept, and nobody else sees it. Only blocks that the page
has for this reader are asked for, with the properties that stand there.
"""

import asyncio
import hmac
from collections import Counter
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from content.documents.integration_elements import (
    CLOSE_WINDOW,
    OPEN_WINDOW,
    name_of_window,
    resolved,
    window_of,
)
from content.html.integration_blocks import frame_origins
from content.json_types import values_in
from jobs.block_options import with_read_options
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
from resolvers.core.errors import ApiError, BadRequest, NoCapacity, NotFound, Unavailable, invalid
from resolvers.core.installation import Concerns
from resolvers.core.rate_limits import Quota
from resolvers.core.runners import read
from resolvers.integrations.rendering import COMPLETE, output_of
from resolvers.integrations.shown import (
    KEY_OF_BLOCK,
    SEALS,
    SHOWN,
    WantedBlock,
    fits,
    names_to_seal,
    result_of,
    seal_of,
    seals_of,
)
from resolvers.published.pages import read_published_page
from resolvers.published.urls import PublishedContent, PublishedRedirect
from resolvers.published.visitor_tokens import VisitorRefused
from resolvers.published.visitors import as_visitor
from runtime.places import Places

Json = dict[str, Any]
MOST_BYTES = 50_000
# Actions of one integration at once, which leaves places for the pages that are drawn, and how many
# more wait for theirs.
OF_INTEGRATION, WAITING = 2, 20
_THEMES = ("dark", "light")
# Of the actions that belong to editors.
_OF_READERS = (OPEN_WINDOW, CLOSE_WINDOW)


@dataclass(frozen=True, slots=True)
class BlockAction:
    """What a reader has done in a block of a page, and what it shows to them."""

    block: str
    theme: str
    action: Json | None
    state: Json
    # What is asked for in the place of the block, with the seal that says it may be: a component
    # with its properties, in a window or with those that the block has given itself.
    asked_for: tuple[str, Json] | None = None
    seal: str = ""
    # Whether it was done in a window.
    in_window: bool = False

    @property
    def opens(self) -> bool:
        """Whether it opens a window."""
        return self.action is not None and self.action["action"] == OPEN_WINDOW


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
        if name.startswith("@") and name not in _OF_READERS:
            raise invalid("action.action", "is one of an editor; readers have those without '@'")
    in_window = value.get("window") is True
    return BlockAction(block, theme, action, state, *_asked_for(value, action), in_window)


def _asked_for(value: Json, action: Json | None) -> tuple[tuple[str, Json] | None, str]:
    component, seal = value.get("asked"), value.get("seal")
    if action is not None and action["action"] == OPEN_WINDOW:
        component = action
    elif component is None:
        return None, ""
    window = None
    if isinstance(component, dict):
        window = window_of({**component, "action": OPEN_WINDOW})
    if window is None:
        raise invalid("asked", "must be an object with a text `componentId` and an object `props`")
    if not isinstance(seal, str):
        raise invalid("seal", "is required: that of the button, or of the block")
    return window, seal


def _resolved(state: Json, value: Json) -> Any:
    """A value with what the state has in the place of names; Invalid where it gets too long: each
    of many names may stand for the same long value."""
    names = Counter(
        name
        for part in values_in([value])
        if isinstance(part, dict) and isinstance(name := part.get("$state"), str)
    )
    sizes = (len(orjson.dumps(state.get(name))) * times for name, times in names.items())
    if sum(sizes) > MOST_BYTES:
        raise invalid("state", f"makes more than {MOST_BYTES} bytes in the places of its names")
    return resolved(state, value)


@dataclass(eq=False)
class BlockActions(Taker):
    """What readers do in the blocks of all sites of this server process."""

    _places: Places = field(init=False, default_factory=lambda: Places(OF_INTEGRATION))

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
            lambda: self._found(visit, quota, action)
        )
        # A window begins with the state that it gives itself.
        event = block.event(action.theme) | ({} if action.opens else {"state": action.state})
        if action.opens:
            event["action"] = {**(action.action or {}), "props": block.props}
        elif action.action is not None:
            # Our script has replaced names of the state: here a reader could name much of it often.
            event["action"] = action.action
        async with self._live.context_of(OPERATOR) as ctx:
            ask, key = ctx.ask_integration, ctx.signing_key
        if ask is None:
            raise Unavailable("this server runs no integrations")
        if self._places.users(block.integration_id) >= OF_INTEGRATION + WAITING:
            raise NoCapacity("others act in blocks of this integration")
        async with self._places.one(block.integration_id):
            answer = await ask(block.integration_id, event, Concerns(space_id=block.space_id))
            if answer.failed:
                raise Unavailable("the integration has failed")
            window = action.opens or action.in_window
            result = result_of(answer, block, acted=True, window=window)
            drawn: Json = {}
            if result is not None:
                # Within the place: readers have no more addresses read at once than events run.
                drawn = await with_read_options(self._live.read_named, result[0])
        said: Json = {"html": None}
        if result is not None:
            data: Json = {
                SHOWN: drawn, SEALS: seals_of(key, block, names_to_seal(drawn)),
                KEY_OF_BLOCK: action.block, "theme": action.theme, "window": window,
                "title": block.title, "frames": frame_origins(shown),
            }  # fmt: skip
            node: Json = {"object": "block", "type": "integration", "data": data}
            document: Json = {"object": "document", "nodes": [node]}
            try:
                rendered = await self._live.renderer.render(replace(subject, document=document))
            except RenderingError as error:
                raise Unavailable("the block could not be drawn") from error
            said["html"] = rendered.html
        elif window and (output := output_of(answer)).type == COMPLETE:
            # It is done: the window closes, and whoever has opened it hears of it.
            said["returned"] = output.return_value or {}
            if not fits(said["returned"]):
                raise Unavailable("the integration has returned too much")
        response = Response(orjson.dumps(said), media_type="application/json")
        response.headers["Cache-Control"] = "no-store"
        return answers.protected(response, content, personal=True, repeats=True)

    async def _found(
        self, visit: Visit, quota: Quota | None, action: BlockAction
    ) -> tuple[PublishedContent, WantedBlock, Json, Subject]:
        """The block of the page that this reader sees, and what it was drawn as."""
        async with self._live.context_of(NOBODY) as ctx:
            if quota is not None:
                ctx.limits.blocks.must(quota.key, 1, "actions in blocks from this address")
            content, _ = await resolve_visit(ctx, visit)
            if isinstance(content, PublishedRedirect):
                raise NotFound("the site has another address now, or you have to sign in first")
            block = await read(as_visitor(ctx, content.visitor), _block_of, visit, content, action)
            return content, *block


async def _block_of(
    ctx: Context, visit: Visit, content: PublishedContent, action: BlockAction
) -> tuple[WantedBlock, Json, Subject]:
    look: Look = await read_look(ctx, visit, content)
    if content.pathname != BLOCK_PATH or content.is_preview or content.signed:
        raise NotFound("nobody acts in blocks here")
    path = dict(reversed(visits.pairs(visit.query))).get("page", "")
    shown = await read_published_page(ctx, content.space, path, content.shown_revision)
    drawn = shown.space.drawn
    if action.block not in drawn.blocks:
        raise NotFound("the page has no such block of an integration")
    block = drawn.blocks[action.block]
    if action.asked_for is not None:
        component, props = action.asked_for
        seal = seal_of(ctx.signing_key, block, name_of_window(component, props))
        if not hmac.compare_digest(seal.encode(), action.seal.encode(errors="replace")):
            raise NotFound("the block asks for no such component")
        props = _resolved(action.state, props) if action.opens else props
        block = replace(block, component_id=component, props=props)
    return block, drawn.additions[action.block].get(SHOWN) or {}, subject_of(look, shown)


def _failure(status: int, message: str) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(orjson.dumps({"message": message}), status, headers, "application/json")
