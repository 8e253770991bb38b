"""SAML providers and ways to sign on in /v1."""

from rest_compat.shape import named_shape, nested, renamed, shape
from rest_compat.shapes.organizations import TEAM
from schema.types import sign_on

SAML_PROVIDER = named_shape(
    "OrganizationSAMLProvider",
    sign_on.SamlProvider,
    "id label ssoURL entityID certificate defaultRole createdAt status",
    {"object": "saml-provider"},
    defaultTeam=nested(TEAM, optional=True),
    service=shape(sign_on.SamlService, "acsURL startURL entityID"),
    urls=shape(sign_on.SamlProviderUrls, "location"),
)

SIGN_ON_OPTIONS = shape(
    sign_on.SignOnOptions,
    "",
    items=named_shape(
        "OrganizationSSOProviderLogin",
        sign_on.SignOnOption,
        "label startURL",
        id=renamed("providerId"),
    ),
)
