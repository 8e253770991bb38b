"""Which tests take long: they begin first, and `make quick` leaves them out.

A test process gets whole files. When the long ones begin first, the short ones at the end leave no
process without work.
"""

import pytest

# Files, folders ending with a slash, and tests (file::function); the longest first.
SLOW = (
    "tests/browser/",
    # Programs are started: servers, commands, Node, PostgreSQL, and what kills them.
    "tests/docstead/graphql/test_front_ends.py",
    "tests/docstead/test_serve.py",
    "tests/docstead/graphql/test_graphql_audits.py",
    "tests/docstead/graphql/test_persisted_query_clients.py",
    "tests/docstead/http/test_pdfs.py",
    "tests/docstead/test_request_ids.py::test_the_log_of_a_server",
    "tests/test_postgres.py",
    "tests/rest_compat/test_published_client.py",
    "tests/rest_compat/published/test_renderer_previews.py",
    "tests/jobs/test_printing.py",
    "tests/importing/test_import_worker.py",
    "tests/resolvers/merging/test_merge_crash.py",
    "tests/resolvers/writing/test_concurrent_writes.py::test_a_killed_writer_leaves_whole_batches",
    "tests/resolvers/access/test_idempotency.py::test_of_two_processes_one_is_taken_back",
    "tests/resolvers/access/test_idempotency.py::test_a_failure_behind_another_process_is_its_answer",
    "tests/resolvers/access/test_idempotency.py::test_a_process_that_is_killed_writes_nothing_twice",
    "tests/content/documents/test_document_schema.py::test_types_compile_and_a_document_is_walked",
    "tests/content/expressions/test_expressions_as_javascript.py",
    # Very many inputs are tried, or large ones.
    "tests/resolvers/sites/test_machine.py",
    "tests/resolvers/writing/test_content_machine.py",
    "tests/resolvers/published/test_redirect_lookup.py::test_any_redirects_follow_the_rules",
    "tests/resolvers/sites/test_structure.py::test_random_writes_keep_the_structure_sound",
    "tests/resolvers/writing/test_work_ahead.py",
    "tests/resolvers/core/test_batch_functions.py",
    "tests/test_parity.py",
    "tests/schema/engine/test_random_documents.py",
    "tests/schema/engine/test_comparison.py",
    "tests/content/markdown/test_markdown_speed.py",
    "tests/content/markdown/test_dialect_properties.py",
    "tests/content/test_any_data.py",
    "tests/content/markdown/test_markdown_writer.py::test_documents_come_back",
    "tests/content/html/test_html_properties.py",
)


def place_of(nodeid: str) -> int:
    """Where a test is in the table; its length when it is not there."""
    function = nodeid.partition("[")[0]
    for place, name in enumerate(SLOW):
        if function == name or (function.startswith(name) and name.endswith("/")):
            return place
        if function.startswith(f"{name}::"):
            return place
    return len(SLOW)


def sort_and_mark(items: list[pytest.Item]) -> None:
    """Put files with slow tests before all others, and mark the slow tests."""
    first: dict[str, int] = {}
    for item in items:
        place = place_of(item.nodeid)
        if place < len(SLOW):
            item.add_marker(pytest.mark.slow)
        file = item.nodeid.partition("::")[0]
        first[file] = min(first.get(file, place), place)
    items.sort(key=lambda item: first[item.nodeid.partition("::")[0]])
