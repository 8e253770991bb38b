"""Git operations in /v1."""

from rest_compat.shape import Shape, named_shape, nested, reference, shape
from rest_compat.shapes.jobs import JOB
from schema.types import git

INFO: Shape = named_shape(
    "GitSyncState", git.GitInfo, "repoName? installationProvider? integration? url? updatedAt?"
)
PLAN = shape(git.GitPlan, "", counts=nested(shape(git.GitChangeCount, "kind change count")))
CHANGE = named_shape(
    "GitPlannedChange", git.GitPlannedChange, "kind change name id:objectId? path? before?"
)
CONFLICT = named_shape(
    "GitConflict",
    git.GitConflict,
    "path kind id:objectId? reason revision:revisionId? blob:blobId?",
)
# The published contract has the state, the stages, the times and the error.
OPERATION = named_shape(
    "GitSyncOperation",
    git.GitOperation,
    "id:operationId state direction stage ref dispatchedTasks completedTasks startedAt updatedAt "
    "completedAt? error? nothingDone? revision:revisionId? commit:commitId? warnings "
    "dryRun",
    {"object": "git-operation"},
    job=nested(JOB),
    plan=nested(PLAN, optional=True),
    space=reference(optional=True),
)

CONFIGURATION = named_shape(
    "GitConfiguration",
    git.GitConfiguration,
    "url ref repoProjectDirectory:directory direction intervalMinutes? enabled commitMessage "
    "repoCommitURL:commitUrl? repoTreeURL:treeUrl? hasCredentials hookUrl nextAt? createdAt "
    "updatedAt",
    {"object": "git-configuration"},
    space=reference(optional=True),
    owner=reference(optional=True),
)
CONFIGURATION_SECRET = named_shape(
    "GitConfigurationSecret",
    git.GitConfigurationSecretPayload,
    "secret?",
    {"object": "git-configuration-secret"},
    configuration=nested(CONFIGURATION),
)
