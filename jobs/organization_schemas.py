"""What the JSON of an export has to look like: a JSON Schema of each column, and of the entries of
the maps that content is stored in. What a schema cannot say is said by the checks of writes.
"""

import enum
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from strawberry.types import has_object_definition

from content.documents.shape import DocumentError, checked_document
from content.expressions.conditions import condition_problem
from content.late_modules import LateModule
from content.merge.conflict import ConflictKind, Resolution
from content.visitors.claims_schema import ClaimsSchemaError, check_claims_schema
from db.content_enums import PageType
from db.git_enums import GitProvider
from resolvers.core.errors import ApiError
from resolvers.core.inputs import Bounds, Untagged
from resolvers.customization.checks import check_settings
from resolvers.customization.settings import SiteCustomizationSettingsInput
from resolvers.customization.table import rows_of
from resolvers.organizations.merge_rules import stored_rules_problem
from resolvers.organizations.operations import DOMAIN, HOSTNAME, stored_domains_problem
from resolvers.sites.custom_hostnames import PATTERN
from resolvers.sites.operations import PROXY_ORIGIN
from resolvers.sites.redirect_destinations import MEMBERS

if TYPE_CHECKING:
    import jsonschema_rs
else:
    jsonschema_rs = LateModule("jsonschema_rs")

Json = dict[str, Any]
TEXT: Final[Json] = {"type": "string"}
_TEXT_OR_NULL: Final[Json] = {"type": ["string", "null"]}
_FLAG: Final[Json] = {"type": "boolean"}
_COUNT: Final[Json] = {"type": "integer", "minimum": 0, "exclusiveMaximum": 2**53}
_ID: Final[Json] = {"type": "string", "pattern": "^[0-9A-Za-z_-]{1,64}$"}
_SHA256: Final[Json] = {"type": "string", "pattern": "^[0-9A-Za-z]{1,64}$"}
_OBJECT: Final[Json] = {"type": "object"}
# The format knows how many days a month has; Python has no leap seconds and no year 0, nor 10000,
# which it may be in UTC.
_TIME: Final[Json] = {
    "type": "string", "format": "date-time",
    "pattern": r"^(?!9999-12-31.*-[0-9:]+$)[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}(:[0-5][0-9]){2}"
    r"(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$",
}  # fmt: skip


def members(needed: Json, *, also: Json | None = None, more: bool = False) -> Json:
    """An object with these members, with others only where `more` says so."""
    return {
        "type": "object", "properties": {**needed, **(also or {})}, "required": list(needed),
        "additionalProperties": more,
    }  # fmt: skip


def _list(item: Json) -> Json:
    return {"type": "array", "items": item}


def _by_name(item: Json) -> Json:
    return {"type": "object", "additionalProperties": item}


def _among(values: Any) -> Json:
    return {"enum": [value.value for value in values]}


_VARIABLES = _by_name({"type": ["string", "number", "boolean"]})
# Content references: all members are texts.
_REFERENCE = {**_by_name({"type": ["string", "array", "object", "null"]}), "required": ["kind"],
              "properties": {"kind": TEXT}}  # fmt: skip
# Where something stands in Git, or in what it was imported from.
_GIT = members({"oid": TEXT, "path": TEXT}, also={"root": TEXT, "tree": TEXT, "digest": TEXT})
_IMPORTED = members(
    {"source": TEXT, "path": TEXT, "digest": TEXT},
    also={"into": TEXT, "head": TEXT, "fields": TEXT},
)
_SOURCE = members({"type": TEXT}, also={"props": _OBJECT, "dependencies": _by_name(_OBJECT)})
_RULES = members(
    {"type": {"enum": ["inherit", "none", "rules"]}},
    also={"rules": _list(members({"rule": TEXT}, also={"users": _list(TEXT), "expression": TEXT}))},
)
_PICTURE = members({"sha256": _SHA256, "type": TEXT})
_LAYOUT = _by_name({"type": ["boolean", "string", "null", "object"]})
_COVER = {"type": "object", "additionalProperties": True, "properties": {
    "yPos": {"type": "number"}, "yPosDark": {"type": ["number", "null"]},
    "ref": {"anyOf": [_REFERENCE, TEXT, {"type": "null"}]},
    "refDark": {"anyOf": [_REFERENCE, TEXT, {"type": "null"}]},
}}  # fmt: skip
_PAGE = members(
    {"type": _among(PageType), "title": TEXT, "order": TEXT},
    also={
        **dict.fromkeys(
            ("parent", "slug", "description", "emoji", "icon", "condition", "document_id"), TEXT
        ),
        **dict.fromkeys(("slug_set", "hidden", "no_index", "no_robots_index"), _FLAG),
        "layout": _LAYOUT, "cover": _COVER, "variables": _VARIABLES, "extra": _OBJECT,
        "target": _REFERENCE, "computed": _SOURCE, "git": _GIT, "imported": _IMPORTED,
        "created_at": _TIME, "updated_at": _TIME,
    },
)  # fmt: skip
_FILE = members(
    {"name": TEXT, "type": TEXT, "size": _COUNT, "sha256": _SHA256},
    also={"width": _COUNT, "height": _COUNT, "git": _GIT, "imported": _IMPORTED},
)
# The maps of a revision, by the columns with their roots.
MAPS: Final[Mapping[str, Json]] = {
    "pages_root": _PAGE,
    "slugs_root": members({"id": TEXT}),
    "files_root": _FILE,
    "contents_root": members(
        {"title": TEXT}, also={"document_id": TEXT, "git": _GIT, "imported": _IMPORTED}
    ),
    "redirects_root": members({"page": TEXT}, also={"anchor": TEXT}),
}
_STORED_FILE = {**_FILE, "properties": {**_FILE["properties"], "id": TEXT},
                "required": ["id", *_FILE["required"]]}  # fmt: skip
