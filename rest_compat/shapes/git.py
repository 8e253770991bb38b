"""Git operations in /v1."""

from rest_compat.shape import named_shape, nested, reference
from rest_compat.shapes.jobs import JOB
from schema.types import git

INFO = named_shape(
    "GitSyncState", git.GitInfo, "repoName? installationProvider? integration? url? updatedAt?"
)
# The published contract has the state, the stages, the times and the error.
OPERATION = named_shape(
    "GitSyncOperation",
    git.GitOperation,
    "id:operationId state direction stage ref dispatchedTasks completedTasks startedAt updatedAt "
    "completedAt? error? nothingDone? revision:revisionId? commit:commitId? warnings",
    {"object": "git-operation"},
    job=nested(JOB),
    space=reference(optional=True),
)
