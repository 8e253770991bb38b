"""User interfaces that integrations render: requests for them, and who may ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
import strawberry
from strawberry import Maybe

from content.lz_string import LzStringError, decompress
from db.enums import Role
from db.models.integrations import Integration
from db.models.organizations import Organization
from db.models.sites import Site
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable, invalid
from resolvers.core.installation import Concerns
from resolvers.core.scalars import JsonObject
from resolvers.integrations.manifests import IntegrationName
from resolvers.integrations.operations import get_integration
from runtime.calls import Answer

MOST_CHARACTERS = 500_000
# The type of an answer with which a component is done.
COMPLETE = "complete"
_THEMES = ("dark", "light")
# The kinds of contexts: the member with the id of the place, its model, and the role there.
_CONTEXTS: Mapping[str, tuple[str, Any, Role | None]] = {
    "configuration_account": ("organizationId", Organization, Role.ADMIN),
    "configuration_space": ("spaceId", Space, Role.CREATE),
    "configuration_site": ("siteId", Site, Role.CREATE),
    "configuration_contentsource": ("spaceId", Space, Role.EDIT),
    "document": ("spaceId", Space, None),
}
RenderRequest = Annotated[
    str, inputs.argument("The request as JSON, compressed by LZ-string, in Base64 or for URLs.")
]


@strawberry.input(description="What an integration renders.")
class RenderIntegrationInput:
    component_id: str = inputs.text("Id of the component.", min=1, max=100, required=True)
    props: JsonObject = inputs.field("Properties of the component.", required=True)
    context: JsonObject = inputs.field("Where it is shown: `type`, `theme` and ids.", required=True)
    state: Maybe[JsonObject | None] = inputs.field("State of the component.")
    action: Maybe[JsonObject | None] = inputs.field("The action that somebody has begun.")


@dataclass(frozen=True, slots=True)
class RenderOutput:
    """What an integration has rendered: an element with its state and properties, or the value
    with which a component is complete."""

    type: str | None = None
    element: JsonObject | None = None
    state: JsonObject | None = None
    props: JsonObject | None = None
    return_value: JsonObject | None = None
    # What the integration says of keeping it.
    cache_control: str | None = None


async def render_integration_ui(
    ctx: Context, name: IntegrationName, input: RenderIntegrationInput
) -> RenderOutput:
    """What an integration renders for a component, for whoever may see what it is shown in.

    UNAVAILABLE (503) where this server runs no integrations.
    """
    integration = await get_integration(ctx, name)
    await _check_context(ctx, input.context)
    return await render(ctx, integration, input)


async def render_integration_ui_compressed(
    ctx: Context, name: IntegrationName, request: RenderRequest
) -> RenderOutput:
    """The same for a request in the address."""
    try:
        body = orjson.loads(decompress(request, MOST_CHARACTERS))
    except LzStringError as error:
        raise invalid("request", str(error)) from error
    except orjson.JSONDecodeError as error:
        raise invalid("request", "is no JSON when it is decompressed") from error
    return await render_integration_ui(ctx, name, _input_of(body))


def _input_of(body: Any) -> RenderIntegrationInput:
    if not isinstance(body, dict):
        raise invalid("request", "must be a JSON object")
    component = body.get("componentId")
    if not isinstance(component, str):
        raise invalid("request.componentId", "must be a text")
    objects = {}
    for name in ("props", "context", "state", "action"):
        value = body.get(name)
        if value is None and name in ("state", "action"):
            continue
        if not isinstance(value, dict):
            raise invalid(f"request.{name}", "must be an object")
        objects[name] = JsonObject(value)
    state, action = (objects.pop(name, None) for name in ("state", "action"))
    input = RenderIntegrationInput(
        component_id=component,
        state=None if state is None else strawberry.Some(state),
        action=None if action is None else strawberry.Some(action),
        **objects,
    )
    inputs.check({"input": input})
    return input


async def _check_context(ctx: Context, context: JsonObject) -> None:
    type, theme = context.get("type"), context.get("theme")
    if not isinstance(type, str) or type not in _CONTEXTS:
        raise invalid("context.type", f"must be one of {', '.join(_CONTEXTS)}")
    if theme not in _THEMES:
        raise invalid("context.theme", f"must be one of {', '.join(_THEMES)}")
    member, model, role = _CONTEXTS[type]
    id = context.get(member)
    if not isinstance(id, str) or not id:
        raise invalid(f"context.{member}", "is required")
    await must(ctx, model, id, role)


async def render(
    ctx: Context, integration: Integration, request: RenderIntegrationInput
) -> RenderOutput:
    """Have the script of an integration render a component."""
    context = request.context
    event: dict[str, Any] = {
        "type": "ui_render",
        "componentId": request.component_id,
        "props": request.props,
        "context": context,
    }
    for name in ("state", "action"):
        value = inputs.given(getattr(request, name), None)
        if value is not None:
            event[name] = value
    if ctx.actor.user_id is not None:
        event["auth"] = {"userId": ctx.actor.user_id}
    # What was checked is the place of this kind of context, and no other one that it may name.
    member, _, _ = _CONTEXTS[str(context["type"])]
    id = str(context[member])
    concerns = Concerns(
        organization_id=id if member == "organizationId" else None,
        space_id=id if member == "spaceId" else None,
        site_id=id if member == "siteId" else None,
    )
    return output_of(await ctx.ask(integration.id, event, concerns))


def output_of(answer: Answer) -> RenderOutput:
    """What a script has rendered; Unavailable where it has failed."""
    response = answer.response
    if response is None or response.status >= 400:
        raise Unavailable("the integration could not render it; its events say why")
    try:
        value = orjson.loads(response.body)
    except orjson.JSONDecodeError as error:
        raise Unavailable("the integration has answered something else than JSON") from error
    if not isinstance(value, dict):
        raise Unavailable("the integration has answered no JSON object")
    if value.get("type") == COMPLETE:
        return RenderOutput(COMPLETE, return_value=_object(value, "returnValue"))
    return RenderOutput(
        "element",
        _object(value, "element"),
        _object(value, "state"),
        _object(value, "props"),
        cache_control=response.header("cache-control")[:200] or None,
    )


def _object(value: dict[str, Any], name: str) -> JsonObject | None:
    member = value.get(name)
    return JsonObject(member) if isinstance(member, dict) else None
