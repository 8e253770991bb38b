"""What somebody would write by hand for the four reads: FastAPI routes and SQL, no more.

One statement for each level and orjson. The token is looked up as in the real server; the rules
about who may read what are left out, so this is a floor, not a server to run.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from db.enums import DefaultLevel, EditMode, Language
from db.models.discussions import Comment
from db.models.spaces import Space
from db.session import Database
from resolvers.scalars import write_time
from resolvers.tokens import digest

SPACE_COLUMNS = (
    "id, title, emoji, created_at, updated_at, deleted_at, edit_mode, language, default_level, "
    "merge_rules"
)
_SPACE = Space.__table__.c
_COMMENT = Comment.__table__.c
TOKEN = text("SELECT user_id FROM api_token WHERE digest = :digest AND revoked_at IS NULL")
ONE = text(f"SELECT {SPACE_COLUMNS} FROM space WHERE id = :id AND deleted_at IS NULL").columns(
    *(_SPACE[name] for name in SPACE_COLUMNS.split(", "))
)
ALL = text(
    f"SELECT {SPACE_COLUMNS} FROM space WHERE organization_id = :id AND deleted_at IS NULL "
    "ORDER BY id LIMIT 100"
).columns(*(_SPACE[name] for name in SPACE_COLUMNS.split(", ")))
TITLE = text("SELECT title FROM organization WHERE id = :id")
SPACES = text(
    "SELECT id, title FROM space WHERE organization_id = :id AND deleted_at IS NULL "
    "ORDER BY id LIMIT :n"
)
REQUESTS = text(
    "SELECT space_id, id, number, subject FROM (SELECT space_id, id, number, subject, "
    "row_number() OVER (PARTITION BY space_id ORDER BY id DESC) AS place FROM change_request "
    "WHERE space_id IN :ids) AS numbered WHERE place <= :n ORDER BY space_id, place"
).bindparams(bindparam("ids", expanding=True))
COMMENTS: TextClause = text(
    "SELECT change_request_id, c.id, posted_at, markdown, u.id, u.display_name FROM (SELECT "
    "change_request_id, id, posted_at, markdown, posted_by_id, row_number() OVER (PARTITION BY "
    "change_request_id ORDER BY id DESC) AS place FROM comment WHERE change_request_id IN :ids "
    "AND parent_id IS NULL) AS c JOIN user_account AS u ON u.id = c.posted_by_id "
    "WHERE place <= :n ORDER BY change_request_id, place"
).bindparams(bindparam("ids", expanding=True))
TYPED_COMMENTS = COMMENTS.columns(
    _COMMENT.change_request_id,
    _COMMENT.id,
    _COMMENT.posted_at,
    _COMMENT.markdown,
    author=_COMMENT.id.type,
    name=_COMMENT.markdown.type,
)


def _space(row: Any) -> dict[str, Any]:
    mode: EditMode = row.edit_mode
    language: Language | None = row.language
    level: DefaultLevel | None = row.default_level
    return {
        "id": row.id,
        "title": row.title,
        "emoji": row.emoji,
        "createdAt": write_time(row.created_at),
        "updatedAt": write_time(row.updated_at),
        "deletedAt": None if row.deleted_at is None else write_time(row.deleted_at),
        "editMode": mode.name,
        "language": language and language.name,
        "defaultLevel": level and level.name,
        "mergeRules": row.merge_rules,
    }


def create_app() -> FastAPI:
    """The routes on the database that $DOCSTEAD_DATABASE_URL names."""
    database = Database(os.environ["DOCSTEAD_DATABASE_URL"])

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await database.close()

    app = FastAPI(lifespan=lifespan)

    async def known(connection: AsyncConnection, request: Request) -> None:
        token = request.headers["authorization"].removeprefix("Bearer ")
        found = await connection.execute(TOKEN, {"digest": digest(token)})
        if found.first() is None:
            raise PermissionError("the token is unknown")

    @app.get("/spaces/{space_id}")
    async def one_space(space_id: str, request: Request) -> Response:
        async with database.connection() as connection:
            await known(connection, request)
            row = (await connection.execute(ONE, {"id": space_id})).one()
        return _answer({"space": _space(row)})

    @app.get("/organizations/{id}/spaces")
    async def all_spaces(id: str, request: Request) -> Response:
        async with database.connection() as connection:
            await known(connection, request)
            rows = (await connection.execute(ALL, {"id": id})).all()
        return _answer({"organization": {"spaces": {"nodes": [_space(row) for row in rows]}}})

    @app.get("/organizations/{id}/tree")
    async def tree(
        id: str, spaces: int, requests: int, comments: int, request: Request
    ) -> Response:
        async with database.connection() as connection:
            await known(connection, request)
            title = (await connection.execute(TITLE, {"id": id})).scalar_one()
            found = (await connection.execute(SPACES, {"id": id, "n": spaces})).all()
            ids = [row.id for row in found]
            changes = (await connection.execute(REQUESTS, {"ids": ids, "n": requests})).all()
            request_ids = [row.id for row in changes]
            said = await connection.execute(TYPED_COMMENTS, {"ids": request_ids, "n": comments})
            of_request: dict[str, list[Any]] = {}
            for request_id, comment_id, posted_at, markdown, author, name in said:
                of_request.setdefault(request_id, []).append(
                    {
                        "id": comment_id,
                        "postedAt": write_time(posted_at),
                        "body": {"markdown": markdown},
                        "postedBy": {"id": author, "displayName": name},
                    }
                )
        of_space: dict[str, list[Any]] = {}
        for space_id, request_id, number, subject in changes:
            nodes = of_request.get(request_id, [])
            of_space.setdefault(space_id, []).append(
                {
                    "id": request_id,
                    "number": number,
                    "subject": subject,
                    "comments": {"nodes": nodes},
                }
            )
        tops = [
            {
                "id": row.id,
                "title": row.title,
                "changeRequests": {"nodes": of_space.get(row.id, [])},
            }
            for row in found
        ]
        return _answer({"organization": {"title": title, "spaces": {"nodes": tops}}})

    return app


def _answer(data: dict[str, Any]) -> Response:
    return Response(orjson.dumps({"data": data}), media_type="application/json")
