"""Which tests run on one kind of database: those whose outcome is the same whatever runs the SQL.

They are about HTTP, HTML, text, limits or the engine of GraphQL. The statements behind them are
those of operations, which tests/resolvers, tests/rest_compat, tests/test_parity.py,
tests/test_authorization.py and tests/schema/test_statements_of_fields.py run on each kind.

Others are dealt out: each runs on one kind, about half of them on each. Their subject is
what is done with the rows that operations gave.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import pytest
from hypothesis import seed, settings

from db.session import Database

T = TypeVar("T", bound=Callable[..., object])
V = TypeVar("V")

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
DEALT = (
    "tests/account_pages/",
    "tests/docstead/subscriptions/",
    "tests/docstead/test_demo.py",
    "tests/docstead/test_forged_exports.py",
    "tests/docstead/test_forged_trees.py",
    "tests/docstead/test_organization_export.py",
    "tests/git/",
    "tests/jobs/test_api_pdfs.py",
    "tests/jobs/test_digests.py",
    "tests/jobs/test_import_runs.py",
    "tests/jobs/test_integrations.py",
    "tests/jobs/test_organization_runs.py",
    "tests/jobs/test_pdfs.py",
    "tests/jobs/test_revalidation.py",
    "tests/jobs/test_specifications.py",
    "tests/jobs/test_translated_sources.py",
    "tests/jobs/test_translations.py",
    "tests/jobs/test_webhooks.py",
    "tests/resolvers/writing/test_integration_files.py",
    "tests/resolvers/writing/test_integration_sources.py",
    "tests/schema/",
)
# In these folders and files, and all the same on each kind: what is killed or meets others in the
# database, rights, what a kind could refuse, and walks over all tables, lists and fields.
ON_EACH = (
    "tests/account_pages/test_closed_organizations.py",
    "tests/account_pages/test_openid.py::test_who_is_invited_gets_an_account",
    "tests/account_pages/test_saml.py::test_who_may_not_come_in",
    "tests/docstead/subscriptions/test_jobs.py",
    "tests/docstead/subscriptions/test_many_people.py",
    "tests/docstead/subscriptions/test_two_processes.py",
    "tests/docstead/test_demo.py::test_content_is_complete_and_seen_as_roles_allow",
    "tests/docstead/test_organization_export.py::test_an_import_that_was_killed_is_done_again",
    "tests/docstead/test_organization_export.py::test_of_two_imports_one_is_refused",
    "tests/docstead/test_organization_export.py::test_the_graph_is_the_same_elsewhere",
    "tests/git/test_killed.py",
    "tests/git/test_many_processes.py",
    "tests/jobs/test_webhooks.py::test_two_workers_do_not_deliver_at_the_same_time",
    "tests/schema/test_statements_of_fields.py",
)


def _names(table: Sequence[str], file: str) -> bool:
    return any(file == one or (one.endswith("/") and file.startswith(one)) for one in table)


def kinds_of(file: Path, test: str, *, divided: bool) -> list[str]:
    """The kinds of databases that a test of a file runs on, or on which its values are."""
    name = file.relative_to(ROOT).as_posix()
    if _names(ONE_KIND, name):
        return KINDS[:1]
    on_each = divided or _names(ON_EACH, name) or f"{name}::{test}" in ON_EACH
    if on_each or not _names(DEALT, name):
        return KINDS
    # By its name, so that another test beside it changes nothing.
    return [KINDS[crc32(test.encode()) % len(KINDS)]]


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Run a test that needs a database once on each kind.

    `@pytest.mark.divided("seed", range(4))` deals its values out among the kinds, for what follows
    from values and hardly from SQL: each kind gets its share, and one kind alone all of them.
    """
    if "database" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("divided")
    file, test = Path(metafunc.definition.path), metafunc.definition.name
    kinds = kinds_of(file, test, divided=mark is not None)
    if mark is None:
        metafunc.parametrize("database", kinds, indirect=True, scope="function")
        return
    name, values = mark.args
    pairs = [(kinds[place % len(kinds)], value) for place, value in enumerate(values)]
    metafunc.parametrize(("database", name), pairs, indirect=["database"], scope="function")


def dealt(values: Sequence[V], database: Database) -> Sequence[V]:
    """The share of a kind of database: all are asked, each on one of the kinds that are tested."""
    if len(KINDS) == 1:
        return values
    return values[KINDS.index("sqlite" if database.is_sqlite else "postgresql") :: len(KINDS)]


def other_examples(test: T, database: Database) -> T:
    """Hypothesis tries others on each kind of database: the same twice find little more."""
    return seed(database.url.drivername)(test) if settings().derandomize else test
