"""Figures of this process in the text format of Prometheus."""

import gc
import hmac
import resource
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from docstead.garbage import resident
from docstead.monitoring.exposition import family, sample
from docstead.monitoring.requests import Observation, RequestObserver
from docstead.monitoring.workers import Workers
from resolvers.core.context import Context
from resolvers.core.runners import read
from resolvers.jobs.operations import get_job_figures
from rest_compat.app import error_response
from schema.documents import Lookups
from schema.tracing import FieldCost, OperationTrace

# Upper bounds of the buckets of durations, in seconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# One GraphQL operation in so many is traced for the figures of fields.
SAMPLED = 64
HEADERS = {
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    "Cache-Control": "no-store",
}
Lines = Callable[[], Iterator[str]]


class Metrics:
    """Counts from the start of the process on; for one event loop, it holds no lock."""

    def __init__(self, more: Lines = lambda: iter(())) -> None:
        """`more`: lines of figures that are not counted here."""
        self._more = more
        self.lookups = Lookups()
        self._started = time.time()
        self.observer = RequestObserver()
        self._requests: Counter[tuple[str, str]] = Counter()
        self._operations_by_name: Counter[tuple[str, str, str]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}
        self._operations = 0
        self._fields: dict[str, FieldCost] = {}

    def count(self, scope: Scope, seen: Observation) -> None:
        """Count a request that has been answered."""
        status = str(seen.status or "none")  # none: the client has left
        of, seconds = seen.door, seen.milliseconds / 1000
        self._requests[of, status] += 1
        if seen.operation:
            self._operations_by_name[of, seen.operation, status] += 1
        self._seconds[of] = self._seconds.get(of, 0.0) + seconds
        counts = self._buckets.setdefault(of, [0] * (len(BUCKETS) + 1))
        counts[bisect_left(BUCKETS, seconds)] += 1

    def due(self) -> bool:
        """Whether this operation is one of those that are traced."""
        self._operations += 1
        return self._operations % SAMPLED == 1

    def add(self, trace: OperationTrace) -> None:
        """Add what the fields of an operation have cost."""
        for field, cost in trace.fields.items():
            total = self._fields.setdefault(field.coordinate, FieldCost())
            total.calls += cost.calls
            total.rows += cost.rows
            total.statements += cost.statements
            total.sql_seconds += cost.sql_seconds
            total.python_seconds += cost.python_seconds

    def text(self) -> str:
        """All figures as they are now."""
        parts = self._of_requests(), self._of_graphql(), self._more(), _of_process(self._started)
        return "\n".join(line for part in parts for line in part)

    def _of_requests(self) -> Iterator[str]:
        yield from family(
            "docstead_requests_total",
            "counter",
            "Answered HTTP requests; status none: the client left before.",
            (({"door": of, "status": status}, n) for (of, status), n in self._requests.items()),
        )
        yield from family(
            "docstead_operations_total",
            "counter",
            "Answered operations: routes of /v1 by their id, GraphQL by its root field.",
            (
                ({"door": of, "operation": operation, "status": status}, n)
                for (of, operation, status), n in self._operations_by_name.items()
            ),
        )
        name = "docstead_request_seconds"
        yield f"# HELP {name} Time from the head of a request to the end of its answer."
        yield f"# TYPE {name} histogram"
        for of, counts in self._buckets.items():
            total = 0
            for bound, count in zip((*map(str, BUCKETS), "+Inf"), counts, strict=True):
                total += count
                yield sample(f"{name}_bucket", {"door": of, "le": bound}, total)
            yield sample(f"{name}_sum", {"door": of}, self._seconds[of])
            yield sample(f"{name}_count", {"door": of}, total)
        yield from family(
            "docstead_requests_running",
            "gauge",
            "Requests being answered.",
            [({}, self.observer.running)],
        )

    def _of_graphql(self) -> Iterator[str]:
        lookups = self.lookups
        by = {"text": lookups.known, "literals": lookups.lifted, "nothing": lookups.prepared}
        yield from family(
            "docstead_graphql_documents_total",
            "counter",
            "GraphQL documents by what was known of them: the text, all but literals, nothing.",
            (({"known": part}, n) for part, n in by.items()),
        )
        for figure, help_ in (
            ("calls", "Calls of the functions of fields"),
            ("rows", "Rows that the functions of fields were called for"),
            ("statements", "SQL statements of the functions of fields"),
            ("sql_seconds", "Time of the statements of fields"),
            ("python_seconds", "Time of the functions of fields without their statements"),
        ):
            yield from family(
                f"docstead_graphql_field_{figure}_total",
                "counter",
                f"{help_}; of one operation in {SAMPLED} and of those traced on request.",
                (({"field": name}, getattr(cost, figure)) for name, cost in self._fields.items()),
            )


def _of_process(started: float) -> Iterator[str]:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    figures: tuple[tuple[str, str, str, float], ...] = (
        (
            "process_cpu_seconds_total",
            "counter",
            "Processor time of the process.",
            usage.ru_utime + usage.ru_stime,
        ),
        ("process_resident_memory_bytes", "gauge", "Memory of the process.", _resident_bytes()),
        ("process_start_time_seconds", "gauge", "When the process started, Unix time.", started),
    )
    for name, kind, help_, value in figures:
        yield from family(name, kind, help_, [({}, value)])
    yield from family(
        "python_gc_collections_total",
        "counter",
        "Garbage collections by generation.",
        (({"generation": str(i)}, stats["collections"]) for i, stats in enumerate(gc.get_stats())),
    )
    yield ""


def _resident_bytes() -> int:
    # No Linux: the most that it ever was, in kilobytes.
    return resident() or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


Answer = Callable[[Request], Awaitable[Response]]
OpenOperator = Callable[[], AbstractAsyncContextManager[Context]]


async def of_jobs(open_operator: OpenOperator) -> str:
    """Figures of the jobs of all processes, from their database."""
    async with open_operator() as ctx:
        figures, now = await read(ctx, get_job_figures), ctx.now()
    since = figures.waiting_since
    numbers = {"queued": figures.queued, "running": figures.running, "failed": figures.failed}
    return "\n".join([
        *family(
            "docstead_jobs", "gauge", "Jobs that wait, that run, and that failed within a day.",
            (({"state": state}, number) for state, number in numbers.items()),
        ),
        *family(
            "docstead_jobs_oldest_seconds", "gauge", "How long a job waits that could be taken.",
            [({}, 0 if since is None else max(0.0, (now - since).total_seconds()))],
        ),
        "",
    ])  # fmt: skip


def metrics_endpoint(workers: Workers, token: str, open_operator: OpenOperator) -> Answer:
    """The figures of all processes, for those who send the token that the operator has set."""
    expected = token.encode()

    async def endpoint(request: Request) -> Response:
        scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
        sent = credentials.strip().encode("utf-8", "surrogateescape")
        if scheme.lower() != "bearer" or not hmac.compare_digest(sent, expected):
            refusal = error_response(401, "the token of the metrics is required")
            refusal.headers["WWW-Authenticate"] = "Bearer"
            return refusal
        text = await workers.text()
        return Response(text.rstrip("\n") + "\n" + await of_jobs(open_operator), headers=HEADERS)

    return endpoint
