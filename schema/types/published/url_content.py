"""What addresses lead to: content of this server, and embedded pages of others."""

import strawberry

from db.site_enums import EmbedType
from resolvers.core.scalars import Url
from schema.types.change_requests import ChangeRequest
from schema.types.content.pages import Page
from schema.types.spaces import Collection, Space
from schema.wiring import column


@strawberry.type(
    description="What an address leads to: a collection; or a space, perhaps with more of it."
)
class ContentAtUrl:
    collection: Collection | None = column("The collection.")
    space: Space | None = column("The space; null when it is a collection.")
    change_request: ChangeRequest | None = column("The change request whose content is looked at.")
    page: Page | None = column("The page; null for the space as a whole.")


@strawberry.type(description="An address as it is shown where it is embedded.")
class Embed:
    type: EmbedType = column("A link, or the player of a known service.")
    title: str = column("Title of the page, or the name of its host.")
    site: str = column("Name of the site, or of its host.")
    icon: Url | None = column("Its icon.")
    html: str | None = column("Markup of the player, a frame in a sandbox; null for links.")
