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
    # Whether it follows from anything else.
    more: bool = False

    def add(self, space_id: str, standing: Standing) -> None:
        """Note that the primary content of a space was read."""
        if self.spaces.setdefault(space_id, standing) != standing:
            self.more = True
