"""Synchronising spaces with Git."""

from resolvers.git import operations as git
from rest_compat.shapes.git import INFO, OPERATION
from rest_compat.table import delete, done, get

GIT = "/spaces/{spaceId}/git"

ROUTES = (
    done(f"{GIT}/import", "importGitRepository", "space-git", git.import_git_repository,
         status=204),
    done(f"{GIT}/export", "exportToGitRepository", "space-git", git.export_to_git_repository,
         status=204),
    get(f"{GIT}/info", "getSpaceGitInfo", "space-git", git.get_git_info, INFO),
    delete(f"{GIT}/legacy-installation", "deleteLegacyGitInstallation", "space-git",
           git.delete_legacy_git_installation),
    # An addition.
    get(f"{GIT}/operation", "getGitOperation", "space-git", git.get_git_operation, OPERATION),
)  # fmt: skip
