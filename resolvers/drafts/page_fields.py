"""Fields of pages that are written: which type of page has which, and what they may hold."""

import math
from dataclasses import fields, replace
from typing import Any

from strawberry import Maybe

from content.expressions.conditions import condition_problem
from content.pages.front_matter import is_variable, is_variable_name, other_extra
from content.pages.layout_options import LAYOUT_DEFAULTS
from db.content_enums import PageType
from resolvers.core.errors import invalid
from resolvers.core.naming import camel
from resolvers.core.scalars import JsonObject
from resolvers.drafts.draft import Draft
from resolvers.drafts.page_inputs import PageCoverInput, PageFieldsInput, PageLayoutInput
from resolvers.revisions.references import read_reference_input
from resolvers.revisions.rows import Page

Json = dict[str, Any]
_ALL = ("emoji", "icon", "hidden")
_GROUP = (*_ALL, "slug", "no_index", "no_robots_index")
# The fields that pages of a type have, besides their title.
FIELDS: dict[PageType, tuple[str, ...]] = {
    PageType.DOCUMENT: (
        *_GROUP, "description", "condition", "variables", "cover", "layout", "body",
    ),
    PageType.GROUP: _GROUP,
    PageType.LINK: (*_ALL, "target"),
    PageType.COMPUTED: _ALL,
}  # fmt: skip
_PLAIN = (
    "emoji", "icon", "description", "hidden", "no_index", "no_robots_index", "condition",
)  # fmt: skip
_NAMES = {"no_index": "noIndex", "no_robots_index": "noRobotsIndex"}
COVER_KINDS = ("file", "url")
VARIABLE_NAME = "is no name of a variable: a letter, then letters, digits and underscores"
VARIABLE = "must be text of at most 256 characters, a number, true or false"
# Characters of a wrong name that its error repeats.
SHOWN = 100


def check_fields(type: PageType, input: PageFieldsInput, where: str) -> None:
    """Invalid when the input has a field that pages of this type do not have."""
    for name in (*FIELDS[PageType.DOCUMENT], "target"):
        if getattr(input, name, None) is not None and name not in FIELDS[type]:
            raise invalid(f"{where}.{_NAMES.get(name, name)}", f"a {type.value} page has none")


async def with_fields(draft: Draft, page: Page, input: PageFieldsInput, where: str) -> Page:
    """The page with the fields that the input gives, all but title, slug and body."""
    check_fields(page.type, input, where)
    changes: Json = {}
    for name in _PLAIN:
        change = getattr(input, name)
        if change is not None:
            # An empty text is none: a page without it has equal bytes.
            changes[name] = None if change.value == "" else change.value
    if changes.get("condition") is not None:
        check_condition(changes["condition"], f"{where}.condition")
    if input.variables is not None:
        changes["variables"] = read_variables_input(input.variables.value, f"{where}.variables")
    if input.layout is not None:
        changes["layout"] = _layout(page.layout, input.layout.value)
    if input.cover is not None:
        changes["cover"] = await _cover(draft, input.cover, f"{where}.cover")
    if input.target is not None:
        changes["target"] = read_reference_input(input.target.value, f"{where}.target", draft.refs)
    return replace(page, **changes, extra=other_extra(page.extra, changes))


def read_title(text: str, where: str) -> str:
    """A title on one line; Invalid without any text."""
    title = " ".join(text.split())
    if not title:
        raise invalid(where, "must not be blank")
    return title


def check_condition(text: str, where: str) -> None:
    """Invalid unless the text is an expression that reads only what conditions can read.

    The message says at which character what is wrong. Those of pages, sections and site spaces
    are checked by this when they are saved.
    """
    problem = condition_problem(text)
    if problem is not None:
        raise invalid(where, problem)


def read_variables_input(value: JsonObject, where: str) -> Json:
    """Variables of a page or a space; Invalid says which name or value is not allowed."""
    for name, variable in value.items():
        if not is_variable_name(name):
            shown = name if len(name) <= SHOWN else f"{name[:SHOWN]}..."
            raise invalid(where, f"{shown!r} {VARIABLE_NAME}")
        if not is_variable(variable) or (
            isinstance(variable, float) and not math.isfinite(variable)
        ):
            raise invalid(f"{where}.{name}", VARIABLE)
    return dict(value)


def _layout(before: Json, input: PageLayoutInput | None) -> Json:
    if input is None:
        return {}
    layout = dict(before)
    for part in fields(PageLayoutInput):
        member = getattr(input, part.name)
        if member is not None:
            layout[camel(part.name)] = getattr(member.value, "value", member.value)
    return {
        name: setting for name, setting in layout.items() if setting != LAYOUT_DEFAULTS.get(name)
    }


async def _cover(draft: Draft, input: Maybe[PageCoverInput | None], where: str) -> Json | None:
    assert input is not None
    if input.value is None:
        return None
    cover: Json = {"yPos": 0 if input.value.y_pos is None else input.value.y_pos}
    for name, value in (("ref", input.value.ref), ("refDark", input.value.ref_dark)):
        if value is None:
            continue
        path = f"{where}.{name}"
        cover[name] = read_reference_input(value, path, draft.refs, COVER_KINDS)
        if cover[name]["kind"] == "file":
            await draft.file(cover[name]["file"], f"{path}.file")
    return cover
