"""`python -m benchmarks.audit`: what the entry of the audit log adds to a write.

CPU of this process for writes with and without it, in turns; PostgreSQL's own is not in it.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

from strawberry import ID, Some

from benchmarks.merges import new_space, own_organization
from benchmarks.servers import migrated, store
from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.enums import TokenScope
from db.models.organizations import Team
from db.session import Database
from resolvers.change_requests.bodies import CommentBodyInput
from resolvers.comments.operations import PostCommentInput, post_comment
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import UpdatePageInput
from resolvers.organizations.teams import UpdateTeamInput, update_team
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.writing.operations import Step, apply_steps

WRITES, TURNS, PAGES = 25, 7, 500
Write = Callable[..., Awaitable[object]]


async def edit_page(ctx: Context, space_id: str, title: str) -> object:
    """Give one page another title, in the transaction."""
    input = UpdatePageInput(page=ID("p7"), title=Some(title))
    return await apply_steps(
        ctx, await open_target(ctx, space_id), [Step("update_page", input, "input")]
    )


def _pages(space_id: str) -> Changes:
    changes = Changes()
    for number, order in enumerate(spread(PAGES)):
        body = changes.add_document("Text.", parse_document("Text.", seed=f"p{number}"))
        changes.pages[f"p{number}"] = Page(
            space_id=space_id, revision_id="", id=f"p{number}", type=PageType.DOCUMENT,
            title=f"Page {number}", parent_id=None, order=order, slug=f"page-{number}",
            document_id=body,
        )  # fmt: skip
    return changes


def _without_entry(write: Write) -> Write:
    async def unaudited(ctx: Context, *arguments: Any) -> object:
        return await write(ctx, *arguments)

    return operation(audited=False)(unaudited)


async def measure(kind: str) -> str:
    """Rows of the report."""
    with store(kind) as place:
        async with migrated(place.url) as database:
            return await _measured(kind, database)


async def _measured(kind: str, database: Database) -> str:
    person = Actor("0" * 20, frozenset(TokenScope))
    async with database.session() as session:
        ctx = Context(person, session)
        await ctx.begin_write()
        organization_id = await own_organization(ctx)
        space_id = await new_space(ctx, organization_id, _pages)
        team = Team(organization_id=organization_id, title="Writers")
        session.add(team)
        await session.flush()
        team_id = team.id
        await session.commit()
    works: dict[str, tuple[Write, Callable[[str], tuple[Any, ...]]]] = {
        "rename a team": (update_team, lambda text: (ID(team_id), UpdateTeamInput(title=text))),
        "post a comment": (
            post_comment,
            lambda text: (ID(space_id), PostCommentInput(body=CommentBodyInput(markdown=text))),
        ),
        "edit a page": (edit_page, lambda text: (space_id, text)),
    }  # fmt: skip
    number = 0

    async def cost(write: Write, arguments: Callable[[str], tuple[Any, ...]]) -> float:
        nonlocal number
        start = time.process_time()
        for _ in range(WRITES):
            number += 1
            async with database.session() as session:
                await run(Context(person, session), write, *arguments(f"T{number}"))
        return 1e6 * (time.process_time() - start) / WRITES

    rows = []
    for name, (write, arguments) in works.items():
        bare = _without_entry(write)
        await cost(write, arguments)
        pairs = [(await cost(bare, arguments), await cost(write, arguments)) for _ in range(TURNS)]
        without, whole = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(after / before for before, after in pairs)
        rows.append(f"| {kind} | {name} | {without:,.0f} | {whole:,.0f} | {ratio:.2f} |")
    return "\n".join(rows)


async def main(kinds: list[str]) -> None:
    """Print the report."""
    print("| database | write | without us | with us | ratio |\n| --- | --- | --- | --- | --- |")
    for kind in kinds:
        print(await measure(kind))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or ["sqlite", "postgresql"]))
