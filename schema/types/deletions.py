"""What deletes and withdrawals answer with."""

import strawberry

from db.models import discussions, people, sites, spaces
from resolvers.batches import by_key, visible_by_key
from schema.types.discussions import ChangeRequest, Comment
from schema.types.people import Organization
from schema.types.site_structure import SiteSectionGroup
from schema.types.sites import Site, SiteSpace
from schema.types.spaces import Collection, Space
from schema.wiring import batch, column

ORGANIZATION = by_key(people.Organization, "organization_id", required=True)
SITE = by_key(sites.Site, "site_id", required=True)


@strawberry.type(description="A collection was deleted.")
class DeleteCollectionPayload:
    deleted_id: strawberry.ID = column("Id of the collection.")
    organization: Organization = batch(ORGANIZATION, "The organization that it was in.")
    parent: Collection | None = batch(
        visible_by_key(spaces.Collection, "parent_id"),
        "The collection that it was in, and that holds now what it held; null at the top level, or "
        "if the caller may not see that one.",
    )


@strawberry.type(description="A space was put into the bin.")
class DeleteSpacePayload:
    deleted_id: strawberry.ID = column("Id of the space.")
    organization: Organization = batch(ORGANIZATION, "The organization that owns it.")
    parent: Collection | None = batch(
        visible_by_key(spaces.Collection, "parent_id"),
        "The collection that it was in; null at the top level, or if the caller may not see that "
        "one.",
    )


@strawberry.type(description="A site was deleted.")
class DeleteSitePayload:
    deleted_id: strawberry.ID = column("Id of the site.")
    organization: Organization = batch(ORGANIZATION, "The organization that owned it.")


@strawberry.type(description="A custom host name was given up.")
class DeleteCustomHostnamePayload:
    hostname: str = column("The name.", attribute="deleted_id")
    site: Site = batch(SITE, "The site that it was claimed for.")


@strawberry.type(description="A space was taken off a site.")
class DeleteSiteSpacePayload:
    deleted_id: strawberry.ID = column("Id of the site space.")
    site: Site = batch(SITE, "The site that it was on.")
    space: Space | None = batch(
        visible_by_key(spaces.Space, "space_id"),
        "The space, which stays; null if it is in the bin, or the caller may not see it.",
    )


@strawberry.type(description="A section was deleted.")
class DeleteSiteSectionPayload:
    deleted_id: strawberry.ID = column("Id of the section.")
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="A group of sections was deleted.")
class DeleteSiteSectionGroupPayload:
    deleted_id: strawberry.ID = column("Id of the group.")
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="A section was moved out of a group.")
class RemoveSectionFromGroupPayload:
    section_id: strawberry.ID = column("Id of the section.", attribute="deleted_id")
    group: SiteSectionGroup = batch(
        by_key(sites.SiteSectionGroup, "group_id"), "The group that it was in."
    )


@strawberry.type(description="A site space has no settings of its own any more.")
class DeleteSiteSpaceCustomizationPayload:
    site_space: SiteSpace = batch(
        by_key(sites.SiteSpace, "site_space_id"), "The site space, which looks like its site now."
    )


@strawberry.type(description="An MCP server was removed from a site.")
class DeleteSiteMcpServerPayload:
    deleted_id: strawberry.ID = column("Id of the server.")
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="A share link was deleted.")
class DeleteShareLinkPayload:
    deleted_id: strawberry.ID = column("Id of the share link.")
    site: Site = batch(SITE, "The site that it led to.")


@strawberry.type(description="A redirect of a site was deleted.")
class DeleteSiteRedirectPayload:
    deleted_id: strawberry.ID = column("Id of the redirect.")
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="Somebody is not asked for a review any more.")
class WithdrawReviewRequestPayload:
    user_id: strawberry.ID = column("Id of the person.", attribute="deleted_id")
    change_request: ChangeRequest = batch(
        by_key(discussions.ChangeRequest, "change_request_id"), "The change request."
    )


@strawberry.type(description="A comment was deleted with its replies.")
class DeleteCommentPayload:
    deleted_id: strawberry.ID = column("Id of the comment.")
    space: Space = batch(by_key(spaces.Space, "space_id"), "The space that it belonged to.")
    change_request: ChangeRequest | None = batch(
        by_key(discussions.ChangeRequest, "change_request_id"),
        "The change request that it was on; null when it was on the space itself.",
    )


@strawberry.type(description="A reply was deleted.")
class DeleteCommentReplyPayload:
    deleted_id: strawberry.ID = column("Id of the reply.")
    comment: Comment = batch(
        by_key(discussions.Comment, "comment_id"), "The comment that it replied to."
    )
