"""Pages that a sample space starts with: how to write, structure and publish."""

from sqlalchemy import select

from content.markdown.parser import parse_document
from content.ordering import between, spread
from content.slugs import slug_from_title
from db.content_enums import PageType
from db.ids import new_id
from db.models.content import Revision
from db.models.spaces import Space, written_revision
from resolvers.core.context import Context
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import Target
from resolvers.writing.commits import commit_revision

PAGES = (
    (
        "Writing",
        """Write in Markdown, here or in your own editor.

## Blocks

* paragraphs, headings and lists
* code with its language
* tables, pictures and files

```python
print("Hello, reader")
```
""",
    ),
    (
        "Structure",
        """Pages form a tree. Put pages below other pages, and group those that belong together.

1. Create a page for each question that a reader has.
2. Give it a title that answers where to look.
3. Link to it from the pages that lead there.
""",
    ),
    (
        "Publishing",
        """A site shows one or more spaces to its readers.

Propose changes in a change request, let others review them, and merge them when they are ready.
""",
    ),
)


async def add_sample_pages(ctx: Context, space: Space) -> Revision:
    """Put the sample pages behind the first page of a new space, in its next revision."""
    statement = select(Revision).where(Revision.id == written_revision(space))
    first: Revision = (await ctx.session.execute(statement)).scalar_one()
    changes = Changes()
    # The first page of a new space has the first of the evenly spread keys.
    order = spread(1)[0]
    for title, markdown in PAGES:
        id, order = new_id(), between(order, None)
        changes.pages[id] = Page(
            space_id=space.id,
            revision_id="",
            id=id,
            type=PageType.DOCUMENT,
            title=title,
            parent_id=None,
            order=order,
            slug=slug_from_title(title),
            document_id=changes.add_document(markdown, parse_document(markdown, seed=id)),
        )
    return await commit_revision(ctx, Target(space.id, space, None, first), changes)
