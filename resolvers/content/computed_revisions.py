"""What a source makes of a computed page."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from resolvers.revisions.rows import File, Page, ReusableContent


@dataclass(frozen=True, slots=True)
class ComputedRevision:
    """The content that a source makes of a computed page; `pages` are those at the top."""

    pages: Sequence[Page] = ()
    files: Sequence[File] = ()
    reusable_contents: Sequence[ReusableContent] = field(default=())
