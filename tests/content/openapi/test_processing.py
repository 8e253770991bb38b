"""Specifications on their way to what is stored: formats, other files, and what is refused."""

import json
import sys
from typing import Any

import orjson
import pytest
import yaml
from hypothesis import given, settings, strategies as st

from content.openapi import bundling
from content.openapi.compression import decompressed
from content.openapi.errors import SpecificationError
from content.openapi.processing import process
from content.openapi.reading import MOST_DEPTH, read_file
from content.openapi.validation import OPENAPI_3_1, check, check_references

INFO = {"title": "Planets", "version": "1"}


def no_file(url: str) -> bytes:
    raise AssertionError(url)


def stored(root: Any, url: str | None = None, **files: Any) -> dict[str, Any]:
    """What is stored of a specification, whose other files are at https://a.example/NAME."""

    def load(address: str) -> bytes:
        return json.dumps(files[address.rsplit("/", 1)[-1].replace(".", "_")]).encode()

    result = process(json.dumps(root).encode(), url, load)
    value: dict[str, Any] = orjson.loads(decompressed(result.data))
    check(value, OPENAPI_3_1)
    check_references(value, OPENAPI_3_1)
    return value


def paths(operation: dict[str, Any], method: str = "get") -> dict[str, Any]:
    return {"/x": {method: {"responses": {"200": {"description": "ok"}}, **operation}}}


# ------------------------------------------------------------------ formats


def test_json_and_yaml_are_the_same() -> None:
    root = {"openapi": "3.1.0", "info": INFO, "paths": paths({"summary": 'ünicode: "yes" 1.0'})}
    texts = [
        json.dumps(root),
        *(yaml.safe_dump(root, sort_keys=False, default_flow_style=flow) for flow in (0, 1)),
    ]
    digests = {process(text.encode(), None, no_file).digest for text in texts}
    assert len(digests) == 1


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**14), 10**14)
        | st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.text("abc <-:", max_size=4).filter(lambda k: k != "<<"), inner)
        ),
        max_leaves=20,
    )
)
@settings(max_examples=80, deadline=None)
def test_yaml_is_read_as_it_was_written(value: Any) -> None:
    if isinstance(value, dict | list) and value:
        assert read_file(yaml.safe_dump(value, allow_unicode=True).encode(), "x") == value


