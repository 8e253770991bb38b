"""What a command loads: people wait for it, and scripts call many."""

import os
import subprocess
import sys
from pathlib import Path

# The interfaces are for a server: their tables take longer to load than most commands to run.
OF_SERVERS = {"schema", "rest_compat.app", "published", "account_pages", "fastapi"}
PROGRAM = """
import sys
import docstead.commands.shared
print(*sys.modules)
"""


def test_commands_load_no_interfaces() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    modules = set(done.stdout.split())
    assert "resolvers" in modules, done.stderr
    assert not modules & OF_SERVERS


# What few servers ever do has libraries of its own, which take a tenth of a process's memory.
LATE = {
    "aiosmtplib", "alembic", "asyncpg", "cryptography", "dulwich", "emoji", "fontTools",
    "httpcore2", "jobs.git.importing", "jobs.organization_export", "jsonschema_rs", "jwt",
    "latex2mathml", "lxml", "mammoth", "nh3", "obstore", "opentelemetry.sdk", "PIL", "rich",
    "signxml", "typer", "xml.sax.saxutils",
}  # fmt: skip
# A server is started by a command, which it needs no bars of progress for.
SERVING = """
import sys
import docstead.cli, docstead.commands.serve
print(*sys.modules)
"""
SERVER = """
import sys
from pathlib import Path
from docstead.asgi import create_app
from docstead.settings import load_settings
from schema.build import build_schema
create_app()
load_settings().open_blobs()
print(*sys.modules)
from schema.build import _LateResolver
fields = [field for type_ in build_schema()._schema.type_map.values()
          for field in getattr(type_, "fields", {}).values() if hasattr(field, "resolve")]
assert sum(isinstance(field.resolve, _LateResolver) for field in fields) > 1_000
assert not any(getattr(field.resolve, "_made", None) for field in fields)
"""


def test_a_server_loads_at_its_start_what_requests_need(tmp_path: Path) -> None:
    """Its files are in a folder: the library of buckets is for others."""
    environment = {**os.environ, "DOCSTEAD_DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", SERVER], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    modules = set(done.stdout.split())
    assert "schema" in modules
    assert not modules & LATE


def test_the_command_that_serves_stays_small() -> None:
    done = subprocess.run([sys.executable, "-c", SERVING], capture_output=True, text=True)
    modules = set(done.stdout.split())
    assert "typer" in modules, done.stderr
    assert "rich" not in modules
