"""Why something of a site is hidden from visitors."""

import strawberry

from db.site_enums import ConditionPlace
from resolvers.core.scalars import JsonObject
from schema.wiring import column


@strawberry.type(description="A name that a condition reads.")
class ConditionRead:
    name: str = column("The name, such as `visitor.claims.beta`.")
    value: str | None = column("Its value as JSON; null when there is nothing of that name.")


@strawberry.type(description="A condition and what it comes to.")
class ConditionOutcome:
    place: ConditionPlace = column("What it stands on.")
    place_id: strawberry.ID = column(
        "Id of what it stands on; of a page the stable one.", attribute="id"
    )
    title: str = column("Title of what it stands on.")
    condition: str = column("The expression.")
    holds: bool = column("Whether it is met.")
    shown: bool = column("Whether what it stands on is shown: what is above it counts, too.")
    problem: str | None = column(
        "What is wrong with it; a condition with a problem is not met. Null when nothing is."
    )
    reads: list[ConditionRead] = column("The names that it reads, with their values.")


@strawberry.type(description="The conditions of a site, worked out for some claims.")
class SiteConditions:
    claims: JsonObject = column(
        "The claims that count: those that the schema of the site declares, with values of their "
        "types; none while adaptive content is off."
    )
    structure: list[ConditionOutcome] = column(
        "Conditions of sections, then of site spaces, in their order."
    )
    pages: list[ConditionOutcome] | None = column(
        "Conditions of pages of the site space that was asked for, at most 1,000; null without one."
    )
    more_pages: int | None = column(
        "How many more pages with conditions there are; null without a site space."
    )