_STORED_PAGE = {**_OBJECT, "properties": _PAGE["properties"], "required": ["type", "title"]}
_CONFLICT = members(
    {"id": TEXT, "kind": _among(ConflictKind), "base": {}, "ours": {}, "theirs": {},
     "resolution": {"enum": [None, *(way.value for way in Resolution)]}},
    also={
        **dict.fromkeys(("page", "file", "content", "block", "field"), TEXT),
        "cell": members({"record": _TEXT_OR_NULL, "definition": _TEXT_OR_NULL}),
    },
)  # fmt: skip
_BLOCK = members(
    {"id": TEXT, "title": TEXT},
    also={"description": TEXT, "icon": TEXT, "urlUnfurl": _list(TEXT),
          "markdown": members({"codeblock": TEXT, "body": TEXT})},
)  # fmt: skip
_OFFER = members(
    {"id": TEXT, "title": TEXT, "configuration": members({"componentId": TEXT})},
    also={"description": TEXT, "icon": TEXT},
)
_DESTINATION = {
    "oneOf": [
        members({"kind": {"const": kind.value}, **dict.fromkeys(names, TEXT)})
        for kind, names in MEMBERS.items()
    ]
}


@cache
def _settings(kind: Any) -> Json:
    """The schema of what an input class of the look of sites is stored as."""
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _among(kind)
    if not has_object_definition(kind):
        plain = {str: "string", bool: "boolean", int: "integer", float: "number"}
        name = plain.get(kind)
        if name is None and getattr(kind, "__supertype__", None) is str:
            name = "string"
        return {"type": name} if name else {"type": ["string", "object", "number", "boolean"]}
    rows = rows_of(kind)
    if issubclass(kind, Untagged):
        return {"anyOf": [_settings(row.type) for row in rows]}
    properties = {}
    for row in rows:
        member = _settings(row.type)
        properties[row.name] = _list(member) if row.listed else member
    needed = [row.name for row in rows if not row.optional and not row.always_listed]
    return {"type": "object", "properties": properties, "required": needed,
            "additionalProperties": False}  # fmt: skip


