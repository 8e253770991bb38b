"""Translations and glossaries."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import operations as organizations
from resolvers.translations import glossary, operations as translations
from rest_compat.shapes.translations import ENTRY, TRANSLATION
from rest_compat.table import delete, done, get, page, post, put

ALL = "/orgs/{organizationId}/translations"
ONE = f"{ALL}/{{translationId}}"
GLOSSARY = "/orgs/{organizationId}/translations-glossary"

ROUTES = (
    page(ALL, "listTranslations", "translations", organizations.get_organization,
         translations.translations_of_organizations, PageArguments, TRANSLATION),
    post(ALL, "createTranslation", "translations", translations.create_translation, TRANSLATION,
         status=201, location=f"{ALL}/{{id}}", bad_request=True),
    get(ONE, "getTranslation", "translations", translations.get_translation, TRANSLATION),
    put(ONE, "updateTranslation", "translations", translations.update_translation, TRANSLATION,
        bad_request=True),
    delete(ONE, "deleteTranslation", "translations", translations.delete_translation),
    done(f"{ONE}/run", "runTranslation", "translations", translations.run_translation, status=204),
    page(GLOSSARY, "listGlossaryEntries", "glossary", organizations.get_organization,
         glossary.entries_of_organizations, PageArguments, ENTRY),
    done(GLOSSARY, "updateGlossaryEntries", "glossary", glossary.update_glossary_entries,
         method="PUT", status=204, bad_request=True),
    get(f"{GLOSSARY}/{{glossaryEntryId}}", "getGlossaryEntry", "glossary",
        glossary.get_glossary_entry, ENTRY),
)  # fmt: skip