def test_swagger_becomes_openapi() -> None:
    body = {"name": "body", "in": "body", "required": True, "schema": {"$ref": "#/definitions/P"}}
    value = stored(
        {
            "swagger": "2.0", "info": INFO, "host": "a.example", "basePath": "/v2/",
            "schemes": ["https", "http"], "consumes": ["application/xml"],
            "paths": {
                "/p/{id}": {
                    "parameters": [{"$ref": "#/parameters/id"}],
                    "put": {
                        "parameters": [{"$ref": "#/parameters/body"}],
                        "responses": {"default": {"$ref": "#/responses/Error"}},
                    },
                    "post": {
                        "parameters": [
                            {"name": "file", "in": "formData", "type": "file", "required": True},
                            {"name": "n", "in": "query", "type": "array",
                             "items": {"type": "string"}, "collectionFormat": "pipes"},
                        ],
                        "responses": {"200": {
                            "description": "ok", "schema": {"type": "string"},
                            "headers": {"X-N": {"type": "integer"}},
                            "examples": {"application/json": "a"},
                        }},
                    },
                }
            },
            "parameters": {"id": {"name": "id", "in": "path", "required": True, "type": "integer"},
                           "body": body},
            "definitions": {"P": {
                "type": "object", "discriminator": "kind", "required": ["kind"],
                "properties": {"kind": {"type": "string", "x-nullable": True}}}},
            "responses": {"Error": {"description": "bad", "schema": {"$ref": "#/definitions/P"}}},
            "securityDefinitions": {"basic": {"type": "basic"}, "o": {
                "type": "oauth2", "flow": "accessCode", "authorizationUrl": "https://a.example",
                "tokenUrl": "https://a.example/t", "scopes": {"read": "Reads"}}},
        }
    )  # fmt: skip
    assert [server["url"] for server in value["servers"]] == [
        "https://a.example/v2", "http://a.example/v2",
    ]  # fmt: skip
    item = value["paths"]["/p/{id}"]
    assert item["parameters"] == [{"$ref": "#/components/parameters/id"}]
    assert item["put"]["requestBody"]["content"] == {
        "application/xml": {"schema": {"$ref": "#/components/schemas/P"}}
    }
    form = item["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert form["properties"]["file"] == {"type": "string", "format": "binary"}
    assert item["post"]["parameters"][0]["style"] == "pipeDelimited"
    answer = item["post"]["responses"]["200"]
    assert answer["content"]["application/json"] == {"schema": {"type": "string"}, "example": "a"}
    assert answer["headers"]["X-N"] == {"schema": {"type": "integer"}}
    schema = value["components"]["schemas"]["P"]
    assert schema["discriminator"] == {"propertyName": "kind"}
    assert schema["properties"]["kind"]["type"] == ["string", "null"]
    schemes = value["components"]["securitySchemes"]
    assert schemes["basic"] == {"type": "http", "scheme": "basic"}
    assert schemes["o"]["flows"]["authorizationCode"]["scopes"] == {"read": "Reads"}


def test_schemas_of_3_0_are_written_as_3_1() -> None:
    value = stored(
        {
            "openapi": "3.0.3", "info": INFO, "paths": {},
            "components": {"schemas": {
                "A": {"type": "integer", "minimum": 1, "exclusiveMinimum": True, "nullable": True,
                      "example": 2, "enum": [2, 3]},
                "B": {"allOf": [{"$ref": "#/components/schemas/A"}], "nullable": True},
            }},
        }
    )  # fmt: skip
    schemas = value["components"]["schemas"]
    assert schemas["A"] == {
        "type": ["integer", "null"], "exclusiveMinimum": 1, "enum": [2, 3, None], "examples": [2],
    }  # fmt: skip
    assert schemas["B"]["anyOf"][1] == {"type": "null"}


# ------------------------------------------------------------------ other files


def test_other_files_come_inside_once() -> None:
    url = "https://a.example/api.json"
    answer = {"description": "ok", "content": {"application/json": {
        "schema": {"$ref": "models.json#/Planet"}}}}  # fmt: skip
    value = stored(
        {
            "openapi": "3.0.0", "info": INFO,
            "paths": {"/x": {"$ref": "./path.json"}, "/y": {"get": {"responses": {
                "200": {"description": "ok", "content": {"application/json": {
                    "schema": {"$ref": "https://a.example/models.json#/Planet"},
                    "example": {"$ref": "not/a/file"}}}}}}}},
            "components": {"schemas": {"Planet": {"type": "integer"}}},
        },
        url,
        path_json={"get": {"responses": {"200": answer}}},
        models_json={
            "Planet": {"type": "object", "properties": {
                "next": {"$ref": "#/Planet"},
                "size": {"$ref": "api.json#/components/schemas/Planet"},
                "moon": {"$ref": "#/Moon"}}},
            "Moon": {"type": "string"},
        },
    )  # fmt: skip
    schemas = value["components"]["schemas"]
    assert sorted(schemas) == ["Moon", "Planet", "Planet-2"]
    assert schemas["Planet-2"]["properties"] == {
        "next": {"$ref": "#/components/schemas/Planet-2"},
        "size": {"$ref": "#/components/schemas/Planet"},
        "moon": {"$ref": "#/components/schemas/Moon"},
    }
    for path in ("/x", "/y"):
        content = value["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Planet-2"}


# ------------------------------------------------------------------ what is refused

BILLION = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(12)
)
HEAD = '{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, '
REFUSED = {
    "nothing": ("", "is empty"),
    "no object": ("[1, 2]", "no object"),
    "another object": ('{"a": 1}', "neither the member"),
    "another version": ('{"openapi": "4.0.0"}', "not supported"),
    "no text": (b"\xff\xfe\x00", "is not UTF-8"),
    "broken JSON": ('{"openapi": ', "not valid JSON"),
    "broken YAML": ("openapi: [", "not valid YAML"),
    "parts are missing": ('{"openapi": "3.0.0"}', '"info" is a required property'),
    "a key twice": ("openapi: 3.1.0\nopenapi: 3.1.0\n", "stands twice"),
    "a NUL": (HEAD + '"paths": {"/\\u0000": {}}}', "NUL"),
    "aliases that multiply": (BILLION, "aliases counted"),
    "a long text many times": (
        "a: &a " + "x" * 100_000 + "\nb: [" + ",".join(["*a"] * 1_000) + "]\n", "characters",
    ),
    "an alias in itself": ("a: &a [*a]\n", "refers to itself"),
    "deep JSON": (HEAD + '"x-a": ' + "[" * 100_000 + "]" * 100_000 + "}", "depth"),
    "deep enough JSON": (
        HEAD + '"paths": {}, "x-a": ' + "[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1) + "}",
        "levels",
    ),
    "deep YAML": ("- " * 50_000, "levels"),
    "very many values": (HEAD + '"paths": {}, "x-a": [' + "1," * 1_000_001 + "1]}", "values"),
    "a tag of Python": ("a: !!python/object/apply:os.system [x]\n", "neither"),
    "a scalar of Python": ("a: !!python/name:os.system x\n", "not allowed"),
    "large": ("#" + "x" * 10_000_001, "bytes"),
    "references in a circle": (
        HEAD + '"paths": {}, "components": {"schemas": {"A": {"$ref": "#/components/schemas/B"}, '
        '"B": {"$ref": "#/components/schemas/A"}}}}', "circle",
    ),
    "a reference to nothing": (
        HEAD + '"paths": {}, "components": {"schemas": {"A": {"$ref": "#/components/x"}}}}',
        "leads to nothing",
    ),
    "a path item that is itself": (
        HEAD + '"paths": {"/a": {"$ref": "#/paths/~1a"}}}', "circle",
    ),
    "files beside a text": (
        HEAD + '"paths": {"/a": {"$ref": "b.json"}}}', "has no address",
    ),
    "a file of the server": (
        HEAD + '"paths": {"/a": {"$ref": "file:///etc/passwd"}}}', "only http and https",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_says_why(name: str) -> None:
    text, problem = REFUSED[name]
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(SpecificationError) as refusal:
        process(data, None, no_file)
    message = "; ".join(map(str, refusal.value.problems))
    assert all(len(str(one)) <= 500 for one in refusal.value.problems)
    assert problem in message, message[:500]


def test_path_items_that_multiply_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is copied to where it is referred to: copies of copies are counted."""
    monkeypatch.setattr(bundling, "MOST_VALUES", 20_000)
    callbacks = {"$ref": "#/paths/~11"}
    items = {
        f"/{n}": {"post": {
            "responses": {"200": {"description": "ok"}},
            "callbacks": {name: {"x": {"$ref": f"#/paths/~1{n + 1}"}} for name in "abcdefgh"},
        }}
        for n in range(8)
    }  # fmt: skip
    root = {"openapi": "3.1.0", "info": INFO, "paths": {**items, "/8": {}, "/9": callbacks}}
    with pytest.raises(SpecificationError, match="values with what it refers to"):
        process(json.dumps(root).encode(), None, no_file)


def large(count: int) -> bytes:
    """A specification of so many operations and schemas, each of which refers to the next."""
    schemas = {
        f"S{n}": {"type": "object", "properties": {
            "next": {"$ref": f"#/components/schemas/S{(n + 1) % count}"},
            "name": {"type": "string", "description": "What it is called " * 5}}}
        for n in range(count)
    }  # fmt: skip
    items = {
        f"/items/{n}": paths({"tags": [f"t{n % 50}"], "requestBody": {"content": {
            "application/json": {"schema": {"$ref": f"#/components/schemas/S{n}"}}}}}, "post")["/x"]
        for n in range(count)
    }  # fmt: skip
    root = {"openapi": "3.1.0", "info": INFO, "paths": items, "components": {"schemas": schemas}}
    return json.dumps(root).encode()


def test_twice_the_specification_is_twice_the_work() -> None:
    def calls(count: int) -> int:
        """Calls of functions while a specification of so many operations is processed."""
        data, called = large(count), 0

        def count_call(frame: Any, event: str, argument: Any) -> None:
            nonlocal called
            called += event in ("call", "c_call")

        sys.setprofile(count_call)
        try:
            process(data, None, no_file)
        finally:
            sys.setprofile(None)
        return called

    calls(10)
    assert calls(200) < 2.3 * calls(100)
