"""Jobs and import runs in /v1."""

from rest_compat.shape import named_shape, nested, reference, shape
from schema.types import jobs
from schema.types.content import pages

PDF = named_shape("PDF", pages.Pdf, "url")
ARCHIVE = named_shape("OrganizationArchive", jobs.OrganizationArchive, "url size expiresAt")
JOB = shape(
    jobs.Job,
    "id kind state stage? done total? message? error? attempts nextAttemptAt? cancelRequested "
    "createdAt startedAt? finishedAt?",
    {"object": "job"},
    organization=reference(optional=True),
    space=reference(optional=True),
    startedBy=reference(optional=True),
    archive=nested(ARCHIVE, optional=True),
    pdf=nested(PDF, optional=True),
)
# The published contract has `id`, `status`, the times and `pages` with their ids.
IMPORT_RUN = shape(
    jobs.ImportRun,
    "id:runId status startedAt? completedAt? importedResources? totalResources? "
    "warnings revision:revisionId? changeRequest:changeRequestId?",
    {"object": "import-run"},
    job=nested(JOB),
    space=reference(optional=True),
    pages=nested(shape(jobs.ImportedPage, "id:pageId path")),
)
