"""What visitors of sites did, and the segments they form."""

import strawberry

from db.site_enums import InsightsColumn, InsightsInterval
from resolvers.core.scalars import JsonObject, JsonValue
from schema.wiring import column


@strawberry.type(description="One column of an answer about the events of a site.")
class InsightsValues:
    interval: InsightsInterval | None = column("The periods that times were cut to.")
    claim: str | None = column("Path of the claim, with `visitorClaim`.")
    values: list[JsonValue | None] = column(
        "The values: those of one row stand at the same place in all columns."
    )
    # The last one: it hides the function of that name.
    column: InsightsColumn = column("Which column.")


@strawberry.type(description="An answer about the events of a site, column by column.")
class Insights:
    columns: list[InsightsValues] = column("The columns, in the order in which they were selected.")


@strawberry.type(description="Visitors of a site with equal claims, in the last 30 days.")
class VisitorSegment:
    title: str = column("Its claims in words.")
    claims: JsonObject = column("The claims that its visitors have.")
    events: int = column("Number of things they did.")
    visitors: int = column("Number of visitors.")
    sessions: int = column("Number of their visits.")
