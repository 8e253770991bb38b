"""Synchronising spaces with Git."""

from resolvers.core.pagination import PageArguments
from resolvers.git import configurations as stored, entries, fields, operations as git, tree_imports
from resolvers.spaces import operations as spaces
from rest_compat.shapes.git import (
    CHANGE,
    CONFIGURATION,
    CONFIGURATION_SECRET,
    CONFLICT,
    INFO,
    OPERATION,
)
from rest_compat.table import delete, done, get, page, post, put

GIT = "/spaces/{spaceId}/git"
CONFIGURED = f"{GIT}/configuration"

ROUTES = (
    done(f"{GIT}/import", "importGitRepository", "space-git", git.import_git_repository,
         status=204),
    done(f"{GIT}/export", "exportToGitRepository", "space-git", git.export_to_git_repository,
         status=204),
    get(f"{GIT}/info", "getSpaceGitInfo", "space-git", git.get_git_info, INFO),
    delete(f"{GIT}/legacy-installation", "deleteLegacyGitInstallation", "space-git",
           git.delete_legacy_git_installation),
    # Additions.
    get(f"{GIT}/operation", "getGitOperation", "space-git", git.get_git_operation, OPERATION),
    get(f"{GIT}/operations/{{operationId}}", "getGitOperationById", "space-git",
        git.get_git_operation, OPERATION),
    page(f"{GIT}/operations/{{operationId}}/changes", "listGitPlannedChanges", "space-git",
         git.get_git_operation, entries.changes_of_plans, entries.PlanArguments, CHANGE),
    page(f"{GIT}/operations/{{operationId}}/conflicts", "listGitConflicts", "space-git",
         git.get_git_operation, entries.conflicts_of_operations, PageArguments, CONFLICT),
    post(f"{GIT}/import-upload", "importUploadedTree", "space-git",
         tree_imports.import_uploaded_tree, OPERATION, status=202),
    page(f"{GIT}/operations", "listGitOperations", "space-git", spaces.get_space,
         fields.operations_of_spaces, PageArguments, OPERATION),
    get(CONFIGURED, "getGitConfiguration", "space-git", stored.get_git_configuration,
        CONFIGURATION),
    put(CONFIGURED, "setGitConfiguration", "space-git", stored.set_git_configuration,
        CONFIGURATION_SECRET),
    delete(CONFIGURED, "deleteGitConfiguration", "space-git", stored.delete_git_configuration),
    post(f"{CONFIGURED}/run", "runGitConfiguration", "space-git", stored.run_git_configuration,
         CONFIGURATION),
)  # fmt: skip
