"""What deletes and withdrawals answer with."""

from typing import Any

import strawberry

from db.models import change_requests, comments, organizations, sites, spaces
from resolvers.core.deletions import Deletion
from resolvers.lists.batches import by_key, visible_by_key
from resolvers.writing.edits import ContentDeletion, deleted_ids
from schema.types.change_requests import ChangeRequest
from schema.types.comments import Comment
from schema.types.organizations import Organization, Team
from schema.types.sites.sites import Site, SiteSpace
from schema.types.sites.structure import SiteSectionGroup
from schema.types.spaces import Collection, Space
from schema.types.writing import WrittenContent
from schema.wiring import batch, column

ORGANIZATION = by_key(organizations.Organization, "organization_id", required=True)
TEAM = by_key(organizations.Team, "team_id", required=True)
SITE = by_key(sites.Site, "site_id", required=True)
SPACE = by_key(spaces.Space, "space_id", required=True)
COLLECTION = by_key(spaces.Collection, "collection_id", required=True)


@strawberry.interface(description="What the delete of an object that had an `id` answers.")
class DeletePayload:
    deleted_id: strawberry.ID = column("The `id` that the object had.")

    @staticmethod
    def is_type_of(value: Any, info: Any) -> bool:
        """Every mutation has a payload of its own, which is the only type of its value."""
        return isinstance(value, Deletion | ContentDeletion)


@strawberry.type(description="A person was taken out of an organization; what they made stays.")
class RemoveMemberPayload:
    user_id: strawberry.ID = column("Id of the person.", attribute="deleted_id")
    organization: Organization = batch(ORGANIZATION, "The organization.")


@strawberry.type(description="A service account was deleted; what it made stays.")
class DeleteServiceAccountPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it belonged to.")


@strawberry.type(description="An invitation was withdrawn; who has accepted it stays.")
class DeleteInvitationPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was to.")


@strawberry.type(description="A team was deleted; its people stay in the organization.")
class DeleteTeamPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was in.")


@strawberry.type(description="A space is not synchronised by itself any more.")
class DeleteGitConfigurationPayload:
    space_id: strawberry.ID = column("Id of the space.", attribute="deleted_id")
    space: Space = batch(SPACE, "The space that it was of.")


@strawberry.type(description="What was known of a repository is forgotten.")
class DeleteLegacyGitInstallationPayload:
    space_id: strawberry.ID = column("Id of the space.", attribute="deleted_id")
    space: Space = batch(SPACE, "The space that it was of.")


@strawberry.type(description="An OpenAPI specification was deleted, with its versions.")
class DeleteSpecificationPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was of.")


@strawberry.type(description="An integration was removed and uninstalled everywhere.")
class DeleteIntegrationPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that published it.")


@strawberry.type(description="An integration was uninstalled, or an entry of it was removed.")
class DeleteInstallationPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization.")


@strawberry.type(description="A font was deleted.")
class DeleteCustomFontPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was of.")


@strawberry.type(description="A translation was deleted; its space stays.")
class DeleteTranslationPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was of.")
    space: Space = batch(SPACE, "The space that it was made into.")


@strawberry.type(description="A webhook was deleted, with the log of its deliveries.")
class DeleteWebhookPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was of.")


@strawberry.type(description="A person was taken out of a team.")
class RemoveTeamMemberPayload:
    user_id: strawberry.ID = column("Id of the person.", attribute="deleted_id")
    team: Team = batch(TEAM, "The team.")


@strawberry.type(description="A SAML provider was removed; the people stay in the organization.")
class DeleteSamlProviderPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was of.")


@strawberry.type(description="A collection was deleted.")
class DeleteCollectionPayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that it was in.")
    parent: Collection | None = batch(
        visible_by_key(spaces.Collection, "parent_id"),
        "The collection that it was in, and that holds now what it held; null at the top level, or "
        "if the caller may not see that one.",
    )


@strawberry.type(description="A space was put into the bin.")
class DeleteSpacePayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that owns it.")
    parent: Collection | None = batch(
        visible_by_key(spaces.Collection, "parent_id"),
        "The collection that it was in; null at the top level, or if the caller may not see that "
        "one.",
    )


@strawberry.type(description="What a person was given on a space was taken back.")
class RemoveUserFromSpacePayload:
    user_id: strawberry.ID = column("Id of the person.", attribute="deleted_id")
    space: Space = batch(SPACE, "The space.")


@strawberry.type(description="What a team was given on a space was taken back.")
class RemoveTeamFromSpacePayload:
    team_id: strawberry.ID = column("Id of the team.", attribute="deleted_id")
    space: Space = batch(SPACE, "The space.")


