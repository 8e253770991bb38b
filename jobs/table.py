"""Which handler does which kind of job."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

from content.late_modules import LateModule, ready
from db.job_enums import JobKind
from jobs import (
    computed_pages,
    imports,
    integrations,
    notifications,
    pdfs,
    purge,
    reindex,
    specifications,
    translations,
    webhooks,
)
from jobs.git.configurations import start_configurations
from jobs.kinds import Handler, Json, Kind, Work
from jobs.organization_runs import OrganizationExporter
from jobs.printing import Printer
from jobs.waking import OpenContext
from resolvers.integrations import deliveries as integration_deliveries
from resolvers.webhooks import deliveries as webhook_deliveries
from runtime.runner import Runner


def _late(module: str, name: str) -> Handler:
    """A handler of a module that is loaded with its first job: those of Git have a library of
    their own."""

    late = LateModule(module)

    async def handler(work: Work) -> Json | None:
        await ready(module)
        result: Json | None = await getattr(late, name)(work)
        return result

    return handler


KINDS: Final[Mapping[JobKind, Kind]] = MappingProxyType(
    {
        # Each has a process with its own bounds (resolvers/imports/process.py).
        JobKind.IMPORT: Kind(
            handler=imports.do_import, attempts=3, at_once=2, timeout=dt.timedelta(minutes=30)
        ),
        # What a repository refuses is said at once; only what was killed is tried again.
        JobKind.GIT_IMPORT: Kind(
            handler=_late("jobs.git.importing", "do_import"),
            attempts=3,
            at_once=4,
            timeout=dt.timedelta(minutes=30),
        ),
        JobKind.GIT_EXPORT: Kind(
            handler=_late("jobs.git.exporting", "do_export"),
            attempts=3,
            at_once=4,
            timeout=dt.timedelta(minutes=30),
        ),
        # What is wrong with an upload is said at once; only what was killed is tried again.
        JobKind.TREE_IMPORT: Kind(
            handler=_late("jobs.tree_import", "do_tree_import"),
            attempts=3,
            at_once=2,
            timeout=dt.timedelta(minutes=30),
        ),
        JobKind.GIT_SWEEP: Kind(handler=start_configurations, every=dt.timedelta(minutes=1)),
        JobKind.PURGE: Kind(
            handler=purge.purge_all, timeout=dt.timedelta(hours=6), every=dt.timedelta(hours=1)
        ),
        JobKind.INDEX: Kind(
            handler=reindex.index_missing,
            timeout=dt.timedelta(hours=24),
            every=dt.timedelta(minutes=10),
        ),
        # Woken by what happens; by itself it finds mail that is due, and what nobody was woken for.
        JobKind.NOTIFICATIONS: Kind(handler=notifications.notify, every=dt.timedelta(minutes=1)),
        # Each has a process with its own bounds (jobs/specification_process.py).
        JobKind.SPECIFICATION: Kind(
            handler=specifications.process, at_once=2, timeout=dt.timedelta(minutes=10)
        ),
        JobKind.SPECIFICATION_SWEEP: Kind(
            handler=specifications.sweep, every=dt.timedelta(minutes=5)
        ),
        JobKind.COMPUTED_PAGES: Kind(
            handler=computed_pages.make, attempts=3, at_once=2, timeout=dt.timedelta(minutes=10)
        ),
        JobKind.TRANSLATION: Kind(
            handler=translations.translate, attempts=3, at_once=2, timeout=dt.timedelta(hours=12)
        ),
        JobKind.TRANSLATION_SWEEP: Kind(
            handler=translations.look_for_changes, every=dt.timedelta(minutes=1)
        ),
        JobKind.INTEGRATION_SWEEP: Kind(handler=integrations.sweep, every=dt.timedelta(minutes=1)),
        JobKind.WEBHOOK_SWEEP: Kind(handler=webhooks.sweep, every=dt.timedelta(minutes=1)),
    }
)


def pdf_kinds(printer: Printer) -> Mapping[JobKind, Kind]:
    """What makes PDFs; each has a process with its own bounds (jobs/print_process.py)."""
    return {
        JobKind.PDF: Kind(handler=pdfs.PdfMaker(printer), attempts=3, timeout=dt.timedelta(hours=2))
    }


def export_kinds(exporter: OrganizationExporter) -> Mapping[JobKind, Kind]:
    """What exports organizations, and removes what killed processes have left of it."""
    clear = partial(purge.purge_all, more={"folders of exports": exporter.clear})
    return {
        JobKind.ORGANIZATION_EXPORT: Kind(
            handler=exporter, attempts=3, timeout=dt.timedelta(hours=12)
        ),
        JobKind.PURGE: replace(KINDS[JobKind.PURGE], handler=clear),
    }


# Endpoints that one process delivers to at the same time, and of one organization all processes.
# They have a worker of their own: one that does not answer keeps nothing else waiting.
WEBHOOKS_AT_ONCE, WEBHOOKS_OF_ORGANIZATION = 32, 8


def webhook_kinds(open_context: OpenContext) -> Mapping[JobKind, Kind]:
    """What delivers to endpoints."""
    return {
        JobKind.WEBHOOK: Kind(
            handler=webhooks.Deliverer(open_context),
            at_once=WEBHOOKS_AT_ONCE,
            bound_waits=webhook_deliveries.bound_waits,
        )
    }


# Installations that one process delivers to at once, and of one organization all processes.
INTEGRATIONS_AT_ONCE, INTEGRATIONS_OF_ORGANIZATION = 8, 4


def integration_kinds(runner: Runner) -> Mapping[JobKind, Kind]:
    """What delivers to integrations."""
    return {
        JobKind.INTEGRATION: Kind(
            handler=integrations.Deliverer(runner),
            at_once=INTEGRATIONS_AT_ONCE,
            bound_waits=integration_deliveries.bound_waits,
        ),
        JobKind.INTEGRATION_TASK: Kind(
            handler=integrations.TaskRunner(runner), at_once=INTEGRATIONS_AT_ONCE
        ),
    }
