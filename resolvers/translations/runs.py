"""What the job of a translation does: read what has changed, remember texts, write the result.

A run looks at the pages and reusable contents of the source that differ from those that the result
is made of, at all of them when the glossary, the instructions or the translator are other ones.
Their texts are translated between the steps here; what was translated before is remembered by page,
so a run that is begun again pays for nothing twice. The last step makes one revision of the result.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson
from sqlalchemy import bindparam, delete, exists, or_, select, update

from content.documents.plain_text import plain_text
from content.merkle.read import diff, lookup, scan
from db.content_enums import RevisionType
from db.enums import Language
from db.inserts import insert_of
from db.models.content import Revision
from db.models.jobs import Job
from db.models.spaces import Space, written_revision, written_revision_of
from db.models.translations import GlossaryEntry, TranslatedTexts, Translation
from db.prepared import KEY, among
from db.translation_enums import TranslationStatus
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.rows import (
    ContentRedirect,
    File,
    Page,
    ReusableContent,
    content_of,
    file_of,
    page_of,
    redirect_of,
)
from resolvers.revisions.states import Body, Changes, bodies, get_in_space
from resolvers.revisions.store import put_documents, walk_all
from resolvers.revisions.write_targets import Target, limit_wait
from resolvers.translations.starting import key_of, start
from resolvers.writing.commits import commit_revision

Json = dict[str, Any]
ERROR_LENGTH = 500
# Translations that one look finds to be begun.
MOST_STARTED = 500
CANCELLED = "the run was cancelled"


@dataclass(frozen=True, slots=True)
class Run:
    """A run: what it translates, and with what."""

    id: str
    source_space_id: str
    result_space_id: str
    source_language: Language
    language: Language
    # The revision of the source that is translated, and the one that the result is made of.
    revision_id: str
    before_id: str | None
    # Source term -> target term; the instructions as text; the digest of all that texts follow from
    # besides.
    terms: Mapping[str, str]
    instructions: str
    context: str
    # The digest of all of this.
    digest: str
    # Whether all pages are looked at.
    full: bool


@dataclass(frozen=True, slots=True)
class Changed:
    """What differs in the source, by id; None for what is not there any more."""

    pages: Mapping[str, Page | None]
    contents: Mapping[str, ReusableContent | None]
    files: Mapping[str, File | None]
    redirects: Mapping[str, ContentRedirect | None]
    variables: Json

    @property
    def owners(self) -> list[Page | ReusableContent]:
        """What has texts."""
        return [row for row in (*self.pages.values(), *self.contents.values()) if row is not None]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run has translated, and what it cost."""

    pages: int = 0
    words: int = 0
    characters: int = 0
    tokens: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.pages + other.pages,
            self.words + other.words,
            self.characters + other.characters,
            self.tokens + other.tokens,
        )


@operation(audited=False)
async def begin_translation_run(ctx: Context, id: str) -> Run | None:
    """Begin a run with the newest source; None where there is nothing to translate any more."""
    must_be_operator(ctx)
    row = await _locked(ctx, id)
    provider = ctx.settings.translation
    source = None if row is None else await ctx.session.get(Space, row.source_space_id)
    if row is None or source is None:
        return None
    if source.deleted_at is not None or provider is None:
        row.status, row.tried_revision_id = TranslationStatus.COMPLETED, written_revision(source)
        row.error = "the server has no translator" if provider is None else "the source is deleted"
        return None
    terms = await _terms(ctx, row)
    instructions = plain_text(row.instructions)
    context = _digest(
        [row.source_language.value, row.language.value, instructions, provider.digest]
    )
    everything = _digest([context, orjson.dumps(terms, option=orjson.OPT_SORT_KEYS).decode()])
    # Somebody has asked for this run: what has stayed as it was is tried again.
    again = row.tried_revision_id is None and row.untranslated > 0
    if row.status is not TranslationStatus.RUNNING:
        row.status = TranslationStatus.RUNNING
        row.runs += 1
    row.tried_revision_id, row.error = written_revision(source), None
    full = again or row.source_revision_id is None or row.context_digest != everything
    return Run(
        row.id, row.source_space_id, row.result_space_id, row.source_language, row.language,
        written_revision(source), row.source_revision_id, terms, instructions, context,
        everything, full,
    )  # fmt: skip


