"""Answers about content that are kept, and given again to whoever may read the same (decision 100).

An answer is kept with what it follows from: the active revisions of spaces and the rank of the
caller on each, which the policy is asked for again each time, and the state of the index of a space
that was searched; for visitors of sites the version of the site in place of a rank. Whoever asks
with equal scopes, or sees the site alike, finds the same.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field

import orjson
from sqlalchemy import select

from content.recent_cache import RecentCache
from db.models.content import ContentHomonym
from db.models.content_index import index_state
from db.models.spaces import Space
from db.prepared import ACTOR_RANK, among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.access.policy import ranked
from resolvers.access.versions import Versions, are_current
from resolvers.core.actors import Actor
from resolvers.core.dependencies import Dependencies, Standing
from resolvers.core.rate_limits import Quota
from resolvers.core.statements import Viewer, Written, statement

# Bytes of an answer beside its body; what codings of it take, as a part of it; the longest key.
ENTRY, CODED, LONGEST_KEY = 3_000, 0.5, 4_000
# An answer beyond this part of all memory is not kept, nor one that shows more spaces.
LARGEST, MOST_SPACES = 8, 20
Key = tuple[Hashable, ...]
Headers = list[tuple[bytes, bytes]]


@statement
def _standing(viewer: Viewer, indexed: bool = False) -> Written:
    """Of spaces that the actor may read: the active revision, the rank, whether ids of content
    name their place (decision 49), and the state of the index where the answer follows from it."""
    spaces, rank = ranked(viewer, Space)
    homonyms = select(ContentHomonym.id).where(ContentHomonym.space_id == Space.id)
    return spaces.where(among(Space.id, KEYS)).with_only_columns(
        Space.id.label(SHARED_KEY),
        Space.revision_id,
        rank.label(ACTOR_RANK),
        homonyms.exists().label("homonyms"),
        *([index_state().label("index")] if indexed else []),
    )


@dataclass(slots=True)
class KeptAnswer:
    """The body of an answer with its headers, and what it follows from."""

    body: bytes
    headers: Headers
    # Quoted; empty for an answer without one.
    tag: str
    # For people.
    follows: Dependencies
    # For everybody else: of sites, and of the active revisions of spaces.
    versions: Versions | None
    # In seconds since 1970, when the answer is another one in any case.
    ends: float | None = None
    # The body in the codings that were asked for.
    codings: dict[str, bytes] = field(default_factory=dict)

    def weight(self) -> int:
        """About how many bytes it takes, with its codings."""
        return ENTRY + int(len(self.body) * (1 + CODED))


class KeptAnswers:
    """The kept answers of one process, as many as fit into `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self.cache: RecentCache[Key, KeptAnswer] = RecentCache(
            limit, KeptAnswer.weight, limit // LARGEST
        )

    def __len__(self) -> int:
        return len(self.cache)

    def key(self, actor: Actor, *parts: str | bytes) -> Key | None:
        """The key of a request that these parts say all of; None where nothing is kept."""
        if sum(map(len, parts)) > LONGEST_KEY:
            return None
        visitor = actor.visitor
        if visitor is None:
            # The operator asks by command, and nobody is told what follows from the policy.
            person = actor.user_id is not None
            return (actor.scopes, actor.service, *parts) if person else None
        if visitor.site_version is None:
            return None
        return (visitor, orjson.dumps(visitor.claims, option=orjson.OPT_SORT_KEYS), *parts)

    async def get(
        self, points: PointReads, actor: Actor, key: Key, now: float, quota: Quota | None = None
    ) -> KeptAnswer | None:
        """The answer of a key if it is what would be answered now. Its searches count as others do:
        they refuse who has searched too often."""
        answer = self.cache.get(key)
        if answer is None:
            return None
        if answer.ends is not None and answer.ends <= now:
            holds = False
        elif answer.versions is not None:
            holds = await are_current(points, answer.versions)
        else:
            holds = await _stand(points, actor, answer.follows)
        searches = answer.follows.searches
        if holds and searches and quota is not None and not quota.may_search(searches):
            return None
        return answer if holds else None

    def put(
        self,
        actor: Actor,
        key: Key,
        dependencies: Dependencies,
        body: bytes,
        headers: Headers,
        tag: str = "",
    ) -> None:
        """Keep an answer, if it follows from the primary content of spaces alone."""
        spaces, visitor = dependencies.spaces, actor.visitor
        if dependencies.more or not spaces or len(spaces) > MOST_SPACES:
            return
        if not dependencies.named.keys() <= spaces.keys():
            return
        versions = None
        if visitor is not None:
            revisions = {space: standing.revision_id for space, standing in spaces.items()}
            versions = {visitor.site_id: visitor.site_version, **revisions}
        self.put_with(key, KeptAnswer(body, headers, tag, dependencies, versions))

    def put_with(self, key: Key, answer: KeptAnswer) -> None:
        """Keep an answer in place of the one that was kept."""
        self.cache.discard(key)
        self.cache.put(key, answer)


async def _stand(points: PointReads, actor: Actor, follows: Dependencies) -> bool:
    """Whether a person finds spaces as they were."""
    for space, standing in follows.spaces.items():
        index, named = follows.indexes.get(space), follows.named.get(space)
        # Without a variant where no index matters: those of one turn share a statement.
        indexed = bool(index or named)
        row = await _standing.row_of(points, actor, space, *([True] if indexed else []))
        if row is None or (index and row.index != index):
            return False
        if named is not None and named != ((indexed and row.index) if row.homonyms else ""):
            return False
        if Standing(row.revision_id, row.actor_rank) != standing:
            return False
    return True
