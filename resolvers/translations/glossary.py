"""The glossary of an organization: terms in several languages, which translations keep to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import delete, func, select

from db.base import Base
from db.enums import Language, Role
from db.ids import new_id
from db.models.organizations import Organization
from db.models.translations import GlossaryEntry, Translation
from db.translation_enums import GlossaryOperationType as Type
from resolvers.access.policy import must, must_in
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import BadRequest
from resolvers.core.pagination import by_id
from resolvers.core.scalars import JsonObject
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from
from resolvers.lists.listings import Listing
from resolvers.translations.starting import start

# Entries of an organization; each is looked for in every text.
MOST_ENTRIES, TERM_LENGTH = 2_000, 255
GlossaryEntryId = Annotated[strawberry.ID, inputs.argument("Id of the entry.")]
_LANGUAGES = {language.value for language in Language}


@strawberry.input(description="Something to do with one entry.")
class GlossaryOperationInput:
    type: Type = inputs.field("What is done.", required=True)
    id: strawberry.ID | None = inputs.field("Id of the entry, to update or delete it.")
    translations: JsonObject | None = inputs.field(
        "The term by language, to insert or update an entry: at least one, each on one line of at "
        "most 255 characters. Together they replace those of before."
    )


@strawberry.input(description="Changes to a glossary; all of them are made, or none.")
class UpdateGlossaryInput:
    operations: list[GlossaryOperationInput] = inputs.items(
        "What to do, in order.", min=1, required=True
    )


@dataclass(frozen=True, slots=True)
class GlossaryChange:
    """The organization whose glossary was changed."""

    organization: Organization

    @property
    def audited(self) -> Base:
        """What the audit log names."""
        return self.organization


@operation(one_statement=True)
async def get_glossary_entry(
    ctx: Context,
    id: GlossaryEntryId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> GlossaryEntry:
    """A term of an organization that you are a member of."""
    return await must_in(ctx, GlossaryEntry, id, organization_id, projection=projection)


async def update_glossary_entries(
    ctx: Context, organization_id: OrganizationId, input: UpdateGlossaryInput
) -> GlossaryChange:
    """Add, change and remove terms; needs the role `admin` in the organization.

    Translations that have both languages of a changed term run again. BAD_REQUEST (400) names the
    operation that cannot be done; nothing is done then.
    """
    organization = await must(ctx, Organization, organization_id, Role.ADMIN, lock=True)
    ids = {change.id for change in input.operations if change.id is not None}
    rows = select(GlossaryEntry).where(
        GlossaryEntry.organization_id == organization_id, GlossaryEntry.id.in_(ids)
    )
    entries = {row.id: row for row in (await ctx.session.execute(rows)).scalars()}
    changed: list[Mapping[str, str]] = []
    for index, change in enumerate(input.operations):
        changed += await _apply(ctx, organization_id, entries, change, f"operations[{index}]")
    await ctx.session.flush()
    count = select(func.count()).where(GlossaryEntry.organization_id == organization_id)
    if (await ctx.session.execute(count)).scalar_one() > MOST_ENTRIES:
        raise BadRequest.at("operations", f"a glossary has {MOST_ENTRIES} entries at most")
    await _run_again(ctx, organization_id, changed)
    return GlossaryChange(organization)


async def _apply(
    ctx: Context,
    organization_id: str,
    entries: dict[str, GlossaryEntry],
    change: GlossaryOperationInput,
    where: str,
) -> list[Mapping[str, str]]:
    """Do one operation; the terms before and after it."""
    terms: dict[str, str] = {}
    if change.type is Type.DELETE:
        if change.translations is not None:
            raise BadRequest.at(f"{where}.translations", "is not for the type 'delete'")
    else:
        terms = _terms(change.translations, f"{where}.translations")
    if change.type is Type.INSERT:
        if change.id is not None:
            raise BadRequest.at(f"{where}.id", "is not for the type 'insert'")
        row = GlossaryEntry(
            id=new_id(),
            organization_id=organization_id,
            translations=terms,
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
        ctx.session.add(row)
        return [terms]
    entry = entries.get(change.id or "")
    if entry is None:
        raise BadRequest.at(f"{where}.id", f"{change.id!r} is no entry of this glossary")
    before = dict(entry.translations)
    if change.type is Type.DELETE:
        del entries[entry.id]
        await ctx.session.execute(delete(GlossaryEntry).where(GlossaryEntry.id == entry.id))
        return [before]
    if terms == before:
        return []
    entry.translations, entry.updated_at = terms, ctx.now()
    return [before, terms]


def _terms(value: Mapping[str, Any] | None, where: str) -> dict[str, str]:
    """Terms by language as they are stored; BadRequest names what is wrong."""
    if not value:
        raise BadRequest.at(where, "is required: a term by language, such as {'en': 'page'}")
    for language, term in value.items():
        if language not in _LANGUAGES:
            raise BadRequest.at(
                where, f"{language[:20]!r} is no language; use {', '.join(sorted(_LANGUAGES))}"
            )
        if not isinstance(term, str) or not 0 < len(term) <= TERM_LENGTH or not term.strip():
            raise BadRequest.at(
                f"{where}.{language}", f"must be text of 1 to {TERM_LENGTH} characters"
            )
        if any(end in term for end in "\r\n"):
            raise BadRequest.at(f"{where}.{language}", "must be on one line")
    return {language: value[language] for language in sorted(value)}


async def _run_again(
    ctx: Context, organization_id: str, changed: Sequence[Mapping[str, str]]
) -> None:
    """Begin runs of the translations that a change of terms concerns."""
    if not changed:
        return
    rows = select(Translation).where(Translation.organization_id == organization_id)
    translations = (await ctx.session.execute(rows)).scalars()
    await start(
        ctx,
        [
            row
            for row in translations
            if any(
                {row.source_language.value, row.language.value} <= terms.keys() for terms in changed
            )
        ],
    )


entries_of_organizations = Listing(
    "entries_of_organizations",
    GlossaryEntry,
    GlossaryEntry.organization_id,
    by_id(GlossaryEntry),
    about="Glossaries of organizations, oldest entries first.",
)


@computed_from("id", "organization_id")
async def entry_urls(ctx: Context, rows: Sequence[GlossaryEntry], arguments: Any) -> list[Urls]:
    """Where entries are found."""
    base = ctx.settings.public_url
    return [
        Urls(f"{base}/v1/orgs/{row.organization_id}/translations-glossary/{row.id}") for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Term:
    """A term in one language."""

    language: Language
    term: str


@computed_from("translations")
async def entry_terms(
    ctx: Context, rows: Sequence[GlossaryEntry], arguments: Any
) -> list[list[Term]]:
    """The terms of entries, by the code of their language."""
    return [
        [Term(Language(name), term) for name, term in sorted(row.translations.items())]
        for row in rows
    ]