async def _locked(ctx: Context, id: str) -> Translation | None:
    return await ctx.session.get(
        Translation, id, with_for_update={"key_share": True}, populate_existing=True
    )


async def _terms(ctx: Context, row: Translation) -> dict[str, str]:
    """The terms of the glossary that are there in both languages."""
    entries = select(GlossaryEntry.translations).where(
        GlossaryEntry.organization_id == row.organization_id
    )
    source, target = row.source_language.value, row.language.value
    return {
        entry[source]: entry[target]
        for entry in (await ctx.session.execute(entries.order_by(GlossaryEntry.id))).scalars()
        if source in entry and target in entry
    }


def _digest(parts: Sequence[str]) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


async def changed_content(ctx: Context, run: Run) -> Changed:
    """What a run has to look at."""
    must_be_operator(ctx)
    space = run.source_space_id
    now = await get_in_space(ctx, space, run.revision_id)
    before = None
    if run.before_id is not None:
        before = await get_in_space(ctx, space, run.before_id)
    pages = await _entries(ctx, space, before, now, "pages_root", run.full)
    contents = await _entries(ctx, space, before, now, "contents_root", run.full)
    files = await _entries(ctx, space, before, now, "files_root", False)
    redirects = await _entries(ctx, space, before, now, "redirects_root", False)
    return Changed(
        {id: entry and page_of(space, "", id, entry) for id, entry in pages.items()},
        {id: entry and content_of(space, "", id, entry) for id, entry in contents.items()},
        {id: entry and file_of(space, "", id, entry) for id, entry in files.items()},
        {path: entry and redirect_of(space, "", path, entry) for path, entry in redirects.items()},
        dict(now.variables),
    )


async def _entries(
    ctx: Context, space: str, before: Revision | None, now: Revision, root: str, full: bool
) -> dict[str, Any]:
    """The entries of a map that differ, None for those that are gone; all that are there for a full
    run."""
    old = None if before is None else getattr(before, root)
    (changes,) = await walk_all(ctx, [(space, diff(old, getattr(now, root)))])
    entries: dict[str, Any] = {change.key: change.after for change in changes}
    if full:
        (everything,) = await walk_all(ctx, [(space, scan(getattr(now, root)))])
        entries |= dict(everything)
    return entries


async def source_bodies(
    ctx: Context, run: Run, document_ids: Sequence[str | None]
) -> list[Body | None]:
    """Bodies of the source."""
    must_be_operator(ctx)
    return await bodies(ctx, [(run.source_space_id, id) for id in document_ids])


@statement
def _known(viewer: Viewer) -> Written:
    return select(TranslatedTexts.owner_id, TranslatedTexts.texts).where(
        TranslatedTexts.translation_id == bindparam("translation_id", type_=KEY),
        among(TranslatedTexts.owner_id, "owners"),
    )


async def known_texts(ctx: Context, run: Run, owner_ids: Sequence[str]) -> dict[str, Json]:
    """What was translated before, by page or reusable content."""
    must_be_operator(ctx)
    rows = await _known.rows(ctx, translation_id=run.id, owners=set(owner_ids))
    return {row.owner_id: dict(row.texts) for row in rows}


@operation(audited=False)
async def store_texts(
    ctx: Context,
    run: Run,
    texts: Mapping[str, Json],
    documents: Mapping[str, tuple[str, bytes]],
    cost: Cost,
) -> bool:
    """Remember translated texts by owner, and keep bodies for the result; False when there is no
    such translation any more."""
    must_be_operator(ctx)
    row = await _locked(ctx, run.id)
    if row is None:
        return False
    row.total_characters += cost.characters
    row.total_tokens += cost.tokens
    for owner_id, own in texts.items():
        insert = insert_of(ctx.session, TranslatedTexts).values(
            translation_id=run.id, owner_id=owner_id, texts=own
        )
        await ctx.session.execute(
            insert.on_conflict_do_update(
                index_elements=["translation_id", "owner_id"], set_={"texts": own}
            )
        )
    await put_documents(ctx, run.result_space_id, documents)
    return True


