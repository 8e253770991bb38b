"""The text format of Prometheus."""

from collections.abc import Iterable, Iterator

Labels = dict[str, str]


def family(
    name: str, kind: str, help_: str, samples: Iterable[tuple[Labels, float]]
) -> Iterator[str]:
    """The lines of one metric; `kind` is `counter`, `gauge` or `histogram`."""
    yield f"# HELP {name} {help_}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        yield sample(name, labels, value)


def sample(name: str, labels: Labels, value: float) -> str:
    """One line; values of labels are ours, so nothing in them has to be escaped."""
    inner = ",".join(f'{label}="{text}"' for label, text in labels.items())
    return f"{name}{{{inner}}} {value:.10g}" if inner else f"{name} {value:.10g}"
