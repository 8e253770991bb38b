"""The errors that reading content can raise: all are `ContentError`, and so `ValueError`."""

from __future__ import annotations


class ContentError(ValueError):
    """Content that cannot be read; the message names the place, the problem and the remedy."""


class SlugError(ContentError):
    """A slug or a page path that is not allowed."""


class SourceError(ContentError):
    """A folder, Git repository or bundle that cannot be opened or read."""


class UnsafePathError(SourceError):
    """A path that leaves the root or that is not portable."""


class UnportablePathError(UnsafePathError):
    """A path that stays within the tree, with a name that not every system can have."""


class CaseConflictError(SourceError):
    """Paths of pages that differ only in upper and lower case."""


class SourceLimitError(SourceError):
    """A source with too many files, or with a file or a sum of files that is too large."""


class YamlError(ContentError):
    """YAML that is not valid, or that is larger or deeper than allowed."""

    def __init__(self, path: str, line: int | None, problem: str) -> None:
        """`line` counts from 1 in the file at `path`; None when the file is meant as a whole."""
        place = path if line is None else f"{path}, line {line}"
        super().__init__(f"{place}: {problem}")
        self.path = path
        self.line = line
        self.problem = problem


class TooManyNodes(ContentError):
    """Markdown that makes more blocks and pieces of text than its reader wants."""


class LayoutError(ContentError):
    """A `.gitbook.yaml` or a table of contents that contradicts itself or the files."""


class PublishedUrlError(ContentError):
    """A text that is no address of a published site."""


class RisonError(ContentError):
    """A text that is no Rison; the message names the place and the problem."""


class ExpressionError(ContentError):
    """An expression that cannot be used; `position` counts characters of its text from 1."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(f"character {position}: {problem}")
        self.position = position
        self.problem = problem


class ExpressionSyntaxError(ExpressionError):
    """Text that is no expression of the language, or one that is too long, deep or large."""


class ExpressionValueError(ExpressionError):
    """An expression without a value: a call of something missing, or too much work."""
