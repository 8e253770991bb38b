"""Who can work on docs sites."""

import strawberry

from db.enums import Role
from db.models import organizations
from db.site_enums import PermissionOrigin
from schema.types.organizations import User
from schema.wiring import column, related


@strawberry.type(description="What a person's role on a site comes from.")
class SiteRoleOrigin:
    type: PermissionOrigin = column("The organization, or a space on the site.")
    organization: strawberry.ID | None = column("Id of the organization.")
    space: strawberry.ID | None = column("Id of the space.")


@strawberry.type(description="Who can see a site as a member or guest of its organization.")
class SitePerson:
    role: Role | None = column(
        "The role in the organization; of a guest, the role on the space that is the origin.",
        attribute="permission",
    )
    user: User = related(organizations.User, "user_id", "The person.")
    origin: SiteRoleOrigin = column("What the role comes from.")
