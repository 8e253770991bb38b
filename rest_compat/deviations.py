"""Members of answers that the newest known release of the contract requires and /v1 does not have.

docs/compatibility.md lists them for each operation, and the tests with the published client
accept these alone. The release that /v1 follows has no deviations.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deviation:
    """Members that a schema of the contract requires, and why they are absent.

    A member of a member has a dot in its name.
    """

    schema: str
    members: tuple[str, ...]
    reason: str


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "Comment", ("repliers",), "The list of replies names their authors; a count is `replies`."
    ),
    Deviation("ChangeRequestReview", ("urls",), "Reviews have no address of their own in the app."),
    Deviation(
        "SearchSpaceResult", ("score",), "Hits come in their order; the measures of both databases "
        "cannot be compared.",
    ),
    Deviation("SearchPageResult", ("score", "rank"), "As above."),
    Deviation("SearchSectionResult", ("score",), "As above."),
    Deviation(
        "Site", ("permissions", "defaultLevel"),
        "Sites have no roles of their own: those of the organization and the spaces count. "
        "GraphQL has `Site.permissions`.",
    ),
    Deviation("Site", ("appliedType",), "There are no plans, so the type always applies."),
    Deviation(
        "Site", ("urls.preview",), "A preview is signed for an hour, so it is asked for: "
        "`GET …/publishing/preview`.",
    ),
    Deviation("SiteMcpServer", ("transport",), "The transport follows from the address."),
    Deviation("UserSitePermission", ("disabled",), "Disabled people are not listed."),
    Deviation("OrganizationMember", ("sites",), "Sites have no members of their own."),
    Deviation("Organization", ("permissions.access",), "Who sees an organization has access."),
    Deviation("Organization", ("trial.count",), "There are no trials."),
    Deviation(
        "GitSyncState", ("installationId", "installationStatus"),
        "Git is synchronised by the server itself, without an installation.",
    ),
    *(
        Deviation(
            schema, ("urls.publicContentEndpoint",),
            "What scripts answer has no origin at `urls.publicEndpoint` already.",
        )
        for schema in (
            "Integration", "IntegrationInstallation", "IntegrationContentInstallationBase",
        )
    ),
    Deviation("InstalledIntegration", ("target",), "The integration beside it names its target."),
    Deviation(
        "OpenAPISpec", ("lastProcessedErrorCount",), "`lastProcessedErrors` are the first 20."
    ),
    Deviation("OpenAPISpecContent", ("urls",), "The content is in the answer."),
    Deviation("TranslationResult", ("language",), "It is the language of the translation."),
)  # fmt: skip
