"""The hand-written routes again, where the database builds the JSON: one statement for a read.

The token check and the visibility rule are those of the other hand-written server. A nested read
asks for the rule where a space is chosen: what belongs to it follows the same row.
"""

from collections.abc import Callable

from fastapi import FastAPI, HTTPException, Request, Response

from benchmarks.hand_rule import ACCESS, FOUND, LEVEL_NAME, LISTED
from benchmarks.hand_store import TOKEN, SQLite, application, caller, store

Members = dict[str, str]
MEMBER = """FROM organization AS o
JOIN member AS m ON m.organization_id = o.id AND m.user_id = $1 AND m.disabled IS FALSE
WHERE o.id = $2"""


class PostgreSQLJson:
    """How PostgreSQL builds JSON."""

    @staticmethod
    def time(column: str) -> str:
        pattern = """'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'"""
        return f"to_char({column} AT TIME ZONE 'UTC', {pattern})"

    @staticmethod
    def stored(column: str) -> str:
        return column

    @staticmethod
    def build(members: Members) -> str:
        parts = ", ".join(f"'{name}', {value}" for name, value in members.items())
        return f"json_build_object({parts})"

    @classmethod
    def nodes(cls, members: Members, alias: str, rows: str, order: str) -> str:
        built = f"json_agg({cls.build(members)} ORDER BY {order})"
        return cls.build(
            {"nodes": f"(SELECT coalesce({built}, '[]'::json) FROM ({rows}) AS {alias})"}
        )


class SQLiteJson:
    """How SQLite builds JSON; rows of a sub-select come in its order."""

    @staticmethod
    def time(column: str) -> str:
        return f"substr({column}, 1, 10) || 'T' || substr({column}, 12, 12) || 'Z'"

    @staticmethod
    def stored(column: str) -> str:
        return f"json({column})"

    @staticmethod
    def build(members: Members) -> str:
        parts = ", ".join(f"'{name}', {value}" for name, value in members.items())
        return f"json_object({parts})"

    @classmethod
    def nodes(cls, members: Members, alias: str, rows: str, order: str) -> str:
        built = f"(SELECT json_group_array({cls.build(members)}) FROM ({rows}) AS {alias})"
        return cls.build({"nodes": built})


Json = type[PostgreSQLJson] | type[SQLiteJson]


def _space(time: Callable[[str], str], stored: Callable[[str], str]) -> Members:
    return {
        "id": "s.id",
        "title": "s.title",
        "emoji": "s.emoji",
        "createdAt": time("s.created_at"),
        "updatedAt": time("s.updated_at"),
        "deletedAt": time("s.deleted_at"),
        "editMode": "upper(s.edit_mode)",
        "language": "upper(replace(s.language, '-', '_'))",
        "defaultLevel": LEVEL_NAME,
        "mergeRules": stored("s.merge_rules"),
    }


def one_space(json: Json) -> str:
    members = {"__typename": "'Space'", **_space(json.time, json.stored), "position": "s.position"}
    data = json.build({"space": json.build(members)})
    return f"SELECT {data} FROM space AS s {ACCESS} WHERE s.id = $2 AND {FOUND}"


def all_spaces(json: Json) -> str:
    rows = f"""SELECT s.* FROM space AS s {ACCESS}
    WHERE s.organization_id = o.id AND {LISTED} ORDER BY s.id LIMIT 100"""
    nodes = json.nodes(_space(json.time, json.stored), "s", rows, "s.id")
    return f"SELECT {json.build({'organization': json.build({'spaces': nodes})})} {MEMBER}"


def tree(json: Json) -> str:
    comment = {
        "id": "c.id",
        "postedAt": json.time("c.posted_at"),
        "editedAt": json.time("c.edited_at"),
        "status": "upper(c.status)",
        "body": json.build({"markdown": "c.markdown"}),
        "postedBy": json.build(
            {"id": "c.author", "displayName": "c.display_name", "photoURL": "c.photo_url"}
        ),
    }
    comments = """SELECT c.id, c.posted_at, c.edited_at, c.status, c.markdown,
      u.id AS author, u.display_name, u.photo_url
    FROM comment AS c JOIN user_account AS u ON u.id = c.posted_by_id
    WHERE c.change_request_id = r.id AND c.parent_id IS NULL ORDER BY c.id DESC LIMIT $5"""
    request = {
        "id": "r.id",
        "number": "r.number",
        "subject": "r.subject",
        "status": "upper(r.status)",
        "createdAt": json.time("r.created_at"),
        "updatedAt": json.time("r.updated_at"),
        "comments": json.nodes(comment, "c", comments, "c.id DESC"),
    }
    requests = """SELECT id, number, subject, status, created_at, updated_at
    FROM change_request WHERE space_id = s.id ORDER BY number DESC LIMIT $4"""
    space = {
        "id": "s.id",
        "title": "s.title",
        "emoji": "s.emoji",
        "createdAt": json.time("s.created_at"),
        "updatedAt": json.time("s.updated_at"),
        "changeRequests": json.nodes(request, "r", requests, "r.number DESC"),
    }
    spaces = f"""SELECT s.id, s.title, s.emoji, s.created_at, s.updated_at FROM space AS s {ACCESS}
    WHERE s.organization_id = o.id AND {LISTED} ORDER BY s.id LIMIT $3"""
    top = {"title": "o.title", "spaces": json.nodes(space, "s", spaces, "s.id")}
    return f"SELECT {json.build({'organization': json.build(top)})} {MEMBER}"


def create_app() -> FastAPI:
    """The routes on the database that $DOCSTEAD_DATABASE_URL names."""
    database = store()
    app = application(database)
    json: Json = SQLiteJson if isinstance(database, SQLite) else PostgreSQLJson
    token = database.statement(TOKEN)
    one, all_of, nested = (database.statement(make(json)) for make in (one_space, all_spaces, tree))

    async def answer(request: Request, statement: str, *values: object) -> Response:
        async with database.connection() as fetch:
            actor = await caller(fetch, token, request)
            found = await fetch(statement, actor, *values)
        if not found:
            raise HTTPException(404)
        body = b'{"data":%b}' % found[0][0].encode()
        return Response(body, media_type="application/json")

    @app.get("/spaces/{space_id}")
    async def get_space(space_id: str, request: Request) -> Response:
        return await answer(request, one, space_id)

    @app.get("/organizations/{id}/spaces")
    async def get_spaces(id: str, request: Request) -> Response:
        return await answer(request, all_of, id)

    @app.get("/organizations/{id}/tree")
    async def get_tree(
        id: str, spaces: int, requests: int, comments: int, request: Request
    ) -> Response:
        return await answer(request, nested, id, spaces, requests, comments)

    return app
