"""Every input that takes the id of a page, file or reusable content takes both of its ids."""

import re
from collections.abc import Iterator
from typing import Any

from graphql import GraphQLInputObjectType, GraphQLInterfaceType, GraphQLObjectType

from db.enums import SiteVisibility
from db.session import Session
from schema.build import build_schema
from tests import factories
from tests.conftest import Api, Sown, World
from tests.seeds import Seed

SCHEMA = build_schema()._schema
NAMES = {"page", "pageId", "targetPage", "file", "fileId", "reusableContent", "reusableContentId"}
THINGS = "page|file|reusable content|content|document or group"
ABOUT = re.compile(rf"\bid of (the|a) ({THINGS})\b", re.IGNORECASE)
# Ids that readers send: what is published has stable ids only.
OF_READERS = {"InsightsLocationInput.page", "InsightsSearchResultInput.pageId"}
DOCUMENT = "Query.document.id"  # of a document, whatever it belongs to


def takers() -> Iterator[str]:
    """The arguments and input fields that take such ids."""
    for name, type_ in SCHEMA.type_map.items():
        if isinstance(type_, GraphQLInputObjectType):
            for field, value in type_.fields.items():
                if _takes(field, value) or (name == "PagePositionInput" and field != "index"):
                    yield f"{name}.{field}"
        elif isinstance(type_, GraphQLObjectType | GraphQLInterfaceType):
            for field, of_field in type_.fields.items():
                for argument, value in of_field.args.items():
                    if _takes(argument, value):
                        yield f"{name}.{field}.{argument}"


def _takes(name: str, value: Any) -> bool:
    is_text = str(value.type).strip("![]") in ("ID", "String")
    return is_text and (name in NAMES or bool(ABOUT.search(value.description or "")))


READ = "query($space: ID!, $request: ID!, $id: ID!) { %s }"
WRITE = "mutation($space: ID!, $request: ID!, $id: ID!) { %s }"
IN = "spaceId: $space, changeRequestId: $request"
# By what takes the id: the kind and stable id of the object, and an operation with it as `$id`.
# They are run one after the other on one change request.
CASES: dict[str, tuple[str, str, str]] = {
    "Query.page.id": ("page", "child", READ % f"page({IN}, id: $id) {{ pageId }}"),
    "Query.file.id": ("file", "apng", READ % f"file({IN}, id: $id) {{ fileId }}"),
    "Query.reusableContent.id": (
        "reusable-content", "notice", READ % f"reusableContent({IN}, id: $id) {{ title }}",
    ),
    "Query.pageDocument.pageId": (
        "page", "child", READ % f"pageDocument({IN}, pageId: $id) {{ documentId }}",
    ),
    "Query.reusableContentDocument.reusableContentId": (
        "reusable-content", "notice",
        READ % f"reusableContentDocument({IN}, reusableContentId: $id) {{ documentId }}",
    ),
    "Space.page.id": ("page", "child", READ % (
        "space(id: $space) { page(id: $id) { pageId } changeRequest(id: $request) { id } }")),
    "ChangeRequest.page.id": ("page", "child", READ % (
        "space(id: $space) { changeRequest(id: $request) { page(id: $id) { pageId } } }")),
    "Revision.page.id": ("page", "child", READ % (
        "space(id: $space) { changeRequest(id: $request) {"
        " revision { page(id: $id) { pageId } } } }"
    )),
    "Space.pdf.page": ("page", "child", READ % (
        "space(id: $space) { pdf(page: $id) { url } changeRequest(id: $request) { id } }")),
    "ChangeRequest.pdf.page": ("page", "child", READ % (
        "space(id: $space) { changeRequest(id: $request) { pdf(page: $id) { url } } }")),
    "Mutation.startPdf.page": ("page", "child", WRITE % f"startPdf({IN}, page: $id) {{ state }}"),
    "PostCommentInput.page": ("page", "child", WRITE % (
        f'postComment({IN}, input: {{page: $id, body: {{markdown: "A"}}}}) {{ id }}')),
    "ChangeRequest.comments.targetPage": ("page", "child", READ % (
        "space(id: $space) { changeRequest(id: $request) {"
        " comments(targetPage: $id) { totalCount } } }")),
    "Space.comments.targetPage": ("page", "child", READ % (
        "space(id: $space) { comments(targetPage: $id) { totalCount }"
        " changeRequest(id: $request) { id } }")),
    "UpdatePageInput.page": ("page", "child", WRITE % (
        f'updatePage({IN}, input: {{page: $id, title: "T"}}) {{ changed }}')),
    "RenamePageInput.page": ("page", "child", WRITE % (
        f'renamePage({IN}, input: {{page: $id, title: "Child"}}) {{ changed }}')),
    "MovePageInput.page": ("page", "deep", WRITE % (
        f"movePage({IN}, input: {{page: $id, parent: null}}) {{ changed }}")),
    "MovePageInput.parent": ("page", "home", WRITE % (
        f'movePage({IN}, input: {{page: "deep", parent: $id}}) {{ changed }}')),
    "PagePositionInput.before": ("page", "home", WRITE % (
        f'createPage({IN}, input: {{title: "B", position: {{before: $id}}}}) {{ changed }}')),
    "PagePositionInput.after": ("page", "home", WRITE % (
        f'createPage({IN}, input: {{title: "A", position: {{after: $id}}}}) {{ changed }}')),
    "CreatePageInput.parent": ("page", "home", WRITE % (
        f'createPage({IN}, input: {{title: "P", parent: $id}}) {{ changed }}')),
    "RevertPageInput.page": ("page", "child", WRITE % (
        f"revertPage({IN}, input: {{page: $id}}) {{ dryRun }}")),
    "SetRedirectInput.page": ("page", "child", WRITE % (
        f'setRedirect({IN}, input: {{path: "gone", page: $id}}) {{ changed }}')),
    "ReplaceFileInput.file": ("file", "apng", WRITE % (
        f'replaceFile({IN}, input: {{file: $id, name: "z.png"}}) {{ changed }}')),
    "UpdateReusableContentInput.reusableContent": ("reusable-content", "notice", WRITE % (
        f'updateReusableContent({IN}, input: {{reusableContent: $id, title: "U"}}) {{ changed }}')),
    "DeleteReusableContentInput.reusableContent": ("reusable-content", "notice", WRITE % (
        f"deleteReusableContent({IN}, input: {{reusableContent: $id}}) {{ changed }}")),
    "DeleteFileInput.file": ("file", "apng", WRITE % (
        f"deleteFile({IN}, input: {{file: $id}}) {{ changed }}")),
    "DeletePageInput.page": ("page", "child", WRITE % (
        f"deletePage({IN}, input: {{page: $id}}) {{ changed }}")),
}  # fmt: skip
# Those that have a test of their own below, or elsewhere.
APART = {
    "Mutation.importContent.pageId",
    "ImportRunTargetInput.page",
    "SiteRedirectDestinationInput.pageId",
    # tests/docstead/subscriptions/test_subscriptions.py
    "Subscription.page.pageId",
}
# A file that was uploaded is none of a content.
UPLOADS = {"ImportUploadedTreeInput.file"}


