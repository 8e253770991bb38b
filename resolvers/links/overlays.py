"""The links of content that is not the primary one: what differs from the index.

The links of a change request are those of the index, but for the pages that differ between its
revision and the primary one. Only those are read; nothing is stored.
"""

from dataclasses import dataclass, field

from content.documents.references import Reference
from content.recent_cache import RecentCache
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.links.rows import Use
from resolvers.revisions.extracts import Extract, Extractor
from resolvers.revisions.index_plan import plan_of

PAGES_AT_ONCE = 50
# References that the cache holds in all overlays.
CACHED_REFERENCES = 50_000


@dataclass(slots=True)
class Overlay:
    """The changes of a revision to the links of the primary content."""

    # Pages and reusable contents whose links in the index do not count.
    sources: frozenset[str] = frozenset()
    references: dict[str, Reference] = field(default_factory=dict)
    # By the digest of the reference.
    uses: dict[str, list[Use]] = field(default_factory=dict)
    # Anchors of the pages that differ.
    anchors: dict[str, frozenset[str]] = field(default_factory=dict)
    # Pages, files and contents that are there in only one of the two, or have other anchors.
    targets: frozenset[str] = frozenset()

    def add(self, extract: Extract, *, reusable: bool) -> None:
        """Add what a page or a reusable content refers to."""
        for reference in extract.references:
            self.references[reference.digest] = reference
            use = Use(extract.id, reference.node, reusable)
            self.uses.setdefault(reference.digest, []).append(use)

    def uses_of(self, target_id: str, kinds: frozenset[str]) -> list[Use]:
        """Where something of the own space is linked."""
        uses = [
            use
            for digest, reference in self.references.items()
            if reference.kind in kinds
            and reference.space_id is None
            and reference.target_id == target_id
            for use in self.uses[digest]
        ]
        return sorted(set(uses), key=lambda use: (use.source_id, use.node))


def _weight(overlay: Overlay) -> int:
    return 1 + len(overlay.sources) + sum(map(len, overlay.uses.values()))


# By the two revisions, which never change.
_OVERLAYS: RecentCache[tuple[str, str], Overlay] = RecentCache(CACHED_REFERENCES, _weight)


async def overlay_of(ctx: Context, primary: Revision, revision: Revision) -> Overlay:
    """The changes of `revision` to the links of `primary`, both of one space."""
    if primary.id == revision.id:
        return Overlay()
    key = (primary.id, revision.id)
    overlay = _OVERLAYS.get(key)
    if overlay is None:
        overlay = await _make(ctx, primary, revision)
        _OVERLAYS.put(key, overlay)
    return overlay


async def _make(ctx: Context, primary: Revision, revision: Revision) -> Overlay:
    plan = await plan_of(ctx, primary, revision)
    overlay = Overlay(
        sources=frozenset({*plan.pages, *plan.contents, *plan.removed, *plan.removed_contents}),
        targets=frozenset(plan.targets),
    )
    extractor = Extractor(revision)
    pages = list(plan.pages.values())
    for start in range(0, len(pages), PAGES_AT_ONCE):
        for extract in await extractor.pages(ctx, pages[start : start + PAGES_AT_ONCE]):
            overlay.add(extract, reusable=False)
            overlay.anchors[extract.id] = extract.anchors
    for extract in await extractor.contents(ctx, list(plan.contents.values())):
        overlay.add(extract, reusable=True)
    return overlay
