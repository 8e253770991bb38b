"""Beginning runs of translations: each has one job at most that waits or runs."""

from collections.abc import Sequence

from db.job_enums import JobKind
from db.models.translations import Translation
from db.translation_enums import TranslationStatus
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.jobs.queue import NewJob, enqueue_of_server


def key_of(id: str) -> str:
    """The key of the job of a translation."""
    return f"translation:{id}"


def must_have_provider(ctx: Context) -> None:
    """PreconditionFailed where the server has nothing to translate with."""
    if ctx.settings.translation is None:
        raise PreconditionFailed(
            "this server has no translator; its operator sets DOCSTEAD_TRANSLATION_PROVIDER to "
            "'openai', 'libretranslate' or 'command', and what that needs"
        )


async def start(ctx: Context, translations: Sequence[Translation]) -> None:
    """Begin runs; where one is under way it takes the newest source in any case. Without a
    translator nothing is begun."""
    if ctx.settings.translation is None:
        return
    for row in translations:
        # What is tried already is tried again.
        row.tried_revision_id = None
        if row.status is TranslationStatus.COMPLETED:
            row.status = TranslationStatus.PENDING
    await ctx.session.flush()
    await enqueue_of_server(
        ctx,
        [
            NewJob(
                kind=JobKind.TRANSLATION,
                organization_id=row.organization_id,
                space_id=row.result_space_id,
                arguments={"translation": row.id},
                unique_key=key_of(row.id),
            )
            for row in translations
        ],
    )
