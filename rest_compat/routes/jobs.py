"""Jobs, and the import runs among them."""

from resolvers.core.pagination import PageArguments
from resolvers.git import organization_exports
from resolvers.imports import runs
from resolvers.jobs import operations as jobs
from resolvers.jobs.operations import JobArguments
from resolvers.organizations import operations as organizations
from resolvers.pdf import runs as pdf_runs
from rest_compat.shapes.jobs import IMPORT_RUN, JOB
from rest_compat.table import get, page, post

JOBS = "/orgs/{organizationId}/jobs"
ONE = f"{JOBS}/{{jobId}}"
# The published contract writes it like that.
IMPORTS = "/org/{organizationId}/imports"
RUN = f"{IMPORTS}/{{importRunId}}"

ROUTES = (
    post("/spaces/{spaceId}/pdf", "startSpacePDF", "jobs", pdf_runs.start_pdf, JOB, status=201),
    post("/spaces/{spaceId}/change-requests/{changeRequestId}/pdf", "startChangeRequestPDF", "jobs",
         pdf_runs.start_pdf, JOB, status=201),
    post("/orgs/{organizationId}/export", "startOrganizationExport", "jobs",
         organization_exports.start_organization_export, JOB, status=201,
         location=f"{JOBS}/{{id}}"),
    page(JOBS, "listJobs", "jobs", organizations.get_organization, jobs.jobs_of_organizations,
         JobArguments, JOB),
    get(ONE, "getJob", "jobs", jobs.get_job, JOB),
    post(f"{ONE}/cancel", "cancelJob", "jobs", jobs.cancel_job, JOB),
    post(f"{ONE}/retry", "retryJob", "jobs", jobs.retry_job, JOB),
    page(IMPORTS, "listImportRuns", "imports", organizations.get_organization,
         runs.import_runs_of_organizations, PageArguments, IMPORT_RUN),
    post(IMPORTS, "startImportRun", "imports", runs.start_import_run, IMPORT_RUN, status=201,
         location=f"{IMPORTS}/{{id}}", bad_request=True),
    get(RUN, "getImportRun", "imports", runs.get_import_run, IMPORT_RUN),
    post(f"{RUN}/cancel", "cancelImportRun", "imports", runs.cancel_import_run, IMPORT_RUN,
         status=201),
)  # fmt: skip
