"""What an expert writes by hand for the four reads: FastAPI routes, one statement for each level.

The bare driver, orjson, the token check of the real server and its visibility rule at every
level. On PostgreSQL children come from a lateral join, on SQLite from a list of ids for each
parent, which is quicker there than a window function.
"""

from typing import Any

import orjson
from fastapi import FastAPI, HTTPException, Request, Response

from benchmarks.hand_rest import routes
from benchmarks.hand_rule import ACCESS, FOLLOWS, FOUND, LEVELS, LISTED, ORGANIZATION
from benchmarks.hand_store import TOKEN, application, caller, store

COLUMNS = (
    "s.id, s.title, s.emoji, s.created_at, s.updated_at, s.deleted_at, s.edit_mode, s.language, "
    "s.default_level, s.merge_rules"
)
ONE = f"SELECT {COLUMNS}, s.position FROM space AS s {ACCESS} WHERE s.id = $2 AND {FOUND}"
ALL = f"""SELECT {COLUMNS} FROM space AS s {ACCESS}
WHERE s.organization_id = $2 AND {LISTED} ORDER BY s.id LIMIT 100"""
SPACES = f"""SELECT s.id, s.title, s.emoji, s.created_at, s.updated_at FROM space AS s {ACCESS}
WHERE s.organization_id = $2 AND {LISTED} ORDER BY s.id LIMIT $3"""

CHANGE = "c.space_id, c.id, c.number, c.subject, c.status, c.created_at, c.updated_at"
REQUESTS = f"""SELECT {CHANGE}
FROM unnest($2::text[]) WITH ORDINALITY AS wanted(id, place)
JOIN space AS s ON s.id = wanted.id {ACCESS}
CROSS JOIN LATERAL (SELECT * FROM change_request AS c WHERE c.space_id = s.id
  ORDER BY c.number DESC LIMIT $3) AS c
WHERE {FOLLOWS} ORDER BY wanted.place, c.number DESC"""
REQUESTS_SQLITE = f"""SELECT {CHANGE} FROM json_each($2) AS wanted
JOIN space AS s ON s.id = wanted.value {ACCESS}
JOIN change_request AS c ON c.id IN (SELECT id FROM change_request
  WHERE space_id = s.id ORDER BY number DESC LIMIT $3)
WHERE {FOLLOWS} ORDER BY wanted.key, c.number DESC"""

SAID = "c.change_request_id, c.id, c.posted_at, c.edited_at, c.status, c.markdown"
AUTHOR = "u.id, u.display_name, u.photo_url"
COMMENTS = f"""SELECT {SAID}, {AUTHOR}
FROM unnest($2::text[]) WITH ORDINALITY AS wanted(id, place)
JOIN change_request AS r ON r.id = wanted.id JOIN space AS s ON s.id = r.space_id {ACCESS}
CROSS JOIN LATERAL (SELECT * FROM comment AS c WHERE c.change_request_id = r.id
  AND c.parent_id IS NULL ORDER BY c.id DESC LIMIT $3) AS c
JOIN user_account AS u ON u.id = c.posted_by_id
WHERE c.space_id = s.id AND {FOLLOWS} ORDER BY wanted.place, c.id DESC"""
COMMENTS_SQLITE = f"""WITH readable AS MATERIALIZED (
  SELECT wanted.key AS place, r.id, r.space_id FROM json_each($2) AS wanted
  JOIN change_request AS r ON r.id = wanted.value JOIN space AS s ON s.id = r.space_id {ACCESS}
  WHERE {FOLLOWS})
SELECT {SAID}, {AUTHOR} FROM readable AS r
CROSS JOIN comment AS c ON c.id IN (SELECT id FROM comment WHERE change_request_id = r.id
  AND parent_id IS NULL ORDER BY id DESC LIMIT $3) AND c.space_id = r.space_id
JOIN user_account AS u ON u.id = c.posted_by_id ORDER BY place, c.id DESC"""


