"""Spans of OpenTelemetry: a real server sends them to a real collector on loopback."""

import gzip
import http.server
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from docstead.monitoring.spans import ENDPOINTS, is_configured, missing_packages, spans_of
from tests.docstead.test_serve import run, serving
from tests.listeners import free_port

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a collector, and the bodies that it got."""
    bodies: list[bytes] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            bodies.append(body)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", bodies
        finally:
            server.shutdown()
            thread.join()


def spans_in(bodies: list[bytes]) -> list[tuple[str, Any]]:
    """The service's name and each span that it has sent."""
    spans = []
    for body in bodies:
        for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            named = {a.key: a.value.string_value for a in of_resource.resource.attributes}
            for of_scope in of_resource.scope_spans:
                spans += [(named["service.name"], span) for span in of_scope.spans]
    return spans


def attributes_of(span: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


def test_a_server_sends_its_spans(tmp_path: Path) -> None:
    with collector() as (address, bodies):
        settings = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": address,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
            "DOCSTEAD_LOG_LEVELS": "off",
        }
        with serving(tmp_path / "data", settings=settings) as (base, process):
            made = run(
                "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
                "--data-dir", str(tmp_path / "data"),
            )  # fmt: skip
            headers = {
                "Authorization": f"Bearer {made['token']}",
                "traceparent": f"00-{TRACE}-{PARENT}-01",
                "X-Request-Id": "the-one",
            }
            with httpx2.Client(base_url=base, headers=headers) as client:
                query = "query Mine { viewer { id organizations { nodes { title } } } }"
                assert client.post("/graphql", json={"query": query}).status_code == 200
                assert client.get("/v1/user", params={"secret": "abc"}).status_code == 200
                # A head that is no trace is ignored.
                assert client.get("/v1/user", headers={"traceparent": "x"}).status_code == 200
                assert client.get(f"/sites/none/{made['token']}").status_code == 404
            deadline = time.monotonic() + 120
            while len([1 for _, span in spans_in(bodies) if "sites" in span.name]) < 1:
                assert time.monotonic() < deadline, "no span has arrived"
                time.sleep(0.05)
            process.send_signal(signal.SIGTERM)
            process.wait(60)
    spans = spans_in(bodies)
    assert {service for service, _ in spans} == {"docstead"}
    traced = [span for _, span in spans if span.trace_id.hex() == TRACE]
    requests = {span.name: span for span in traced if span.parent_span_id.hex() == PARENT}
    assert {"POST graphql viewer", "GET rest getAuthenticatedUser"} <= set(requests)
    graphql = requests["POST graphql viewer"]
    known = attributes_of(graphql)
    assert known["http.response.status_code"] == 200
    assert known["graphql.operation.name"] == "Mine"
    assert known["docstead.request.id"] == "the-one"
    below = [span for span in traced if span.parent_span_id == graphql.span_id]
    assert len(below) >= 2
    for span in below:
        statement = attributes_of(span)
        assert statement["db.system.name"] == "sqlite"
        assert statement["db.query.text"].split()[0] in ("SELECT", "WITH")
        assert graphql.start_time_unix_nano <= span.end_time_unix_nano
        assert span.start_time_unix_nano <= span.end_time_unix_nano
    assert any(
        span.name == "GET rest getAuthenticatedUser" and not span.parent_span_id
        for _, span in spans
    )
    # Neither tokens, nor keys in paths, nor queries, nor values of statements.
    sent = b"".join(bodies)
    for secret in (made["token"], "secret=abc", "ada@example.com"):
        assert secret.encode() not in sent


def test_a_collector_that_is_away_disturbs_nobody(tmp_path: Path) -> None:
    settings = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{free_port()}",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "OTEL_EXPORTER_OTLP_TIMEOUT": "1",
    }
    with serving(tmp_path / "data", settings=settings) as (base, process):
        for _ in range(5):
            assert httpx2.get(f"{base}/v1/user").status_code == 401
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, -signal.SIGTERM)


def test_only_an_endpoint_configures_spans() -> None:
    assert not is_configured({})
    assert not is_configured({"OTEL_SERVICE_NAME": "docs", ENDPOINTS[0]: " "})
    assert all(is_configured({name: "http://127.0.0.1:4318"}) for name in ENDPOINTS)
    assert not is_configured({ENDPOINTS[0]: "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "True"})
    assert spans_of({}, "sqlite") is None


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("docstead.monitoring.spans.find_spec", absent)
    configured = {ENDPOINTS[1]: "http://127.0.0.1:4318"}
    assert missing_packages({}) is None
    problem = missing_packages(configured)
    assert problem is not None
    assert ENDPOINTS[1] in problem
    assert "pip install 'docstead[otel]'" in problem
    with pytest.raises(RuntimeError, match="not installed"):
        spans_of(configured, "sqlite")
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" not in os.environ
