"""Text as lists are sorted by it: the same order in Python, on SQLite and on PostgreSQL.

Databases differ in what they take for a capital letter and in how they compare the rest. So the
form that is compared is worked out here and stored beside the text, in a column whose values sort
by their bytes, which is the order in which Python sorts them.
"""

import unicodedata
from typing import Any

from sqlalchemy.orm import Mapped, mapped_column, validates

from db.base import SortKey

LENGTH = 255


def sort_key(text: str) -> str:
    """The form of a text that lists compare, of at most 255 characters.

    Capitals, widths and other forms of a character do not matter. Accents follow their letter, so
    that É stands among the words with E and behind those without it.
    """
    if text.isascii():
        return text[:LENGTH].lower()
    # Some characters become many; those behind the first ones cannot matter.
    folded = unicodedata.normalize("NFKD", text[:LENGTH]).casefold()
    return unicodedata.normalize("NFKD", folded)[:LENGTH]


def key_of(name: str) -> Any:
    """The default of a column with the sort key of the column `name`, for rows inserted in bulk."""

    def default(context: Any) -> str:
        return sort_key(context.get_current_parameters()[name])

    return default


class SortedByTitle:
    """A model with a title that lists are sorted by."""

    title_key: Mapped[SortKey] = mapped_column(default=key_of("title"))

    @validates("title")
    def _with_key(self, _: str, title: str) -> str:
        self.title_key = sort_key(title)
        return title
