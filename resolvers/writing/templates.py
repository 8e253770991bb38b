"""Templates: every space of an organization that somebody may read can be one."""

from dataclasses import replace
from typing import Any

import strawberry
from sqlalchemy import bindparam, select

from content.ordering import between
from content.slugs import slug_key, unique_slug
from db.content_enums import PageType
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import Expected, SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import NotFound, invalid
from resolvers.core.json_schemas import REFERENCE_SCHEMA
from resolvers.core.scalars import JsonObject
from resolvers.drafts.draft import Draft
from resolvers.revisions.copies import copied_content
from resolvers.revisions.references import read_reference_input
from resolvers.revisions.rows import Page
from resolvers.revisions.size import check_size
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import Target
from resolvers.writing.commits import commit_revision
from resolvers.writing.edits import InChangeRequest
from resolvers.writing.operations import ContentWrite
from resolvers.writing.received_files import Place, open_place

Json = dict[str, Any]
REFERENCES = 100
_OF_ORGANIZATION = Space.organization_id == bindparam("organization_id", type_=KEY)


@strawberry.input(description="Values that a template is filled with.")
class TemplateParamsInput:
    content_refs: JsonObject | None = inputs.field(
        "Names to content references: links of the template to `ref:NAME` lead there. "
        f"{REFERENCE_SCHEMA}"
    )


@strawberry.input(description="A template to apply.")
class ApplyTemplateInput:
    id: strawberry.ID = inputs.text(
        "Id of the template: a space of the same organization.", required=True
    )
    params: TemplateParamsInput | None = inputs.field("Values for the template.")


@operation(takes_turns=True)
async def apply_template(
    ctx: Context,
    space_id: SpaceId,
    input: ApplyTemplateInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Add a copy of a template's content to a space or a change request, behind what is there.

    A single page without a body, as new spaces have it, is replaced. Variables that are set
    stay. NotFound for a template that is no readable space of the organization.
    """
    target = await open_place(ctx, Place(space_id, change_request_id, expected_revision))
    statement = select(Space.organization_id).where(Space.id == space_id)
    organization_id: str = (await ctx.session.execute(statement)).scalar_one()
    source = await find_template(ctx, organization_id, input.id)
    names = read_names(input.params)
    changes = await copied_content(ctx, source, target.space_id, names)
    await _fit(ctx, target, changes)
    before = target.revision
    revision = await commit_revision(ctx, target, changes)
    return ContentWrite(revision, revision.id != before.id, False, target.change_request, before)


async def find_template(ctx: Context, organization_id: str, id: str, where: str = "id") -> Space:
    """The space that a template's id names; NotFound when there is none that may be read."""
    try:
        return await must(ctx, Space, id, where=_OF_ORGANIZATION, organization_id=organization_id)
    except NotFound:
        raise NotFound(f"{where}: there is no template {id!r}") from None


def read_names(params: TemplateParamsInput | None, where: str = "params") -> dict[str, Json]:
    """Content references by name; Invalid names what is wrong with one."""
    references = None if params is None else params.content_refs
    if references is None:
        return {}
    where = f"{where}.contentRefs"
    if len(references) > REFERENCES:
        raise invalid(where, f"has more than {REFERENCES} names")
    names: dict[str, Json] = {}
    for name, value in references.items():
        if not isinstance(value, dict):
            raise invalid(f"{where}.{name}", "must be a content reference: an object with `kind`")
        names[name] = read_reference_input(JsonObject(value), f"{where}.{name}", {})
    return names


async def _fit(ctx: Context, target: Target, changes: Changes) -> None:
    """Put the top of the copied tree behind the pages that are there, with slugs of its own."""
    draft = Draft(ctx, target.revision)
    there = await draft.children(None)
    if len(there) == 1 and changes.pages and await _is_untouched(draft, there[0]):
        (page,) = there
        changes.pages[page.id], changes.before[page.id] = None, page
        there = []
    added = sum(1 if page is not None else -1 for page in changes.pages.values())
    await check_size(ctx, target.revision, added, changes)
    slugs = {slug_key(page.slug) for page in there if page.slug is not None}
    last = there[-1].order if there else None
    top = [page for page in changes.pages.values() if page is not None and page.parent_id is None]
    for page in sorted(top, key=lambda page: (page.order, page.id)):
        last = between(last, None)
        placed = replace(page, order=last)
        if page.slug is not None:
            placed.slug = unique_slug(page.slug, slugs, at_root=True)
            slugs.add(slug_key(placed.slug))
        changes.pages[page.id] = placed
    changes.variables = {**(changes.variables or {}), **target.revision.variables}


async def _is_untouched(draft: Draft, page: Page) -> bool:
    """Whether a page is the empty one that a new space begins with."""
    if page.type is not PageType.DOCUMENT or await draft.children(page.id):
        return False
    body = await draft.body(page.document_id)
    return body is None or not body.markdown.strip()
