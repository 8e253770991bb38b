"""Writes to sites, and the structure of one, through both interfaces."""

import json
import re
from itertools import count
from typing import Any

from db.models.organizations import User
from resolvers.core.naming import camel
from rest_compat.routes.all import ROUTES
from tests.conftest import Api
from tests.parity import root_field

ROWS = {row.operation_id: row for row in ROUTES}
TREE = """query ($site: ID!) {
  siteStructure(id: $site) {
    type
    ... on SiteSectionStructure { structure { ...item } }
    ... on SiteSpaceStructure { structure { ...space } }
  }
  site(id: $site) {
    sections(first: 100) { nodes { id } }
    sectionGroups(first: 100) { nodes { id } }
    siteSpaces(first: 100) { nodes { id } }
    default: siteSpaces(default: true) { nodes { id } }
    defaultSiteSpace { id }
  }
}
fragment space on SiteSpace {
  object: __typename id path default section: sectionId urls { published }
}
fragment section on SiteSection {
  object: __typename id path default title sectionGroup: sectionGroupId urls { published }
  siteSpaces(first: 100) { nodes { ...space } }
}
fragment inner on SiteSectionGroup {
  object: __typename id title sectionGroup: sectionGroupId children { ...section }
}
fragment item on SiteSectionOrGroup {
  ...section
  ... on SiteSectionGroup {
    object: __typename id title sectionGroup: sectionGroupId children { ...section ...inner }
  }
}"""
OBJECTS = {
    "SiteSpace": "site-space",
    "SiteSection": "site-section",
    "SiteSectionGroup": "site-section-group",
}


def literal(value: Any) -> str:
    """A JSON value as a GraphQL literal."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {literal(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return json.dumps(value)


def same(node: Any) -> Any:
    """A structure in the words that both interfaces share."""
    if isinstance(node, list):
        return [same(one) for one in node]
    found = {
        name: node.get(name) for name in ("object", "id", "path", "default", "section",
                                          "sectionGroup", "type")
    }  # fmt: skip
    found["object"] = OBJECTS.get(node.get("object", ""), node.get("object"))
    found["urls"] = (node.get("urls") or {}).get("published")
    for name in ("structure", "children", "siteSpaces"):
        below = node.get(name)
        if below is not None:
            found[name] = same(below["nodes"] if isinstance(below, dict) else below)
    return found


class Doors:
    """Both interfaces, as one person."""

    def __init__(self, api: Api, person: User) -> None:
        self.api, self.person, self.turns = api, person, count()

    async def write(self, operation_id: str, body: Any, ids: dict[str, str]) -> tuple[int, Any]:
        """The status and the id of what was answered; the doors take turns."""
        row = ROWS[operation_id]
        if next(self.turns) % 2:
            path = re.sub(r"{(\w+)}", lambda found: ids[found[1]], row.path)
            answer = await self.api.rest(row.method, path, self.person, body)
            assert answer.status_code < 500, answer.text
            known = answer.json() if answer.content else {}
            return answer.status_code, known.get("id")
        values: dict[str, Any] = {name: ids[key] for name, key in row.path_parameters.items()}
        if body is not None:
            values["input"] = body
        arguments = ", ".join(f"{camel(name)}: {literal(one)}" for name, one in values.items())
        field = root_field(row.operation, "Mutation")
        deletes = row.method == "DELETE"
        shown = " { __typename }" if deletes else " { ... on Node { id } }"
        query = f"mutation {{ done: {field}({arguments}){shown} }}"
        data = await self.api.graphql(query, self.person)
        if "errors" in data:
            status = int(data["errors"][0]["extensions"]["status"])
            # What is not there any more is an error in GraphQL, and 204 in REST.
            return (204 if deletes and status == 404 else status), None
        return (205, None) if deletes else (row.status, data["data"]["done"]["id"])

    async def look(self, known: dict[str, str]) -> tuple[Any, Any]:
        """The structure, which is the same in both, and the site's lists in GraphQL."""
        base = f"/orgs/{known['organizationId']}/sites/{known['siteId']}"
        shown = (await self.api.rest("GET", f"{base}/structure", self.person)).json()
        data = await self.api.data(TREE, self.person, site=known["siteId"])
        assert same(shown) == same(data["siteStructure"])
        return same(shown), data["site"]
