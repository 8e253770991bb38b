"""What is published of an integration: its fields, their bounds, and pictures in Base64."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
import strawberry
from strawberry import Maybe

from content.media.signatures import content_type_of
from db.integration_enums import (
    IntegrationCategory,
    IntegrationRuntime,
    IntegrationScope,
    IntegrationTarget,
    IntegrationVisibility,
)
from db.models.integrations import (
    DESCRIPTION_LENGTH,
    NAME_LENGTH,
    SUMMARY_LENGTH,
    TITLE_LENGTH,
)
from resolvers.core import inputs
from resolvers.core.errors import FieldError, Invalid, invalid
from resolvers.core.scalars import JsonObject, JsonValue, Url

NAME = inputs.Bounds(
    1, NAME_LENGTH, r"[a-zA-Z0-9\-_.]+", "letters, digits, hyphens, underscores and dots"
)
IntegrationName = Annotated[str, inputs.argument("Name of the integration.")]

# Characters of a script; bytes of pictures; blocks and secrets of an integration.
MOST_SCRIPT, MOST_ICON, MOST_PREVIEW = 5_000_000, 500_000, 2_000_000
MOST_PREVIEWS, MOST_LINKS, MOST_BLOCKS, MOST_SECRETS = 3, 5, 20, 20
MOST_PROPERTIES, MOST_SCOPES, SECRET_LENGTH, POLICY_LENGTH = 50, 50, 10_000, 10_000
PROPERTY_TITLE, PROPERTY_DESCRIPTION = 30, 100
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_HEAD = 16
_TITLE = inputs.Bounds(2, 40)
_ABOUT = inputs.Bounds(0, 150)
_ID = inputs.Bounds(1, 100)
_DIRECTIVES = frozenset(
    [
        "base-uri",
        "block-all-mixed-content",
        "child-src",
        "connect-src",
        "default-src",
        "font-src",
        "form-action",
        "frame-ancestors",
        "frame-src",
        "img-src",
        "manifest-src",
        "media-src",
        "navigate-to",
        "object-src",
        "plugin-types",
        "prefetch-src",
        "referrer",
        "report-to",
        "report-uri",
        "require-sri-for",
        "require-trusted-types-for",
        "sandbox",
        "script-src",
        "script-src-attr",
        "script-src-elem",
        "style-src",
        "style-src-attr",
        "style-src-elem",
        "trusted-types",
        "upgrade-insecure-requests",
        "worker-src",
    ]
)
_PLACES = ("account", "space", "site")
# Members of a property, by its type; each has `type`, `title` and `description`.
_MEMBERS: Mapping[str, Mapping[str, type[Any] | tuple[type[Any], ...]]] = {
    "string": {"default": str, "completion_url": str, "enum": list},
    "number": {"default": (int, float)},
    "boolean": {"default": bool},
    "button": {"callback_url": str, "button_text": str},
}


@strawberry.input(description="How a block stands in Markdown.")
class IntegrationBlockMarkdownInput:
    codeblock: str = inputs.field("Language of code blocks that are the block.", bounds=_ID,
                                  required=True)  # fmt: skip
    body: str = inputs.field("Property that gets their text.", bounds=_ID, required=True)


@strawberry.input(description="A block that an integration adds to the editor.")
class IntegrationBlockInput:
    id: str = inputs.field("Its id, unique in the integration.", bounds=_ID, required=True)
    title: str = inputs.field("Its title, 2 to 40 characters.", bounds=_TITLE, required=True)
    description: Maybe[str | None] = inputs.field("What it is.", bounds=_ABOUT)
    icon: Maybe[str | None] = inputs.text("Its icon.", max=100_000)
    url_unfurl: Maybe[list[str] | None] = inputs.items(
        "Beginnings of URLs that become the block.", max=50, each=inputs.Bounds(1, 256)
    )
    markdown: Maybe[IntegrationBlockMarkdownInput | None] = inputs.field(
        "How it stands in Markdown."
    )


@strawberry.input(description="A component that configures something.")
class IntegrationComponentInput:
    component_id: str = inputs.field("Id of the component.", bounds=_ID, required=True)


@strawberry.input(description="A source of content that an integration offers.")
class IntegrationContentSourceInput:
    id: str = inputs.field("Its id, unique in the integration.", bounds=_ID, required=True)
    title: str = inputs.field("Its title, 2 to 40 characters.", bounds=_TITLE, required=True)
    description: Maybe[str | None] = inputs.field("What it is.", bounds=_ABOUT)
    icon: Maybe[str | None] = inputs.text("Its icon.", max=100_000)
    configuration: IntegrationComponentInput = inputs.field("What configures it.", required=True)


@strawberry.input(description="A link to a page about an integration.")
class IntegrationExternalLinkInput:
    url: Url = inputs.field("Where it leads.", required=True)
    label: str = inputs.text("What it says.", min=1, max=100, required=True)


@strawberry.input(description="An integration as it is published, which replaces what it was.")
class PublishIntegrationInput:
    organization: str = inputs.text(
        "Id or host label of the organization that publishes it.", min=1, max=64, required=True
    )
    title: str = inputs.text("Its title.", min=2, max=TITLE_LENGTH, required=True)
    description: str = inputs.text("What it is.", max=DESCRIPTION_LENGTH, required=True)
    script: str = inputs.text("The script that it runs, in one file.", min=1, max=MOST_SCRIPT,
                              required=True)  # fmt: skip
    scopes: list[IntegrationScope] = inputs.items(
        "What it may do where it is installed.", max=MOST_SCOPES, required=True
    )
    runtime: Maybe[IntegrationRuntime] = inputs.field("What it is written for; `v1` when absent.")
    icon: Maybe[str | None] = inputs.text(
        "Its icon in Base64: PNG, JPEG, GIF or WebP of at most 500 kB.", max=2 * MOST_ICON
    )
    summary: Maybe[str | None] = inputs.text("What it is, in Markdown.", max=SUMMARY_LENGTH)
    preview_images: Maybe[list[str]] = inputs.items(
        "Pictures of it in Base64, each of at most 2 MB.", max=MOST_PREVIEWS,
        each=inputs.Bounds(maximum=2 * MOST_PREVIEW),
    )  # fmt: skip
    visibility: Maybe[IntegrationVisibility] = inputs.field(
        "Who may see and install it; `private` when absent."
    )
    target: Maybe[IntegrationTarget] = inputs.field(
        "What it may be installed on; `all` when absent."
    )
    categories: Maybe[list[IntegrationCategory]] = inputs.items("What it is about.", max=10)
    blocks: Maybe[list[IntegrationBlockInput]] = inputs.items("Its blocks.", max=MOST_BLOCKS)
    content_sources: Maybe[list[IntegrationContentSourceInput]] = inputs.items(
        "Its sources of content.", max=MOST_BLOCKS
    )
    external_links: Maybe[list[IntegrationExternalLinkInput]] = inputs.items(
        "Links to pages about it.", max=MOST_LINKS
    )
    configurations: Maybe[JsonObject | None] = inputs.field(
        "By `account`, `space` and `site`: a schema (`properties`, `required`) or `componentId`."
    )
    secrets: Maybe[JsonObject | None] = inputs.field(
        "Texts that only its script gets, by name; at most 20."
    )
    content_security_policy: Maybe[JsonValue | None] = inputs.field(
        "What its scripts and blocks may load: a policy, or an object of directives."
    )


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was decoded."""

    data: bytes
    type: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of an integration."""

    icon: Picture | None
    previews: Sequence[Picture]


def pictures_of(input: PublishIntegrationInput) -> Pictures:
    """The pictures in Base64, decoded; Invalid names one that is none, or too large."""
    icon = inputs.given(input.icon, None)
    previews = inputs.given(input.preview_images, [])
    return Pictures(
        None if not icon else _picture("icon", icon, MOST_ICON),
        [_picture(f"previewImages[{n}]", text, MOST_PREVIEW) for n, text in enumerate(previews)],
    )


def _picture(path: str, text: str, most: int) -> Picture:
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid(path, "is not Base64") from error
    if len(data) > most:
        raise invalid(path, f"has {len(data)} bytes; at most {most} are allowed")
    type = content_type_of("", data[:_HEAD])
    if type not in PICTURES:
        raise invalid(path, f"is no picture that is shown; use {', '.join(PICTURES)}")
    return Picture(data, type)


def secrets_of(input: PublishIntegrationInput) -> dict[str, str]:
    """The secrets; Invalid names what is no text."""
    sent = inputs.given(input.secrets, None)
    secrets: dict[str, Any] = sent or {}
    if len(secrets) > MOST_SECRETS:
        raise invalid("secrets", f"has {len(secrets)} members; at most {MOST_SECRETS} are allowed")
    for name, value in secrets.items():
        if not isinstance(value, str) or len(value) > SECRET_LENGTH:
            raise invalid(
                f"secrets.{name[:100]}", f"must be a text of at most {SECRET_LENGTH} characters"
            )
    return dict(secrets)


def policy_of(input: PublishIntegrationInput) -> Any:
    """The content security policy; Invalid says what is wrong with it."""
    path, policy = "contentSecurityPolicy", inputs.given(input.content_security_policy, None)
    if policy is None:
        return None
    parts = policy if isinstance(policy, dict) else {"": policy}
    for name, value in parts.items():
        where = f"{path}.{name}" if name else path
        if name and name not in _DIRECTIVES:
            allowed = ", ".join(sorted(_DIRECTIVES))
            raise invalid(where[:150], f"is no directive; allowed are {allowed}")
        if not isinstance(value, str):
            raise invalid(where, "must be a text" if name else "must be a text or an object")
        if not value.isascii() or not value.isprintable():
            raise invalid(where, "must be printable ASCII on one line, as it is sent as a header")
        if name and ";" in value:
            raise invalid(where, "must not have a semicolon, which begins another directive")
    if len(orjson.dumps(policy)) > POLICY_LENGTH:
        raise invalid(path, f"has more than {POLICY_LENGTH} characters")
    return policy


def policy_text(policy: Any) -> str | None:
    """A stored policy as a header; None without one."""
    if isinstance(policy, dict):
        return "; ".join(f"{name} {value}".strip() for name, value in policy.items()) or None
    text: str | None = policy
    return text or None


def blocks_of(input: PublishIntegrationInput) -> list[dict[str, Any]]:
    """The blocks as they are stored."""
    blocks = inputs.given(input.blocks, [])
    _check_unique("blocks", [block.id for block in blocks])
    stored = []
    for block in blocks:
        markdown = inputs.given(block.markdown, None)
        stored.append(
            _present(
                id=block.id,
                title=block.title,
                description=inputs.given(block.description, None),
                icon=inputs.given(block.icon, None),
                urlUnfurl=inputs.given(block.url_unfurl, None),
                markdown=markdown and {"codeblock": markdown.codeblock, "body": markdown.body},
            )
        )
    return stored


def content_sources_of(input: PublishIntegrationInput) -> list[dict[str, Any]]:
    """The sources of content as they are stored."""
    sources = inputs.given(input.content_sources, [])
    _check_unique("contentSources", [source.id for source in sources])
    return [
        _present(
            id=source.id,
            title=source.title,
            description=inputs.given(source.description, None),
            icon=inputs.given(source.icon, None),
            configuration={"componentId": source.configuration.component_id},
        )
        for source in sources
    ]


def _present(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _check_unique(path: str, ids: Sequence[str]) -> None:
    for index, id in enumerate(ids):
        if id in ids[:index]:
            raise invalid(f"{path}[{index}].id", f"{id!r} is there twice")


def configurations_of(input: PublishIntegrationInput) -> dict[str, Any]:
    """The configurations; Invalid names all members that are not allowed."""
    sent = inputs.given(input.configurations, None)
    configurations: dict[str, Any] = sent or {}
    problems: list[FieldError] = []
    for place, schema in configurations.items():
        path = f"configurations.{place[:100]}"
        if place not in _PLACES:
            problems.append(FieldError(path, f"is unknown; allowed are {', '.join(_PLACES)}"))
        else:
            problems += _schema_problems(path, schema)
    if problems:
        summary = "; ".join(f"{problem.path}: {problem.message}" for problem in problems[:5])
        raise Invalid(summary, tuple(problems[:100]))
    return dict(configurations)


def _schema_problems(path: str, schema: Any) -> list[FieldError]:
    if not isinstance(schema, dict):
        return [FieldError(path, "must be an object")]
    if "componentId" in schema:
        component = schema["componentId"]
        if not isinstance(component, str) or not 1 <= len(component) <= 100:
            return [FieldError(f"{path}.componentId", "must be a text of 1 to 100 characters")]
        return []
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, dict):
        return [FieldError(f"{path}.properties", "is required, unless there is a `componentId`")]
    if len(properties) > MOST_PROPERTIES:
        return [FieldError(f"{path}.properties", f"has more than {MOST_PROPERTIES} members")]
    problems = []
    for name, declared in properties.items():
        problems += _property_problems(f"{path}.properties.{name[:100]}", declared)
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        problems.append(FieldError(f"{path}.required", "must be a list of texts"))
    else:
        unknown = [name for name in required if name not in properties]
        problems += [
            FieldError(f"{path}.required", f"{name[:100]!r} is none of the properties")
            for name in unknown
        ]
        if len(set(required)) != len(required):
            problems.append(FieldError(f"{path}.required", "names a property twice"))
    return problems


def _property_problems(path: str, declared: Any) -> list[FieldError]:
    if not isinstance(declared, dict):
        return [FieldError(path, "must be an object")]
    type = declared.get("type")
    if not isinstance(type, str) or type not in _MEMBERS:
        return [FieldError(f"{path}.type", f"must be one of {', '.join(_MEMBERS)}")]
    problems = []
    for name, most in (("title", PROPERTY_TITLE), ("description", PROPERTY_DESCRIPTION)):
        value = declared.get(name, "")
        if not isinstance(value, str) or len(value) > most:
            problems.append(
                FieldError(f"{path}.{name}", f"must be a text of at most {most} characters")
            )
    for name, expected in _MEMBERS[type].items():
        value = declared.get(name)
        wrong = value is not None and (
            not isinstance(value, expected) or (type == "number" and isinstance(value, bool))
        )
        if wrong or (value is None and type == "button"):
            problems.append(FieldError(f"{path}.{name}", f"does not fit the type {type}"))
    enum = declared.get("enum")
    if type == "string" and isinstance(enum, list):
        if not all(isinstance(value, str) for value in enum):
            problems.append(FieldError(f"{path}.enum", "must be a list of texts"))
        elif "default" in declared and declared["default"] not in enum:
            problems.append(FieldError(f"{path}.default", "is none of the values of `enum`"))
    return problems
