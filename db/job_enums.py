"""Enumerations of jobs."""

from db.enums import Described


class JobKind(Described):
    """What a job does."""

    IMPORT = "import", "Import content from elsewhere into a space or a change request."
    GIT_IMPORT = "git-import", "Make the content of a space that of a commit."
    GIT_EXPORT = "git-export", "Bring the content of a space to a Git repository."
    TREE_IMPORT = "tree-import", "Make content that of an uploaded archive or bundle."
    GIT_SWEEP = "git-sweep", "Start what spaces with a Git configuration have to do, every minute."
    PDF = "pdf", "Make a PDF of content."
    ORGANIZATION_EXPORT = (
        "organization-export", "Make an archive of everything that an organization holds.",
    )  # fmt: skip
    PURGE = "purge", "Remove what nobody needs any more, every hour."
    INDEX = "index", "Index content that is not indexed yet, every ten minutes."
    NOTIFICATIONS = "notifications", "Notify people of what has happened, when it happens."
    SPECIFICATION = "specification", "Process an OpenAPI specification."
    SPECIFICATION_SWEEP = (
        "specification-sweep", "Look at the sources of specifications again, every five minutes.",
    )  # fmt: skip
    COMPUTED_PAGES = "computed-pages", "Make the pages of sources in a space."
    WEBHOOK = "webhook", "Deliver events to an endpoint."
    INTEGRATION = "integration", "Deliver events to an integration where it is installed."
    INTEGRATION_TASK = "integration-task", "Give an integration a task that it has queued."
    INTEGRATION_SWEEP = (
        "integration-sweep", "Look for integrations whose events nobody has delivered.",
    )  # fmt: skip
    TRANSLATION = "translation", "Translate what has changed in a space."
    TRANSLATION_SWEEP = "translation-sweep", "Look for translations whose source has changed."
    WEBHOOK_SWEEP = "webhook-sweep", "Look for endpoints that nobody has woken, every minute."


class ImportSourceType(Described):
    """Where the content of an import run comes from."""

    WEBSITE = "website", "An address: a site, a page, a document or an archive."
    FILE = "file", "Files that were uploaded."


class ImportRunStatus(Described):
    """The status of an import run, as the published contract has it."""

    PENDING = "pending", "It waits for a worker."
    IN_PROGRESS = "in-progress", "A worker does it."
    COMPLETED = "completed", "It is done."
    FAILED = "failed", "It could not be done; nothing was written."
    CANCELLED = "cancelled", "It was cancelled; nothing was written."


class JobState(Described):
    """The state of a job."""

    QUEUED = "queued", "It waits for a worker, for the first time or after a failure."
    RUNNING = "running", "A worker does it."
    SUCCEEDED = "succeeded", "It is done."
    FAILED = "failed", "It could not be done, and is not tried again by itself."
    CANCELLED = "cancelled", "Somebody has cancelled it; nothing of it was written since."

    @property
    def has_ended(self) -> bool:
        return self not in (JobState.QUEUED, JobState.RUNNING)
