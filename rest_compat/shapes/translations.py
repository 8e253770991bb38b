"""Translations and glossaries in /v1."""

from rest_compat.shape import nested, shape
from schema.types import translations

TRANSLATION = shape(
    translations.Translation,
    "id status error? language instructions createdAt updatedAt",
    {"object": "translation"},
    source=shape(translations.TranslationSource, "space language"),
    result=nested(shape(translations.TranslationResult, "space revision"), optional=True),
    stats=shape(
        translations.TranslationStats,
        "runs totalWords totalPages totalDuration latestRunDuration latestPages latestWords "
        "untranslated totalCharacters totalTokens",
    ),
    permissions=shape(translations.TranslationPermissions, "view edit"),
    urls=shape(translations.TranslationUrls, "location"),
)
ENTRY = shape(
    translations.GlossaryEntry,
    "id translations createdAt updatedAt",
    {"object": "glossary-entry"},
    urls=shape(translations.GlossaryEntryUrls, "location"),
)
