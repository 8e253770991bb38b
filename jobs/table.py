"""Which handler does which kind of job."""

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from db.job_enums import JobKind
from jobs import imports, notifications, purge, reindex, translations, webhooks
from jobs.kinds import Kind

KINDS: Final[Mapping[JobKind, Kind]] = MappingProxyType(
    {
        # Each has a process with its own bounds (resolvers/imports/process.py).
        JobKind.IMPORT: Kind(
            handler=imports.do_import, attempts=3, at_once=2, timeout=dt.timedelta(minutes=30)
        ),
        JobKind.PURGE: Kind(
            handler=purge.purge_all, timeout=dt.timedelta(hours=6), every=dt.timedelta(hours=1)
        ),
        JobKind.INDEX: Kind(
            handler=reindex.index_missing,
            timeout=dt.timedelta(hours=24),
            every=dt.timedelta(minutes=10),
        ),
        JobKind.NOTIFICATIONS: Kind(handler=notifications.notify, every=dt.timedelta(seconds=10)),
        JobKind.TRANSLATION: Kind(
            handler=translations.translate, attempts=3, at_once=2, timeout=dt.timedelta(hours=12)
        ),
        JobKind.TRANSLATION_SWEEP: Kind(
            handler=translations.look_for_changes, every=dt.timedelta(seconds=10)
        ),
        JobKind.WEBHOOK_SWEEP: Kind(handler=webhooks.sweep, every=dt.timedelta(minutes=1)),
    }
)
# Endpoints that one process delivers to at the same time, and of one organization all processes.
# They have a worker of their own: one that does not answer keeps nothing else waiting.
WEBHOOKS_AT_ONCE, WEBHOOKS_OF_ORGANIZATION = 32, 8


def webhook_kinds(open_context: webhooks.OpenContext) -> Mapping[JobKind, Kind]:
    """What delivers to endpoints."""
    return {
        JobKind.WEBHOOK: Kind(handler=webhooks.Deliverer(open_context), at_once=WEBHOOKS_AT_ONCE)
    }
