"""Translations: making, changing, running and deleting them (docs/translations.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Final

import strawberry
from sqlalchemy import select
from strawberry import Maybe

from db.enums import Language, Role
from db.ids import new_id
from db.models.organizations import Organization
from db.models.spaces import Space
from db.models.translations import Translation
from db.prepared import among
from db.translation_enums import TranslationStatus
from resolvers.access.policy import must, must_in, ranks_of
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import BadRequest, Conflict, NotFound
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.pagination import by_id
from resolvers.core.scalars import JsonObject
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.organizations.agent_instructions import EMPTY, checked_instructions
from resolvers.spaces.computed import make_computed_space, must_for_computing
from resolvers.spaces.operations import TITLE_LENGTH
from resolvers.translations.starting import must_have_provider, start

TYPE = "builtin:translation"
TranslationId = Annotated[strawberry.ID, inputs.argument("Id of the translation.")]
# Languages as their speakers call them.
NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "English", "fr": "Français", "de": "Deutsch", "es": "Español", "it": "Italiano",
        "pt": "Português", "pt-br": "Português do Brasil", "ru": "Русский", "ja": "日本語",
        "zh": "简体中文", "zh-tw": "繁體中文", "yue": "粵語", "ko": "한국어", "ar": "العربية",
        "hi": "हिन्दी", "nl": "Nederlands", "pl": "Polski", "tr": "Türkçe", "sv": "Svenska",
        "no": "Norsk", "da": "Dansk", "fi": "Suomi", "el": "Ελληνικά", "cs": "Čeština",
        "hu": "Magyar", "ro": "Română", "th": "ไทย", "vi": "Tiếng Việt", "id": "Bahasa Indonesia",
        "ms": "Bahasa Melayu", "he": "עברית", "uk": "Українська", "sk": "Slovenčina",
        "bg": "Български", "hr": "Hrvatski", "lt": "Lietuvių", "lv": "Latviešu", "et": "Eesti",
        "sl": "Slovenščina",
    }
)  # fmt: skip


@strawberry.input(description="What is translated.")
class TranslationSourceInput:
    space: strawberry.ID = inputs.text("Id of the space.", required=True)
    language: Language = inputs.field("The language that it is in.", required=True)


@strawberry.input(description="A new translation.")
class CreateTranslationInput:
    source: TranslationSourceInput = inputs.field("What is translated.", required=True)
    language: Language = inputs.field("The language to translate into.", required=True)
    instructions: Maybe[JsonObject] = inputs.field(
        f"A document that says how to translate, for translators that read it. {DOCUMENT_SCHEMA}"
    )


@strawberry.input(description="Changes to a translation.")
class UpdateTranslationInput:
    instructions: JsonObject = inputs.field(
        f"A document that says how to translate; one without nodes removes them. {DOCUMENT_SCHEMA}",
        required=True,
    )


@operation(one_statement=True)
async def get_translation(
    ctx: Context,
    id: TranslationId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> Translation:
    """A translation of a space that you may read, into a space that you may read."""
    return await must_in(ctx, Translation, id, organization_id, projection=projection)


async def create_translation(
    ctx: Context, organization_id: OrganizationId, input: CreateTranslationInput
) -> Translation:
    """Translate a space into a new space behind it, and again whenever it changes; needs the role
    `admin` in the organization.

    BAD_REQUEST (400) for a source that cannot be read or is a translation itself, for the language
    of the source, and for one that it is translated into already. PRECONDITION_FAILED (412) where
    the server has no translator.
    """
    await must(ctx, Organization, organization_id, Role.ADMIN)
    must_have_provider(ctx)
    source_language, language = input.source.language, input.language
    if source_language is language:
        raise BadRequest.at("language", f"{language.value!r} is the language of the source")
    document = EMPTY if input.instructions is None else input.instructions.value
    instructions = checked_instructions(document, "instructions")
    source = await _source(ctx, organization_id, input.source.space)
    pair = select(Translation.id).where(
        Translation.source_space_id == source.id, Translation.language == language
    )
    if (await ctx.session.execute(pair)).first() is not None:
        raise BadRequest.at("language", f"the space is translated into {language.value!r} already")
    id = new_id()
    result = await _make_result(ctx, source, id, language)
    row = Translation(
        id=id,
        organization_id=organization_id,
        source_space_id=source.id,
        source_language=source_language,
        language=language,
        result_space_id=result.id,
        instructions=instructions,
        status=TranslationStatus.PENDING,
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    ctx.session.add(row)
    await ctx.session.flush()
    await start(ctx, [row])
    return row


async def _source(ctx: Context, organization_id: str, id: str) -> Space:
    """The space to translate, in its tree, which is locked."""
    try:
        source = await must_for_computing(ctx, organization_id, id)
    except NotFound as error:
        raise BadRequest.at("source.space", f"{id!r} is no space of this organization") from error
    if source.computed_source is not None:
        raise BadRequest.at(
            "source.space", f"{id!r} is a translation itself; translate the space that it is of"
        )
    return source


async def _make_result(ctx: Context, source: Space, id: str, language: Language) -> Space:
    """The space of a translation, without pages yet: seen by whoever sees the source."""
    name = f" ({NAMES[language.value]})"
    title = source.title[: TITLE_LENGTH - len(name)] + name
    return await make_computed_space(ctx, source, title, language, computed_source(id))


def computed_source(id: str) -> dict[str, Any]:
    """The source of the content of a translation's result."""
    reference = {"kind": "translation", "translation": id}
    return {"type": TYPE, "props": {}, "dependencies": {"translation": {"ref": reference}}}