# By table and column. None: a document, with the schema of documents.
SCHEMAS: Final[Mapping[tuple[str, str], Json | None]] = {
    ("organization", "email_domains"): _list({**TEXT, "pattern": f"^{DOMAIN}$"}),
    ("organization", "merge_rules"): _RULES,
    ("agent_instructions", "document"): None,
    ("custom_font", "faces"): _list(
        members({"weight": _COUNT, "upload": _ID, "format": {"enum": ["woff2", "woff"]}})
    ),
    ("glossary_entry", "translations"): _by_name(TEXT),
    ("integration", "scopes"): _list(TEXT),
    ("integration", "categories"): _list(TEXT),
    ("integration", "blocks"): _list(_BLOCK),
    ("integration", "content_sources"): _list(_OFFER),
    ("integration", "external_links"): _list(members({"url": TEXT, "label": TEXT})),
    ("integration", "configurations"): _by_name(_OBJECT),
    ("integration", "content_security_policy"): {"anyOf": [TEXT, _by_name(TEXT)]},
    ("integration", "icon"): {"anyOf": [_PICTURE, {"type": "null"}]},
    ("integration", "previews"): _list(_PICTURE),
    ("site", "icon"): {"anyOf": [
        members({}, also={
            "icon": {"anyOf": [members({"light": TEXT, "dark": TEXT}), {"type": "null"}]},
            "emoji": _TEXT_OR_NULL,
        }),
        {"type": "null"},
    ]},
    ("specification", "last_processed_errors"): _list(members({"message": TEXT})),
    ("installation", "configuration"): _OBJECT,
    ("installation", "external_ids"): _list(TEXT),
    ("space_installation", "configuration"): _OBJECT,
    ("space_installation", "external_ids"): _list(TEXT),
    ("site_installation", "configuration"): _OBJECT,
    ("site_installation", "external_ids"): _list(TEXT),
    ("site_adaptive_schema", "json_schema"): _OBJECT,
    ("site_customization", "settings"): _settings(SiteCustomizationSettingsInput),
    ("site_space_customization", "settings"): _settings(SiteCustomizationSettingsInput),
    ("site_redirect", "destination"): _DESTINATION,
    ("space", "git_info"): members({
        "provider": {"enum": [None, *(kind.value for kind in GitProvider)]},
        "url": _TEXT_OR_NULL, "repoName": _TEXT_OR_NULL, "updatedAt": _TIME,
    }),
    ("space", "merge_rules"): _RULES,
    ("space", "computed_source"): _SOURCE,
    ("change_request", "description"): None,
    ("computed_page", "source"): _SOURCE,
    ("computed_page", "pages"): _list(_STORED_PAGE),
    ("computed_page", "files"): _list(_STORED_FILE),
    ("revision", "parents"): _list(_ID),
    ("revision", "variables"): _VARIABLES,
    ("revision", "git"): members(
        {"oid": TEXT}, also={"message": TEXT, "ref": TEXT, "url": _TEXT_OR_NULL}, more=False
    ),
    ("translation", "instructions"): None,
    ("translated_texts", "texts"): _by_name(TEXT),
    ("change_request_conflict", "data"): _CONFLICT,
    ("comment", "document"): None,
    ("webhook", "types"): _list(TEXT),
}  # fmt: skip
_PATTERNS: Final[Mapping[tuple[str, str], Bounds]] = {
    ("organization", "hostname"): Bounds(3, 32, HOSTNAME, "a label of a host name"),
    ("custom_hostname", "hostname"): Bounds(
        1, 253, PATTERN, "three or more labels of lower-case letters, digits and hyphens"
    ),
    ("site", "proxy_origin"): Bounds(
        1, 512, PROXY_ORIGIN, "a host name and one or more path segments, without a scheme"
    ),
}


@cache
def _validator(table: str, column: str) -> Any:
    schema = SCHEMAS[table, column]
    return None if schema is None else jsonschema_rs.validator_for(schema, validate_formats=True)


@cache
def _map_validator(root: str) -> Any:
    return jsonschema_rs.validator_for(MAPS[root], validate_formats=True)


def _wrong(validator: Any, value: Any) -> str | None:
    for error in validator.iter_errors(value):
        place = ".".join(str(part) for part in error.instance_path)
        where = f"at {place[:200]!r} " if place else ""
        return f"{where}is not as schema.json has it: {error.message[:200]}"
    return None


def entry_problem(root: str, entry: Json) -> str | None:
    """What is wrong with an entry of a map of content."""
    problem = _wrong(_map_validator(root), entry)
    if problem is None and isinstance(entry.get("condition"), str):
        problem = condition_problem(entry["condition"])
    return problem


def document_problem(value: Any) -> str | None:
    """What is wrong with a document."""
    try:
        checked_document(value, sized=False)
    except DocumentError as error:
        return str(error)
    return None


def _settings_problem(value: Json) -> str | None:
    try:
        check_settings(value)
    except ApiError as error:
        return error.message
    return None


def _claims_problem(value: Json) -> str | None:
    try:
        check_claims_schema(value)
    except ClaimsSchemaError as error:
        return str(error)
    return None


_CHECKS: Final[Mapping[tuple[str, str], Callable[[Any], str | None]]] = {
    ("organization", "email_domains"): stored_domains_problem,
    ("organization", "merge_rules"): stored_rules_problem,
    ("space", "merge_rules"): stored_rules_problem,
    ("site_adaptive_schema", "json_schema"): _claims_problem,
    ("site_customization", "settings"): _settings_problem,
    ("site_space_customization", "settings"): _settings_problem,
    ("site_section", "condition"): condition_problem,
    ("site_space", "condition"): condition_problem,
}


def value_problem(table: str, column: str, value: Any) -> str | None:
    """What is wrong with a value that has the type of its column already; None where nothing is."""
    at = table, column
    if value is None and SCHEMAS.get(at, _OBJECT) is None:
        return None
    if at in SCHEMAS:
        validator = _validator(*at)
        problem = document_problem(value) if validator is None else _wrong(validator, value)
        if problem is not None:
            return problem
    if value is None:
        return None
    bounds = _PATTERNS.get(at)
    if bounds is not None:
        for problem in bounds.problems(value):
            return problem
    check = _CHECKS.get(at)
    return None if check is None else check(value)
