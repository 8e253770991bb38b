"""Spaces: making, changing, deleting, restoring and moving them (docs/spaces.md)."""

from dataclasses import replace
from typing import Any

import strawberry
from sqlalchemy import and_, select
from strawberry import Maybe

from content.emoji import ALLOWED, EMOJI, LENGTH as EMOJI_LENGTH
from db.enums import DefaultLevel, EditMode, Language, Role
from db.ids import new_id
from db.models.organizations import Organization
from db.models.sites import Site, SiteSpace
from db.models.spaces import AccessGrant, Collection, Space
from db.prepared import ACTOR_RANK
from resolvers.access.drafts import OPEN
from resolvers.access.policy import must, spaces_with_bin
from resolvers.access.share_keys import OPENS_SPACE, needed_key, use_share_key, wrong_key
from resolvers.addresses.visibilities import note_visibility_of_moved
from resolvers.core import inputs
from resolvers.core.arguments import CollectionId, OrganizationId, ShareKey, SpaceId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.dependencies import Standing
from resolvers.core.errors import (
    BadRequest,
    Conflict,
    Forbidden,
    NotFound,
    PreconditionFailed,
    invalid,
)
from resolvers.core.scalars import JsonObject, Url
from resolvers.organizations.merge_rules import SpaceMergeRules, read_merge_rules
from resolvers.revisions.copies import copy_content
from resolvers.revisions.states import first_revision
from resolvers.spaces.bin import RECOVERABLE, bin_since
from resolvers.spaces.collection_tree import (
    keep_access,
    lock_tree,
    must_hold,
    must_in_tree,
    reparent,
    role_to_set,
)
from resolvers.spaces.siblings import (
    KEY_LIMIT,
    ContentPosition,
    Siblings,
    key_after,
    key_at_end,
    place,
    shorten,
)
from resolvers.writing.commits import begin_with
from resolvers.writing.templates import TemplateParamsInput, find_template, read_names

TITLE = "Untitled"
DEFAULT_EMOJI = "1f4d8"
TITLE_LENGTH = 50


@strawberry.input(description="A template that a new space starts from.")
class SpaceTemplateInput:
    id: strawberry.ID = inputs.text(
        "Id of the template: a space of the organization.", required=True
    )
    params: TemplateParamsInput | None = inputs.field("Values for the template.")


@strawberry.input(description="A new space.")
class CreateSpaceInput:
    title: Maybe[str] = inputs.text("Name; `Untitled` when absent.", max=TITLE_LENGTH)
    emoji: Maybe[str] = inputs.text(
        "Emoji, or its code points in hexadecimal.",
        max=EMOJI_LENGTH,
        pattern=EMOJI,
        allowed=ALLOWED,
    )
    parent: Maybe[strawberry.ID | None] = inputs.field(
        "Id of the collection to put it into; the top level when absent or null."
    )
    language: Maybe[Language] = inputs.field("Language of its content.")
    edit_mode: Maybe[EditMode] = inputs.field("Whether it is edited live; `locked` when absent.")
    template: Maybe[SpaceTemplateInput] = inputs.field("Template of its content.")
    computed_source: Maybe[JsonObject] = inputs.field(
        "Source that its content is computed from; this server computes none and refuses it."
    )


@strawberry.input(description="Changes to a space; absent fields stay as they are.")
class UpdateSpaceInput:
    title: Maybe[str] = inputs.text("Name.", max=TITLE_LENGTH)
    emoji: Maybe[str | None] = inputs.text(
        "Emoji, or its code points in hexadecimal, instead of an icon; null = the usual one.",
        max=EMOJI_LENGTH,
        pattern=EMOJI,
        allowed=ALLOWED,
    )
    icon: Maybe[Url | None] = inputs.field("Picture instead of an emoji; null removes it.")
    edit_mode: Maybe[EditMode] = inputs.field("Whether it is edited live.")
    default_level: Maybe[DefaultLevel | None] = inputs.field(
        "Role of everybody in it; null = no access, `inherit` = as in its parent."
    )
    language: Maybe[Language | None] = inputs.field("Language of its content; null removes it.")
    merge_rules: Maybe[SpaceMergeRules] = inputs.field("When change requests may be merged.")


_RECOVERABLE_BY_KEY = and_(RECOVERABLE, OPENS_SPACE)


@operation(one_statement=True)
async def get_space(
    ctx: Context,
    id: SpaceId,
    share_key: ShareKey = None,
    *,
    projection: Projection = ALL,
) -> Space:
    """A space that you may read; those who could restore it find it in the bin, too."""
    key = needed_key(ctx, share_key)
    # That a person may read it is asked again with its revision; what else it is, is not.
    person, id_alone = ctx.actor.visitor is None, projection.columns == frozenset({"id"})
    noted = ctx.dependencies is not None and person and id_alone and not share_key
    if noted:
        projection = replace(
            projection, columns=projection.columns_with("revision_id", "deleted_at")
        )
    try:
        space = await must(
            ctx,
            Space,
            id,
            where=RECOVERABLE if key is None else _RECOVERABLE_BY_KEY,
            rule=spaces_with_bin,
            projection=projection,
            lasting=noted,
            bin_since=bin_since(ctx, noted=noted),
            share_key=key,
        )
    except NotFound as error:
        raise wrong_key(error, key) from error
    if noted and ctx.dependencies is not None:
        if space.deleted_at is not None:
            ctx.depend_on_more()
        ctx.dependencies.add(space.id, Standing(space.revision_id, getattr(space, ACTOR_RANK)))
    use_share_key(ctx, share_key)
    return space


