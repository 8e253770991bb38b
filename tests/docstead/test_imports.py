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
# What a server may have when its application is made, in 10^6 bytes: it is 134 to 138 with Python
# 3.11 to 3.13. Pages of libraries do not count, which depend on the system. Look what has come
# before the bound is raised: decision 217 says what each part takes.
MOST = 142
SIZE = """
from pathlib import Path
from docstead.garbage import return_free, settle, share_arenas, without_collections
share_arenas()
with without_collections():
    from docstead.asgi import create_app
app = create_app()
settle(50_000)
return_free()
status = Path("/proc/self/status").read_text()
print(int(status.partition("RssAnon:")[2].split()[0]) * 1024 / 1e6)
"""
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


def test_a_server_does_not_grow_unnoticed(tmp_path: Path) -> None:
    environment = {**os.environ, "DOCSTEAD_DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        # What is compiled is not written: that would take 4 MB more, once.
        [sys.executable, "-B", "-c", SIZE],
        capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert MOST - 12 < float(done.stdout) < MOST


def test_the_command_that_serves_stays_small() -> None:
    done = subprocess.run([sys.executable, "-c", SERVING], capture_output=True, text=True)
    modules = set(done.stdout.split())
    assert "typer" in modules, done.stderr
    assert "rich" not in modules
