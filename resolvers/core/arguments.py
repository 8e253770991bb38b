"""Descriptions of arguments that many operations share."""

from typing import Annotated

import strawberry

import resolvers.core.enumerations  # noqa: F401 (before any input class)

First = Annotated[
    int | None,
    strawberry.argument(description="Number of nodes, 1 to 1000; 50 when absent."),
]
After = Annotated[
    str | None,
    strawberry.argument(description="Cursor of the node to read on behind; absent = from start."),
]
Last = Annotated[
    int | None,
    strawberry.argument(
        description="Number of nodes up to the end, or to `before`, 1 to 1000; not with `first`."
    ),
]
Before = Annotated[
    str | None,
    strawberry.argument(
        description="Cursor of the node to read up to; without `first` and `after` the nodes right "
        "before it."
    ),
]
UserId = Annotated[strawberry.ID, strawberry.argument(description="Id of the user.")]
OrganizationId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the organization.")
]
CollectionId = Annotated[strawberry.ID, strawberry.argument(description="Id of the collection.")]
SpaceId = Annotated[strawberry.ID, strawberry.argument(description="Id of the space.")]
ChangeRequestId = Annotated[
    strawberry.ID,
    strawberry.argument(description="Id of the change request, or its number in the space."),
]
Expected = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="Id of the newest revision; another one is refused (409)."),
]
CommentId = Annotated[strawberry.ID, strawberry.argument(description="Id of the comment.")]
ReplyId = Annotated[strawberry.ID, strawberry.argument(description="Id of the reply.")]
SiteId = Annotated[strawberry.ID, strawberry.argument(description="Id of the site.")]
ShareLinkId = Annotated[strawberry.ID, strawberry.argument(description="Id of the share link.")]
SiteRedirectId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the redirect of the site.")
]
SiteSpaceId = Annotated[strawberry.ID, strawberry.argument(description="Id of the site space.")]
SiteSectionId = Annotated[strawberry.ID, strawberry.argument(description="Id of the section.")]
SiteSectionGroupId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the section group.")
]
RevisionId = Annotated[strawberry.ID, strawberry.argument(description="Id of the revision.")]
PageId = Annotated[strawberry.ID, strawberry.argument(description="Id of the page.")]
FileId = Annotated[strawberry.ID, strawberry.argument(description="Id of the file.")]
ReusableContentId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the reusable content.")
]
PagePath = Annotated[
    str,
    strawberry.argument(
        description="Slugs joined by `/`, whatever their capitals; empty = the landing page."
    ),
]
InOrganization = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="When given, the site must belong to this organization."),
]
ShareKey = Annotated[
    str | None,
    strawberry.argument(
        description="Key of an active share link; it only changes the published addresses of the "
        "link's site in the answer."
    ),
]
OfOrganization = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="When given, it must belong to this organization."),
]
TeamId = Annotated[strawberry.ID, strawberry.argument(description="Id of the team.")]
TokenId = Annotated[strawberry.ID, strawberry.argument(description="Id of the token.")]
ServiceAccountId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the service account.")
]
OfSite = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="When given, it must belong to this site."),
]
InSite = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="When given, it must stand on this site."),
]
