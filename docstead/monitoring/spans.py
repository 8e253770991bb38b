"""OpenTelemetry: a span for each request, and below it one for each of its statements.

Where they are sent, and how many, say the variables of OpenTelemetry itself (OTEL_EXPORTER_OTLP_…,
OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME); docs/operating.md names them. Its packages are imported
when they are needed: they take most of a second.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from starlette.types import Scope

from docstead.monitoring.logs import without_literals
from docstead.monitoring.requests import METHOD_LENGTH, NAME_LENGTH, Observation
from docstead.request_ids import request_id
from rest_compat.log_redaction import logged_path, redacted

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
DISABLED, SERVICE_NAME = "OTEL_SDK_DISABLED", "OTEL_SERVICE_NAME"
# What connects a span with that of the client (W3C Trace Context).
CARRIED = (b"traceparent", b"tracestate")


def is_configured(environment: Mapping[str, str]) -> bool:
    """Whether spans are to be sent anywhere."""
    disabled = environment.get(DISABLED, "").strip().lower() == "true"
    return not disabled and any(environment.get(name, "").strip() for name in ENDPOINTS)


def missing_packages(environment: Mapping[str, str]) -> str | None:
    """What to do, where spans are configured and the packages that send them are not installed."""
    try:
        installed = find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ImportError:
        installed = False
    if installed or not is_configured(environment):
        return None
    name = next(name for name in ENDPOINTS if environment.get(name, "").strip())
    return (
        f"{name} is set, and the packages of OpenTelemetry are not installed: "
        "pip install 'docstead[otel]', or unset it"
    )


def spans_of(environment: Mapping[str, str], database: str) -> Spans | None:
    """The spans of this process, sent by OTLP over HTTP; None when nothing is configured.

    `database` is the name of its kind. RuntimeError when the packages are missing.
    """
    if not is_configured(environment):
        return None
    if problem := missing_packages(environment):
        raise RuntimeError(problem)
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    own = {"service.instance.id": f"{os.uname().nodename}:{os.getpid()}"}
    if not environment.get(SERVICE_NAME):
        own["service.name"] = "docstead"
    # Not that of the process: libraries that use that one have spans of their own.
    provider = TracerProvider(resource=Resource.create(own))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Spans(provider, database)


class Spans:
    """The spans of one process."""

    def __init__(self, provider: TracerProvider, database: str) -> None:
        from opentelemetry import context, trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("docstead")
        self._system = database
        self._propagator = TraceContextTextMapPropagator()
        self._trace, self._context = trace, context

    def begin(self, scope: Scope) -> OpenSpan:
        """Open the span of a request, which its statements stand below."""
        carrier = {
            name.decode(): value.decode("latin-1")
            for name, value in scope["headers"]
            if name in CARRIED
        }
        parent: Context | None = self._propagator.extract(carrier) if carrier else None
        span = self._tracer.start_span(
            scope["method"][:METHOD_LENGTH], context=parent, kind=self._trace.SpanKind.SERVER
        )
        token = self._context.attach(self._trace.set_span_in_context(span))
        return OpenSpan(span, token)

    def end(self, opened: OpenSpan, scope: Scope, seen: Observation) -> None:
        """Close it with what the request was; nothing of it is a secret (as in the log)."""
        self._context.detach(opened.token)
        span = opened.span
        if span.is_recording():
            method = scope["method"][:METHOD_LENGTH]
            span.update_name(" ".join(filter(None, (method, seen.door, seen.operation))))
            span.set_attributes(_attributes(scope, seen, method))
            if seen.status >= 500:
                span.set_status(self._trace.StatusCode.ERROR)
        span.end()

    def statement_ended(self, statement: str, seconds: float) -> None:
        """Note a statement that has ended, from any thread.

        One that several requests share stands in the first one's trace.
        """
        if not self._trace.get_current_span().is_recording():
            return
        now = time.time_ns()
        text = without_literals(statement)
        self._tracer.start_span(
            text.split(" ", 1)[0].upper(),
            kind=self._trace.SpanKind.CLIENT,
            attributes={"db.system.name": self._system, "db.query.text": text},
            start_time=now - int(seconds * 1e9),
        ).end(now)

    def close(self) -> None:
        """Send what was not sent yet; it blocks for some seconds at most."""
        self._provider.shutdown()


class OpenSpan:
    """The span of a request that is being answered."""

    __slots__ = ("span", "token")

    def __init__(self, span: Span, token: Any) -> None:
        self.span, self.token = span, token


def _attributes(scope: Scope, seen: Observation, method: str) -> dict[str, str | int | list[str]]:
    attributes: dict[str, str | int | list[str]] = {
        "http.request.method": method,
        "url.path": logged_path(scope),
        "docstead.door": seen.door,
        "docstead.request.id": request_id.get(),
    }
    if seen.status:
        attributes["http.response.status_code"] = seen.status
    if seen.operation:
        attributes["docstead.operation"] = seen.operation
    if seen.fields:
        attributes["graphql.operation.fields"] = list(seen.fields)
        if seen.name:
            attributes["graphql.operation.name"] = redacted(seen.name[:NAME_LENGTH])
    return attributes
