"""Operations of the contract that are not built answer 501 with their id, not 404."""

import re

from rest_compat.pending import PENDING
from tests.conftest import Api, Session, World, settle


async def test_what_is_not_built_answers_501_with_its_id(
    api: Api, world: World, session: Session
) -> None:
    await settle(session)
    assert len(PENDING) > 100
    for one in PENDING:
        path = re.sub(r"{\w+}", "any", one.path)
        answer = await api.rest(
            one.method, path, world.reader, json={} if one.method != "GET" else None
        )
        assert answer.status_code == 501, one
        assert answer.json() == {
            "error": {
                "code": 501,
                "message": f"{one.operation_id} is not built yet",
                "operationId": one.operation_id,
            }
        }


async def test_who_asks_is_asked_first(api: Api, world: World, session: Session) -> None:
    await settle(session)
    answer = await api.rest("GET", f"/orgs/{world.organization.id}/teams", None)
    assert answer.status_code == 401
    assert "www-authenticate" in answer.headers
    wrong = {"Authorization": "Bearer docstead_wrong"}
    answer = await api.rest("GET", f"/orgs/{world.organization.id}/teams", None, headers=wrong)
    assert answer.status_code == 401


async def test_other_methods_and_unknown_paths_stay_what_they_were(
    api: Api, world: World, session: Session
) -> None:
    await settle(session)
    answer = await api.rest("DELETE", f"/orgs/{world.organization.id}/teams", world.admin)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, PUT"
    answer = await api.rest("GET", f"/orgs/{world.organization.id}/teamz", world.admin)
    assert answer.status_code == 404
    # A method that is built beside one that is not.
    answer = await api.rest("POST", f"/orgs/{world.organization.id}", world.admin, json={})
    assert answer.status_code == 405
