"""The scope that a token needs to call each operation, in either interface (docs/tokens.md).

An operation that is not listed needs a token without scopes of its own: `read` for a query, `write`
for a write. So do those of an account itself, its tokens and sessions, which are listed as such.
Objects below what an operation answers with need the scopes of their own kinds
(resolvers/access/model_scopes.py).
"""

from types import MappingProxyType
from typing import Final

from db.enums import TokenScope as Scope

_NAMES: Final = {
    Scope.WRITE: """
        update_user record_last_seen create_token revoke_token end_session end_other_sessions
        create_service_account
        update_service_account delete_service_account create_service_token
        accept_invitation join_organization
        mark_notifications_read mark_notifications_unread update_notification_settings
        set_space_notification_level create_feed_token revoke_feed_token start_organization_export
    """,
    Scope.USER_READ: "get_viewer get_user get_organizations_for_email_domain",
    Scope.ORGANIZATION_READ: """
        get_organization get_saml_provider get_sign_on_options get_agent_instructions
        get_glossary_entry get_api_information
    """,
    Scope.ORGANIZATION_WRITE: """
        update_organization create_saml_provider update_saml_provider delete_saml_provider
        update_agent_instructions update_glossary_entries
    """,
    Scope.ORGANIZATION_MEMBERS_READ: """
        get_member get_team get_service_account get_invitation
    """,
    Scope.ORGANIZATION_MEMBERS_WRITE: """
        update_member remove_member set_sso_member create_team update_team delete_team
        update_team_members set_team_member remove_team_member invite_users_to_organization
        create_organization_invite update_invitation delete_invitation resend_invitation
    """,
    Scope.SPACE_READ: """
        get_space get_collection get_revision get_page get_page_by_path get_file
        get_reusable_content get_document get_page_document get_reusable_content_document
        get_computed_document get_computed_revision get_revision_changes
        get_change_request_changes get_change_request get_review get_comment get_comment_reply
        get_space_pdf get_change_request_pdf get_embed get_space_embed get_content_by_url
        start_pdf get_content_export get_job get_import_run get_git_info get_git_operation
        get_git_configuration
        get_translation
    """,
    Scope.SPACE_WRITE: """
        create_space update_space delete_space restore_space duplicate_space move_space
        transfer_space create_collection update_collection delete_collection move_collection
        transfer_collection
        create_change_request update_change_request pull_change_request resolve_conflict
        request_reviewers withdraw_review_request submit_review
        post_comment update_comment delete_comment reply_to_comment update_comment_reply
        delete_comment_reply add_reaction remove_reaction
        start_import_run cancel_import_run cancel_job retry_job
        import_git_repository import_uploaded_tree export_to_git_repository
        delete_legacy_git_installation set_git_configuration delete_git_configuration
        run_git_configuration
        import_content apply_template create_file_upload apply_content_changes write_space_content
        write_change_request_content create_page update_page rename_page move_page delete_page
        revert_page create_file replace_file delete_file create_reusable_content
        update_reusable_content delete_reusable_content set_space_variables set_redirect
        delete_redirect roll_back_space generate_storage_upload_url
        create_translation update_translation run_translation delete_translation
    """,
    Scope.SPACE_PERMISSIONS_WRITE: """
        invite_to_space invite_to_collection
        update_user_permission_in_space update_team_permission_in_space
        update_user_permission_in_collection update_team_permission_in_collection
        remove_user_from_space remove_team_from_space
        remove_user_from_collection remove_team_from_collection
    """,
    Scope.CHANGE_REQUEST_MERGE: "merge_change_request",
    Scope.SITE_READ: """
        get_site get_site_space get_site_structure get_site_section get_site_section_group
        get_site_conditions get_site_customization get_site_space_customization
        get_site_mcp_server get_adaptive_schema get_template_conditions get_custom_hostname
        get_subdomain get_site_redirect_by_source get_published_site get_published_content_site
        resolve_published_url get_custom_font
    """,
    Scope.SITE_WRITE: """
        create_site update_site delete_site add_site_space update_site_space delete_site_space
        move_site_space sort_site_structure add_site_section update_site_section
        delete_site_section move_site_section add_site_section_group update_site_section_group
        delete_site_section_group move_site_section_group add_section_to_group
        remove_section_from_group replace_site_customization override_site_space_customization
        delete_site_space_customization create_site_mcp_server update_site_mcp_server
        delete_site_mcp_server create_site_redirect update_site_redirect
        delete_site_redirect write_site_redirects set_custom_hostname recheck_custom_hostname
        delete_custom_hostname track_insights_events create_custom_font update_custom_font
        delete_custom_font
    """,
    Scope.SITE_ADAPTIVE_WRITE: "update_adaptive_schema",
    Scope.SITE_PUBLISH: "publish_site unpublish_site",
    Scope.SITE_AUTH_READ: """
        get_site_publishing_auth get_site_revalidation get_site_preview
        get_site_customization_preview
    """,
    Scope.SITE_AUTH_WRITE: """
        create_share_link update_share_link delete_share_link update_site_publishing_auth
        regenerate_site_publishing_auth set_site_revalidation regenerate_site_revalidation_secret
    """,
    Scope.SITE_INSIGHTS_READ: "get_site_insights",
    Scope.OPENAPI_READ: """
        get_specification get_specification_version get_latest_specification_version
    """,
    Scope.OPENAPI_WRITE: """
        create_specification put_specification update_specification delete_specification
    """,
    Scope.INTEGRATION_READ: """
        list_integrations get_integration get_integration_event render_integration_ui
        get_integration_status queue_integration_task get_own_integration
        render_integration_ui_compressed
    """,
    Scope.INTEGRATION_PUBLISH: """
        publish_integration set_development_mode disable_development_mode create_integration_token
    """,
    Scope.INTEGRATION_DELETE: "unpublish_integration",
    Scope.INTEGRATION_INSTALLATIONS_READ: """
        get_installation get_space_installation get_site_installation create_installation_token
    """,
    Scope.INTEGRATION_INSTALLATIONS_WRITE: """
        install_integration update_installation uninstall_integration
        install_on_space update_space_installation uninstall_from_space
        install_on_site update_site_installation uninstall_from_site
    """,
    Scope.WEBHOOK_READ: "get_webhook get_webhook_delivery",
    Scope.WEBHOOK_WRITE: """
        create_webhook update_webhook delete_webhook rotate_webhook_secret send_webhook_test
        redeliver_webhook_delivery
    """,
}
SCOPES: Final = MappingProxyType(
    {name: scope for scope, names in _NAMES.items() for name in names.split()}
)
# They answer with objects of any kind, and ask for the scope of each.
BY_KIND: Final = frozenset({"get_node", "get_nodes"})


def scope_of(operation: str, *, writes: bool) -> Scope | None:
    """The scope that an operation needs, by its name; None for one that asks for it itself."""
    if operation in BY_KIND:
        return None
    return SCOPES.get(operation, Scope.WRITE if writes else Scope.READ)
