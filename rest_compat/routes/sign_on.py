"""Single sign-on: SAML providers of organizations, and the ways to sign on."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import operations as organizations
from resolvers.sign_on import providers
from rest_compat.shapes.sign_on import SAML_PROVIDER, SIGN_ON_OPTIONS
from rest_compat.table import delete, get, page, patch, post

TAG = "sso"
PROVIDERS = "/orgs/{organizationId}/saml"
ONE = f"{PROVIDERS}/{{samlProviderId}}"

ROUTES = (
    page(PROVIDERS, "listSAMLProvidersInOrganizationById", TAG,
         organizations.get_organization, providers.saml_providers_of_organizations,
         PageArguments, SAML_PROVIDER),
    post(PROVIDERS, "createOrganizationSAMLProvider", TAG, providers.create_saml_provider,
         SAML_PROVIDER, status=201, location=f"{PROVIDERS}/{{id}}",
         warns=providers.expired_certificate),
    get(ONE, "getOrganizationSAMLProviderById", TAG, providers.get_saml_provider, SAML_PROVIDER),
    patch(ONE, "updateOrganizationSAMLProvider", TAG, providers.update_saml_provider,
          SAML_PROVIDER, warns=providers.expired_certificate),
    delete(ONE, "deleteOrganizationSAMLProvider", TAG, providers.delete_saml_provider),
    get("/orgs/{organizationId}/sso", "listSSOProviderLoginsInOrganization", TAG,
        providers.get_sign_on_options, SIGN_ON_OPTIONS),
)  # fmt: skip
