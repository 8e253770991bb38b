"""Where visitors of a site get their tokens."""

from typing import Any

from content.links.published_urls import with_parameter
from db.site_enums import PublishingAuthBackend

LOCATION = "location"


def sign_in_address(site: Any, location: str) -> str | None:
    """Where a visitor is sent who wanted to read at this path of the site; None = nowhere.

    Where an integration signs the tokens, it says so itself
    (`resolvers/published/integration_sign_in.py`).
    """
    if site.backend is PublishingAuthBackend.INTEGRATION or not site.fallback_url:
        return None
    return with_parameter(site.fallback_url, LOCATION, location)
