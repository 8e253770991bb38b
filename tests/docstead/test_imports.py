"""What a command loads: people wait for it, and scripts call many."""

import subprocess
import sys

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
