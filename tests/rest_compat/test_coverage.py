"""The route table and the list of pending operations make up the published contract."""

import re
from pathlib import Path

import pytest

from rest_compat import pending
from rest_compat.openapi import openapi_document
from rest_compat.routes.all import ROUTES

# Lines: tier, method, path, operation id. The specification documents the first tier and names the
# second; `later` are further ones of the same contract, `newer` those of its newest version. What
# was added to the published contract is in the tier `added`.
OPERATIONS = [
    line.split() for line in (Path(__file__).parent / "operations.txt").read_text().splitlines()
]
SERVED = {
    (row.method, "/v1" + re.sub(r"{(\w+):\w+}", r"{\1}", row.path)): row.operation_id
    for row in ROUTES
}


def of_tier(tier: str) -> dict[tuple[str, str], str]:
    return {(method, path): name for tier_, method, path, name in OPERATIONS if tier_ == tier}


def test_the_contract_has_136_documented_operations() -> None:
    assert len(of_tier("documented")) == 136


# The list has a part for each of them.
TIERS = {
    "# The specification documents them.": "documented",
    "# The specification only mentions them.": "named",
    "# Of the same contract, for parts of the product that come later.": "later",
    "# Of its newest version.": "newer",
}


def listed(tier: str) -> list[str]:
    """Ids of the operations in the part of the list that a tier has, as they stand there."""
    part, ids = None, []
    for line in Path(pending.__file__).with_suffix(".txt").read_text().splitlines():
        part = TIERS[line] if line.startswith("#") else part
        if part == tier and line and not line.startswith("#"):
            ids.append(line.split()[-1])
    return ids


@pytest.mark.parametrize("tier", TIERS.values())
def test_every_operation_is_served_or_pending(tier: str) -> None:
    missing = {name: key for key, name in of_tier(tier).items() if key not in SERVED}
    ids = listed(tier)
    rows = [one for one in pending.PENDING if one.operation_id in set(ids)]
    assert {one.operation_id: (one.method, f"/v1{one.path}") for one in rows} == missing
    assert ids == sorted(missing)


def test_the_list_has_no_other_parts() -> None:
    assert len(pending.PENDING) == sum(len(listed(tier)) for tier in TIERS.values())


def test_every_route_is_an_operation_of_the_contract_under_its_name() -> None:
    tiers = ("documented", "named", "later", "newer", "added")
    known = {key: name for tier in tiers for key, name in of_tier(tier).items()}
    assert {key: known.get(key) for key in SERVED} == SERVED


def test_the_document_has_exactly_the_routes() -> None:
    described = {
        (method.upper(), path): operation["operationId"]
        for path, operations in openapi_document(ROUTES)["paths"].items()
        for method, operation in operations.items()
    }
    assert described == SERVED


def test_no_two_routes_answer_the_same_path() -> None:
    shapes = [(row.method, re.sub(r"{\w+(:\w+)?}", "{}", row.path)) for row in ROUTES]
    assert len(set(shapes)) == len(ROUTES)


# Answers of 201 that make nothing which has an address of its own.
WITHOUT_LOCATION = {
    "applyTemplateToSpace": "it fills the content of a space that is there",
    "cancelImportRun": "the contract answers 201; the run is there already",
    "createOpenAPISpec": "the contract has none: the slug is the caller's",
    "createFeedToken": "the answer itself has the address of the feed",
    "updateCustomFont": "the contract answers 201; the font is there already",
    "generateStorageUploadURL": "the answer itself has the signed address, for one PUT",
    "startSpacePDF": "its job is below the organization, which the path does not name",
    "startChangeRequestPDF": "its job is below the organization, which the path does not name",
    "createWebhook": "the answer holds the endpoint with its secret",
    "createFileUpload": "the answer itself has the signed address, for one PUT",
}


def test_what_is_created_has_an_address() -> None:
    """The header Location of a 201 is the path of a row."""
    paths = {re.sub(r"{\w+}", "{}", row.path) for row in ROUTES}
    for row in ROUTES:
        if row.status != 201:
            assert row.location is None, row.operation_id
        elif row.location is None:
            assert row.operation_id in WITHOUT_LOCATION
        else:
            assert re.sub(r"{\w+}", "{}", row.location) in paths, row.operation_id
            assert row.operation_id not in WITHOUT_LOCATION
