"""Writing content through GraphQL: batches, short forms, variables and literals, errors."""

from typing import Any

from tests.conftest import Api, Sown

APPLY = """
mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) {
    changed dryRun moreChanges
    changes { type ... on PageChange { page { pageId title path } attributes { title { after } } } }
    revision { id parents }
    created { contentId kind ref }
    pages { id title path ... on DocumentPage { slug description markdown pages(first: 5) {
      nodes { title path } } } }
    reusableContents { id title }
  }
}
"""


CREATE = """mutation ($space: ID!) {
  createPage(spaceId: $space, input: {title: "%s"}) { changed }
}"""


async def test_a_batch_with_variables(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    target = {"space": seed.space.id}
    operations: list[dict[str, Any]] = [
        {"createPage": {"ref": "a", "title": "Parent", "description": "D"}},
        {"createPage": {"title": "Below", "parent": "ref:a", "body": {"markdown": "Hi"}}},
        {"createReusableContent": {"title": "Note", "body": {"markdown": "N"}}},
    ]
    data = await api.data(APPLY, world.editor, input={"target": target, "operations": operations})
    written = data["applyContentChanges"]
    assert written["changed"] is True
    assert written["revision"]["parents"] == [seed.revision.id]
    assert written["moreChanges"] is None
    assert [one["type"] for one in written["changes"]] == [
        "PAGE_CREATED", "PAGE_CREATED", "REUSABLE_CONTENT_CREATED",
    ]  # fmt: skip
    parent, below = written["pages"]
    assert (parent["path"], parent["description"], below["path"]) == (
        "parent", "D", "parent/below",
    )  # fmt: skip
    assert parent["pages"]["nodes"] == [{"title": "Below", "path": "parent/below"}]
    assert below["markdown"] == "# Below\n\nHi\n"
    assert written["created"][0] == {"contentId": parent["id"], "kind": "page", "ref": "a"}
    # The change request is where it was; it has its own.
    target["changeRequest"] = str(seed.change_request.number)
    data = await api.data(
        APPLY, world.editor,
        input={"target": target, "dryRun": True,
               "operations": [{"deletePage": {"page": "child"}}]},
    )  # fmt: skip
    assert data["applyContentChanges"]["dryRun"] is True
    assert [
        (one["type"], one["page"]["pageId"]) for one in data["applyContentChanges"]["changes"]
    ] == [
        ("PAGE_DELETED", "child"),
    ]  # fmt: skip


async def test_a_stale_revision_is_a_conflict_with_the_current_one(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    answer = await api.graphql(
        APPLY, world.editor,
        input={"target": {"space": seed.space.id}, "expectedRevision": "old",
               "operations": [{"deletePage": {"page": "child"}}]},
    )  # fmt: skip
    (error,) = answer["errors"]
    assert error["extensions"] == {
        "code": "CONFLICT", "status": 409, "currentRevision": seed.revision.id,
    }  # fmt: skip


async def test_exactly_one_operation_is_given(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    for operation in ({}, {"deletePage": {"page": "a"}, "deleteFile": {"file": "b"}},
                      {"deletePage": None}):  # fmt: skip
        answer = await api.graphql(
            APPLY, world.editor,
            input={"target": {"space": seed.space.id}, "operations": [operation]},
        )  # fmt: skip
        assert answer["errors"][0]["extensions"]["status"] == 400
    literal = """mutation { applyContentChanges(input: {target: {space: "%s"}, operations: [
        {deletePage: {page: "a"}, deleteFile: {file: "b"}}]}) { changed } }"""
    answer = await api.graphql(literal % seed.space.id, world.editor)
    assert answer["errors"][0]["extensions"]["status"] == 400


async def test_short_forms(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    data = await api.data(
        """mutation ($space: ID!) {
          create: createPage(spaceId: $space, input: {type: LINK, title: "Site",
              target: {kind: "url", url: "https://a.example"}}) { pages { id path title } }
          update: updatePage(spaceId: $space, input: {page: "home", emoji: "1f600",
              body: {edits: [{insert: {content: {markdown: "New."}, place: {index: 0}}}]}}) {
            pages { emoji ... on DocumentPage { markdown } } }
          rename: renamePage(spaceId: $space, input: {page: "home", title: "Start"}) {
            pages { path } }
          move: movePage(spaceId: $space, input: {page: "deep", parent: null}) {
            pages { path } }
          delete: deletePage(spaceId: $space, input: {page: "child"}) { changed deletedId }
          variables: setSpaceVariables(spaceId: $space, input: {set: {a: 1}}) {
            revision { variables } }
          same: updatePage(spaceId: $space, input: {page: "home", title: "Start"}) { changed }
        }""",
        world.editor,
        space=seed.space.id,
    )
    assert data["create"]["pages"][0]["title"] == "Site"
    assert data["update"]["pages"][0]["emoji"] == "1f600"
    assert data["update"]["pages"][0]["markdown"].startswith("# Home\n\nNew.\n\nHello")
    assert data["rename"]["pages"][0]["path"] == "start"
    assert data["move"]["pages"][0]["path"] == "deep"
    assert data["delete"] == {"changed": True, "deletedId": "child"}
    assert data["variables"]["revision"]["variables"]["a"] == 1
    assert data["same"]["changed"] is False


async def test_errors_name_the_place(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    answer = await api.graphql(
        """mutation ($space: ID!) { createPage(spaceId: $space,
             input: {title: "x", slug: "home", position: {index: 99}}) { changed } }""",
        world.editor, space=seed.space.id,
    )  # fmt: skip
    (error,) = answer["errors"]
    assert error["extensions"]["fields"][0]["path"] == "input.slug"
    answer = await api.graphql(
        CREATE % "",
        world.editor, space=seed.space.id,
    )  # fmt: skip
    assert answer["errors"][0]["extensions"]["status"] == 422
    answer = await api.graphql(
        CREATE % "x",
        world.reader, space=seed.space.id,
    )  # fmt: skip
    assert answer["errors"][0]["extensions"]["status"] == 403


REHEARSED = """mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) { changed changes { type
    ... on PageChange { page { title ... on DocumentPage { markdown document } } }
    ... on ReusableContentChange { reusableContent { title markdown } } } } }"""


async def test_a_dry_run_shows_the_bodies_that_would_be(sown: Sown, api: Api) -> None:
    """Of pages and reusable contents; blocks keep their keys; nothing of it is there afterwards."""
    world, seed = sown.world, sown.seed
    page = """query ($space: ID!) { page(spaceId: $space, id: "home") {
      revision { id } ... on DocumentPage { markdown document } } }"""
    before = (await api.data(page, world.editor, space=seed.space.id))["page"]
    operations: list[dict[str, Any]] = [
        {"updatePage": {"page": "home", "body": {"markdown": f"{before['markdown']}* more\n"}}},
        {"createReusableContent": {"title": "Sign", "body": {"markdown": "Mind the step."}}},
    ]
    data = await api.data(
        REHEARSED, world.editor,
        input={"target": {"space": seed.space.id}, "dryRun": True, "operations": operations},
    )  # fmt: skip
    edited, created = data["applyContentChanges"]["changes"]
    assert edited["page"]["markdown"] == f"{before['markdown']}* more\n"
    old, new = before["document"]["nodes"], edited["page"]["document"]["nodes"]
    assert [node["key"] for node in new] == [node["key"] for node in old]
    assert new[0] == old[0]
    assert len(new[1]["nodes"]) == len(old[1]["nodes"]) + 1
    assert created["reusableContent"] == {"title": "Sign", "markdown": "Mind the step."}
    assert (await api.data(page, world.editor, space=seed.space.id))["page"] == before
