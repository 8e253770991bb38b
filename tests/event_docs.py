"""The tables of docs/events.md: types and topics of events. `python -m tests.event_docs` writes it.

They are made from the table of the product (resolvers/core/event_types.py).
"""

from pathlib import Path

from db.event_enums import EventAudience, EventTopic
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.naming import camel

PAGE = Path(__file__).parent.parent / "docs" / "events.md"
TYPES, TOPICS, END = "<!-- types -->\n", "<!-- topics -->\n", "<!-- end -->"
AUDIENCES = {
    EventAudience.SPACE: "readers of the space",
    EventAudience.COLLECTION: "readers of the collection",
    EventAudience.MANAGERS: "the role `create` on the space or collection",
    EventAudience.SITE: "members with a role; guests who read a space of the site",
    EventAudience.MEMBERS: "members with a role; guests what is about themselves",
    EventAudience.TEAM: "members with a role, and who is in the team",
    EventAudience.ADMINISTRATORS: "administrators",
    EventAudience.ACCOUNT: "the account; administrators, of a service account",
}


def types_table() -> str:
    """A row for each type."""
    rows = [
        "| Type | When | Own fields | For | Scope | Emitted by |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for type, kind in EVENT_KINDS.items():
        fields = ", ".join(f"`{name}`" for name in kind.fields) or "–"
        operations = ", ".join(sorted(camel(name) for name in kind.operations))
        rows.append(
            f"| `{type.value}` | {type.description} | {fields} | {AUDIENCES[kind.audience]} "
            f"| `{kind.scope.value}` | {operations} |"
        )
    return "\n".join(rows) + "\n"


def topics_table() -> str:
    """A row for each topic."""
    rows = ["| Topic | What | Types |", "| --- | --- | --- |"]
    for topic in EventTopic:
        types = ", ".join(f"`{t.value}`" for t, kind in EVENT_KINDS.items() if topic in kind.topics)
        rows.append(f"| `{topic.name}` ({topic.value}) | {topic.description} | {types} |")
    return "\n".join(rows) + "\n"


def page() -> str:
    """The page with tables as they have to be."""
    text = PAGE.read_text(encoding="utf-8")
    for mark, table in ((TYPES, types_table()), (TOPICS, topics_table())):
        before, rest = text.split(mark, 1)
        text = f"{before}{mark}{table}{END}{rest.split(END, 1)[1]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
