"""The statement that adds events and numbers them, in the database's own words."""

# ruff: noqa: S608 (it is made of the constants of this module)

from functools import cache
from typing import Final

from db.rows import SQLITE

# Facts of a draft that are written as they are.
IDS: Final = (
    "object_id", "organization_id", "account_id", "space_id", "change_request_id", "revision_id",
    "page_id", "comment_id", "collection_id", "site_id", "site_space_id", "team_id", "user_id",
)  # fmt: skip
# Members of a given row, with the types that PostgreSQL reads them as.
_GIVEN: Final = {
    "n": "bigint", "id": "text", "type": "text", "at": "timestamptz", "actor_kind": "text",
    "actor_id": "text", "action": "text", "audience": "text", "object_type": "text",
    **dict.fromkeys(IDS, "text"), "changed": "json", "data": "json",
}  # fmt: skip
# What is looked up where it is not given: names of columns -> tables, by the ids that are given.
_FOUND: Final = {
    "space_id": (("comment", "comment_id", "space_id"),),
    "change_request_id": (("comment", "comment_id", "change_request_id"),),
    "site_id": (("site_space", "site_space_id", "site_id"),),
}
_HOMES: Final = (
    ("space", "space_id"), ("site", "site_id"), ("collection", "collection_id"),
    ("team", "team_id"),
)  # fmt: skip
_COLUMNS: Final = (
    "id", "stream_id", "position", "organization_id", "type", "at", "actor_kind", "actor_id",
    "action", "audience", "object_type", "object_id", "space_id", "change_request_id",
    "revision_id", "page_id", "comment_id", "collection_id", "site_id", "team_id", "user_id",
    "changed", "data",
)  # fmt: skip


@cache
def insert_events(dialect: str) -> str:
    """The statement that adds events, given as a JSON text; it answers with their streams.

    On SQLite, which has one writer, a trigger counts (migration `events`).
    """
    sqlite = dialect == SQLITE
    if sqlite:
        arrow = {"changed": "->", "data": "->"}
        members = ", ".join(f"value {arrow.get(name, '->>')} '{name}' AS {name}" for name in _GIVEN)
        source = f"SELECT {members} FROM json_each(?)"
    else:
        types = ", ".join(f"{name} {type}" for name, type in _GIVEN.items())
        source = f"SELECT * FROM json_to_recordset($1::text::json) AS g({types})"
    looked_up = ", ".join(
        f"coalesce(given.{name}, "
        + ", ".join(f"(SELECT {column} FROM {table} WHERE id = given.{by})"
                    for table, by, column in lookups)
        + f") AS {name}"
        for name, lookups in _FOUND.items()
    )  # fmt: skip
    others = ", ".join(f"given.{name}" for name in _GIVEN if name not in _FOUND)
    homes = ", ".join(
        f"(SELECT organization_id FROM {table} WHERE id = found.{by})" for table, by in _HOMES
    )
    rest = ", ".join(f"found.{name}" for name in _GIVEN if name != "organization_id")
    home = f"CASE WHEN found.account_id IS NULL THEN coalesce(found.organization_id, {homes}) END"
    parts = [
        f"given AS ({source})",
        f"found AS (SELECT {others}, {looked_up} FROM given)",
        f"placed AS (SELECT {rest}, {home} AS organization_id FROM found)",
        "numbered AS (SELECT placed.*, coalesce(account_id, organization_id) AS stream_id, "
        "row_number() OVER (PARTITION BY coalesce(account_id, organization_id) ORDER BY n) "
        "AS number FROM placed)",
    ]
    shown = ", ".join({"position": "{position}"}.get(name, f"numbered.{name}") for name in _COLUMNS)
    into = f"INSERT INTO event ({', '.join(_COLUMNS)})"
    if sqlite:
        last = "coalesce((SELECT last FROM event_counter c "
        last += "WHERE c.stream_id = numbered.stream_id), 0)"
        body = f"SELECT {shown.format(position=f'{last} + number')} FROM numbered "
        body += "WHERE stream_id IS NOT NULL ORDER BY n"
    else:
        # In an order, so that two writes of several organizations never wait for each other.
        parts += [
            "counted AS (INSERT INTO event_counter AS c (stream_id, last) "
            "SELECT stream_id, count(*) FROM numbered WHERE stream_id IS NOT NULL "
            "GROUP BY stream_id ORDER BY stream_id "
            "ON CONFLICT (stream_id) DO UPDATE SET last = c.last + excluded.last "
            "RETURNING c.stream_id, c.last)",
            "sizes AS (SELECT stream_id, count(*) AS size FROM numbered GROUP BY stream_id)",
        ]
        position = "counted.last - sizes.size + numbered.number"
        body = f"SELECT {shown.format(position=position)} FROM numbered "
        body += "JOIN counted USING (stream_id) JOIN sizes USING (stream_id)"
    values = f"WITH {', '.join(parts)}"
    head = f"{into} {values}" if sqlite else f"{values} {into}"
    return f"{head} {body} RETURNING stream_id"
