"""Uploads to organizations, their fonts, their instructions for agents, and the server itself."""

from resolvers.core.pagination import PageArguments
from resolvers.customization import fonts
from resolvers.organizations import agent_instructions as instructions, operations as organizations
from resolvers.storage import operations as storage
from resolvers.system import operations as system
from rest_compat.shapes.storage import FONT, INFORMATION, INSTRUCTIONS, UPLOAD
from rest_compat.table import delete, get, page, post, put

FONTS = "/orgs/{organizationId}/fonts"
ONE_FONT = f"{FONTS}/{{fontId}}"
AGENTS = "/orgs/{organizationId}/agent-instructions"

ROUTES = (
    get("/", "getApiInformation", "system", system.get_api_information, INFORMATION),
    post("/orgs/{organizationId}/storage/upload", "generateStorageUploadURL", "storage",
         storage.generate_storage_upload_url, UPLOAD, status=201, bad_request=True),
    page(FONTS, "listCustomFonts", "custom-fonts", organizations.get_organization,
         fonts.fonts_of_organizations, PageArguments, FONT),
    put(FONTS, "createCustomFont", "custom-fonts", fonts.create_custom_font, FONT,
        status=201, location=f"{FONTS}/{{id}}"),
    get(ONE_FONT, "getCustomFont", "custom-fonts", fonts.get_custom_font, FONT),
    post(ONE_FONT, "updateCustomFont", "custom-fonts", fonts.update_custom_font, FONT, status=201),
    delete(ONE_FONT, "deleteCustomFont", "custom-fonts", fonts.delete_custom_font),
    get(AGENTS, "getOrganizationAgentInstructions", "organizations",
        instructions.get_agent_instructions, INSTRUCTIONS),
    put(AGENTS, "updateOrganizationAgentInstructions", "organizations",
        instructions.update_agent_instructions, INSTRUCTIONS),
)  # fmt: skip
