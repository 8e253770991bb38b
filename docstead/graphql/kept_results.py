"""Keeping results of queries that read nothing but content (resolvers/access/kept_answers.py)."""

from dataclasses import dataclass

import orjson

from db.sharing import PointReads
from docstead.graphql.request import GraphQLRequest
from resolvers.access.kept_answers import KeptAnswers, Key
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.dependencies import Dependencies
from resolvers.core.rate_limits import Quota


@dataclass(frozen=True, slots=True)
class Keeping:
    """The keeping of the result of one request."""

    results: "KeptResults"
    actor: Actor
    key: Key
    dependencies: Dependencies
    quota: Quota | None = None

    async def found(self) -> bytes | None:
        """The kept result as JSON, if it is what would be answered now."""
        # What follows from the clock is never kept.
        answer = await self.results.answers.get(
            self.results.points, self.actor, self.key, 0, self.quota
        )
        return None if answer is None else answer.body

    def begin(self, context: Context) -> None:
        """Note from now on what the result follows from."""
        context.dependencies = self.dependencies

    def keep(self, result: bytes) -> None:
        """Keep a result without errors, where that may be."""
        self.results.answers.put(self.actor, self.key, self.dependencies, result, [])


@dataclass(frozen=True, slots=True)
class KeptResults:
    """The kept results of one process."""

    answers: KeptAnswers
    points: PointReads

    def keeping(self, request: GraphQLRequest, actor: Actor, quota: Quota | None) -> Keeping | None:
        """The keeping of the result of a query; None where it is not kept."""
        variables = orjson.dumps(request.variables, option=orjson.OPT_SORT_KEYS)
        key = self.answers.key(actor, request.query, request.operation_name or "", variables)
        return None if key is None else Keeping(self, actor, key, Dependencies(), quota)
