"""Translations of spaces, and glossaries."""

import datetime as dt

import strawberry

from db.enums import Language
from db.models import organizations as people, spaces as space_models, translations as models
from db.translation_enums import TranslationStatus
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.scalars import JsonObject, Url
from resolvers.translations import glossary, operations as translations
from schema.node import Node
from schema.types.above import Organization, Space
from schema.wiring import batch, column, related, source_rows


@strawberry.type(description="What is translated.")
class TranslationSource:
    space: strawberry.ID = column("Id of the space.")
    language: Language = column("The language that it is in.")


@strawberry.type(description="What a translation is made into.")
class TranslationResult:
    space: strawberry.ID = column("Id of the space.")
    revision: strawberry.ID = column("Id of its newest revision.")


@strawberry.type(description="What the runs of a translation have done.")
class TranslationStats:
    runs: int = column("How many there were.")
    total_words: int = column("Words of the source that were translated in all.")
    total_pages: int = column("Pages of the source that were translated in all.")
    total_duration: int = column("Seconds that all runs took.")
    latest_run_duration: int = column("Seconds that the newest run took.")
    latest_pages: int = column("Pages that the newest run has translated.")
    latest_words: int = column("Words that the newest run has translated.")
    untranslated: int = column(
        "Texts that the newest run has left as they are, for no answer could be used."
    )
    total_characters: int = column("Characters that were sent to translators.")
    total_tokens: int = column("Tokens that translators have counted.")


@strawberry.type(description="What the caller may do with a translation.")
class TranslationPermissions:
    view: bool = column("Whether it may be seen.")
    edit: bool = column("Whether it may be changed, run and deleted.")


@strawberry.type(description="Where a translation is found.")
class TranslationUrls:
    location: Url = column("The translation in /v1.")


@strawberry.type(description="A space in another language.")
class Translation(Node):
    is_type_of = source_rows(models.Translation)
    status: TranslationStatus = column("How its newest run stands.")
    error: str | None = column("Why the newest run has made nothing; null when it has.")
    source: TranslationSource = batch(translations.sources, "What is translated.")
    language: Language = column("The language that it is translated into.")
    instructions: JsonObject = column(f"How to translate: a document. {DOCUMENT_SCHEMA}")
    result: TranslationResult | None = batch(
        translations.results, "What it is made into; null before the first run has ended."
    )
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it or its result was last changed.")
    stats: TranslationStats = batch(translations.stats, "What its runs have done.")
    permissions: TranslationPermissions = batch(
        translations.permissions, "What the caller may do with it."
    )
    urls: TranslationUrls = batch(translations.urls, "Where it is found.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization that it is of."
    )
    source_space: Space = related(
        space_models.Space, "source_space_id", "The space that is translated."
    )
    result_space: Space = related(
        space_models.Space, "result_space_id", "The space that it is made into."
    )


@strawberry.type(description="A term in one language.")
class GlossaryTerm:
    language: Language = column("The language.")
    term: str = column("The term.")


@strawberry.type(description="Where an entry of a glossary is found.")
class GlossaryEntryUrls:
    location: Url = column("The entry in /v1.")


@strawberry.type(description="A term in several languages.")
class GlossaryEntry(Node):
    is_type_of = source_rows(models.GlossaryEntry)
    translations: JsonObject = column("The term by the code of its language.")
    typed_translations: list[GlossaryTerm] = batch(glossary.entry_terms, "The same with types.")
    created_at: dt.datetime = column("When it was added.")
    updated_at: dt.datetime = column("When it was last changed.")
    urls: GlossaryEntryUrls = batch(glossary.entry_urls, "Where it is found.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization whose glossary it is in."
    )


@strawberry.type(description="The organization whose glossary was changed.")
class GlossaryPayload:
    organization: Organization = column("The organization.")
