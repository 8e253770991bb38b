"""Fills a database with the demo organization, through the operations that everybody uses.

All of it is one transaction, so it is there completely or not at all. Each operation is called as
the person who would do it, and its policy decides. Teams and grants have no operations yet, so
their rows are written directly.
"""

import datetime as dt
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import orjson
from sqlalchemy import select
from strawberry import ID, Some

from content.documents.key_matching import carry_keys
from content.git.layout import read_space
from content.markdown.parser import parse_document
from content.sources.opening import open_source
from db.enums import TokenScope
from db.ids import new_id
from db.models.comments import Comment
from db.models.organizations import Member, Organization, Team, TeamMember, User
from db.models.sites import Site
from db.models.spaces import AccessGrant, Collection, Space
from docstead.demo import story
from docstead.demo.sites import SiteFilling
from docstead.demo.story import Book, Proposal, Remark, Rewording, Shelf
from jobs.import_docs import Prepared, keep_files, make_imported_space, prepare
from resolvers.access import accounts
from resolvers.access.policy import must_be_operator
from resolvers.change_requests.bodies import CommentBodyInput, read_body
from resolvers.change_requests.operations import (
    CreateChangeRequestInput,
    UpdateChangeRequestInput,
    create_change_request,
    update_change_request,
)
from resolvers.comments import operations as comments
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.runners import run
from resolvers.core.scalars import JsonObject
from resolvers.revisions.references import Addresses
from resolvers.revisions.states import Changes, bodies
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.spaces.collections import (
    CreateCollectionInput,
    UpdateCollectionInput,
    create_collection,
    update_collection,
)
from resolvers.spaces.operations import CreateSpaceInput
from resolvers.specifications.operations import (
    PutSpecificationInput,
    SpecificationSourceInput,
    put_specification,
)
from resolvers.writing.commits import commit_revision
from rest_compat.openapi import openapi_text

P = ParamSpec("P")
T = TypeVar("T")

# In a checkout; and where a wheel puts them.
CHECKOUT = Path(__file__).resolve().parents[2] / "examples"
INSTALLED = Path(sys.prefix) / "share" / "docstead" / "examples"
EXAMPLES = CHECKOUT if CHECKOUT.is_dir() else INSTALLED
STARTED_DAYS_AGO = 30.0


class ExamplesMissingError(Exception):
    """The example documentation is neither in a checkout nor where a wheel has it."""


def email_of(name: str) -> str:
    """The address of a person of the story."""
    return f"{name}@{story.DOMAIN}"


def read_examples(open_sources: ExitStack, folder: Path = EXAMPLES) -> dict[str, Prepared]:
    """The example documentation by folder name; reads and parses files, so run it in a thread.

    The files are read from `open_sources` until it is closed.
    """
    prepared = {}
    for book in story.BOOKS:
        if not (folder / book.folder).is_dir():
            raise ExamplesMissingError(
                f"there is no example documentation in {folder / book.folder}; "
                "install Docstead again, or run the demo from a checkout"
            )
        source = open_sources.enter_context(open_source(folder / book.folder))
        prepared[book.folder] = prepare(read_space(source), None)
    return prepared


async def find_demo(ctx: Context) -> Organization | None:
    """The demo organization, if this database has it."""
    must_be_operator(ctx)
    statement = (
        select(Organization)
        .join(Member, Member.organization_id == Organization.id)
        .join(User, User.id == Member.user_id)
        .where(User.email == email_of(story.ADMIN), Organization.title == story.ORGANIZATION)
        .order_by(Organization.id)
    )
    organization: Organization | None = (await ctx.session.execute(statement)).scalars().first()
    return organization


async def find_shown_site(ctx: Context, organization: Organization) -> Site | None:
    """The site that a newcomer is shown; None where it is not published."""
    must_be_operator(ctx)
    statement = (
        select(Site)
        .where(
            Site.organization_id == organization.id,
            Site.title == story.SHOWN.title,
            Site.published,
        )
        .order_by(Site.id)
    )
    site: Site | None = (await ctx.session.execute(statement)).scalars().first()
    return site


@operation(transactions=Transactions.IN_STEPS)
async def fill(ctx: Context, examples: Mapping[str, Prepared]) -> Organization:
    """Make the demo organization, unless it is there; for the operator only."""
    organization = await run(ctx, find_demo)
    if organization is not None:
        return organization
    ids = {folder: new_id() for folder in examples}
    try:
        for folder, prepared in examples.items():
            await keep_files(ctx, ids[folder], prepared)
        return await run(ctx, _fill, examples, ids)
    except BaseException:
        # The transaction takes the rows back; bytes of files are not part of it.
        for space_id in ids.values():
            await ctx.blobs.delete_space(space_id)
        raise


