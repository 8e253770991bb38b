"""docs/events.md says what the table of the product says."""

from db.event_enums import EventAudience
from tests.event_docs import AUDIENCES, PAGE, page


def test_tables_are_those_of_the_product() -> None:
    assert set(AUDIENCES) == set(EventAudience)
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.event_docs"
