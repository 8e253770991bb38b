"""Host names: labels of organizations and names of sites' own."""

import strawberry

from db.models import organizations, site_settings, sites
from db.site_enums import CustomHostnameStatus
from resolvers.core.scalars import Url
from resolvers.sites import custom_hostnames
from schema.types.above import Site
from schema.types.organizations import Organization
from schema.wiring import batch, column, itself, related, source_rows


@strawberry.type(description="What a label stands for.")
class SubdomainTarget:
    organization: Organization = related(
        organizations.Organization, "organization_id", "The organization."
    )


@strawberry.type(description="A label below the public host.")
class Subdomain:
    subdomain: str = column("The label.")
    target: SubdomainTarget = itself("Whose it is.")
    is_active: bool = column("Whether this server can be reached by such labels.")


@strawberry.type(description="What a custom host name leads to.")
class HostnameTarget:
    site: Site = related(sites.Site, "site_id", "The site.")


@strawberry.type(description="Addresses of a custom host name.")
class CustomHostnameUrls:
    location: Url = column("The host name in /v1.")


@strawberry.type(description="A record that the owner of a domain sets in DNS.")
class DnsRecord:
    type: str = column("Its type: `CNAME`.")
    name: str = column("The name that it is set for.")
    value: str = column("What it says: the host that the name leads to.")


@strawberry.type(description="A host name of the owner's for a site.")
class CustomHostname:
    is_type_of = source_rows(site_settings.CustomHostname)
    hostname: str = column("The name.")
    target: HostnameTarget = itself("What it leads to.")
    is_active: bool = batch(custom_hostnames.are_active, "Whether the site is served under it now.")
    status: CustomHostnameStatus = column("What the last check found.")
    dns_records: list[DnsRecord] = batch(
        custom_hostnames.dns_records,
        "What DNS needs, so that the name leads here; nothing else is asked as a proof.",
    )
    urls: CustomHostnameUrls = batch(custom_hostnames.custom_hostname_urls, "Its addresses.")
