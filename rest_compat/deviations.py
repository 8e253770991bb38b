"""Members of answers that the newest known release of the contract requires and /v1 does not have.

docs/compatibility.md lists them for each operation, and the tests with the published client
accept these alone. The release that /v1 follows has no deviations.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deviation:
    """Members that a schema of the contract requires, and why they are absent."""

    schema: str
    members: tuple[str, ...]
    reason: str


DEVIATIONS: tuple[Deviation, ...] = ()
