"""Host names in /v1."""

from rest_compat.shape import named_shape, reference, shape
from schema.types.sites import hostnames

SUBDOMAIN = shape(
    hostnames.Subdomain,
    "subdomain isActive",
    {"object": "subdomain"},
    target=named_shape(
        "OrganizationPointer",
        hostnames.SubdomainTarget,
        "",
        {"type": "organization"},
        organization=reference(),
    ),
)
CUSTOM_HOSTNAME = shape(
    hostnames.CustomHostname,
    "hostname isActive status",
    {"object": "custom-hostname"},
    target=shape(hostnames.HostnameTarget, "", {"type": "site"}, site=reference()),
    dnsRecords=named_shape("DnsRecord", hostnames.DnsRecord, "type name value"),
    urls=shape(hostnames.CustomHostnameUrls, "location"),
)
