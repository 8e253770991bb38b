"""Types that stand above those whose fields name them.

GraphQL's types name each other in circles, modules do not: a field whose type is declared in a
module above its own takes it from here, and Strawberry looks it up when the schema is built.
"""

from typing import Any, Generic, Literal, TypeVar, get_args

from strawberry import LazyType

Name = TypeVar("Name")


class Above(Generic[Name]):
    """A type of GraphQL by its module below schema/types and its name."""

    def __class_getitem__(cls, literal: Any) -> Any:
        (path,) = get_args(literal)
        module, _, name = path.rpartition(".")
        return LazyType(name, f"schema.types.{module}")


ChangeRequest = Above[Literal["change_requests.ChangeRequest"]]
Collection = Above[Literal["spaces.Collection"]]
Comment = Above[Literal["comments.Comment"]]
ContentChanges = Above[Literal["content.changes.ContentChanges"]]
Contributor = Above[Literal["reviews.Contributor"]]
Event = Above[Literal["events.Event"]]
File = Above[Literal["content.pages.File"]]
GitInfo = Above[Literal["git.GitInfo"]]
GitOperation = Above[Literal["git.GitOperation"]]
ImportRun = Above[Literal["jobs.ImportRun"]]
Installation = Above[Literal["integrations.Installation"]]
InstalledIntegration = Above[Literal["integrations.InstalledIntegration"]]
Integration = Above[Literal["integrations.Integration"]]
IntegrationEvent = Above[Literal["integrations.IntegrationEvent"]]
SiteInstallation = Above[Literal["integrations.SiteInstallation"]]
SiteIntegrationScript = Above[Literal["integrations.SiteIntegrationScript"]]
SpaceInstallation = Above[Literal["integrations.SpaceInstallation"]]
SpaceIntegrationBlocks = Above[Literal["integrations.SpaceIntegrationBlocks"]]
Invitation = Above[Literal["invitations.Invitation"]]
Job = Above[Literal["jobs.Job"]]
FeedToken = Above[Literal["notifications.FeedToken"]]
MergeConflict = Above[Literal["merging.MergeConflict"]]
Notification = Above[Literal["notifications.Notification"]]
NotificationSettings = Above[Literal["notifications.NotificationSettings"]]
Organization = Above[Literal["organizations.Organization"]]
Page = Above[Literal["content.pages.Page"]]
RequestedReviewer = Above[Literal["reviews.RequestedReviewer"]]
ReusableContent = Above[Literal["content.pages.ReusableContent"]]
Review = Above[Literal["reviews.Review"]]
ServiceAccount = Above[Literal["tokens.ServiceAccount"]]
SamlProvider = Above[Literal["sign_on.SamlProvider"]]
Site = Above[Literal["sites.sites.Site"]]
SiteCustomization = Above[Literal["customization.SiteCustomization"]]
SiteMcpServer = Above[Literal["sites.mcp_servers.SiteMcpServer"]]
SiteSection = Above[Literal["sites.structure.SiteSection"]]
SiteSectionGroup = Above[Literal["sites.structure.SiteSectionGroup"]]
SiteSpace = Above[Literal["sites.sites.SiteSpace"]]
SiteSpaceCustomization = Above[Literal["customization.SiteSpaceCustomization"]]
SiteStructure = Above[Literal["sites.structure.SiteStructure"]]
Space = Above[Literal["spaces.Space"]]
SpaceNotificationLevel = Above[Literal["notifications.SpaceNotificationLevel"]]
Team = Above[Literal["organizations.Team"]]
Token = Above[Literal["tokens.Token"]]
User = Above[Literal["organizations.User"]]
UserSession = Above[Literal["sign_in.UserSession"]]
Specification = Above[Literal["specifications.Specification"]]
SpecificationVersion = Above[Literal["specifications.SpecificationVersion"]]
Translation = Above[Literal["translations.Translation"]]
GlossaryEntry = Above[Literal["translations.GlossaryEntry"]]
CustomFont = Above[Literal["storage.CustomFont"]]
AgentInstructions = Above[Literal["storage.AgentInstructions"]]
Webhook = Above[Literal["webhooks.Webhook"]]
WebhookDelivery = Above[Literal["webhooks.WebhookDelivery"]]
