"""Which tests run on one kind of database: those whose outcome is the same whatever runs the SQL.

They are about HTTP, HTML, text, limits or the engine of GraphQL. The statements behind them are
those of operations, which tests/resolvers, tests/test_parity.py, tests/test_authorization.py and
tests/rest_compat/test_answers.py run on each kind.
"""

import os
from pathlib import Path

import pytest

KINDS = os.environ.get("DOCSTEAD_TEST_DATABASES", "sqlite,postgresql").split(",")
ROOT = Path(__file__).parent.parent
# Files, and folders ending with a slash.
ONE_KIND = (
    "tests/docstead/graphql/",
    "tests/docstead/http/test_body_guard.py",
    "tests/docstead/http/test_compression.py",
    "tests/docstead/http/test_connections.py",
    "tests/docstead/http/test_cross_origin.py",
    "tests/docstead/http/test_document_schemas.py",
    "tests/docstead/http/test_file_downloads.py",
    "tests/docstead/http/test_pdfs.py",
    "tests/docstead/monitoring/",
    "tests/docstead/test_demo_ids.py",
    "tests/docstead/test_private_addresses.py",
    "tests/docstead/test_secrets_in_logs.py",
    "tests/docstead/test_site_walk.py",
    "tests/importing/",
    "tests/jobs/test_printing.py",
    "tests/published/",
    "tests/rest_compat/test_ignored_members.py",
    "tests/rest_compat/test_newer_contract.py",
    "tests/rest_compat/test_pending.py",
    "tests/rest_compat/test_published_client.py",
    "tests/rest_compat/test_renderer_calls.py",
    "tests/rest_compat/test_requests_of_clients.py",
    "tests/rest_compat/test_routing.py",
    "tests/rest_compat/test_selections.py",
    "tests/schema/engine/",
    "tests/schema/test_json_members.py",
    "tests/schema/test_json_objects.py",
    "tests/schema/test_lifting.py",
    "tests/schema/test_limits.py",
    "tests/schema/test_literals.py",
    "tests/schema/test_plain_arguments.py",
    "tests/schema/test_refusals.py",
    "tests/schema/test_same_answers.py",
    "tests/schema/test_validation.py",
    "tests/schema/test_variables.py",
    "tests/test_authorization_in_graphql.py",
)


def kinds_of(file: Path) -> list[str]:
    """The kinds of databases that the tests of a file run on."""
    name = file.relative_to(ROOT).as_posix()
    is_one = any(name == one or (one.endswith("/") and name.startswith(one)) for one in ONE_KIND)
    return KINDS[:1] if is_one else KINDS


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Run a test that needs a database once on each kind."""
    if "database" in metafunc.fixturenames:
        kinds = kinds_of(Path(metafunc.definition.path))
        metafunc.parametrize("database", kinds, indirect=True, scope="function")
