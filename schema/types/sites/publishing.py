"""How visitors of a site are authenticated, and previews of sites."""

import datetime as dt

import strawberry

from db.models import site_settings
from db.site_enums import PublishingAuthBackend
from resolvers.core.scalars import Url
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


@strawberry.type(
    description="The address that is called when a site has changed, and how the last call ended."
)
class SiteRevalidation:
    url: Url | None = column("The address; null while none is called.")
    secret: str | None = column(
        "What calls are signed with; only in the answer to the write that has made it."
    )
    updated_at: dt.datetime | None = column("When the address or the secret was last set.")
    last_attempt_at: dt.datetime | None = column("When it was last called.")
    last_success_at: dt.datetime | None = column("When it last answered with a status of 2xx.")
    last_status: int | None = column("The status of the last answer; null where there was none.")
    last_error: str | None = column("What was wrong with the last call; null after a success.")
    failures: int = column("Calls that failed since the last success, repetitions included.")


@strawberry.type(description="A site as a visitor with chosen claims sees it, or a draft on it.")
class SitePreview:
    url: Url = column("Where it is found; valid for an hour.")
