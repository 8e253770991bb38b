"""Operations on reusable contents and variables of a draft."""

from dataclasses import replace

from content.links.meaning import Standing
from resolvers.core.errors import invalid
from resolvers.drafts.bodies import write_body, write_markdown_body
from resolvers.drafts.draft import Draft
from resolvers.drafts.links import Owner
from resolvers.drafts.operation_inputs import (
    CreateReusableContentInput,
    DeleteReusableContentInput,
    SetVariablesInput,
    UpdateReusableContentInput,
)
from resolvers.drafts.page_fields import read_variables_input
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.revisions import limits as content_limits
from resolvers.revisions.rows import ReusableContent


async def create_reusable_content(
    draft: Draft, input: CreateReusableContentInput, where: str
) -> ReusableContent:
    """A new reusable content."""
    content = ReusableContent(
        space_id=draft.space_id,
        revision_id="",
        id=draft.refs[f"ref:{input.ref}"] if input.ref is not None else draft.work.id_of(where),
        title=_title(input.title, f"{where}.title"),
    )
    return await _put(draft, content, input.body, where)


async def update_reusable_content(
    draft: Draft, input: UpdateReusableContentInput, where: str
) -> ReusableContent:
    """Change the name or the body of a reusable content."""
    content = await draft.reusable_content(input.reusable_content, f"{where}.reusableContent")
    if input.title is not None:
        content = replace(content, title=_title(input.title.value, f"{where}.title"))
    return await _put(draft, content, input.body, where)


async def delete_reusable_content(
    draft: Draft, input: DeleteReusableContentInput, where: str
) -> None:
    """Delete a reusable content."""
    content = await draft.reusable_content(input.reusable_content, f"{where}.reusableContent")
    draft.written.contents[content.id] = None


async def set_variables(draft: Draft, input: SetVariablesInput, where: str) -> None:
    """Set and remove variables of the space; the others stay."""
    present = draft.written.variables
    variables = dict(draft.revision.variables if present is None else present)
    for name in input.remove or ():
        variables.pop(name, None)
    if input.set:
        count_before = len(variables)
        variables |= read_variables_input(input.set, f"{where}.set")
        if len(variables) > max(count_before, content_limits.VARIABLES):
            problem = f"a space has at most {content_limits.VARIABLES} variables"
            raise invalid(f"{where}.set", f"there would be {len(variables)}; {problem}")
    draft.written.variables = variables


def _title(text: str, where: str) -> str:
    title = " ".join(text.split())
    if not title:
        raise invalid(where, "must not be blank")
    return title


async def _put(
    draft: Draft, content: ReusableContent, body: PageBodyInput | None, where: str
) -> ReusableContent:
    if body is not None:
        standing = Standing.of("", content.git)
        owner = Owner(content.id, content.document_id, standing, is_page=False)
        if body.markdown is not None:
            document_id = await write_markdown_body(
                draft, owner, body.markdown, f"{where}.body.markdown"
            )
        else:
            document_id = await write_body(draft, owner, body, f"{where}.body")
        content = replace(content, document_id=document_id)
    draft.written.contents[content.id] = content
    return content
