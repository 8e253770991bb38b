"""Enumerations of synchronisation with Git."""

from db.enums import Described


class GitProvider(Described):
    """Where a repository is hosted, as the published contract names it."""

    GITHUB = "github", "GitHub."
    GITLAB = "gitlab", "GitLab."
    GITHUB_LEGACY = "github-legacy", "GitHub, as an earlier version has connected it."


class GitDirection(Described):
    """Which side of a synchronisation is written."""

    IMPORT = "import", "The content of the space becomes that of a commit."
    EXPORT = "export", "The repository gets a commit with the content of the space."


class GitConfigurationDirection(Described):
    """Which sides a configuration writes."""

    IMPORT = "import", "New commits come into the space."
    EXPORT = "export", "What changes in the space goes to the branch."
    BOTH = "both", "New commits come into the space, and what changes there goes to the branch."


class GitForge(Described):
    """Who sends a push webhook."""

    GITHUB = "github", "GitHub."
    GITLAB = "gitlab", "GitLab."
    GITEA = "gitea", "Gitea, or Forgejo."


class GitOperationState(Described):
    """How an operation stands, as the published contract names it."""

    RUNNING = "running", "It waits for its turn, or a worker does it."
    FAILURE = "failure", "It could not be done; `error` says why. Nothing was written."
    SUCCESS = "success", "It is done, or there was nothing to do."


class GitStage(Described):
    """What an operation is doing, in this order."""

    REPO_FETCH = "repo_fetch", "It fetches what is new in the repository."
    CONFIG_CHECK = "config_check", "It reads the configuration and the layout."
    CONTENT_PROCESS = "content_process", "It reads or writes pages and files."
    FINALIZE = "finalize", "It stores the revision, or pushes the commit."


class GitChange(Described):
    """What an operation would do with a part of the space, or a path of the repository."""

    CREATED = "created", "It is new."
    UPDATED = "updated", "It says something else."
    MOVED = "moved", "The page gets another place or address."
    RENAMED = "renamed", "The path becomes another one."
    DELETED = "deleted", "It goes."


class GitChangeKind(Described):
    """What an operation would change."""

    PAGE = "page", "A page of the space."
    FILE = "file", "A file of the space."
    REUSABLE_CONTENT = "reusable-content", "A reusable content of the space."
    REDIRECT = "redirect", "A redirect of the space."
    VARIABLES = "variables", "A variable of the space."
    PATH = "path", "A file of the repository."
