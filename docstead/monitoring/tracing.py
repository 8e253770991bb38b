"""Which GraphQL operations are traced: those whose sender asks and may, and samples for metrics."""

from typing import Any

from starlette.types import Scope

from docstead.monitoring.metrics import Metrics
from resolvers.core.context import Context
from resolvers.core.tracing import administers, count_statements
from schema.tracing import OperationTrace

OFF, ADMINS, EVERYBODY = ("off", "admins", "everybody")
HEADER = b"x-docstead-trace"


def asks_for_trace(scope: Scope, extensions: dict[str, Any]) -> bool:
    """Whether a request wants a trace: by the header, or by `extensions: {"trace": true}`."""
    return extensions.get("trace") is True or any(
        name == HEADER and value.strip().lower() == b"true" for name, value in scope["headers"]
    )


class Tracer:
    """Starts traces, by the setting `tracing`; who may not have one gets the answer without."""

    def __init__(self, tracing: str, metrics: Metrics | None) -> None:
        self._tracing = tracing
        self._metrics = metrics

    async def start(self, ctx: Context, requested: bool) -> OperationTrace | None:
        """The trace to fill, if there shall be one."""
        shown = requested and await self._may_see(ctx)
        if shown or (self._metrics is not None and self._metrics.due()):
            return OperationTrace(count_statements(ctx), shown=shown)
        return None

    async def _may_see(self, ctx: Context) -> bool:
        if self._tracing == ADMINS:
            return await administers(ctx)
        return self._tracing == EVERYBODY and ctx.actor.user_id is not None

    def finish(self, trace: OperationTrace) -> None:
        """Note what an operation has cost."""
        if self._metrics is not None:
            self._metrics.add(trace)