async def _fill(
    ctx: Context, examples: Mapping[str, Prepared], ids: Mapping[str, str]
) -> Organization:
    return await find_demo(ctx) or await _Filling(ctx, examples, ids).fill()


def _own_specification(public_url: str) -> PutSpecificationInput:
    """That of this server, with its address; a job makes pages of it once the server runs."""
    document = {**orjson.loads(openapi_text()), "servers": [{"url": public_url}]}
    return PutSpecificationInput(
        source=SpecificationSourceInput(text=orjson.dumps(document).decode())
    )


@dataclass(slots=True)
class _Filling:
    """Fills the organization; holds the rows so far, by their names in the story."""

    ctx: Context
    examples: Mapping[str, Prepared]
    # Ids of the spaces to be, by folder; the bytes of their files are there already.
    ids: Mapping[str, str]
    people: dict[str, User] = field(default_factory=dict)
    teams: dict[str, Team] = field(default_factory=dict)
    shelves: dict[str, Collection] = field(default_factory=dict)
    spaces: dict[str, Space] = field(default_factory=dict)

    async def act(
        self,
        name: str,
        days: float,
        operation: Callable[Concatenate[Context, P], Awaitable[T]],
        /,
        *args: P.args,
        **options: P.kwargs,
    ) -> T:
        """Run an operation as a person, `days` ago."""
        moment = self.ctx.now() - dt.timedelta(days=days)
        actor = Actor(self.people[name].id, frozenset(TokenScope))
        ctx = Context(
            actor, self.ctx.session, self.ctx.settings, self.ctx.files, clock=lambda: moment
        )
        ctx.writing = True
        result = await operation(ctx, *args, **options)
        await ctx.session.flush()
        return result

    async def fill(self) -> Organization:
        for name, person in story.PEOPLE.items():
            self.people[name] = await accounts.ensure_user(self.ctx, email_of(name), person.name)
        admin = self.people[story.ADMIN]
        organization = await accounts.create_organization(self.ctx, story.ORGANIZATION, admin)
        organization.created_at = self.ctx.now() - dt.timedelta(days=STARTED_DAYS_AGO)
        for name, person in story.PEOPLE.items():
            if name != story.ADMIN:
                await accounts.add_member(self.ctx, organization, self.people[name], person.role)
        await self._teams(organization)
        for shelf in story.SHELVES:
            await self._shelf(organization, shelf)
        await self.act(
            story.ADMIN, STARTED_DAYS_AGO, put_specification, ID(organization.id),
            story.SPECIFICATION, _own_specification(self.ctx.settings.public_url),
        )  # fmt: skip
        for book in story.BOOKS:
            await self._book(organization, book)
        for proposal in story.PROPOSALS:
            await self._proposal(proposal)
        for folder, remarks in story.REMARKS.items():
            for remark in remarks:
                await self._remark(folder, None, remark)
        sites = SiteFilling(
            self.ctx.session, partial(self.act, story.ADMIN, 1), self.spaces, self.examples
        )
        for site in story.SITES:
            await sites.fill(organization.id, site)
        return organization

    async def _teams(self, organization: Organization) -> None:
        for title, (owner, others) in story.TEAMS.items():
            self.teams[title] = team = Team(organization_id=organization.id, title=title)
            self.ctx.session.add(team)
            await self.ctx.session.flush()
            for name in (owner, *others):
                user = self.people[name]
                self.ctx.session.add(
                    TeamMember(
                        team_id=team.id,
                        organization_id=organization.id,
                        user_id=user.id,
                        owner=name == owner,
                    )
                )

    async def _shelf(self, organization: Organization, shelf: Shelf) -> None:
        parent = None if shelf.parent is None else ID(self.shelves[shelf.parent].id)
        collection = await self.act(
            story.ADMIN, STARTED_DAYS_AGO, create_collection, ID(organization.id),
            CreateCollectionInput(title=Some(shelf.title), parent=Some(parent)),
        )  # fmt: skip
        await self.act(
            story.ADMIN, STARTED_DAYS_AGO, update_collection, ID(collection.id),
            UpdateCollectionInput(
                description=Some(shelf.description), default_level=Some(shelf.level)
            ),
        )  # fmt: skip
        self.shelves[shelf.title] = collection
        self.ctx.session.add_all(
            AccessGrant(collection_id=collection.id, team_id=self.teams[title].id, role=role)
            for title, role in shelf.teams
        )

    async def _book(self, organization: Organization, book: Book) -> None:
        parent = None if book.shelf is None else ID(self.shelves[book.shelf].id)
        space = CreateSpaceInput(
            title=Some(book.title), emoji=Some(book.emoji), parent=Some(parent)
        )
        imported = await self.act(
            story.ADMIN, STARTED_DAYS_AGO, make_imported_space, organization.id, space,
            self.ids[book.folder], self.examples[book.folder],
        )  # fmt: skip
        self.spaces[book.folder] = imported.space
        self.ctx.session.add_all(
            AccessGrant(space_id=imported.space.id, user_id=self.people[name].id, role=role)
            for name, role in book.people
        )
        await self.ctx.session.flush()

    async def _proposal(self, proposal: Proposal) -> None:
        space_id = ID(self.spaces[proposal.folder].id)
        request = await self.act(
            proposal.by, proposal.days, create_change_request, space_id,
            CreateChangeRequestInput(subject=proposal.subject),
        )  # fmt: skip
        for file in {edit.page: None for edit in proposal.edits}:
            edits = [edit for edit in proposal.edits if edit.page == file]
            page_id = self._page_id(proposal.folder, file)
            await self.act(
                proposal.by, proposal.days, _reword, space_id, request.id, page_id, edits
            )
        for remark in proposal.remarks:
            await self._remark(proposal.folder, ID(request.id), remark)
        change = UpdateChangeRequestInput(status=Some(proposal.status))
        if proposal.description is not None:
            text = await read_body(CommentBodyInput(markdown=proposal.description))
            change.description = Some(JsonObject(text.document))
        last = min((remark.days for remark in proposal.remarks), default=proposal.days)
        await self.act(proposal.by, last, update_change_request, space_id, ID(request.id), change)

    async def _remark(self, folder: str, request_id: ID | None, remark: Remark) -> None:
        space_id = ID(self.spaces[folder].id)
        page, node = self._target(folder, remark)
        body = CommentBodyInput(markdown=remark.text)
        comment = await self.act(
            remark.by, remark.days, comments.post_comment, space_id,
            comments.PostCommentInput(body=body, page=page, node=node), request_id,
        )  # fmt: skip
        for name, emoji in remark.reactions:
            await self.act(
                name, remark.days, comments.update_comment, space_id, ID(comment.id),
                comments.UpdateCommentInput(added_reactions=[emoji]), request_id,
            )  # fmt: skip
        for reply in remark.replies:
            await self._reply(space_id, request_id, comment, reply)
        if remark.resolved_by is not None:
            last = min((reply.days for reply in remark.replies), default=remark.days)
            await self.act(
                remark.resolved_by, last, comments.update_comment, space_id, ID(comment.id),
                comments.UpdateCommentInput(resolved=Some(True)), request_id,
            )  # fmt: skip

    async def _reply(
        self, space_id: ID, request_id: ID | None, parent: Comment, reply: Remark
    ) -> None:
        reply_row = await self.act(
            reply.by, reply.days, comments.reply_to_comment, space_id, ID(parent.id),
            comments.PostCommentReplyInput(body=CommentBodyInput(markdown=reply.text)),
            request_id,
        )  # fmt: skip
        for name, emoji in reply.reactions:
            await self.act(
                name, reply.days, comments.update_comment_reply, space_id, ID(parent.id),
                ID(reply_row.id), comments.UpdateCommentReplyInput(added_reactions=[emoji]),
                request_id,
            )  # fmt: skip

    def _target(self, folder: str, remark: Remark) -> tuple[ID | None, ID | None]:
        """Ids of the page and of the first block of the wanted type on it."""
        if remark.page is None:
            return None, None
        page_id = self._page_id(folder, remark.page)
        if remark.block is None:
            return ID(page_id), None
        changes = self.examples[folder].changes
        page = changes.pages[page_id]
        assert page is not None
        _, data = changes.documents[page.document_id or ""]
        for node in orjson.loads(data)["nodes"]:
            if node["type"] == remark.block:
                return ID(page_id), ID(node["key"])
        raise LookupError(f"{folder}: {remark.page} has no block {remark.block!r}")

    def _page_id(self, folder: str, file: str) -> str:
        """The id of the page that a file has become."""
        for id, page in self.examples[folder].changes.pages.items():
            if page is not None and page.git is not None and page.git["path"] == file:
                return id
        raise LookupError(f"{folder} has no page {file}")


async def _reword(
    ctx: Context, space_id: str, request_id: str, page_id: str, edits: Sequence[Rewording]
) -> None:
    """Replace words of a page in a change request."""
    target = await open_target(ctx, space_id, request_id)
    page = await find_page(ctx, target.revision, page_id)
    (body,) = await bodies(ctx, [(space_id, page.document_id)])
    assert body is not None
    markdown = body.markdown
    for edit in edits:
        if edit.before not in markdown:
            raise LookupError(f"{page.path} has no {edit.before!r}")
        markdown = markdown.replace(edit.before, edit.after)
    resolve = Addresses(body.markdown, body.document).resolve
    document = parse_document(markdown, seed=page_id, resolve=resolve)
    carry_keys(body.document, document)
    changes = Changes(before={page_id: page})
    document_id = changes.add_document(markdown, document)
    changes.pages[page_id] = replace(page, document_id=document_id)
    await commit_revision(ctx, target, changes)
