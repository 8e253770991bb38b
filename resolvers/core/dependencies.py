"""What an answer was made of, so that it may be given again for as long as that is the same.

A context with a `Dependencies` notes what is read with it. Statements whose rows never change, or
whose caller names here what they follow from, are *lasting* (`resolvers/core/statements.py`); all
other reads make an answer one that is not kept. So whoever adds a read has to do nothing, and
forgets nothing.
"""

from dataclasses import dataclass, field

# In place of a rank: what a visitor sees follows from the site.
OF_VISITORS = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """How the caller finds the primary content of a space: its revision, and their rank on it."""

    revision_id: str
    rank: int


@dataclass(slots=True)
class Dependencies:
    """What the answer to one request follows from, beside who asks and the settings."""

    # By space: the primary content that was read.
    spaces: dict[str, Standing] = field(default_factory=dict)
    # By space: the state of its index, where it was searched, and how many searches that were.
    indexes: dict[str, str] = field(default_factory=dict)
    searches: int = 0
    # By space whose content was named by the ids of GraphQL: the state of its index where something
    # else has some of these ids, which is noted with the index; empty where nothing has.
    named: dict[str, str] = field(default_factory=dict)
    # Whether it follows from anything else.
    more: bool = False

    def add(self, space_id: str, standing: Standing) -> None:
        """Note that the primary content of a space was read."""
        if self.spaces.setdefault(space_id, standing) != standing:
            self.more = True

    def add_named(self, space_id: str, homonyms: bool, index: str | None) -> None:
        """Note that content of a space was named: whether it has homonyms (decision 49), and the
        state of its index."""
        state = index if homonyms else ""
        if state is None or self.named.setdefault(space_id, state) != state:
            self.more = True

    def add_searched(self, space_id: str, revision_id: str | None, index: str | None) -> None:
        """Note that a space was searched, with the state of its index (`index_state`)."""
        self.searches += 1
        standing = self.spaces.get(space_id)
        if (
            index is None
            or standing is None
            or standing.revision_id != revision_id
            or self.indexes.setdefault(space_id, index) != index
        ):
            self.more = True
