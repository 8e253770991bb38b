"""Host names in /v1."""

from rest_compat.shape import Reference, nested, shape
from schema.types.sites import hostnames

SUBDOMAIN = shape(
    "Subdomain",
    hostnames.Subdomain,
    "subdomain isActive",
    {"object": "subdomain"},
    target=nested(
        shape(
            "OrganizationPointer",
            hostnames.SubdomainTarget,
            "",
            {"type": "organization"},
            organization=Reference(),
        )
    ),
)
CUSTOM_HOSTNAME = shape(
    "CustomHostname",
    hostnames.CustomHostname,
    "hostname isActive status",
    {"object": "custom-hostname"},
    target=nested(
        shape("HostnameTarget", hostnames.HostnameTarget, "", {"type": "site"}, site=Reference())
    ),
    urls=nested(shape("CustomHostnameUrls", hostnames.CustomHostnameUrls, "location")),
)
