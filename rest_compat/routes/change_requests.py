"""Change requests of spaces and of organizations."""

from db.content_enums import ChangeRequestStatus
from resolvers.change_requests import fields as change_request_lists, operations as change_requests
from resolvers.change_requests.fields import ChangeRequestArguments
from resolvers.organizations import operations as organizations
from resolvers.pdf import operations as pdfs
from resolvers.spaces import operations as spaces
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from rest_compat.shapes.jobs import PDF
from rest_compat.table import get, page, patch, post

TAG = "change-requests"
BASE = "/spaces/{spaceId}/change-requests"
ONE = BASE + "/{changeRequestId}"
OPEN_ONLY = {"status": (ChangeRequestStatus.OPEN,)}

ROUTES = (
    page(BASE, "listChangeRequestsForSpace", TAG, spaces.get_space,
         change_request_lists.change_requests_of_spaces, ChangeRequestArguments, CHANGE_REQUEST,
         unused=("share_key",), defaults=OPEN_ONLY),
    post(BASE, "createChangeRequest", TAG, change_requests.create_change_request, CHANGE_REQUEST,
         status=201, location=BASE + "/{id}"),
    get(ONE, "getChangeRequestById", TAG, change_requests.get_change_request, CHANGE_REQUEST),
    patch(ONE, "updateChangeRequestById", TAG, change_requests.update_change_request,
          CHANGE_REQUEST),
    get(f"{ONE}/pdf", "getChangeRequestPDF", TAG, pdfs.get_change_request_pdf, PDF),
    page("/orgs/{organizationId}/change-requests", "listChangeRequestsForOrganization", TAG,
         organizations.get_organization, change_request_lists.change_requests_of_organizations,
         ChangeRequestArguments, CHANGE_REQUEST, defaults=OPEN_ONLY),
)  # fmt: skip
