"""What is wrong with an OpenAPI specification."""

from dataclasses import dataclass

# Problems that are reported of one specification, and characters of each.
MOST_PROBLEMS, PROBLEM_LENGTH = 20, 500


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: what and, if known, where, as a JSON Pointer or a line."""

    message: str
    where: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return text if len(text) <= PROBLEM_LENGTH else f"{text[: PROBLEM_LENGTH - 1]}…"


class SpecificationError(ValueError):
    """A specification that cannot be used; `problems` say why, at most `MOST_PROBLEMS`."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(map(str, problems[:3])))
        self.problems = problems[:MOST_PROBLEMS]


class ExternalFileError(ValueError):
    """A file that is referred to could not be fetched; `timeout` when it was too slow."""

    def __init__(self, message: str, timeout: bool) -> None:
        super().__init__(message)
        self.timeout = timeout


def wrong(message: str, where: str = "") -> SpecificationError:
    """The error for one problem."""
    return SpecificationError(Problem(message, where))