def test_every_input_is_known() -> None:
    assert {*takers()} - OF_READERS - UPLOADS - {DOCUMENT} == CASES.keys() | APART


async def ask(api: Api, world: World, seed: Seed, query: str, id: str) -> Any:
    return await api.graphql(
        query, world.admin, space=seed.space.id, request=seed.change_request.id, id=id
    )


async def test_both_ids_are_taken(sown: Sown, api: Api, session: Session) -> None:
    """The reads answer the same for both; the writes take the id with its place."""
    world, seed = sown.world, sown.seed
    await session.commit()
    await session.commit()
    for name, (kind, stable, query) in CASES.items():
        placed = f"{kind}~{seed.change_request.id}~{stable}"
        other = await ask(api, world, seed, query, f"{kind}~nowhere~{stable}")
        answer = await ask(api, world, seed, query, placed)
        assert "errors" not in answer, (name, answer["errors"])
        if query.startswith("query"):
            assert answer["data"] == (await ask(api, world, seed, query, stable))["data"], name
        else:
            assert other["errors"][0]["extensions"]["code"] in (
                "INVALID",
                "NOT_FOUND",
                "BAD_REQUEST",
            ), name


async def test_long_ids_may_be_commented_on(sown: Sown, api: Api, session: Session) -> None:
    """Stable ids of imports have up to 64 characters; with a place they are longer."""
    world, seed = sown.world, sown.seed
    await session.commit()
    await session.commit()
    _, _, query = CASES["PostCommentInput.page"]
    answer = await ask(api, world, seed, query, f"page~{seed.change_request.id}~{'x' * 64}")
    assert answer["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    answer = await ask(api, world, seed, query, "x" * 1000)
    assert answer["errors"][0]["extensions"]["code"] == "INVALID"


REDIRECT = """mutation($site: ID!, $source: String!, $to: SiteRedirectDestinationInput!) {
  createSiteRedirect(siteId: $site, input: {source: $source, destination: $to}) {
    destination { pageId } } }"""
BATCH = """mutation($site: ID!, $source: String!, $to: SiteRedirectDestinationInput!) {
  writeSiteRedirects(siteId: $site, input: {redirects: [{source: $source, destination: $to}]}) {
    results { status message redirect { destination { pageId } } } } }"""


async def test_redirects_of_sites(sown: Sown, api: Api, session: Session) -> None:
    world, seed = sown.world, sown.seed
    await session.commit()
    site = await factories.make_site(
        session, world.organization, seed.space, visibility=SiteVisibility.PUBLIC
    )
    await session.commit()
    to = {"kind": "SITE_PAGE", "siteSpaceId": site.default_site_space_id}
    placed = f"page~{seed.change_request.id}~child"
    data = await api.data(
        REDIRECT, world.admin, site=site.id, source="/a", to={**to, "pageId": placed}
    )
    assert data["createSiteRedirect"]["destination"] == {"pageId": "child"}
    data = await api.data(
        BATCH, world.admin, site=site.id, source="/b", to={**to, "pageId": placed}
    )
    (result,) = data["writeSiteRedirects"]["results"]
    assert result["redirect"]["destination"] == {"pageId": "child"}
    for wrong in ("page~nowhere~child", f"file~{seed.change_request.id}~child"):
        answer = await api.graphql(
            REDIRECT, world.admin, site=site.id, source="/c", to={**to, "pageId": wrong}
        )
        (error,) = answer["errors"]
        assert error["extensions"]["fields"][0]["path"] == "destination.pageId"
        data = await api.data(
            BATCH, world.admin, site=site.id, source="/c", to={**to, "pageId": wrong}
        )
        assert "destination.pageId" in data["writeSiteRedirects"]["results"][0]["message"]
