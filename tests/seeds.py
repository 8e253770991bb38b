"""Content of every kind in one organization, for tests that go over all operations."""

import datetime as dt
from dataclasses import dataclass, field, replace
from typing import Any

import orjson
from sqlalchemy import select

from content.hashing import content_id
from content.markdown.parser import parse_document
from content.merge.conflict import ConflictKind, make_conflict
from content.ordering import spread
from db.base import utc_now
from db.content_enums import ConflictResolution, PageType
from db.enums import EditMode, Role
from db.event_enums import EventAudience
from db.ids import random_text
from db.job_enums import JobState
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.content import Revision
from db.models.reviews import Review
from db.models.site_settings import CustomHostname, PublishingAuth, SiteRevalidation
from db.models.sites import Site, SiteSpace
from db.models.spaces import Collection, Space
from db.models.storage import AgentInstructions
from db.notification_enums import NotificationKind
from db.session import Session
from resolvers.content.computed_revisions import ComputedRevision
from resolvers.content.documents import DocumentRow
from resolvers.core.context import Context
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes, write_revision
from resolvers.search.index import index_revision
from rest_compat.endpoint import plan_of
from rest_compat.table import Row
from tests import factories
from tests.conftest import World, context
from tests.lz_string import compress

OPENAPI = {"type": "builtin:openapi", "props": {"models": True},
           "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "api"}}}}  # fmt: skip
MARKDOWN = """Hello **world**, [out](https://example.com), [gone](missing.md).

* [home](home.md)
* ![picture](a.png)
"""
INSTRUCTIONS: dict[str, Any] = {"object": "document", "data": {"schemaVersion": 1}, "nodes": []}
REFERENCES: dict[str, Any] = {
    "home.md": {"kind": "page", "page": "home"},
    "a.png": {"kind": "file", "file": "apng"},
}


@dataclass
class Seed:
    """What was made; `known` has ids by the names of path parameters in /v1."""

    collection: Collection
    space: Space
    hidden: Space
    revision: Revision
    change_request: ChangeRequest
    comment: Comment
    review: Review
    reply: Comment
    site: Site
    site_space: SiteSpace
    known: dict[str, list[str]] = field(default_factory=dict)


def linking(*references: dict[str, Any]) -> dict[str, Any]:
    """A document with these links, each of words that are searched for."""
    leaf = {"object": "leaf", "text": "Hello world", "marks": []}
    links = [
        {"object": "inline", "type": "link", "data": {"ref": reference},
         "nodes": [{"object": "text", "leaves": [leaf]}]}
        for reference in references
    ]  # fmt: skip
    paragraph = {"object": "block", "type": "paragraph", "data": {}, "nodes": links}
    return {"object": "document", "data": {}, "nodes": [paragraph]}


def sample_changes(space_id: str) -> Changes:
    """A small tree of every type of page, two files and a reusable content."""
    changes = Changes(variables={"version": "1.0", "beta": True})
    body = changes.add_document(
        MARKDOWN, parse_document(MARKDOWN, seed="a", resolve=REFERENCES.get)
    )
    first, second, third = spread(3)

    def page(id: str, type: PageType, parent: str | None, order: str, **more: Any) -> None:
        changes.pages[id] = Page(
            space_id=space_id, revision_id="", id=id, type=type, title=id.title(),
            parent_id=parent, order=order, **more,
        )  # fmt: skip

    page("home", PageType.DOCUMENT, None, first, slug="home", document_id=body, emoji="1f4d8",
         description="Start", git={"oid": "a" * 40, "path": "README.md"})  # fmt: skip
    page("child", PageType.DOCUMENT, "home", first, slug="child", document_id=body,
         cover={"ref": {"kind": "url", "url": "https://example.com/a.png"}, "yPos": 1},
         variables={"x": 1}, hidden=True, condition="true")  # fmt: skip
    page("deep", PageType.DOCUMENT, "child", first, slug="deep")
    page("group", PageType.GROUP, None, second, slug="group")
    page("link", PageType.LINK, "group", first, target={"kind": "url", "url": "https://a.example"})
    page("computed", PageType.COMPUTED, None, third,
         computed=OPENAPI)  # fmt: skip
    for name, size in (("a.png", 10), ("b.pdf", None)):
        changes.files[name.replace(".", "")] = File(
            space_id=space_id, revision_id="", id=name.replace(".", ""), name=name,
            content_type="image/png", size=3, sha256=content_id(name.encode()), width=size,
            height=size,
        )  # fmt: skip
    changes.contents["notice"] = ReusableContent(
        space_id=space_id, revision_id="", id="notice", title="Notice", document_id=body
    )
    return changes


def sample_edits(space_id: str) -> Changes:
    """Edits of every kind on top of `sample_changes`."""
    before = sample_changes(space_id)
    changes = Changes(variables={"version": "2.0", "name": "Docs"})
    text = 'Version <code class="expression">space.vars.version</code>.\n'
    body = changes.add_document(text, parse_document(text, seed="b"))
    edits: dict[str, dict[str, Any]] = {
        "home": {"title": "Start", "slug": "start", "document_id": body, "hidden": True,
                 "layout": {"width": "wide"}, "no_index": True},
        "deep": {"parent_id": "group"},
        "link": {"target": {"kind": "url", "url": "https://b.example"}},
        "group": {"title": "Chapter", "emoji": "1f600"},
    }  # fmt: skip
    for id, values in edits.items():
        old = before.pages[id]
        assert old is not None
        changes.before[id], changes.pages[id] = old, replace(old, **values)
    removed = before.pages["computed"]
    assert removed is not None
    changes.before["computed"], changes.pages["computed"] = removed, None
    changes.pages["new"] = Page(
        space_id=space_id, revision_id="", id="new", type=PageType.DOCUMENT, title="New",
        parent_id=None, order=spread(4)[3], slug="new",
    )  # fmt: skip
    image, notice = before.files["apng"], before.contents["notice"]
    assert image is not None
    assert notice is not None
    changes.files["apng"] = replace(image, name="c.png", size=4, width=None, height=None)
    changes.files["bpdf"] = None
    changes.contents["notice"] = replace(notice, title="Warning", document_id=body)
    changes.contents["second"] = ReusableContent(
        space_id=space_id, revision_id="", id="second", title="Second", document_id=body
    )
    return changes


COLOR = {"light": "#abc", "dark": "#aabbcc80"}
PICTURE = {"light": "https://example.com/l.png", "dark": "https://example.com/d.png"}
PAGE_LINK = {"title": "Home", "to": {"kind": "page", "page": "home"}}
FONT = {
    "id": "own",
    "custom": True,
    "fontFamily": "Own",
    "fontFaces": [
        {"weight": 400, "sources": [{"url": "https://example.com/f.woff2", "format": "woff2"}]}
    ],
}
# Settings of a site with something of every kind.
LOOK: dict[str, Any] = {
    "title": "Manual",
    "styling": {"theme": "bold", "tint": {"color": COLOR}, "font": FONT, "monospaceFont": "DMMono"},
    "internationalization": {"locale": "pt-br"},
    "favicon": {"icon": PICTURE},
    "header": {
        "logo": PICTURE,
        "linkColor": COLOR,
        "links": [
            {"title": "Menu", "links": [PAGE_LINK], "condition": "true"},
            {"title": "Buy", "style": "button-primary", "to": PAGE_LINK["to"], "links": []},
        ],
    },
    "footer": {"groups": [{"title": "More", "links": [PAGE_LINK]}], "copyright": "Acme"},
    "announcement": {"enabled": True, "message": "New!", "link": PAGE_LINK, "style": "info"},
    "socialPreview": {"url": "https://example.com/s.png"},
    "pageActions": {"externalAI": True},
}
OVERRIDES: dict[str, Any] = {
    "styling": {"primaryColor": COLOR, "sidebar": {"list": "pill"}},
    "favicon": {"emoji": "1f4d8"},
    "header": {"links": []},
}

SAMPLE_SOURCE = {"type": "builtin:sample", "props": {"title": "Made"}}


class SampleSource:
    """A source of computed content that makes one page with one below it."""

    async def document(
        self, ctx: Context, space_id: str, source: dict[str, Any], seed: str
    ) -> DocumentRow:
        text = f"Made of {source['props']['title']}.\n"
        return DocumentRow(None, dict(parse_document(text, seed=seed)), text)

    async def revision(
        self, ctx: Context, space_id: str, source: dict[str, Any], seed: str
    ) -> ComputedRevision:
        def page(id: str, parent: str | None) -> Page:
            return Page(
                space_id=space_id, revision_id="", id=f"{seed}-{id}", type=PageType.DOCUMENT,
                title=source["props"]["title"], parent_id=parent, order="V", slug=id, path=id,
                children=[],
            )  # fmt: skip

        top = page("made", None)
        top.children = [page("below", top.id)]
        return ComputedRevision(pages=[top])


async def sow(session: Session, world: World, label: str = "acme") -> Seed:
    """Rows of every kind, committed; `label` is in names that no two organizations share."""
    organization, people = world.organization, world.people()
    collection = await factories.make_collection(session, organization, description="Things")
    nested = await factories.make_collection(session, organization, collection)
    space = await factories.make_space(
        session, organization, collection, edit_mode=EditMode.LIVE, title="Handbook"
    )
    hidden = await factories.make_space(session, organization, default_level=None)
    await session.flush()
    hidden.default_level = None
    revision = await write_revision(
        context(session), space.id, None, sample_changes(space.id),
        git={"oid": "b" * 40, "message": "Start", "ref": "refs/heads/main"},
    )  # fmt: skip
    space.revision_id = revision.id
    await index_revision(context(session), space.id, None, revision)
    await factories.make_grant(session, space, world.guest, Role.READ)
    await factories.make_grant(session, space, world.commenter, Role.COMMENT)
    team = await factories.make_team(session, organization, world.reader, world.editor)
    await factories.make_grant(session, nested, team, Role.EDIT)
    provider = await factories.make_saml_provider(
        session, organization, default_team_id=team.id, default_role=Role.READ
    )
    secret = random_text(43)
    invite = await factories.make_invitation(session, organization, world.admin, secret)
    for target in ({"space_id": space.id}, {"collection_id": collection.id}):
        await factories.make_invitation(session, organization, world.admin, **target)
    await factories.make_invitation(
        session, organization, world.admin, email="invited@example.com",
        accepted_at=utc_now(), accepted_by_id=world.reader.id,
    )  # fmt: skip
    request = await factories.make_change_request(session, space, world.editor)
    edited = await write_revision(
        context(session), space.id, revision, sample_edits(space.id), merged_from_id=request.id
    )
    request.revision_id = edited.id
    service = await factories.make_service(session, organization, Role.EDIT)
    await factories.make_token(session, service)
    for person in (world.admin, world.reader):
        await factories.make_user_session(session, person)
    comment = await factories.make_comment(session, space, world.commenter)
    reply = await factories.make_comment(session, space, world.reader, parent=comment)
    inside = await factories.make_comment(session, space, world.editor, request)
    inner_reply = await factories.make_comment(session, space, world.reader, request, parent=inside)
    review = await factories.make_review(session, request, world.reviewer)
    await factories.make_comment(session, space, world.reviewer, request, review_id=review.id)
    await factories.make_requested_reviewer(session, request, world.admin, world.editor)
    await factories.make_contributor(session, request, world.editor)
    field = make_conflict(
        ConflictKind.FIELD, page="home", field="title", base="Home", ours="Start", theirs="Main"
    )
    conflict = await factories.make_conflict(
        session, request, field, resolution=ConflictResolution.CUSTOM,
        resolved_by_id=world.editor.id,
    )  # fmt: skip
    site = Site(organization_id=organization.id, title="Docs")
    session.add(site)
    await session.flush()
    session.add(PublishingAuth(site_id=site.id, fallback_url="https://example.com/login"))
    group = await factories.make_section_group(session, site, title="Guides", icon="book")
    section = await factories.make_section(
        session, site, space, group=group, title="Gauge", description="All of it", icon="gauge"
    )
    await factories.make_section(session, site, group=group)
    inner = await factories.make_section_group(session, site, parent=group)
    await factories.make_section(session, site, group=inner)
    second = await factories.make_section(session, site)
    await factories.make_section(session, site)
    on_site = select(SiteSpace).where(SiteSpace.site_id == site.id)
    placed = (await session.execute(on_site)).scalar_one()
    await factories.make_site_customization(session, site, LOOK)
    await factories.make_site_space_customization(session, placed, OVERRIDES)
    server = await factories.make_site_mcp_server(session, site)
    link = await factories.make_share_link(session, site)
    redirect = await factories.make_site_redirect(session, site, "/text", "https://a.example/b")
    await factories.make_site_redirect(session, site, "/gone/*", kind="site-space")
    await factories.make_adaptive_schema(session, site)
    published = await factories.make_site(session, organization, published=True)
    organization.hostname = f"{label}-docs"
    session.add(organization)
    session.add(
        SiteRevalidation(site_id=site.id, url="https://renderer.example/calls", secret="s" * 43)
    )
    name = CustomHostname(hostname=f"docs.{label}.example", site_id=site.id)
    session.add(name)
    for person in people.values():
        await factories.make_audit_entry(session, organization, person)
        await factories.make_audit_entry(session, None, person)
        await factories.make_event(session, person, EventAudience.ACCOUNT, user_id=person.id)
    await factories.make_event(
        session, organization, EventAudience.SPACE, space_id=space.id, collection_id=collection.id,
        change_request_id=request.id, comment_id=comment.id, site_id=site.id, team_id=team.id,
        actor_id=people["admin"].id, user_id=people["admin"].id,
    )  # fmt: skip
    await factories.make_insights_event(session, site, claims={"plan": "pro"})
    waiting = await factories.make_job(session, space, due_at=utc_now() + dt.timedelta(days=1))
    done = {"revision": edited.id, "warnings": ["gone"], "pages": [{"id": "home", "path": "a.md"}]}
    ended = await factories.make_job(
        session, space, state=JobState.FAILED, due_at=None, attempts=1, error="url: is not there",
        stage="fetching pages", done=1, total=2, message="a.md", started_at=utc_now(),
        finished_at=utc_now(), started_by_id=world.admin.id, result=done,
    )  # fmt: skip
    synchronised = await factories.make_git_sync(session, space)
    await factories.make_git_configuration(session, space, owner_id=world.admin.id)
    unread = await factories.make_notification(session, world.admin, comment)
    read = await factories.make_notification(
        session, world.admin, comment, kind=NotificationKind.REPLIED, read_at=utc_now()
    )
    await factories.make_notification_level(session, world.admin, space)
    feed_token = await factories.make_feed_token(session, world.admin, space)
    webhook = await factories.make_webhook(
        session, organization.id, space_id=space.id, owner_id=world.admin.id
    )
    await factories.make_webhook(session, organization.id, site_id=site.id, enabled=False)
    delivery = await factories.make_delivery(session, webhook)
    notes, drafts = [
        await factories.make_integration(
            session, organization.id, name if label == "acme" else f"{name}-{label}"
        )
        for name in ("notes", "drafts")
    ]
    await factories.make_development_mode(session, drafts)
    installation = await factories.make_installation(session, notes, organization.id)
    await factories.make_entry(session, installation, space)
    await factories.make_entry(session, installation, site)
    event = await factories.make_integration_event(session, installation)
    specification, version = await factories.make_specification(session, organization.id)
    translation = await factories.make_translation(session, space, hidden)
    entry = await factories.make_glossary_entry(session, organization.id)
    font = await factories.make_custom_font(session, organization.id)
    upload = await factories.make_storage_upload(session, organization.id, user_id=world.admin.id)
    session.add(AgentInstructions(organization_id=organization.id, document=INSTRUCTIONS))
    await session.commit()
    document = orjson.dumps(parse_document(MARKDOWN, seed="a", resolve=REFERENCES.get))
    seed = Seed(collection, space, hidden, revision, request, comment, review, reply, site, placed)
    seed.known = {
        "organizationId": [organization.id],
        "userId": [person.id for person in people.values()],
        "teamId": [team.id],
        "serviceAccountId": [service.id],
        "samlProviderId": [provider.id],
        "collectionId": [collection.id, nested.id],
        "spaceId": [space.id, hidden.id],
        "revisionId": [edited.id, revision.id, hidden.revision_id],
        "pageId": ["home", "child", "deep", "group", "link", "computed"],
        "pagePath": ["group", "home", "home/child", "home/child/deep"],
        "fileId": ["apng", "bpdf"],
        "reusableContentId": ["notice"],
        "documentId": [content_id(orjson.dumps([MARKDOWN]) + document)],
        "changeRequestId": [request.id, str(request.number)],
        "commentId": [comment.id, inside.id],
        "reviewId": [review.id],
        "conflictId": [conflict.id],
        "commentReplyId": [reply.id, inner_reply.id],
        "siteId": [site.id, published.id],
        "siteSpaceId": [placed.id],
        "siteSectionId": [section.id, second.id],
        "siteSectionGroupId": [group.id, inner.id],
        "siteMcpServerId": [server.id],
        "shareLinkId": [link.id],
        "inviteId": [invite.id],
        "invitationId": [invite.id],
        "secret": [secret],
        "emailDomain": ["example.com"],
        "siteRedirectId": [redirect.id],
        "hostname": [name.hostname],
        "subdomain": [organization.hostname],
        "jobId": [waiting.id, ended.id],
        "importRunId": [waiting.id, ended.id],
        "feedTokenId": [feed_token.id],
        "notificationId": [unread.id, read.id],
        "specSlug": [specification.slug],
        "versionId": [version.id],
        "webhookId": [webhook.id],
        "webhookDeliveryId": [delivery.id],
        "integrationName": [notes.name, drafts.name],
        "installationId": [installation.id],
        "eventId": [event.id],
        "translationId": [translation.id],
        "glossaryEntryId": [entry.id],
        "fontId": [font.id],
        "storageKey": [upload.id],
        "operationId": [synchronised.id],
    }
    return seed


# Nothing answers there, and nobody is allowed to ask.
NOWHERE = "http://127.0.0.1:9/"


def needed(row: Row, known: dict[str, list[str]], page: str = NOWHERE) -> dict[str, str]:
    """Values of the query parameters that a row cannot do without; `page` can be fetched."""
    urls = {
        "getContentByUrl": f"http://docs.test/s/{known['spaceId'][0]}/home",
        "getPublishedContentByUrl": "http://docs.test/o/x",
    }
    given = {
        "query": "hello world",
        "source": "/text",
        "url": urls.get(row.operation_id, page),
        "request": compress(
            '{"componentId": "a", "props": {}, "context": {"type": "document", "theme": "dark", '
            f'"spaceId": "{known["spaceId"][0]}"}}}}'
        ),
    }
    return {name: given[name] for name in plan_of(row).required}