@strawberry.type(description="What a person was given on a collection was taken back.")
class RemoveUserFromCollectionPayload:
    user_id: strawberry.ID = column("Id of the person.", attribute="deleted_id")
    collection: Collection = batch(COLLECTION, "The collection.")


@strawberry.type(description="What a team was given on a collection was taken back.")
class RemoveTeamFromCollectionPayload:
    team_id: strawberry.ID = column("Id of the team.", attribute="deleted_id")
    collection: Collection = batch(COLLECTION, "The collection.")


@strawberry.type(description="A site was deleted.")
class DeleteSitePayload(DeletePayload):
    organization: Organization = batch(ORGANIZATION, "The organization that owned it.")


@strawberry.type(description="A custom host name was given up.")
class DeleteCustomHostnamePayload:
    hostname: str = column("The name.", attribute="deleted_id")
    site: Site = batch(SITE, "The site that it was claimed for.")


@strawberry.type(description="A space was taken off a site.")
class DeleteSiteSpacePayload(DeletePayload):
    site: Site = batch(SITE, "The site that it was on.")
    space: Space | None = batch(
        visible_by_key(spaces.Space, "space_id"),
        "The space, which stays; null if it is in the bin, or the caller may not see it.",
    )


@strawberry.type(description="A section was deleted.")
class DeleteSiteSectionPayload(DeletePayload):
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="A group of sections was deleted.")
class DeleteSiteSectionGroupPayload(DeletePayload):
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="A section was moved out of a group.")
class RemoveSectionFromGroupPayload:
    section_id: strawberry.ID = column("Id of the section.", attribute="deleted_id")
    group: SiteSectionGroup = batch(
        by_key(sites.SiteSectionGroup, "group_id"), "The group that it was in."
    )


@strawberry.type(description="A site space has no settings of its own any more.")
class DeleteSiteSpaceCustomizationPayload:
    site_space_id: strawberry.ID = column("Id of the site space.", attribute="deleted_id")
    site_space: SiteSpace = batch(
        by_key(sites.SiteSpace, "site_space_id"), "The site space, which looks like its site now."
    )


@strawberry.type(description="An MCP server was removed from a site.")
class DeleteSiteMcpServerPayload(DeletePayload):
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="A share link was deleted.")
class DeleteShareLinkPayload(DeletePayload):
    site: Site = batch(SITE, "The site that it led to.")


@strawberry.type(description="A redirect of a site was deleted.")
class DeleteSiteRedirectPayload(DeletePayload):
    site: Site = batch(SITE, "The site that it was on.")


@strawberry.type(description="Somebody is not asked for a review any more.")
class WithdrawReviewRequestPayload:
    user_id: strawberry.ID = column("Id of the person.", attribute="deleted_id")
    change_request: ChangeRequest = batch(
        by_key(change_requests.ChangeRequest, "change_request_id"), "The change request."
    )


@strawberry.type(description="A comment was deleted with its replies.")
class DeleteCommentPayload(DeletePayload):
    space: Space = batch(SPACE, "The space that it belonged to.")
    change_request: ChangeRequest | None = batch(
        by_key(change_requests.ChangeRequest, "change_request_id"),
        "The change request that it was on; null when it was on the space itself.",
    )


@strawberry.type(description="A reply was deleted.")
class DeleteCommentReplyPayload(DeletePayload):
    comment: Comment = batch(
        by_key(comments.Comment, "comment_id"), "The comment that it replied to."
    )


@strawberry.type(description="A page was deleted with everything below it.")
class DeletePagePayload(DeletePayload, WrittenContent):
    deleted_id: strawberry.ID = batch(deleted_ids, "The `id` that the page had in this content.")
    page_id: strawberry.ID = column("The stable id of the page.", attribute="deleted")
    space: Space = batch(SPACE, "The space that it was in.")


@strawberry.type(description="A file was deleted; links to it stay and are broken.")
class DeleteFilePayload(DeletePayload, WrittenContent):
    deleted_id: strawberry.ID = batch(deleted_ids, "The `id` that the file had in this content.")
    file_id: strawberry.ID = column("The stable id of the file.", attribute="deleted")
    space: Space = batch(SPACE, "The space that it was in.")


@strawberry.type(description="A reusable content was deleted; includes of it stay and are broken.")
class DeleteReusableContentPayload(DeletePayload, WrittenContent):
    deleted_id: strawberry.ID = batch(
        deleted_ids, "The `id` that the reusable content had in this content."
    )
    reusable_content_id: strawberry.ID = column("Its stable id.", attribute="deleted")
    space: Space = batch(SPACE, "The space that it was in.")


@strawberry.type(description="A redirect of content was removed.")
class DeleteRedirectPayload(WrittenContent):
    path: str = column(
        "The old path that it led on from, as paths are compared: in small letters.",
        attribute="deleted",
    )
    space: Space = batch(SPACE, "The space that it was in.")
