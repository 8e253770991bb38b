"""What changes with whatever a published page shows: a version for each site, kept by triggers.

A page of a site depends on the rows of the site (`site_version`, which triggers raise with every
write of them), on the active revisions of the spaces that it shows or refers to, and on nothing
else but the address, for whose owner there is one version of all sites together. So whoever keeps
a page asks for a few versions, by key, and knows whether it is still the same.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import String, cast, select, union_all

from db.models.sites import SiteVersion
from db.models.spaces import Space
from db.prepared import among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.core.actors import NOBODY
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement

# Which site an address belongs to, for all sites.
ADDRESSES = "addresses"
Versions = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Lasting:
    """Until when an answer holds: as long as these are the versions, and before `ends`."""

    versions: Versions
    # In seconds since 1970; None where only the versions matter.
    ends: float | None = None


@statement
def _versions(viewer: Viewer) -> Written:
    rows = union_all(
        select(SiteVersion.subject.label(SHARED_KEY), cast(SiteVersion.version, String)).where(
            among(SiteVersion.subject, KEYS)
        ),
        select(Space.id, Space.revision_id).where(among(Space.id, KEYS)),
    ).subquery()
    return select(rows.c[0].label(SHARED_KEY), rows.c[1].label("version"))


async def read_versions(ctx: Context, subjects: Collection[str]) -> Versions:
    """The versions of sites, spaces and ADDRESSES as the request has read them; None without."""
    rows = await _versions.rows(ctx, shared_keys=list(subjects))
    versions = {row.shared_key: row.version for row in rows}
    return {subject: versions.get(subject) for subject in subjects}


async def are_current(points: PointReads, versions: Versions) -> bool:
    """Whether these are the versions of now: one read, which other requests may share."""
    prepared, _ = _versions.prepared(NOBODY, points.dialect, (), None)
    rows = await points.several(prepared, versions)
    return all(
        version == (None if row is None else row.version)
        for version, row in zip(versions.values(), rows, strict=True)
    )