async def update_translation(
    ctx: Context,
    id: TranslationId,
    input: UpdateTranslationInput,
    organization_id: OfOrganization = None,
) -> Translation:
    """Change the instructions of a translation, which then runs anew; needs the role `admin` in
    the organization."""
    row = await must_in(ctx, Translation, id, organization_id, Role.ADMIN, lock=True)
    instructions = checked_instructions(input.instructions, "instructions")
    if instructions != row.instructions:
        row.instructions, row.updated_at = instructions, ctx.now()
        await start(ctx, [row])
    return row


async def run_translation(
    ctx: Context, id: TranslationId, organization_id: OfOrganization = None
) -> Translation:
    """Translate what has changed now; needs the role `admin` in the organization.

    CONFLICT (409) when a run waits or is under way.
    """
    row = await must_in(ctx, Translation, id, organization_id, Role.ADMIN, lock=True)
    must_have_provider(ctx)
    if row.status is not TranslationStatus.COMPLETED:
        raise Conflict(f"a run of this translation is {row.status.value} already")
    await start(ctx, [row])
    return row


async def delete_translation(
    ctx: Context, id: TranslationId, organization_id: OfOrganization = None
) -> Deletion:
    """Delete a translation; needs the role `admin` in the organization. Its space stays, with the
    content that it has, and can be edited from then on."""
    with finding_what_to_delete():
        row = await must_in(ctx, Translation, id, organization_id, Role.ADMIN, lock=True)
    result = await ctx.session.get(Space, row.result_space_id, with_for_update=True)
    if result is not None:
        result.computed_source, result.updated_at = None, ctx.now()
    await ctx.session.delete(row)
    return Deletion(
        deleted_id=row.id, organization_id=row.organization_id, space_id=row.result_space_id
    )


translations_of_organizations = Listing(
    "translations_of_organizations",
    Translation,
    Translation.organization_id,
    by_id(Translation),
    about="Translations of organizations whose source and result you may read, oldest first.",
)

# ------------------------------------------------------------------ fields


@dataclass(frozen=True, slots=True)
class TranslationSource:
    """What is translated."""

    space: str
    language: Language


@computed_from("source_space_id", "source_language")
async def sources(
    ctx: Context, rows: Sequence[Translation], arguments: Any
) -> list[TranslationSource]:
    """What is translated."""
    return [TranslationSource(row.source_space_id, row.source_language) for row in rows]


@dataclass(frozen=True, slots=True)
class TranslationResult:
    """The space of a translation and its content now."""

    space: str
    revision: str


@statement
def _revisions(viewer: Viewer) -> Written:
    return select(Space.id, Space.revision_id).where(among(Space.id, "ids"))


@reads("result_space_id", "source_revision_id")
async def results(
    ctx: Context, rows: Sequence[Translation], arguments: Any
) -> list[TranslationResult | None]:
    """The spaces of translations; None before the first run has ended."""
    ids = {row.result_space_id for row in rows}
    revisions = {row.id: row.revision_id for row in await _revisions.rows(ctx, ids=ids)}
    return [
        None
        if row.source_revision_id is None
        else TranslationResult(row.result_space_id, revisions[row.result_space_id])
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class TranslationStats:
    """What runs have done: words and pages of the source, seconds; and what providers counted."""

    runs: int
    total_words: int
    total_pages: int
    total_duration: int
    latest_run_duration: int
    latest_pages: int
    latest_words: int
    untranslated: int
    total_characters: int
    total_tokens: int


_STATS = tuple(TranslationStats.__dataclass_fields__)


@computed_from(*_STATS)
async def stats(
    ctx: Context, rows: Sequence[Translation], arguments: Any
) -> list[TranslationStats]:
    """What runs have done."""
    return [TranslationStats(*(getattr(row, name) for name in _STATS)) for row in rows]


@dataclass(frozen=True, slots=True)
class TranslationPermissions:
    """What the caller may do with a translation."""

    view: bool
    edit: bool


@reads("organization_id")
async def permissions(
    ctx: Context, rows: Sequence[Translation], arguments: Any
) -> list[TranslationPermissions]:
    """What the caller may do with translations."""
    ranks = await ranks_of(ctx, Translation, rows)
    return [TranslationPermissions(rank > 0, rank >= Role.ADMIN.rank) for rank in ranks]


@computed_from("id", "organization_id")
async def urls(ctx: Context, rows: Sequence[Translation], arguments: Any) -> list[Urls]:
    """Where translations are found."""
    base = ctx.settings.public_url
    return [Urls(f"{base}/v1/orgs/{row.organization_id}/translations/{row.id}") for row in rows]
