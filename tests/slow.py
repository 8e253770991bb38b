"""Which tests take long: they begin first, and `make quick` leaves them out.

A test process gets whole files. When the long ones begin first, the short ones at the end leave no
process without work. Those that wait for other programs stand among those that compute, so that
the processes do not all wait at the same time.
"""

from collections.abc import Iterator

import pytest

# The first of those that compute; those before it wait.
COMPUTING = "tests/test_content_token_reach.py"
# Files, folders ending with a slash, and tests (file::function); the longest first.
SLOW = (
    "tests/browser/",
    # Programs are started: servers, commands, Node, PostgreSQL, and what kills them.
    "tests/docstead/graphql/test_front_ends.py",
    "tests/docstead/test_example_integrations.py",
    "tests/docstead/test_serve.py",
    "tests/docstead/test_revocation.py",
    "tests/docstead/subscriptions/test_two_processes.py",
    "tests/docstead/subscriptions/test_reference_clients.py",
    "tests/jobs/test_killed_deliveries.py",
    "tests/docstead/graphql/test_graphql_audits.py",
    "tests/docstead/graphql/test_persisted_query_clients.py",
    "tests/docstead/test_workbench.py",
    "tests/docstead/test_workbench_editor.py",
    "tests/docstead/http/test_pdfs.py",
    "tests/docstead/http/test_outcomes.py",
    "tests/published/test_whole_texts.py",
    "tests/docstead/http/test_connections.py",
    "tests/docstead/test_request_ids.py::test_the_log_of_a_server",
    "tests/docstead/test_jobs_commands.py",
    "tests/docstead/test_organization_export.py",
    "tests/docstead/test_forged_exports.py",
    "tests/git/test_many_processes.py",
    "tests/git/test_reading_little.py",
    "tests/git/test_uploaded_trees.py",
    "tests/runtime/",
    "tests/docstead/monitoring/test_spans.py",
    "tests/docstead/monitoring/test_logs.py::test_the_log_of_a_server_is_json",
    "tests/docs/test_examples_run.py",
    "tests/docstead/test_deploy.py",
    "tests/docstead/test_wheel.py",
    "tests/docstead/test_imports.py",
    "tests/docstead/monitoring/test_workers.py::test_one_scrape_of_a_server_has_all_its_workers",
    "tests/docstead/test_backups.py::test_everything_comes_back_in_either_database",
    "tests/docstead/test_commands.py::test_the_list_of_commands_imports_none_of_them",
    "tests/test_postgres.py",
    "tests/rest_compat/test_published_client.py",
    "tests/rest_compat/published/test_renderer_previews.py",
    "tests/jobs/test_killed_workers.py",
    "tests/git/test_killed.py",
    "tests/jobs/test_printing.py",
    "tests/jobs/test_rendering.py",
    "tests/jobs/test_webhooks.py",
    "tests/published/test_heavy_pages.py",
    "tests/importing/test_import_worker.py",
    "tests/resolvers/merging/test_merge_crash.py",
    "tests/resolvers/writing/test_concurrent_writes.py::test_a_killed_writer_leaves_whole_batches",
    "tests/resolvers/access/test_idempotency.py::test_of_two_processes_one_is_taken_back",
    "tests/resolvers/access/test_idempotency.py::test_a_failure_behind_another_process_is_its_answer",
    "tests/resolvers/access/test_idempotency.py::test_a_process_that_is_killed_writes_nothing_twice",
    "tests/content/documents/test_document_schema.py::test_types_compile_and_a_document_is_walked",
    "tests/content/expressions/test_expressions_as_javascript.py",
    # Very many inputs are tried, or large ones.
    COMPUTING,
    "tests/resolvers/links/test_many_links.py::test_very_many_links_let_others_go_first",
    "tests/resolvers/revisions/test_moved_pages.py::test_all_who_ask_find_the_same",
    "tests/resolvers/merging/test_conflicts.py::test_conflicts_in_large_pages",
    "tests/resolvers/search/test_search_audiences.py::test_words_of_if_blocks_are_in_no_answer",
    "tests/resolvers/search/test_search_random.py",
    "tests/schema/test_validation.py::test_random_documents_have_the_same_errors",
    "tests/test_visibility.py::test_people_from_elsewhere_find_nothing",
    "tests/test_snapshots.py::test_openapi_document_is_valid",
    "tests/resolvers/links/test_link_meanings.py::test_any_link_leads_to_the_same",
    "tests/resolvers/search/test_search_homes.py::test_other_organizations_are_not_looked_at",
    "tests/resolvers/merging/test_conflict_bodies.py",
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
    "tests/content/html/test_html_bounds.py",
    "tests/docs/test_recipe.py",
    "tests/docs/test_documents.py::test_examples_are_what_they_say",
    "tests/test_authorization.py",
    "tests/test_authorization_in_graphql.py",
    "tests/rest_compat/test_answers.py",
    "tests/rest_compat/test_statements_of_lists.py",
    "tests/rest_compat/test_hostile_requests.py",
    "tests/rest_compat/test_newer_contract.py",
    "tests/rest_compat/test_sent_back.py",
    "tests/rest_compat/published/test_url_properties.py",
    "tests/rest_compat/published/test_visitor_pages.py::test_no_read_tells_of_a_hidden_page",
    "tests/rest_compat/sites/test_nested_sites.py",
    "tests/rest_compat/writing/test_content_batches.py",
    "tests/schema/test_lifting.py::test_shared_answers_are_the_plain_ones",
    "tests/schema/test_literals.py::test_time_is_linear",
    "tests/schema/test_refusals.py::test_fragments_in_circles",
    "tests/schema/test_refusals.py::test_random_documents_with_a_fault",
    "tests/schema/test_same_answers.py",
    "tests/schema/test_statements_of_fields.py",
    "tests/rest_compat/test_published_answers.py",
    "tests/published/test_links.py",
    "tests/importing/test_import_again.py",
    "tests/importing/test_front_matter_reads.py",
    "tests/importing/test_html.py::test_hostile_html_takes_bounded_time",
    "tests/resolvers/access/test_rights_property.py",
    "tests/resolvers/access/test_roles_property.py",
    "tests/resolvers/content/test_read_together.py",
    "tests/resolvers/core/test_orders.py::test_pages_of_every_order_are_the_sorted_whole",
    "tests/resolvers/core/test_order_plans.py",
    "tests/resolvers/core/test_pages_backward.py",
    "tests/resolvers/core/test_nesting.py::test_long_values_are_not_kept",
    "tests/resolvers/writing/test_concurrent_writes.py::test_two_writers_at_once_lose_nothing",
    "tests/docstead/test_demo.py",
    "tests/docstead/test_demo_ids.py",
    "tests/docstead/test_garbage.py",
    "tests/docstead/test_private_addresses.py",
    "tests/docstead/test_site_walk.py",
    "tests/docstead/test_secrets_in_logs.py::test_long_lines_are_no_work",
    "tests/docstead/http/test_idempotent_requests.py"
    "::test_bodies_that_are_worked_on_before_the_lock",
    "tests/docs/test_compatibility.py",
    "tests/db/test_migrations.py",
    "tests/db/test_reading.py::test_an_empty_pool_is_unavailable",
    "tests/db/test_transactions.py::test_cancelled_statements_give_their_connections_back",
    "tests/db/test_transactions.py::test_loader_that_outlives_its_request_takes_no_connection",
    "tests/content/documents/test_evaluation.py::test_any_document_gives_a_document",
    "tests/content/documents/test_document_schema.py::test_generated_pages_validate",
    "tests/content/markdown/test_block_rules.py",
    "tests/content/markdown/test_markdown_properties.py",
    "tests/content/markdown/test_styles.py",
    "tests/content/merge/test_document_properties.py",
    "tests/content/merge/test_naive_merge.py",
    "tests/content/merge/test_space_properties.py",
    "tests/content/merge/test_stored_spaces.py::test_a_change_of_20_pages_reads_little_of_5000",
    "tests/content/merkle/test_merkle_machine.py",
    "tests/content/merkle/test_merkle.py::test_any_text_and_number_comes_back",
    "tests/content/merkle/test_merkle.py::test_a_diff_reads_only_what_changed",
    "tests/content/pages/test_front_matter_writer.py::test_any_mapping_comes_back",
)


# So many files that compute stand behind each that waits.
COMPUTING_FILES = 2


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
    bound = SLOW.index(COMPUTING)
    first: dict[str, int] = {}
    for item in items:
        place = place_of(item.nodeid)
        if place < len(SLOW):
            item.add_marker(pytest.mark.slow)
        file = item.nodeid.partition("::")[0]
        first[file] = min(first.get(file, place), place)
    waiting = sorted((file for file in first if first[file] < bound), key=lambda file: first[file])
    others = sorted((file for file in first if first[file] >= bound), key=lambda file: first[file])
    order = {file: place for place, file in enumerate(_mixed(waiting, others))}
    items.sort(key=lambda item: order[item.nodeid.partition("::")[0]])


def _mixed(waiting: list[str], others: list[str]) -> Iterator[str]:
    """Each file that waits with some behind it that do not."""
    rest = iter(others)
    for file in waiting:
        yield file
        for _, other in zip(range(COMPUTING_FILES), rest, strict=False):
            yield other
    yield from rest
