"""A small space that has everything a PDF shows, for tests of both doors and of the printer."""

import io
from dataclasses import dataclass
from typing import Any

from PIL import Image

from content.markdown.parser import parse_document
from content.ordering import spread
from db.blobs import BlobStore
from db.content_enums import PageType
from db.models.spaces import Space
from db.session import Session
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes, write_revision
from tests import factories
from tests.conftest import World, context

HOME = """\
Welcome to the **gauge**. See [the box](box) and [its lid](box#the-lid), or [elsewhere](https://example.org/).

![Tide](tide.png)

{% include "notice" %}

<code class="expression">space.vars.version</code> by <a data-mention href="ada">Ada</a>.
"""
BOX = """\
What is in the box.

## The lid

{% code title="level.py" lineNumbers="true" %}
```python
def level(sensor):  # centimetres
    return sensor.read() * 100
```
{% endcode %}

| Part | Count |
| --- | ---: |
| Screw | 12 |

$$
\\frac{a}{b}
$$
"""
REFERENCES: dict[str, Any] = {
    "box": {"kind": "page", "page": "box"},
    "box#the-lid": {"kind": "anchor", "page": "box", "anchor": "the-lid"},
    "tide.png": {"kind": "file", "file": "tide"},
    "notice": {"kind": "reusable-content", "reusableContent": "notice"},
    "secret": {"kind": "page", "page": "secret"},
}  # fmt: skip


@dataclass
class Printed:
    """The space, and the bytes of its image."""

    space: Space
    image: bytes


def picture() -> bytes:
    """A PNG of 60 x 30 pixels."""
    file = io.BytesIO()
    Image.new("RGB", (60, 30), (200, 30, 40)).save(file, "PNG")
    return file.getvalue()


async def make_printed_space(
    session: Session, world: World, blobs: BlobStore, **bodies: str
) -> Printed:
    """The space with its first revision, committed; `bodies` replace or add bodies by page id."""
    space = await factories.make_space(session, world.organization, title="Gauge manual")
    references = REFERENCES | {"ada": {"kind": "user", "user": world.admin.id}}
    changes = Changes(variables={"version": "1.2.3"})
    image = picture()
    first, second, third, fourth, fifth = spread(5)

    def body(markdown: str) -> str:
        return changes.add_document(markdown, parse_document(markdown, resolve=references.get))

    def page(id: str, order: str, parent: str | None = None, **more: Any) -> None:
        kind = more.pop("type", PageType.DOCUMENT)
        changes.pages[id] = Page(
            space_id=space.id, revision_id="", id=id, type=kind, parent_id=parent, order=order,
            **{"title": id.title(), "slug": id if kind is not PageType.LINK else None, **more},
        )  # fmt: skip

    page("home", first, document_id=body(bodies.get("home", HOME)), description="All about it")
    page("parts", second, type=PageType.GROUP)
    page("box", first, "parts", document_id=body(bodies.get("box", BOX)))
    page("empty", second, "parts", title="Überblick")
    page("deep", first, "empty", document_id=body("Deep text."))
    page("secret", third, document_id=body("Hidden text."), hidden=True)
    page("below", first, "secret", document_id=body("Below hidden text."))
    page("link", fourth, type=PageType.LINK, title="Shop",
         target={"kind": "url", "url": "https://shop.example.org/"})  # fmt: skip
    for id, markdown in bodies.items():
        if id not in changes.pages:
            page(id, fifth, document_id=body(markdown))
    changes.files["tide"] = File(
        space_id=space.id, revision_id="", id="tide", name="tide.png", content_type="image/png",
        size=len(image), sha256=await blobs.put(space.id, image), width=60, height=30,
    )  # fmt: skip
    changes.contents["notice"] = ReusableContent(
        space_id=space.id, revision_id="", id="notice", title="Notice",
        document_id=body("Keep it dry."),
    )  # fmt: skip
    revision = await write_revision(context(session), space.id, None, changes)
    space.revision_id = revision.id
    await session.commit()
    return Printed(space, image)