def _time(value: Any) -> str | None:
    """RFC 3339 with milliseconds, from PostgreSQL's datetime or SQLite's text."""
    if value is None:
        return None
    if isinstance(value, str):
        return f"{value[:10]}T{value[11:23]}Z"
    text: str = value.isoformat(timespec="milliseconds")
    return text[:23] + "Z"


def _space(row: Any) -> dict[str, Any]:
    language = row[7]
    return {
        "id": row[0],
        "title": row[1],
        "emoji": row[2],
        "createdAt": _time(row[3]),
        "updatedAt": _time(row[4]),
        "deletedAt": _time(row[5]),
        "editMode": row[6].upper(),
        "language": language and language.upper().replace("-", "_"),
        "defaultLevel": LEVELS[row[8]],
        "mergeRules": orjson.Fragment(row[9]),
    }


def _tree(found: list[Any], changes: list[Any], said: list[Any]) -> list[dict[str, Any]]:
    of_request: dict[str, list[Any]] = {row[1]: [] for row in changes}
    for request_id, id, posted_at, edited_at, status, markdown, author, name, photo in said:
        of_request[request_id].append(
            {
                "id": id,
                "postedAt": _time(posted_at),
                "editedAt": _time(edited_at),
                "status": status.upper(),
                "body": {"markdown": markdown},
                "postedBy": {"id": author, "displayName": name, "photoURL": photo},
            }
        )
    of_space: dict[str, list[Any]] = {row[0]: [] for row in found}
    for space_id, id, number, subject, status, created_at, updated_at in changes:
        of_space[space_id].append(
            {
                "id": id,
                "number": number,
                "subject": subject,
                "status": status.upper(),
                "createdAt": _time(created_at),
                "updatedAt": _time(updated_at),
                "comments": {"nodes": of_request[id]},
            }
        )
    return [
        {
            "id": id,
            "title": title,
            "emoji": emoji,
            "createdAt": _time(created_at),
            "updatedAt": _time(updated_at),
            "changeRequests": {"nodes": of_space[id]},
        }
        for id, title, emoji, created_at, updated_at in found
    ]


def create_app() -> FastAPI:
    """The routes on the database that $DOCSTEAD_DATABASE_URL names."""
    database = store()
    app = application(database)
    token, organization = database.statement(TOKEN), database.statement(ORGANIZATION)
    one, all_of, some = (database.statement(text) for text in (ONE, ALL, SPACES))
    changes_of = database.statement(REQUESTS, REQUESTS_SQLITE)
    comments_of = database.statement(COMMENTS, COMMENTS_SQLITE)

    @app.get("/spaces/{space_id}")
    async def one_space(space_id: str, request: Request) -> Response:
        async with database.connection() as fetch:
            actor = await caller(fetch, token, request)
            found = await fetch(one, actor, space_id)
        if not found:
            raise HTTPException(404)
        row = found[0]
        return _answer({"space": {"__typename": "Space", **_space(row), "position": row[10]}})

    @app.get("/organizations/{id}/spaces")
    async def all_spaces(id: str, request: Request) -> Response:
        async with database.connection() as fetch:
            actor = await caller(fetch, token, request)
            if not await fetch(organization, actor, id):
                raise HTTPException(404)
            rows = await fetch(all_of, actor, id)
        return _answer({"organization": {"spaces": {"nodes": [_space(row) for row in rows]}}})

    @app.get("/organizations/{id}/tree")
    async def tree(
        id: str, spaces: int, requests: int, comments: int, request: Request
    ) -> Response:
        async with database.connection() as fetch:
            actor = await caller(fetch, token, request)
            top = await fetch(organization, actor, id)
            if not top:
                raise HTTPException(404)
            found = await fetch(some, actor, id, spaces)
            ids = database.ids([row[0] for row in found])
            changes = await fetch(changes_of, actor, ids, requests)
            ids = database.ids([row[1] for row in changes])
            said = await fetch(comments_of, actor, ids, comments)
        nodes = _tree(found, changes, said)
        return _answer({"organization": {"title": top[0][0], "spaces": {"nodes": nodes}}})

    app.include_router(routes(database))
    return app


def _answer(data: dict[str, Any]) -> Response:
    return Response(orjson.dumps({"data": data}), media_type="application/json")
