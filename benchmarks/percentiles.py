"""Percentiles of what was measured."""

from collections.abc import Sequence


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value of sorted ones that so many of them, as a share of all, are below."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
