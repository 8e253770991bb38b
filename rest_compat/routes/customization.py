"""How sites and site spaces look."""

from resolvers.customization import operations as customizations
from rest_compat.routes.sites.sites import ONE as SITE
from rest_compat.shapes.customization import SITE_CUSTOMIZATION, SITE_SPACE_CUSTOMIZATION
from rest_compat.table import delete, get, patch, put

TAG = "site-customization"
OF_SITE = f"{SITE}/customization"
OF_SITE_SPACE = f"{SITE}/site-spaces/{{siteSpaceId}}/customization"
# Settings are never masked: every feature is on for every type of site.
UNMASKED = {"choices": {"unmasked": bool}}

ROUTES = (
    get(OF_SITE, "getSiteCustomizationById", TAG, customizations.get_site_customization,
        SITE_CUSTOMIZATION, **UNMASKED),
    put(OF_SITE, "updateSiteCustomizationById", TAG, customizations.replace_site_customization,
        SITE_CUSTOMIZATION),
    get(OF_SITE_SPACE, "getSiteSpaceCustomizationById", TAG,
        customizations.get_site_space_customization, SITE_SPACE_CUSTOMIZATION, **UNMASKED),
    patch(OF_SITE_SPACE, "overrideSiteSpaceCustomizationById", TAG,
          customizations.override_site_space_customization, SITE_SPACE_CUSTOMIZATION),
    delete(OF_SITE_SPACE, "deleteSiteSpaceCustomizationById", TAG,
           customizations.delete_site_space_customization),
)  # fmt: skip
