"""The packages of this program, and that no others of the same names are in their place."""

import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

# At the top level of an installation, beside `docstead` (docs/decisions/0002).
PACKAGES = (
    "account_pages", "content", "db", "fetching", "jobs", "published", "resolvers", "rest_compat",
    "schema",
)  # fmt: skip
HOME = Path(__file__).resolve().parent.parent


def foreign_packages(names: Iterable[str] = PACKAGES, home: Path = HOME) -> list[str]:
    """Where those are that would be imported in place of ours, or were not found at all."""
    foreign = []
    for name in names:
        spec = PathFinder.find_spec(name) or find_spec(name)
        origin = spec.origin if spec is not None else None
        if origin is None or Path(origin).resolve().parent.parent != home:
            foreign.append(f"{name} ({origin or 'missing'})")
    return foreign


def check_packages() -> None:
    """End the process with one clear line when another program has packages of our names."""
    foreign = foreign_packages()
    if foreign:
        sys.exit(
            f"docstead: packages of the same name are in the way: {', '.join(foreign)}; ours are "
            f"in {HOME}. Install Docstead into an environment of its own, with `uv tool install` "
            "or `pipx install`, and start it in a folder without such packages"
        )