async def create_space(
    ctx: Context, organization_id: OrganizationId, input: CreateSpaceInput
) -> Space:
    """Make a space, last in its parent; needs the role `create` there."""
    return await make_space(ctx, organization_id, input, new_id())


async def make_space(
    ctx: Context, organization_id: str, input: CreateSpaceInput, space_id: str
) -> Space:
    """`create_space` with an id that the caller has chosen, for what has to be there before."""
    await must(ctx, Organization, organization_id)
    await lock_tree(ctx, organization_id)
    parent = await must_hold(ctx, organization_id, inputs.given(input.parent, None))
    template, names = await _template(ctx, organization_id, input)
    siblings = Siblings(organization_id, parent.id if parent else None)
    space = Space(
        id=space_id,
        organization_id=organization_id,
        parent_id=siblings.parent_id,
        title=inputs.given(input.title, TITLE),
        emoji=inputs.given(input.emoji, DEFAULT_EMOJI),
        language=None if input.language is None else input.language.value,
        edit_mode=inputs.given(input.edit_mode, EditMode.LOCKED),
        default_level=DefaultLevel.INHERIT,
        position=await key_at_end(ctx, siblings),
        revision_id=new_id(),
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    # A revision names its space, so the space has to be there first.
    ctx.session.add(space)
    await ctx.session.flush()
    if template is None:
        revision = await first_revision(ctx, space.id, space.title)
    else:
        revision = await copy_content(ctx, template, space.id, names)
    await begin_with(ctx, space, revision)
    return space


async def _template(
    ctx: Context, organization_id: str, input: CreateSpaceInput
) -> tuple[Space | None, dict[str, dict[str, Any]]]:
    """The template of a new space, and what the names in it stand for."""
    if input.template is not None and input.computed_source is not None:
        raise invalid("computedSource", "cannot be given together with template")
    if input.computed_source is not None:
        raise invalid("computedSource", "this server does not compute content; leave it out")
    if input.template is None:
        return None, {}
    names = read_names(input.template.value.params, "template.params")
    template = await find_template(ctx, organization_id, input.template.value.id, "template.id")
    return template, names


async def update_space(ctx: Context, id: SpaceId, input: UpdateSpaceInput) -> Space:
    """Change a space; needs the role `create` on it."""
    space = await must(ctx, Space, id, role_to_set(ctx, input.default_level), lock=True)
    if input.edit_mode is not None and input.edit_mode.value is EditMode.LIVE:
        await _must_be_unpublished(ctx, space)
    _change_picture(space, input)
    inputs.assign(space, input, "title", "edit_mode", "default_level", "language")
    if input.merge_rules is not None:
        space.merge_rules = read_merge_rules(input.merge_rules.value)
    if ctx.session.is_modified(space):
        space.updated_at = ctx.now()
    if input.default_level is not None:
        await ctx.session.flush()
        await keep_access(ctx, space)
    return space


def _change_picture(space: Space, input: UpdateSpaceInput) -> None:
    """An emoji and an icon replace each other."""
    emoji = inputs.given(input.emoji, None)
    icon = inputs.given(input.icon, None)
    if emoji is not None and icon is not None:
        raise invalid("icon", "cannot be given together with emoji; send one of them")
    if input.emoji is not None or icon is not None:
        space.emoji = emoji or DEFAULT_EMOJI
    if input.icon is not None or emoji is not None:
        space.icon_url = icon


async def _must_be_unpublished(ctx: Context, space: Space) -> None:
    """Raise PreconditionFailed for a space on a public site: that is not edited live."""
    statement = (
        select(Site.id)
        .join(SiteSpace, SiteSpace.site_id == Site.id)
        .where(SiteSpace.space_id == space.id, Site.published.is_(True))
        .where(Site.visibility.in_(OPEN))
    )
    if (await ctx.session.execute(statement)).first() is not None:
        raise PreconditionFailed(
            "editMode: a space that is published for everybody cannot be edited live"
        )


COPY = " (copy)"


async def delete_space(ctx: Context, id: SpaceId) -> Deletion:
    """Put a space into the bin for seven days; needs the role `create` on it."""
    with finding_what_to_delete():
        space = await must(ctx, Space, id, Role.CREATE, lock=True)
    space.deleted_at = ctx.now()
    return Deletion(
        deleted_id=space.id, organization_id=space.organization_id, parent_id=space.parent_id
    )


async def restore_space(ctx: Context, id: SpaceId) -> Space:
    """Take a space out of the bin, back to where it was; needs the role `create` on it.

    NotFound when it was deleted more than seven days ago. A space that is not deleted stays
    as it is.
    """
    space = await must_in_tree(
        ctx,
        Space,
        id,
        Role.CREATE,
        where=RECOVERABLE,
        rule=spaces_with_bin,
        bin_since=bin_since(ctx),
    )
    # It kept its sort key; when its collection was deleted it was given to the top level.
    if space.deleted_at is not None:
        space.deleted_at = None
        space.updated_at = ctx.now()
    return space


async def duplicate_space(ctx: Context, id: SpaceId) -> Space:
    """Copy a space and put the copy directly behind it; needs the role `create` on it.

    The primary content, the look, the default level and the grants are copied; change requests,
    comments, sites and merge rules are not.
    """
    source = await must_in_tree(ctx, Space, id, Role.CREATE)
    siblings = Siblings(source.organization_id, source.parent_id)
    space = Space(
        organization_id=source.organization_id,
        parent_id=source.parent_id,
        title=(source.title + COPY)[:TITLE_LENGTH],
        emoji=source.emoji,
        icon_url=source.icon_url,
        language=source.language,
        default_level=source.default_level,
        position=await key_after(ctx, siblings, source.position),
        revision_id=new_id(),
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    ctx.session.add(space)
    await ctx.session.flush()
    revision = await copy_content(ctx, source, space.id)
    await begin_with(ctx, space, revision)
    await copy_grants(ctx, source, space)
    await ctx.session.flush()
    await shorten(ctx, siblings)
    return space


async def copy_grants(ctx: Context, source: Space, target: Space) -> None:
    """Give everybody the roles on a new space that they have on another one."""
    grants = select(AccessGrant.user_id, AccessGrant.team_id, AccessGrant.role).where(
        AccessGrant.space_id == source.id
    )
    rows = (await ctx.session.execute(grants)).all()
    ctx.session.add_all(
        AccessGrant(space_id=target.id, user_id=user_id, team_id=team_id, role=role)
        for user_id, team_id, role in rows
    )


@strawberry.input(description="Where to move a space or a collection.")
class MoveInput:
    parent: Maybe[strawberry.ID | None] = inputs.field(
        "Id of the collection to move it into; null = the top level, absent = where it is."
    )
    position: Maybe[ContentPosition] = inputs.field("Its place there; the end when absent.")


async def move_space(ctx: Context, id: SpaceId, input: MoveInput) -> Space:
    """Move a space; needs the role `create` on it and where it goes.

    BadRequest: the collection is unknown, or the position names something that is not there.
    Conflict: it stands there already.
    """
    space = await must_in_tree(ctx, Space, id, Role.CREATE)
    parent = await _target(ctx, space, input)
    key = await _place(ctx, space, parent, input)
    former_id, space.parent_id = space.parent_id, parent.id if parent else None
    await note_visibility_of_moved(ctx, space, former_id)
    space.position = key
    space.updated_at = ctx.now()
    await _settle(ctx, space)
    return space


async def move_collection(ctx: Context, id: CollectionId, input: MoveInput) -> Collection:
    """Move a collection with all it holds; needs the role `create` on it and where it goes.

    BadRequest: the collection is unknown or below the moved one, the position names something
    that is not there, or there would be more than 20 levels. Conflict: it stands there already.
    """
    collection = await must_in_tree(ctx, Collection, id, Role.CREATE)
    parent = await _target(ctx, collection, input)
    key = await _place(ctx, collection, parent, input)
    if collection.parent_id != (parent.id if parent else None):
        await reparent(ctx, collection, parent)
    collection.position = key
    await _settle(ctx, collection)
    return collection


async def _target(ctx: Context, row: Space | Collection, input: MoveInput) -> Collection | None:
    """The collection that the row goes to; None for the top level."""
    parent_id = row.parent_id if input.parent is None else input.parent.value
    try:
        return await must_hold(ctx, row.organization_id, parent_id)
    except NotFound as error:
        if input.parent is None:
            raise Forbidden("this needs the role 'create' on the collection it is in") from error
        raise BadRequest(
            f"parent: collection {parent_id!r} does not exist or is not visible to you"
        ) from error


async def _place(
    ctx: Context, row: Space | Collection, parent: Collection | None, input: MoveInput
) -> str:
    siblings = Siblings(row.organization_id, parent.id if parent else None)
    position = None if input.position is None else input.position.value
    key = await place(ctx, row, siblings, position)
    if key is None:
        raise Conflict("it stands at exactly this place already")
    return key


async def _settle(ctx: Context, row: Space | Collection) -> None:
    """Write the new place; many moves to one place make its keys long, so they are renewed."""
    await ctx.session.flush()
    if len(row.position) > KEY_LIMIT:
        await shorten(ctx, Siblings(row.organization_id, row.parent_id))
        await ctx.session.refresh(row, ["position"])
