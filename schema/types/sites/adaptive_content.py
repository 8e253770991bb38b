"""Claims of visitors that a site knows."""

import datetime as dt

import strawberry

from resolvers.core.scalars import JsonObject
from schema.wiring import column


@strawberry.type(description="The claims of visitors that a site knows; all others are dropped.")
class SiteAdaptiveSchema:
    json_schema: JsonObject = column("A JSON Schema of an object whose properties are the claims.")
    updated_at: dt.datetime = column("When it was set.")


@strawberry.type(description="A condition that can be offered, ready to be used.")
class TemplateCondition:
    description: str = column("What it asks, in words.")
    condition: str = column("The expression.")


@strawberry.type(description="Conditions that follow from the claims that a site knows.")
class TemplateConditions:
    items: list[TemplateCondition] = column("The conditions, in the order of the claims.")
