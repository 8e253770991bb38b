"""Whether a specification is valid: by the official schema of its version, and in its references.

The schemas are those of openapi-spec-validator; jsonschema-rs checks a megabyte in about ten
milliseconds, where that package's own validator takes seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from content.late_modules import LateModule
from content.openapi.errors import MOST_PROBLEMS, Problem, SpecificationError, wrong
from content.openapi.structure import OPENAPI, SWAGGER, JsonObject, local_target, parts_of

if TYPE_CHECKING:
    import jsonschema_rs
else:
    jsonschema_rs = LateModule("jsonschema_rs")

SWAGGER_2, OPENAPI_3_0, OPENAPI_3_1 = "Swagger 2.0", "OpenAPI 3.0", "OpenAPI 3.1"
_FOLDERS = {SWAGGER_2: "v2.0", OPENAPI_3_0: "v3.0", OPENAPI_3_1: "v3.1"}


def format_of(root: Any) -> str:
    """Which kind of specification a value is; SpecificationError when it is none."""
    if not isinstance(root, dict):
        raise wrong("it is no object with the member 'openapi' or 'swagger'")
    for member, versions in (
        ("swagger", {"2.0": SWAGGER_2}),
        ("openapi", {"3.0": OPENAPI_3_0, "3.1": OPENAPI_3_1}),
    ):
        if member in root:
            version = root[member]
            # YAML reads a version without quotes as a number.
            text = str(version) if isinstance(version, str | float) else ""
            short = ".".join(text.split(".")[:2])
            if short not in versions:
                allowed = ", ".join(versions)
                raise wrong(f"{version!r:.100} is not supported; it must be {allowed}", member)
            if not isinstance(version, str):
                root[member] = text if member == "swagger" else f"{text}.0"
            return versions[short]
    raise wrong("it has neither the member 'openapi' nor 'swagger'")


def kinds_of(format: str) -> Any:
    """The table of what stands where in a specification of a format."""
    return SWAGGER if format == SWAGGER_2 else OPENAPI


@cache
def _schema_of(format: str) -> Any:
    path = files("openapi_spec_validator") / "resources/schemas" / _FOLDERS[format] / "schema.json"
    return jsonschema_rs.validator_for(orjson.loads(path.read_bytes()), offline=True)


def check(root: JsonObject, format: str) -> None:
    """SpecificationError with what is wrong with a specification of this format."""
    problems = list(islice(_schema_problems(_as_of(root), format), MOST_PROBLEMS))
    if problems:
        raise SpecificationError(*problems)


# What tags have from OpenAPI 3.2 on; earlier specifications that nest tags use it, too.
_LATER_FIELDS_OF_TAGS = frozenset({"parent", "kind", "summary"})


def _as_of(root: JsonObject) -> JsonObject:
    """A specification without what only later versions have, and which does no harm."""
    tags = root.get("tags")
    if not isinstance(tags, list):
        return root
    earlier = [
        {name: value for name, value in tag.items() if name not in _LATER_FIELDS_OF_TAGS}
        if isinstance(tag, dict)
        else tag
        for tag in tags
    ]
    return {**root, "tags": earlier}


def _schema_problems(root: JsonObject, format: str) -> Iterator[Problem]:
    for error in _schema_of(format).iter_errors(root):
        where = "/".join(
            str(step).replace("~", "~0").replace("/", "~1") for step in error.instance_path
        )
        yield Problem(_shorter(error), f"#/{where}")


def _shorter(error: Any) -> str:
    """What is wrong, without the value, which may be very long."""
    first: str = (error.message.splitlines() or ["is not valid"])[0]
    if len(first) > 200:
        first = f"{first[:80]} … {first[-100:]}"
    return first


def check_references(root: JsonObject, format: str) -> None:
    """SpecificationError where a reference leads to nothing, or round in a circle."""
    kinds = kinds_of(format)
    problems: list[Problem] = []
    # What each leads to, so that a chain is followed once.
    ends: dict[str, str | None] = {}
    waiting: list[tuple[JsonObject, str]] = [(root, "document")]
    while waiting and len(problems) < MOST_PROBLEMS:
        node, kind = waiting.pop()
        for container, key, part_kind in parts_of(kinds, kind, node):
            part = container[key]
            reference = part.get("$ref")
            if isinstance(reference, str):
                if reference not in ends:
                    ends[reference] = _problem_of(root, reference)
                problem = ends[reference]
                if problem is not None and Problem(problem, reference) not in problems:
                    problems.append(Problem(problem, reference))
            waiting.append((part, part_kind))
    if problems:
        raise SpecificationError(*problems)


def _problem_of(root: JsonObject, reference: str) -> str | None:
    """What is wrong with a reference, None when it leads to something."""
    seen: set[str] = set()
    while True:
        if reference in seen:
            return "the reference leads round in a circle"
        seen.add(reference)
        try:
            target = local_target(root, reference)
        except LookupError:
            return "the reference leads to nothing"
        following = target.get("$ref") if isinstance(target, dict) else None
        if not isinstance(following, str):
            return None
        reference = following
