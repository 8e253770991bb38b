"""How visitors of a site are authenticated, and previews of sites."""

import strawberry

from db.models import site_settings
from db.site_enums import PublishingAuthBackend
from resolvers.scalars import Url
from schema.wiring import column, source_rows


@strawberry.type(description="How the visitors of a site are authenticated.")
class SitePublishingAuth:
    is_type_of = source_rows(site_settings.PublishingAuth)
    backend: PublishingAuthBackend = column("Who signs the tokens of visitors.")
    private_key: str = column(
        "The key that signs the tokens of visitors (HS256); whoever has it opens the site."
    )
    fallback_url: Url | None = strawberry.field(
        name="fallbackURL",
        description="Where visitors without a valid token are sent, with `location`, the path "
        "that they wanted to read, in the query.",
    )
    integration: str | None = column(
        "Name of the integration that signs the tokens; null with the backend `custom`."
    )


@strawberry.type(description="A site as a visitor with chosen claims sees it, or a draft on it.")
class SitePreview:
    url: Url = column("Where it is found; valid for an hour.")
