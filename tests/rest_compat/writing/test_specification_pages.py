"""Computed content from OpenAPI specifications: pages of tags, and their documents."""

from typing import Any

from content.openapi.outline import outline_of
from db.session import Session
from tests import factories
from tests.conftest import Api, World

TEXT = """openapi: 3.1.0
info: {title: Planets, version: "1", description: All **about** them}
tags:
  - {name: moon, x-page-title: Moons, x-parent: planet, x-page-icon: moon,
     x-page-description: What goes round, description: "They go round."}
  - {name: planet, x-displayName: The planets}
  - {name: unused}
  - {name: secret, x-internal: true}
paths:
  /planets:
    get: {tags: [planet], summary: "All *planets*", responses: {"200": {description: ok}}}
    post: {tags: [planet], x-gitbook-ignore: true, responses: {"200": {description: ok}}}
  /moons/{id}: {get: {tags: [moon], responses: {"200": {description: ok}}}}
  /secret: {get: {tags: [secret], responses: {"200": {description: ok}}}}
  /status: {get: {operationId: readStatus, responses: {"200": {description: ok}}}}
  /new: {get: {tags: [later], responses: {"200": {description: ok}}}}
webhooks:
  landed: {post: {tags: [planet], summary: Landed, responses: {"200": {description: ok}}}}
components:
  schemas:
    Planet: {type: object}
    Hidden: {type: object, x-internal: true}
"""


def source(**props: Any) -> dict[str, Any]:
    spec = {"ref": {"kind": "openapi", "spec": "planets"}}
    return {"type": "builtin:openapi", "props": props, "dependencies": {"spec": spec}}


async def test_pages_of_a_specification(api: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization)
    await factories.make_grant(session, space, world.guest, factories.Role.READ)
    await factories.make_specification(session, world.organization.id, TEXT)
    await session.commit()

    async def ask(kind: str, person: Any = world.reader, **props: Any) -> Any:
        path = f"/spaces/{space.id}/content/computed/{kind}"
        return await api.rest("POST", path, person, {"source": source(**props), "seed": "s"})

    def shown(pages: Any) -> list[Any]:
        return [[page["title"], page["path"], *shown(page["pages"])] for page in pages]

    answer = (await ask("revision", models=True)).json()
    assert shown(answer["pages"]) == [
        ["Planets", "planets"],
        ["The planets", "the-planets", ["Moons", "the-planets/moons"]],
        ["later", "later"],
        ["Models", "models"],
    ]
    assert answer == (await ask("revision", models=True)).json()
    assert len((await ask("revision", models=False)).json()["pages"]) == 3

    async def markdown(**props: Any) -> str:
        query = """query ($s: ID!, $input: ComputedContentInput!) {
          computedDocument(spaceId: $s, input: $input) { markdown nodes } }"""
        data = await api.data(
            query, world.reader, s=space.id, input={"source": source(**props), "seed": "s"}
        )
        text: str = data["computedDocument"]["markdown"]
        return text

    planets = await markdown(doc="operations", page="planet")
    assert planets.index('path="/planets"') < planets.index('name="landed"')
    assert 'method="post"' in planets
    assert "## All \\*planets\\*" in planets
    assert "They go round." in await markdown(doc="info", page="moon")
    own = await markdown(doc="operations", page="Planets")
    assert "All **about** them" in own
    assert "## readStatus" in own
    models = await markdown(doc="models")
    assert 'schemas="Planet"' in models
    assert "Hidden" not in models

    # Whoever may not read the specification does not by this, either; unknown pages are not there.
    assert (await ask("revision", world.guest, models=True)).status_code == 404
    assert (await ask("document", doc="operations", page="secret")).status_code == 404
    assert (await ask("document", doc="other")).status_code == 422


def test_any_tags_have_an_end() -> None:
    """Parents that lead in circles, to themselves and to nothing."""
    names = [f"t{number}" for number in range(12)]
    for step in range(1, 13):
        tags = [
            {"name": name, "parent": names[(index * step + 1) % 13] if step % 4 else name}
            if (index * step + 1) % 13 < 12
            else {"name": name, "parent": "nothing"}
            for index, name in enumerate(names)
        ]
        paths = {f"/{name}": {"get": {"tags": [name]}} for name in names}
        waiting, seen = list(outline_of({"tags": tags, "paths": paths}).top), []
        while waiting:
            page = waiting.pop()
            seen.append(page.name)
            waiting.extend(page.children)
        assert sorted(seen) == sorted(names)
