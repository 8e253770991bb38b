"""Host names: labels of organizations and names of sites' own."""

from resolvers.addresses import subdomains
from resolvers.sites import custom_hostnames
from rest_compat.shapes.sites.hostnames import CUSTOM_HOSTNAME, SUBDOMAIN
from rest_compat.table import delete, done, get, put

TAG = "custom-hostnames"
ONE = "/custom-hostnames/{hostname}"

ROUTES = (
    get("/subdomains/{subdomain}", "getSubdomain", "subdomains", subdomains.get_subdomain,
        SUBDOMAIN),
    get(ONE, "getCustomHostname", TAG, custom_hostnames.get_custom_hostname, CUSTOM_HOSTNAME),
    put(ONE, "setCustomHostname", TAG, custom_hostnames.set_custom_hostname, CUSTOM_HOSTNAME),
    done(ONE, "dnsRevalidateCustomHostname", TAG, custom_hostnames.recheck_custom_hostname,
         method="PATCH", status=204),
    delete(ONE, "removeCustomHostname", TAG, custom_hostnames.delete_custom_hostname),
)  # fmt: skip
