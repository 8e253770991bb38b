"""Where visitors of a site get their tokens."""

from typing import Any

from content.links.published_urls import with_parameter
from db.site_enums import PublishingAuthBackend

LOCATION = "location"


def sign_in_address(site: Any, location: str) -> str | None:
    """Where a visitor is sent who wanted to read at this path of the site; None = nowhere.

    A site whose tokens an integration signs has such a place only while that integration is
    installed on it and answers.
    """
    if site.backend is PublishingAuthBackend.INTEGRATION:
        return None
    if not site.fallback_url:
        return None
    return with_parameter(site.fallback_url, LOCATION, location)
