"""A list of /v1 written by hand: the very same JSON as the product's, with as few statements.

The token, the organization, the page with the rank of the caller, what is counted of it, the
published sites, and the count over all pages.
"""

from typing import Any

import orjson
from fastapi import APIRouter, HTTPException, Request, Response

from benchmarks.hand_rule import ACCESS, LEVELS, LISTED, ORGANIZATION, RANK
from benchmarks.hand_store import TOKEN, Store, caller

BASE = "http://127.0.0.1:8000"
PAGE = f"""SELECT s.id, s.organization_id, s.parent_id, s.title, s.emoji, s.icon_url, s.edit_mode,
  s.default_level, s.language, s.merge_rules, s.revision_id, s.created_at, s.updated_at,
  {RANK} AS rank
FROM space AS s {ACCESS} WHERE s.organization_id = $2 AND {LISTED} ORDER BY s.id LIMIT $3"""
COUNT = f"SELECT count(*) FROM space AS s {ACCESS} WHERE s.organization_id = $2 AND {LISTED}"
REQUESTS = """SELECT space_id, status, count(*) FROM change_request
WHERE space_id = ANY ($1::text[]) GROUP BY space_id, status"""
COMMENTS = """SELECT space_id, count(*) FROM comment
WHERE space_id = ANY ($1::text[]) AND change_request_id IS NULL AND parent_id IS NULL
  AND status = 'open' GROUP BY space_id"""
SITES = """SELECT p.space_id, t.visibility FROM site_space AS p JOIN site AS t ON t.id = p.site_id
JOIN space AS s ON s.id = p.space_id
WHERE p.space_id = ANY ($1::text[]) AND t.published IS TRUE AND s.deleted_at IS NULL"""
WIDEST = ("public", "unlisted", "share-link", "visitor-auth")
COMMENT, EDIT, REVIEW, CREATE = 2, 3, 4, 5


def _sqlite(statement: str) -> str:
    return statement.replace("= ANY ($1::text[])", "IN (SELECT value FROM json_each($1))")


def _time(value: Any) -> str:
    if isinstance(value, str):
        return f"{value[:10]}T{value[11:23]}Z"
    text: str = value.isoformat(timespec="milliseconds")
    return text[:23] + "Z"


def _space(row: Any, requests: dict[str, int], comments: int, sites: set[str]) -> dict[str, Any]:
    id, rank = row[0], row[13]
    creator, reviewer = rank >= CREATE, rank >= REVIEW
    alone = "private" if row[2] is None else "in-collection"
    shown: dict[str, Any] = {
        "object": "space",
        "id": id,
        "title": row[3],
        "emoji": row[4],
        "visibility": next((one for one in WIDEST if one in sites), alone),
        "createdAt": _time(row[11]),
        "updatedAt": _time(row[12]),
        "editMode": row[6],
        "mergeRules": orjson.Fragment(row[9]),
        "defaultLevel": (LEVELS[row[7]] or "").lower() or None,
        "changeRequestsOpen": requests.get("open", 0),
        "changeRequestsDraft": requests.get("draft", 0),
        "organization": row[1],
        "revision": row[10],
        "comments": comments,
        "changeRequests": sum(requests.values()),
        "urls": {"location": f"{BASE}/v1/spaces/{id}", "app": f"{BASE}/s/{id}"},
        "permissions": {
            "view": rank > 0,
            "access": rank > 0,
            "admin": creator,
            "viewInviteLinks": creator,
            "edit": rank >= EDIT and row[6] == "live",
            "triggerGitSync": creator,
            "comment": rank >= COMMENT,
            "merge": reviewer,
            "review": reviewer,
            "installIntegration": creator,
        },
    }
    if row[8] is not None:
        shown["language"] = row[8]
    if row[2] is not None:
        shown["parent"] = row[2]
    if row[5] is not None:
        shown["urls"]["icon"] = row[5]
    return shown


def routes(database: Store) -> APIRouter:
    """`GET /v1/orgs/{id}/spaces?limit=100`, the first page."""
    router = APIRouter()
    token, organization = database.statement(TOKEN), database.statement(ORGANIZATION)
    page, count = database.statement(PAGE), database.statement(COUNT)
    of_requests, of_comments, of_sites = (
        database.statement(text, _sqlite(text)) for text in (REQUESTS, COMMENTS, SITES)
    )

    @router.get("/v1/orgs/{id}/spaces")
    async def spaces(id: str, limit: int, request: Request) -> Response:
        async with database.connection() as fetch:
            actor = await caller(fetch, token, request)
            if not await fetch(organization, actor, id):
                raise HTTPException(404)
            rows = (await fetch(page, actor, id, limit + 1))[:limit]
            ids = database.ids([row[0] for row in rows])
            requests: dict[str, dict[str, int]] = {}
            for space_id, status, number in await fetch(of_requests, ids):
                requests.setdefault(space_id, {})[status] = number
            comments = dict(map(tuple, await fetch(of_comments, ids)))
            sites: dict[str, set[str]] = {}
            for space_id, visibility in await fetch(of_sites, ids):
                sites.setdefault(space_id, set()).add(visibility)
            ((whole,),) = await fetch(count, actor, id)
        items = [
            _space(row, requests.get(row[0], {}), comments.get(row[0], 0), sites.get(row[0], set()))
            for row in rows
        ]
        body = orjson.dumps({"items": items, "count": whole})
        return Response(body, media_type="application/json")

    return router
