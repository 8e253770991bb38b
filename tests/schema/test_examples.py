"""The examples that GraphiQL offers: each runs as it stands, with the ids it looks up itself."""

import json
from pathlib import Path
from typing import Any

import pytest
from graphql import parse, print_ast

from db.session import Session
from schema.build import build_schema
from schema.documents import Documents
from schema.execution import engine_of, follow
from tests import factories
from tests.conftest import Api, World, context, settle

FILE = Path(__file__).parents[2] / "docstead" / "graphiql" / "examples.json"
DATA: dict[str, Any] = json.loads(FILE.read_text())
EXAMPLES = [example for group in DATA["groups"] for example in group["examples"]]


def found(data: Any, path: list[str | int]) -> Any:
    for key in path:
        data = data[key]
    return data


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
async def test_example_runs(
    session: Session, world: World, api: Api, example: dict[str, Any]
) -> None:
    space = await factories.make_space(session, world.organization)
    await factories.make_collection(session, world.organization)
    request = await factories.make_change_request(session, space, world.editor)
    await factories.make_comment(session, space, world.commenter, request)
    await factories.make_site(session, world.organization)
    await settle(session)
    if "path" in example.get("variables", {}):
        # A page to read: new spaces have one.
        made = await api.data(
            "mutation ($id: ID!) { createSpace(organizationId: $id, input: {}) { id } }",
            world.admin,
            id=world.organization.id,
        )
        variables = {**example["variables"], "spaceId": made["createSpace"]["id"]}
    else:
        variables = dict(example.get("variables", {}))
    for name, value in variables.items():
        if value is None:
            lookup = DATA["lookups"][name]
            variables[name] = found(await api.data(lookup["query"], world.admin), lookup["path"])
    if example["query"].startswith("subscription"):
        await follows(api, world, example["query"], variables)
        return
    answer = await api.graphql(example["query"], world.admin, **variables)
    assert "errors" not in answer, answer
    assert all(value is not None for value in answer["data"].values())


async def follows(api: Api, world: World, text: str, variables: dict[str, Any]) -> None:
    """A subscription begins; tests/docstead/subscriptions have what it delivers."""
    actor = context(None, world.admin).actor  # type: ignore[arg-type]
    schema = build_schema()
    documents = Documents(schema._schema)
    document = documents.document(text)
    operation = documents.operation(document, documents.select(document, None), variables)
    async with api.server.context_of(actor) as ctx:
        followed = await follow(engine_of(schema), operation, ctx)
    assert followed.stream_id == world.organization.id


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_example_is_laid_out_as_the_editor_does(example: dict[str, Any]) -> None:
    assert example["query"] == print_ast(parse(example["query"])) + "\n"


def test_shipped_page_holds_these_examples() -> None:
    """The build is as new as the examples."""
    scripts = (FILE.parents[1] / "static" / "graphiql" / "assets").glob("graphiql-*.js")
    text = "".join(path.read_text() for path in scripts)
    for example in EXAMPLES:
        assert example["title"] in text
        assert example["description"] in text
