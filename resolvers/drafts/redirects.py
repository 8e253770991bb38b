"""Operations on the redirects of a draft: set and remove."""

from content.errors import SlugError
from content.links.redirect_paths import old_path_key
from content.merkle.read import lookup
from resolvers.core.errors import Conflict, FieldError, invalid
from resolvers.drafts.draft import Draft, missing
from resolvers.drafts.operation_inputs import DeleteRedirectInput, SetRedirectInput
from resolvers.drafts.page_places import WITH_SLUG
from resolvers.revisions.rows import ContentRedirect
from resolvers.revisions.store import walk_one


async def set_redirect(draft: Draft, input: SetRedirectInput, where: str) -> None:
    """A redirect from an old path, in place of the one that it has.

    Conflict when a page is at the path: it comes first, so the redirect would lead nobody on.
    """
    key = _key(input.path, f"{where}.path")
    page = await draft.page(input.page, f"{where}.page")
    if page.type not in WITH_SLUG:
        raise invalid(f"{where}.page", f"a {page.type.value} page has no path to lead to")
    there = (await draft.at_paths([key])).get(key)
    if there is not None:
        problem = f"the page {there.id!r} is at this path, so nothing would be led on from it"
        raise Conflict(f"{where}.path: {problem}", (FieldError(f"{where}.path", problem),))
    draft.written.redirects[key] = ContentRedirect(
        space_id=draft.space_id, revision_id="", path=key, page_id=page.id, anchor=input.anchor
    )


async def delete_redirect(draft: Draft, input: DeleteRedirectInput, where: str) -> None:
    """Remove a redirect; NotFound when the path has none."""
    key = _key(input.path, f"{where}.path")
    written = draft.written.redirects
    if key in written:
        there = written[key] is not None
    else:
        walk = lookup(draft.revision.redirects_root, [key])
        there = key in await walk_one(draft.ctx, draft.space_id, walk)
    if not there:
        problem = f"there is no redirect from {input.path[:200]!r} in this content"
        raise missing(f"{where}.path", problem)
    written[key] = None


def _key(path: str, where: str) -> str:
    try:
        return old_path_key(path)
    except SlugError as error:
        raise invalid(where, str(error)) from error
