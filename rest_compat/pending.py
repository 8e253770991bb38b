"""Operations of the published contract that are not served yet; their list only shrinks.

They answer 501 with their id, for in the contract 404 means that an object is not there. A test
compares the list with the route table, so a new route has to be struck out in `pending.txt`.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pending:
    """One operation that is not served: method, path below /v1, id."""

    method: str
    path: str
    operation_id: str


PENDING: tuple[Pending, ...] = tuple(
    Pending(*line.split())
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
