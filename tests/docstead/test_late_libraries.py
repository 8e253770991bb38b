"""Libraries that are loaded late: those that take long are not loaded in an event loop."""

import ast
import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from content import late_modules
from content.late_modules import LateModule, ready

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "account_pages", "content", "db", "docstead", "fetching", "jobs", "published", "resolvers",
    "rest_compat", "runtime", "schema",
)  # fmt: skip
# So many modules are loaded within a few milliseconds; jwt loads more than a hundred.
FEW = 25
# Where the others are loaded, and what stands there instead of doing it in the event loop.
OFF_THE_LOOP = {
    "cryptography.x509": ("resolvers/sign_on/certificates.py", "await ready("),
    "cryptography.hazmat.primitives.asymmetric.ec": (
        "resolvers/sign_on/certificates.py", "await ready(",
    ),
    "cryptography.hazmat.primitives.asymmetric.rsa": (
        "resolvers/sign_on/certificates.py", "await ready(",
    ),
    # With the first secret that is sealed: 14 ms.
    "cryptography.fernet": ("resolvers/core/sealing.py", "LateModule("),
    # Few modules, which take as long as the many of HTTP.
    "aiosmtplib": ("fetching/smtp.py", 'to_thread(import_module, "aiosmtplib")'),
    "fetching.network": ("fetching/client.py", 'to_thread(import_module, "fetching.network")'),
    "httpcore2": ("fetching/client.py", "await self._load()"),
    "jwt": ("resolvers/sign_on/openid_tokens.py", 'await ready("jwt")'),
    "resolvers.sign_on.saml_responses": (
        "resolvers/sign_on/saml.py", "asyncio.to_thread(_verified",
    ),
    # Documents are converted in a process of their own, and fonts are read in one.
    "mammoth": ("resolvers/imports/process.py", "formats"),
    "fontTools.ttLib": ("docstead/http/font_checks.py", "asyncio.subprocess"),
    "dulwich.object_store": ("jobs/git/cache.py", "LateModule("),
    "jobs.organization_export": (
        "jobs/organization_runs.py", 'await ready("jobs.organization_export")',
    ),
    # Before the first request.
    "asyncpg": ("db/postgres_reading.py", "import asyncpg"),
    "db.postgres_reading": ("db/session.py", 'import_module("db.postgres_reading")'),
    "opentelemetry.exporter.otlp.proto.http.trace_exporter": (
        "docstead/asgi.py", "spans = spans_of(",
    ),
    "opentelemetry.sdk.resources": ("docstead/asgi.py", "spans = spans_of("),
    "opentelemetry.sdk.trace": ("docstead/asgi.py", "spans = spans_of("),
    "opentelemetry.sdk.trace.export": ("docstead/asgi.py", "spans = spans_of("),
}  # fmt: skip
WEIGH = """
import gc, os, sys
gc.disable()
import docstead.asgi
from importlib import import_module
gc.freeze()
for name in sys.argv[1:]:
    if name in sys.modules:
        print(name, 0, flush=True)
    elif os.fork() == 0:
        before = len(sys.modules)
        try:
            import_module(name)
        except ModuleNotFoundError:
            pass
        print(name, len(sys.modules) - before, flush=True)
        os._exit(0)
    else:
        os.wait()
"""


def _late(tree: ast.Module) -> Iterator[str]:
    """Modules that a module loads with their first use, or within a function."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="LateModule" | "import_module"),
                args=[ast.Constant(value=str(name))],
            ):
                yield name
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for below in ast.walk(node):
                    if isinstance(below, ast.Import):
                        yield from (alias.name for alias in below.names)
                    elif isinstance(below, ast.ImportFrom) and below.module:
                        yield below.module


def test_what_takes_long_is_loaded_off_the_event_loop() -> None:
    # Commands and the process that draws PDFs have no event loop that anybody waits for.
    paths = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if not path.is_relative_to(ROOT / "docstead/commands")
        and path != ROOT / "docstead/cli.py"
        and not path.is_relative_to(ROOT / "content/pdf")
    ]
    names = {name for path in paths for name in _late(ast.parse(path.read_text()))}
    assert {"jwt", "mammoth", "nh3"} <= names
    done = subprocess.run(
        [sys.executable, "-c", WEIGH, *sorted(names)],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ}, check=True,
    )  # fmt: skip
    weights = {name: int(count) for name, count in map(str.split, done.stdout.splitlines())}
    assert weights.keys() == names
    heavy = {name for name, count in weights.items() if count > FEW}
    assert "jwt" in heavy
    assert heavy <= OFF_THE_LOOP.keys(), heavy - OFF_THE_LOOP.keys()
    for name, (place, words) in OFF_THE_LOOP.items():
        assert words in (ROOT / place).read_text(), name


async def test_the_guard_of_tests_sees_what_is_not_ready(
    late_ones_are_ready: None,
) -> None:
    jwt = LateModule("jwt")
    with pytest.raises(AssertionError, match="jwt"):
        _ = jwt.PyJWT
    assert await asyncio.to_thread(lambda: jwt.PyJWT)
    await ready("jwt")
    assert jwt.PyJWT
    assert "jwt" in late_modules._READY