@operation(audited=False)
async def finish_translation_run(
    ctx: Context, run: Run, changed: Changed, cost: Cost, untranslated: int, seconds: float
) -> None:
    """Make the revision of the result, of which all bodies and files are stored; end the job."""
    must_be_operator(ctx)
    await limit_wait(ctx)
    row = await _locked(ctx, run.id)
    result = await ctx.session.get(
        Space, run.result_space_id, with_for_update={"key_share": True}, populate_existing=True
    )
    if row is None or result is None:
        return
    before = await get_in_space(ctx, result.id, written_revision(result))
    target = Target(result.id, result, None, before)
    changes = await _changes(ctx, before, changed)
    await commit_revision(ctx, target, changes, type=RevisionType.COMPUTED)
    gone = [id for rows in (changed.pages, changed.contents) for id, r in rows.items() if r is None]
    await ctx.session.execute(
        delete(TranslatedTexts).where(
            TranslatedTexts.translation_id == run.id, TranslatedTexts.owner_id.in_(gone)
        )
    )
    duration = round(seconds)
    row.status, row.source_revision_id = TranslationStatus.COMPLETED, run.revision_id
    row.context_digest = run.digest
    row.latest_pages, row.latest_words, row.latest_run_duration = cost.pages, cost.words, duration
    row.total_pages += cost.pages
    row.total_words += cost.words
    row.total_duration += duration
    row.untranslated = untranslated
    row.updated_at = ctx.now()
    if ctx.lease is not None:
        ctx.lease.finish({"pages": cost.pages, "words": cost.words})


async def _changes(ctx: Context, before: Revision, changed: Changed) -> Changes:
    """The changes of the result: the rows of the source, as they are in another space."""
    space = before.space_id
    changes = Changes(variables=changed.variables)
    (old,) = await walk_all(ctx, [(space, lookup(before.pages_root, changed.pages))])
    changes.before = {id: page_of(space, "", id, entry) for id, entry in old.items()}
    changes.pages = _moved(changed.pages, space, changes.before)
    changes.contents = _moved(changed.contents, space, None)
    changes.files = _moved(changed.files, space, None)
    changes.redirects = _moved(changed.redirects, space, None)
    return changes


def _moved(rows: Mapping[str, Any], space: str, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """Rows in another space; what is gone there and was never here is left out."""
    return {
        id: None if row is None else replace(row, space_id=space)
        for id, row in rows.items()
        if row is not None or before is None or id in before
    }


@operation(audited=False)
async def fail_translation_run(ctx: Context, id: str, error: str) -> None:
    """End a run that has made nothing: the result stays as it is, until the source changes or
    somebody asks for another run."""
    must_be_operator(ctx)
    row = await _locked(ctx, id)
    if row is not None:
        row.status, row.error = TranslationStatus.COMPLETED, error[:ERROR_LENGTH]


# ------------------------------------------------------------------ what is to be begun


_CHANGED = or_(
    Translation.tried_revision_id.is_(None),
    Translation.tried_revision_id != written_revision_of(Space),
)


@statement
def _changed(viewer: Viewer) -> Written:
    return (
        select(Translation.id)
        .join(Space, Space.id == Translation.source_space_id)
        .where(
            Translation.status == TranslationStatus.COMPLETED,
            _CHANGED,
            Space.deleted_at.is_(None),
            among(Space.organization_id, "organizations"),
        )
        .limit(1)
    )


async def has_changed(ctx: Context, organization_ids: Collection[str]) -> bool:
    """Whether the source of a translation in one of these organizations has changed."""
    must_be_operator(ctx)
    return bool(await _changed.rows(ctx, organizations=organization_ids))


@operation(audited=False)
async def start_changed(ctx: Context) -> int:
    """Begin runs of translations whose source has changed; how many. Those whose run was cancelled
    are completed."""
    must_be_operator(ctx)
    if ctx.settings.translation is None:
        return 0
    open_job = exists().where(
        Job.unique_key == (key_of("") + Translation.id), Job.due_at.is_not(None)
    )
    await ctx.session.execute(
        update(Translation)
        .where(Translation.status != TranslationStatus.COMPLETED, ~open_job)
        .values(status=TranslationStatus.COMPLETED, error=CANCELLED)
        .execution_options(synchronize_session=False)
    )
    rows = (
        select(Translation)
        .join(Space, Space.id == Translation.source_space_id)
        .where(
            Translation.status == TranslationStatus.COMPLETED,
            _CHANGED,
            Space.deleted_at.is_(None),
        )
        .order_by(Translation.id)
        .limit(MOST_STARTED)
        .with_for_update(of=Translation, skip_locked=True)
    )
    changed = list((await ctx.session.execute(rows)).scalars())
    await start(ctx, changed)
    return len(changed)
