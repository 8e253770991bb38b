"""Descriptions of arguments that many operations share."""

from typing import Annotated

import strawberry

import resolvers.core.enumerations  # noqa: F401 (before any input class)
from resolvers.core import inputs

First = Annotated[int | None, inputs.argument("Number of nodes, 1 to 1000; 50 when absent.")]
After = Annotated[
    str | None, inputs.argument("Cursor of the node to read on behind; absent = from start.")
]
Last = Annotated[
    int | None,
    inputs.argument("Number of nodes up to the end, or to `before`, 1 to 1000; not with `first`."),
]
Before = Annotated[
    str | None,
    inputs.argument(
        "Cursor of the node to read up to; without `first` and `after` the nodes right before it."
    ),
]
InvitationId = Annotated[strawberry.ID, inputs.argument("Id of the invitation.")]
UserId = Annotated[strawberry.ID, inputs.argument("Id of the user.")]
OrganizationId = Annotated[strawberry.ID, inputs.argument("Id of the organization.")]
CollectionId = Annotated[strawberry.ID, inputs.argument("Id of the collection.")]
SpaceId = Annotated[strawberry.ID, inputs.argument("Id of the space.")]
ChangeRequestId = Annotated[
    strawberry.ID, inputs.argument("Id of the change request, or its number in the space.")
]
Expected = Annotated[
    strawberry.ID | None,
    inputs.argument("Id of the newest revision; another one is refused (409)."),
]
CommentId = Annotated[strawberry.ID, inputs.argument("Id of the comment.")]
ReplyId = Annotated[strawberry.ID, inputs.argument("Id of the reply.")]
SiteId = Annotated[strawberry.ID, inputs.argument("Id of the site.")]
ShareLinkId = Annotated[strawberry.ID, inputs.argument("Id of the share link.")]
SiteRedirectId = Annotated[strawberry.ID, inputs.argument("Id of the redirect of the site.")]
SiteSpaceId = Annotated[strawberry.ID, inputs.argument("Id of the site space.")]
SiteSectionId = Annotated[strawberry.ID, inputs.argument("Id of the section.")]
SiteSectionGroupId = Annotated[strawberry.ID, inputs.argument("Id of the section group.")]
RevisionId = Annotated[strawberry.ID, inputs.argument("Id of the revision.")]
PageId = Annotated[strawberry.ID, inputs.argument("Id of the page.")]
FileId = Annotated[strawberry.ID, inputs.argument("Id of the file.")]
ReusableContentId = Annotated[strawberry.ID, inputs.argument("Id of the reusable content.")]
PagePath = Annotated[
    str, inputs.argument("Slugs joined by `/`, whatever their capitals; empty = the landing page.")
]
InOrganization = Annotated[
    strawberry.ID | None, inputs.argument("When given, the site must belong to this organization.")
]
ShareKey = Annotated[
    str | None,
    inputs.argument(
        "Key of an active share link; it only changes the published addresses of the "
        "link's site in the answer."
    ),
]
OfOrganization = Annotated[
    strawberry.ID | None, inputs.argument("When given, it must belong to this organization.")
]
TeamId = Annotated[strawberry.ID, inputs.argument("Id of the team.")]
TokenId = Annotated[strawberry.ID, inputs.argument("Id of the token.")]
ServiceAccountId = Annotated[strawberry.ID, inputs.argument("Id of the service account.")]
JobId = Annotated[strawberry.ID, inputs.argument("Id of the job.")]
OfSite = Annotated[
    strawberry.ID | None, inputs.argument("When given, it must belong to this site.")
]
InSite = Annotated[strawberry.ID | None, inputs.argument("When given, it must stand on this site.")]
