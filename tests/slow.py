"""Which tests take long: they begin first, and `make quick` leaves them out.

A test process gets whole files. When the long ones begin first, the short ones at the end leave no
process without work. Those that wait for other programs are handed out beside those that compute,
so that the processes do not all wait at the same time (tests/scheduling.py).
"""

from collections.abc import Iterable

import pytest

# The first of those that compute; those before it wait.
COMPUTING = "tests/test_content_token_reach.py"
# Files, folders ending with a slash, and tests (file::function); the longest first.
SLOW = (
    # Programs are started: browsers, servers, commands, Node, PostgreSQL, and what kills them.
    "tests/browser/test_workbench_dialogs.py",
    "tests/browser/test_workbench_rights.py",
    "tests/browser/test_workbench_story.py",
    "tests/browser/test_workbench_typing.py",
    "tests/browser/test_workbench_random.py",
    "tests/browser/test_workbench_leaving.py",
    "tests/browser/test_workbench_unread.py",
    "tests/browser/test_workbench_administration.py",
    "tests/browser/test_workbench_ahead.py",
    "tests/browser/test_workbench_writing.py",
    "tests/browser/test_workbench_pasting.py",
    "tests/browser/test_workbench.py",
    "tests/browser/test_workbench_windowed.py",
    "tests/browser/test_workbench_markdown.py",
    "tests/browser/test_workbench_many.py",
    "tests/browser/test_workbench_together.py",
    "tests/browser/",
    "tests/docstead/test_workbench_editor.py",
    "tests/docstead/test_serve.py",
    "tests/docstead/test_organization_export.py",
    "tests/runtime/",
    "tests/importing/test_import_content.py",
    "tests/docstead/test_example_integrations.py",
    "tests/jobs/test_printing.py",
    "tests/rest_compat/test_published_client.py",
    "tests/jobs/test_integrations.py",
    "tests/docs/test_examples_run.py",
    "tests/resolvers/merging/test_merge_crash.py",
    "tests/jobs/test_specifications.py",
    "tests/git/test_uploaded_trees.py",
    "tests/git/test_large_files.py",
    "tests/test_postgres.py",
    "tests/docstead/test_wheel.py",
    "tests/jobs/test_killed_workers.py",
    "tests/git/test_odd_repositories.py"
    "::test_versions_of_a_long_file_are_counted_as_they_are_packed",
    "tests/rest_compat/published/test_renderer_previews.py",
    "tests/docstead/test_imports.py",
    "tests/docstead/http/test_pdfs.py",
    "tests/published/test_integration_blocks.py",
    "tests/importing/test_import_worker.py",
    "tests/docstead/test_commands.py::test_the_list_of_commands_imports_none_of_them",
    "tests/docstead/http/test_outcomes.py",
    "tests/docstead/http/test_connections.py",
    "tests/docstead/subscriptions/test_jobs.py"
    "::test_who_may_not_see_a_job_any_more_hears_no_more_of_it",
    "tests/docstead/test_late_libraries.py",
    "tests/docstead/test_revocation.py",
    "tests/published/test_whole_texts.py",
    "tests/jobs/test_webhooks.py",
    "tests/published/test_block_windows.py",
    "tests/git/test_killed.py",
    "tests/docstead/test_backups.py::test_everything_comes_back_in_either_database",
    "tests/docstead/test_jobs_commands.py",
    "tests/docstead/test_bucket_backups.py",
    "tests/docstead/test_forged_exports.py",
    "tests/jobs/test_killed_deliveries.py",
    "tests/git/test_reading_little.py",
    "tests/docstead/graphql/test_front_ends.py",
    "tests/jobs/test_pictures.py",
    "tests/resolvers/access/test_idempotency.py::test_of_two_processes_one_is_taken_back",
    "tests/resolvers/access/test_idempotency.py"
    "::test_a_failure_behind_another_process_is_its_answer",
    "tests/resolvers/access/test_idempotency.py"
    "::test_a_process_that_is_killed_writes_nothing_twice",
    "tests/resolvers/writing/test_integration_files.py",
    "tests/docstead/subscriptions/test_two_processes.py",
    "tests/docstead/monitoring/test_spans.py",
    "tests/jobs/test_pdfs.py",
    "tests/jobs/test_rendering.py",
    "tests/published/test_heavy_pages.py",
    "tests/docstead/subscriptions/test_reference_clients.py",
    "tests/docstead/monitoring/test_workers.py::test_one_scrape_of_a_server_has_all_its_workers",
    "tests/content/documents/test_document_schema.py::test_types_compile_and_a_document_is_walked",
    "tests/content/git/test_lfs.py::test_attributes_mean_what_they_mean_to_git",
    "tests/git/test_many_processes.py",
    "tests/resolvers/writing/test_concurrent_writes.py::test_a_killed_writer_leaves_whole_batches",
    "tests/jobs/test_sheets.py",
    "tests/docstead/graphql/test_persisted_query_clients.py",
    "tests/resolvers/writing/test_integration_sources.py",
    "tests/fetching/test_translators.py",
    "tests/docstead/graphql/test_graphql_audits.py",
    "tests/docstead/test_request_ids.py::test_the_log_of_a_server",
    "tests/jobs/test_import_runs.py",
    "tests/docstead/monitoring/test_logs.py::test_the_log_of_a_server_is_json",
    "tests/docstead/test_workbench.py",
    "tests/docstead/test_workbench_answers.py",
    "tests/published/test_blocks_on_paper.py",
    "tests/jobs/test_api_pdfs.py",
    "tests/docstead/test_deploy.py",
    "tests/docstead/test_create_venv.py",
    "tests/content/expressions/test_expressions_as_javascript.py",
    "tests/resolvers/events/test_channels.py",
    # Very many inputs are tried, or large ones.
    COMPUTING,
    "tests/published/test_kept_answers.py::test_each_write",
    "tests/test_authorization.py",
    "tests/published/test_kept_pages.py::test_each_write",
    "tests/published/test_kept_pages.py::test_any_writes",
    "tests/resolvers/revisions/test_moved_pages.py::test_all_who_ask_find_the_same",
    "tests/resolvers/revisions/test_moved_pages.py::test_revisions_have_the_same_answers_together",
    "tests/resolvers/access/test_rights_property.py",
    "tests/schema/engine/test_random_documents.py",
    "tests/resolvers/core/test_batch_functions.py",
    "tests/resolvers/search/test_search_audiences.py::test_words_of_if_blocks_are_in_no_answer",
    "tests/content/documents/test_limits.py",
    "tests/content/markdown/test_dialect_properties.py",
    "tests/docs/test_recipe.py",
    "tests/rest_compat/test_answers.py",
    "tests/resolvers/search/test_search_random.py",
    "tests/content/html/test_html_properties.py",
    "tests/resolvers/merging/test_merge_costs.py::test_pulling_costs_what_was_changed",
    "tests/resolvers/merging/test_merge_costs.py::test_a_merge_costs_what_was_changed",
    "tests/content/markdown/test_markdown_properties.py",
    "tests/resolvers/content/test_public_documents.py",
    "tests/rest_compat/test_published_answers.py",
    "tests/importing/test_import_again.py",
    "tests/resolvers/links/test_many_links.py::test_very_many_links_let_others_go_first",
    "tests/resolvers/links/test_many_links.py"
    "::test_excerpts_of_long_texts_are_found_beside_the_event_loop",
    "tests/test_authorization_in_graphql.py",
    "tests/docstead/http/test_idempotent_requests.py"
    "::test_bodies_that_are_worked_on_before_the_lock",
    "tests/test_parity.py",
    "tests/resolvers/core/test_nesting.py::test_long_values_are_not_kept",
    "tests/docstead/test_demo.py",
    "tests/schema/test_statements_of_fields.py",
    "tests/content/test_any_data.py",
    "tests/test_audit.py::test_each_write_leaves_one_entry",
    "tests/test_scopes.py::test_each_route_asks_for_its_scope_and_no_other",
    "tests/test_scopes.py::test_programs_do_what_their_role_allows",
    "tests/resolvers/sites/test_machine.py",
    "tests/resolvers/core/test_order_plans.py",
    "tests/test_visibility.py::test_people_from_elsewhere_find_nothing",
    "tests/test_visibility.py::test_children_are_not_found_under_other_parents",
    "tests/published/test_preview_walk.py::test_what_is_open_is_read",
    "tests/docstead/test_commands.py"
    "::test_a_migration_to_an_older_schema_says_what_it_removes_first",
    "tests/docstead/test_private_addresses.py",
    "tests/rest_compat/published/test_audiences.py::test_audiences_and_tokens",
    "tests/rest_compat/content/test_large_pages.py",
    "tests/rest_compat/published/test_customization_previews.py"
    "::test_any_change_comes_out_as_it_went_in",
    "tests/content/merge/test_document_properties.py",
    "tests/resolvers/links/test_link_meanings.py::test_any_link_leads_to_the_same",
    "tests/content/markdown/test_combinations.py::test_pages",
    "tests/test_audit_of_graphql.py::test_each_names_what_it_changes",
    "tests/resolvers/content/test_read_together.py",
    "tests/resolvers/writing/test_content_machine.py",
    "tests/db/test_migrations.py",
    "tests/resolvers/spaces/test_moves.py::test_long_keys_are_renewed",
    "tests/resolvers/revisions/test_history.py::test_reading_on_is_as_long_as_the_page",
    "tests/resolvers/access/test_roles_property.py",
    "tests/resolvers/core/test_orders.py::test_pages_of_every_order_are_the_sorted_whole",
    "tests/content/markdown/test_styles.py",
    "tests/schema/test_same_answers.py",
    "tests/rest_compat/test_statements_of_lists.py",
    "tests/content/markdown/test_markdown_writer.py::test_documents_come_back",
    "tests/content/markdown/test_markdown_speed.py",
    "tests/db/test_transactions.py::test_cancelled_statements_give_their_connections_back",
    "tests/db/test_transactions.py::test_loader_that_outlives_its_request_takes_no_connection",
    "tests/resolvers/published/test_redirect_lookup.py::test_any_redirects_follow_the_rules",
    "tests/schema/test_validation.py::test_random_documents_have_the_same_errors",
    "tests/rest_compat/test_hostile_requests.py",
    "tests/rest_compat/published/test_visitor_pages.py::test_no_read_tells_of_a_hidden_page",
    "tests/content/markdown/test_misplaced_ends.py::test_twice_the_end_tags_are_twice_the_work",
    "tests/importing/test_html.py::test_hostile_html_takes_bounded_time",
    "tests/schema/test_literals.py::test_time_is_linear",
    "tests/importing/test_files_by_address.py::test_bounds_of_all_files_together",
    "tests/resolvers/notifications/test_who.py::test_portions_and_statements",
    "tests/docstead/test_forged_trees.py::test_what_is_no_tree_is_refused_and_nothing_stays",
    "tests/content/markdown/test_cell_blocks.py::test_the_line_of_html_is_read_once",
    "tests/content/merge/test_alignment.py::test_time_is_in_proportion_whatever_the_input",
    "tests/content/documents/test_document_schema.py::test_generated_pages_validate",
    "tests/resolvers/sites/test_structure.py::test_random_writes_keep_the_structure_sound",
    "tests/test_snapshots.py::test_openapi_document_is_valid",
    "tests/importing/test_word_lists.py::test_levels_nest",
    "tests/schema/test_lifting.py::test_shared_answers_are_the_plain_ones",
    "tests/content/merge/test_space_properties.py",
    "tests/resolvers/writing/test_concurrent_writes.py::test_two_writers_at_once_lose_nothing",
    "tests/content/git/test_git_writer.py::test_a_space_in_an_empty_repository_is_read_as_it_was",
    "tests/published/test_mcp.py::test_whatever_is_sent_is_answered",
    "tests/schema/engine/test_comparison.py",
    "tests/resolvers/core/test_pages_backward.py",
    "tests/content/merkle/test_merkle_machine.py",
    "tests/docstead/test_garbage.py",
    "tests/rest_compat/writing/test_content_batches.py",
    "tests/docstead/test_site_walk.py",
    "tests/schema/test_refusals.py::test_fragments_in_circles",
    "tests/schema/test_refusals.py::test_random_documents_with_a_fault",
    "tests/resolvers/sites/test_structure_bounds.py"
    "::test_addresses_of_a_large_site_take_time_in_proportion",
    "tests/content/merkle/test_merkle.py::test_any_text_and_number_comes_back",
    "tests/content/merkle/test_merkle.py::test_a_diff_reads_only_what_changed",
    "tests/docstead/test_secrets_in_logs.py::test_long_lines_are_no_work",
    "tests/content/pages/test_titles.py::test_a_long_page_is_not_read",
    "tests/resolvers/search/test_search_homes.py::test_other_organizations_are_not_looked_at",
    "tests/content/merge/test_stored_spaces.py::test_a_change_of_20_pages_reads_little_of_5000",
    "tests/published/test_feeds.py::test_entries_have_anchors_that_are_on_the_page_once",
    "tests/docstead/test_demo_ids.py",
    "tests/published/test_frame.py::test_any_page_is_balanced_html_without_anything_that_runs",
    "tests/docs/test_documents.py::test_examples_are_what_they_say",
    "tests/db/test_sealed_webhooks_migration.py",
    "tests/db/test_reading.py::test_an_empty_pool_is_unavailable",
    "tests/content/markdown/test_block_rules.py",
    "tests/content/merge/test_naive_merge.py",
    "tests/rest_compat/test_sent_back.py",
    "tests/content/pages/test_front_matter_writer.py::test_any_mapping_comes_back",
    "tests/content/html/test_html_bounds.py",
    "tests/db/test_integration_roles_migration.py",
    "tests/published/test_links.py",
    "tests/rest_compat/published/test_url_properties.py",
    "tests/importing/test_front_matter_reads.py",
    "tests/content/documents/test_evaluation.py::test_any_document_gives_a_document",
    "tests/rest_compat/sites/test_nested_sites.py",
    "tests/rest_compat/test_newer_contract.py",
    "tests/docs/test_compatibility.py",
)


PLACES = {name: place for place, name in enumerate(SLOW)}


def place_of(nodeid: str) -> int:
    """Where a test is in the table; its length when it is not there."""
    function = nodeid.partition("[")[0]
    file = function.partition("::")[0]
    folders = (file[: end + 1] for end, letter in enumerate(file) if letter == "/")
    return min(PLACES.get(name, len(SLOW)) for name in (function, file, *folders))


def files_that_wait(nodeids: Iterable[str]) -> set[str]:
    """The files of tests in which a processor is left to others for much of the time."""
    bound = PLACES[COMPUTING]
    return {nodeid.partition("::")[0] for nodeid in nodeids if place_of(nodeid) < bound}


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
