"""Translates what has changed in a space: the job of a translation, and the look for changes."""

import asyncio
import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from content.translation.terms import Terms
from db.inserts import parts
from db.job_enums import JobKind
from fetching.translation.provider import Request, TranslationError, Translator
from fetching.translation.table import translator_of
from jobs.kinds import Work
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.leases import LeaseLostError
from resolvers.core.runners import read, run
from resolvers.jobs.claims import hasten_periodic
from resolvers.translations import runs
from resolvers.translations.bodies import Owner, Translated, close_owner, open_owner
from resolvers.translations.runs import Changed, Cost, Run

log = logging.getLogger("docstead.translations")
# Pages and reusable contents that are translated together, and stored in one transaction.
PORTION = 20
FILES_AT_ONCE = 8
# Seconds in which changes come together before they are translated.
GATHERING = 2.0
UNEXPECTED = "something went wrong; the server's log says what"


async def translate(work: Work) -> None:
    """Carry out the runs of a translation until nothing has changed meanwhile.

    What fails ends the run with an error in the translation and in the log; the result stays.
    """
    ctx, id = work.ctx, str(work.arguments["translation"])
    # Each read is one of its own: between them lie requests that may take minutes.
    ctx.snapshot = False
    begun = time.monotonic()
    current = await run(ctx, runs.begin_translation_run, id)
    if current is None:
        return
    try:
        await _translate(ctx, current, begun)
    except LeaseLostError:
        raise
    except (TranslationError, ApiError) as error:
        log.warning("translation %s: %s", id, error)
        await run(ctx, runs.fail_translation_run, id, str(error))
    except Exception:
        log.exception("translation %s has failed", id)
        await run(ctx, runs.fail_translation_run, id, UNEXPECTED)


async def _translate(ctx: Context, current: Run, begun: float) -> None:
    assert ctx.settings.translation is not None
    translator = translator_of(ctx.settings.translation)
    terms = Terms(current.terms)
    changed = await read(ctx, runs.changed_content, current)
    cost, untranslated = Cost(), 0
    pages: dict[str, Any] = dict(changed.pages)
    contents: dict[str, Any] = dict(changed.contents)
    owners = changed.owners
    ctx.report("translating", 0, len(owners))
    for done, portion in enumerate(parts(owners, PORTION)):
        translated, portion_cost = await _portion(ctx, current, translator, terms, portion)
        cost += portion_cost
        for item in translated:
            untranslated += item.untranslated
            (pages if item.row.id in pages else contents)[item.row.id] = item.row
        ctx.report("translating", min((done + 1) * PORTION, len(owners)), len(owners))
    ctx.report("writing")
    await _copy_files(ctx, current, changed)
    changed = replace(changed, pages=pages, contents=contents)
    seconds = time.monotonic() - begun
    await run(ctx, runs.finish_translation_run, current, changed, cost, untranslated, seconds)


async def _portion(
    ctx: Context, current: Run, translator: Translator, terms: Terms, rows: Sequence[Any]
) -> tuple[list[Translated], Cost]:
    """Translate some pages and reusable contents, and store what they become but their places."""
    ids = [getattr(row, "document_id", None) for row in rows]
    bodies = await read(ctx, runs.source_bodies, current, ids)
    earlier = await read(ctx, runs.known_texts, current, [row.id for row in rows])
    spaces = {current.source_space_id: current.result_space_id}

    def open_all() -> list[Owner]:
        return [
            open_owner(row, body, earlier.get(row.id, {}), terms, current.context, spaces)
            for row, body in zip(rows, bodies, strict=True)
        ]

    owners = await asyncio.to_thread(open_all)
    cost = await _ask(current, translator, terms, owners)
    translated = await asyncio.to_thread(lambda: [close_owner(owner) for owner in owners])
    documents = dict(item.document for item in translated if item.document is not None)
    texts = {item.row.id: dict(item.texts) for item in translated}
    if not await run(ctx, runs.store_texts, current, texts, documents, cost):
        raise TranslationError("the translation was deleted meanwhile")
    return translated, cost


async def _ask(current: Run, translator: Translator, terms: Terms, owners: Sequence[Owner]) -> Cost:
    """Have the texts translated that nothing is known of; the same text once."""
    unknown: dict[str, tuple[str, int]] = {}
    pages = 0
    for owner in owners:
        missing = owner.missing
        pages += bool(missing)
        for index in missing:
            text = owner.texts[index]
            unknown[owner.digests[index]] = text.tagged, text.words
    if not unknown:
        return Cost()
    texts = [text for text, _ in unknown.values()]
    used = {term: to for text in texts for term, to in terms.used_in(text).items()}
    request = Request(
        current.source_language.value, current.language.value, texts, current.instructions, used
    )
    answer = await translator.translate(request)
    answers = dict(zip(unknown, answer.texts, strict=True))
    for owner in owners:
        for index in owner.missing:
            digest = owner.digests[index]
            owner.known[digest] = answers[digest]
    words = sum(words for _, words in unknown.values())
    return Cost(pages, words, answer.characters, answer.tokens)


async def _copy_files(ctx: Context, current: Run, changed: Changed) -> None:
    """Give the result the bytes of new files, before a transaction that would hold locks."""
    files = {file.sha256 for file in changed.files.values() if file is not None}
    turns = asyncio.Semaphore(FILES_AT_ONCE)

    async def copy(sha256: str) -> None:
        async with turns:
            await ctx.blobs.copy(current.source_space_id, current.result_space_id, sha256)

    await asyncio.gather(*(copy(sha256) for sha256 in sorted(files)))


async def look_for_changes(work: Work) -> None:
    """Begin runs of translations whose source has changed: a job that comes every minute, and is
    woken when a source changes."""
    await run(work.ctx, runs.start_changed)


async def wake_translations(ctx: Context, streams: Collection[str]) -> Collection[str]:
    """Let the look for changes have its turn now if sources in these organizations have changed."""
    if ctx.settings.translation is not None and await read(ctx, runs.has_changed, streams):
        await run(ctx, hasten_periodic, JobKind.TRANSLATION_SWEEP)
    return ()
