"""Jobs: work that goes on beside requests, and the import runs among them."""

import datetime as dt

import strawberry

from db.job_enums import ImportRunStatus, JobKind, JobState
from db.models import jobs as models, organizations as people, spaces as space_models
from resolvers.core.scalars import Url
from resolvers.git import organization_exports
from resolvers.imports import runs
from resolvers.jobs import operations as jobs
from resolvers.pdf import runs as pdfs
from schema.node import Node
from schema.types.above import Organization, Space
from schema.types.content.pages import Pdf
from schema.types.organizations import User
from schema.wiring import batch, column, itself, related, source_rows, visible_related


@strawberry.type(description="Everything that an organization holds, in open formats.")
class OrganizationArchive:
    url: Url = column("Where it is fetched, with a signature that is valid for one to two hours.")
    size: float = column("Its size in bytes.")
    expires_at: dt.datetime = column("When it is removed.")


@strawberry.type(description="Work that goes on beside requests.")
class Job(Node):
    is_type_of = source_rows(models.Job)
    kind: JobKind = column("What it does.")
    state: JobState = column("Its state.")
    stage: str | None = column("What it is doing, such as `fetching pages`.")
    done: int = column("How much of the stage is done.")
    total: int | None = column("How much there is to do in the stage; null when nobody knows.")
    message: str | None = column("What else there is to say about how far it is.")
    error: str | None = column("Why its last attempt has failed.")
    attempts: int = column("How often it was tried.")
    next_attempt_at: dt.datetime | None = batch(
        jobs.next_attempts, "When it is tried at the earliest; null unless it waits."
    )
    archive: OrganizationArchive | None = batch(
        organization_exports.job_archives,
        "Where the archive of an organization is fetched, for its administrators; null unless it "
        "has made one, and a day later.",
    )
    pdf: Pdf | None = batch(pdfs.job_pdfs, "Where its PDF is fetched; null unless it has made one.")
    cancel_requested: bool = column("Whether somebody has cancelled it while it ran.")
    created_at: dt.datetime = column("When it was asked for.")
    started_at: dt.datetime | None = column("When it was first begun.")
    finished_at: dt.datetime | None = column("When it ended.")
    organization: Organization | None = related(
        people.Organization, "organization_id", "The organization."
    )
    space: Space | None = visible_related(space_models.Space, "space_id", "The space it is about.")
    started_by: User | None = visible_related(
        people.User, "started_by_id", "Who has started it; null for the operator."
    )


@strawberry.type(description="A page that an import run has made or updated.")
class ImportedPage:
    page_id: strawberry.ID = column("Its id.")
    path: str = column("Its path in the source.")


@strawberry.type(description="An import that nobody waits for.")
class ImportRun:
    is_type_of = source_rows(models.Job)
    run_id: strawberry.ID = column("Its id; its job has the same.", attribute="id")
    job: Job = itself("Its job: how far it is, its cancellation, its attempts.")
    status: ImportRunStatus = batch(runs.statuses, "How it stands.")
    started_at: dt.datetime | None = column("When it was first begun.")
    completed_at: dt.datetime | None = column("When it ended.", attribute="finished_at")
    revision_id: strawberry.ID | None = batch(
        runs.run_revisions, "Id of the revision that it has made, or found when nothing changed."
    )
    pages: list[ImportedPage] = batch(
        runs.imported_pages, "The pages that it has made or updated, at most 1,000."
    )
    imported_resources: int | None = batch(
        runs.run_imported_resources,
        "How many pages and files it has taken over; null before it is done.",
    )
    total_resources: int | None = batch(
        runs.run_total_resources, "How many pages and files there were; null before it is done."
    )
    warnings: list[str] = batch(
        runs.run_warnings, "What was left out or changed on the way, and why."
    )
    space: Space | None = visible_related(
        space_models.Space, "space_id", "The space it imports into."
    )
    change_request_id: strawberry.ID | None = batch(
        runs.run_change_requests,
        "Id of the change request it imports into; null for the space itself.",
    )
