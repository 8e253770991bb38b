"""How sites and site spaces look: defaults, layers, what is refused, who may, and merging."""

import copy
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import select
from strawberry import Some

from db.customization_enums import (
    CustomizationCorners,
    CustomizationDefaultFont,
    CustomizationSidebarListStyle,
    CustomizationTheme,
)
from db.enums import Role
from db.models.site_settings import SiteCustomization, SiteSpaceCustomization
from db.models.sites import Site, SiteSpace
from db.session import Session
from resolvers.core import inputs
from resolvers.core.actors import NOBODY, Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, Invalid, NotFound, Unauthenticated
from resolvers.core.runners import read, run
from resolvers.core.scalars import JsonObject, Url
from resolvers.customization import settings, values
from resolvers.customization.defaults import DEFAULTS, SECTIONS, effective
from resolvers.customization.json import difference, from_json, merged, overridden, to_json
from resolvers.customization.operations import (
    delete_site_space_customization,
    get_site_customization,
    get_site_space_customization,
    override_site_space_customization,
    replace_site_customization,
    site_customizations,
    site_space_customizations,
)
from resolvers.customization.overrides import (
    SiteSpaceCustomizationOverridesInput,
    overrides_of,
)
from resolvers.customization.page_actions import switched
from resolvers.customization.settings import SiteCustomizationSettingsInput
from resolvers.customization.table import Section
from resolvers.sites import spaces as site_spaces
from tests.conftest import Queries, World, context, settle
from tests.deleting import removes
from tests.factories import (
    make_grant,
    make_site,
    make_site_customization,
    make_site_space_customization,
    make_space,
)
from tests.seeds import LOOK, OVERRIDES

Overrides: Any = SiteSpaceCustomizationOverridesInput
StylingOverrides = overrides_of(settings.CustomizationStylingInput)
SidebarOverrides = overrides_of(settings.CustomizationSidebarInput)


async def prepared(session: Session, world: World) -> tuple[Site, SiteSpace]:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    (placed,) = (await session.execute(select(SiteSpace))).scalars()
    await settle(session)
    return site, placed


def header(*links: values.CustomizationHeaderItemInput) -> SiteCustomizationSettingsInput:
    return SiteCustomizationSettingsInput(
        header=settings.CustomizationHeaderInput(links=list(links))
    )


def link(to: dict[str, Any]) -> values.CustomizationContentLinkInput:
    return values.CustomizationContentLinkInput(title="A", to=JsonObject(to))


def item(**changes: Any) -> values.CustomizationHeaderItemInput:
    return values.CustomizationHeaderItemInput(**{"title": "A", "to": None} | changes)


async def stored_of(session: Session, model: Any) -> list[Any]:
    await session.rollback()
    rows = (await session.execute(select(model.settings))).scalars()
    return list(rows)


# ------------------------------------------------------------------ settings


async def test_a_new_site_has_the_defaults(session: Session, world: World) -> None:
    site, placed = await prepared(session, world)
    found = await read(context(session, world.reader), get_site_customization, site.id)
    assert to_json(found) == DEFAULTS
    assert found.styling is not None
    assert found.styling.font == values.CustomizationFontInput(name=CustomizationDefaultFont.INTER)
    space = await read(context(session, world.reader), get_site_space_customization, placed.id)
    assert to_json(space) == DEFAULTS
    assert space.has_overrides is False


async def test_a_replacement_returns_what_it_leaves_out_to_the_default(
    session: Session, world: World
) -> None:
    site, _ = await prepared(session, world)
    ctx = context(session, world.creator)
    first = from_json(SiteCustomizationSettingsInput, copy.deepcopy(LOOK))
    await run(ctx, replace_site_customization, site.id, first)
    assert await stored_of(session, SiteCustomization) == [LOOK]
    styling = settings.CustomizationStylingInput(
        theme=CustomizationTheme.CLEAN, corners=CustomizationCorners.CIRCULAR
    )
    second = SiteCustomizationSettingsInput(styling=styling)
    found = await run(ctx, replace_site_customization, site.id, second)
    # What is as the default says is not stored.
    assert await stored_of(session, SiteCustomization) == [{"styling": {"corners": "circular"}}]
    assert to_json(found) == effective({"styling": {"corners": "circular"}})
    await run(ctx, replace_site_customization, site.id, SiteCustomizationSettingsInput())
    assert await stored_of(session, SiteCustomization) == []


async def test_a_site_space_follows_its_site_where_it_has_no_override(
    session: Session, world: World
) -> None:
    site, placed = await prepared(session, world)
    ctx = context(session, world.creator)
    bold = settings.CustomizationStylingInput(theme=CustomizationTheme.BOLD)
    wanted = SiteCustomizationSettingsInput(title="Whole site", styling=bold)
    await run(ctx, replace_site_customization, site.id, wanted)
    sidebar = SidebarOverrides(background=None, list=Some(CustomizationSidebarListStyle.PILL))
    own = StylingOverrides(corners=Some(CustomizationCorners.STRAIGHT), sidebar=Some(sidebar))
    await run(ctx, override_site_space_customization, placed.id, Overrides(styling=Some(own)))
    found = await run(
        ctx, override_site_space_customization, placed.id, Overrides(title=Some("One space"))
    )
    assert found.has_overrides
    shown = to_json(found)
    assert shown["title"] == "One space"
    assert shown["styling"] == DEFAULTS["styling"] | {
        "theme": "bold",
        "corners": "straight",
        "sidebar": {"background": "default", "list": "pill"},
    }
    again = await read(context(session, world.reader), get_site_space_customization, placed.id)
    assert to_json(again) == shown
    # The site itself has not changed.
    of_site = await read(context(session, world.reader), get_site_customization, site.id)
    assert to_json(of_site)["styling"]["corners"] == "rounded"


async def test_null_removes_an_override_and_the_last_one_leaves_nothing(
    session: Session, world: World
) -> None:
    _, placed = await prepared(session, world)
    ctx = context(session, world.creator)
    own = StylingOverrides(
        corners=Some(CustomizationCorners.STRAIGHT), theme=Some(CustomizationTheme.BOLD)
    )
    await run(
        ctx, override_site_space_customization, placed.id,
        Overrides(title=Some("Own"), styling=Some(own)),
    )  # fmt: skip
    without = StylingOverrides(corners=Some(None))
    await run(ctx, override_site_space_customization, placed.id, Overrides(styling=Some(without)))
    assert await stored_of(session, SiteSpaceCustomization) == [
        {"title": "Own", "styling": {"theme": "bold"}}
    ]
    found = await run(
        ctx, override_site_space_customization, placed.id,
        Overrides(title=Some(None), styling=Some(None)),
    )  # fmt: skip
    assert found.has_overrides is False
    assert await stored_of(session, SiteSpaceCustomization) == []


async def test_removing_overrides_says_whether_there_were_any(
    session: Session, world: World
) -> None:
    _, placed = await prepared(session, world)
    ctx = context(session, world.creator)
    assert await removes(ctx, delete_site_space_customization, placed.id) is False
    await run(ctx, override_site_space_customization, placed.id, Overrides(title=Some("Own")))
    assert await removes(ctx, delete_site_space_customization, placed.id) is True
    assert await stored_of(session, SiteSpaceCustomization) == []
    assert await removes(ctx, delete_site_space_customization, "sitesp_unknown") is False


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        (header(item(condition="visitor.claims.a ===")), "header.links[0].condition"),
        (header(item(), item(to=JsonObject({"kind": "page"}))), "header.links[1].to.page"),
        (header(item(to=JsonObject({"kind": "tag", "tag": "a"}))), "header.links[0].to.kind"),
        (
            header(item(links=[link({"kind": "url", "url": "javascript:alert(1)"})])),
            "header.links[0].links[0].to.url",
        ),
        (
            header(item(to=JsonObject({"kind": "space", "space": "a", "more": "b"}))),
            "header.links[0].to.more",
        ),
        (
            SiteCustomizationSettingsInput(
                footer=settings.CustomizationFooterInput(
                    groups=[
                        values.CustomizationFooterGroupInput(title="A", links=[link({"kind": "x"})])
                    ]
                )
            ),
            "footer.groups[0].links[0].to.kind",
        ),
        (
            SiteCustomizationSettingsInput(
                favicon=values.CustomizationFaviconInput(
                    emoji="1f4d8",
                    icon=values.CustomizationThemedURLInput(
                        light=Url("https://a.example"), dark=Url("https://a.example")
                    ),
                )
            ),
            "favicon",
        ),
    ],
)
async def test_a_wrong_value_is_named_and_nothing_is_stored(
    session: Session, world: World, wanted: SiteCustomizationSettingsInput, path: str
) -> None:
    site, placed = await prepared(session, world)
    ctx = context(session, world.creator)
    with pytest.raises(Invalid) as raised:
        await run(ctx, replace_site_customization, site.id, wanted)
    assert [one.path for one in raised.value.fields] == [path]
    assert await stored_of(session, SiteCustomization) == []
    same = Overrides()
    for name, part in vars(wanted).items():
        if part is not None and name in ("header", "footer", "favicon"):
            kind = overrides_of(type(part)) if isinstance(part, Section) else None
            given_ = {key: Some(one) for key, one in vars(part).items() if one is not None}
            setattr(same, name, Some(part if kind is None else kind(**given_)))
    with pytest.raises(Invalid) as raised:
        await run(ctx, override_site_space_customization, placed.id, same)
    assert [one.path for one in raised.value.fields] == [path]
    assert await stored_of(session, SiteSpaceCustomization) == []


async def test_settings_are_bounded_as_a_whole(session: Session, world: World) -> None:
    site, _ = await prepared(session, world)
    long = link({"kind": "url", "url": "https://example.com/" + "a" * 2000})
    wanted = header(*[item(links=[long] * 100) for _ in range(2)])
    with pytest.raises(Invalid, match="at most 262144"):
        await run(context(session, world.creator), replace_site_customization, site.id, wanted)


def test_colours_have_three_six_or_eight_digits() -> None:
    def problems(light: str, *, wrong: bool) -> list[str]:
        color = values.CustomizationThemedColorInput(light=light, dark="#000")
        styling = settings.CustomizationStylingInput(primary_color=color)
        checked = {"input": SiteCustomizationSettingsInput(styling=styling)}
        found = pytest.raises(Invalid) if wrong else nullcontext()
        with found as raised:
            inputs.check(checked)
        return [one.path for one in raised.value.fields] if raised is not None else []

    for right in ("#abc", "#ABCDEF", "#12345678"):
        assert problems(right, wrong=False) == []
    for wrong in ("", "abc", "#ab", "#abcd", "#abcde", "#abcdefa", "#abcdefabc", "#ggg", "red",
                  "#abc\n", " #abc"):  # fmt: skip
        assert problems(wrong, wrong=True) == ["styling.primaryColor.light"], wrong


@pytest.mark.parametrize(("weight", "right"), [(0, False), (1, True), (1000, True), (1001, False)])
def test_weights_of_fonts_have_a_range(weight: int, right: bool) -> None:
    source = values.FontSourceInput(url=Url("https://a.example/f.woff"))
    face = values.FontFaceInput(weight=weight, sources=[source])
    problems = nullcontext() if right else pytest.raises(Invalid, match="weight")
    with problems:
        inputs.check({"input": face})


# ------------------------------------------------------------------ who may


async def test_only_the_role_create_changes_the_look(session: Session, world: World) -> None:
    site, placed = await prepared(session, world)
    wanted = SiteCustomizationSettingsInput(title="Changed")
    for person in (world.reviewer, world.editor, world.commenter, world.reader):
        ctx = context(session, person)
        with pytest.raises(Forbidden):
            await run(ctx, replace_site_customization, site.id, wanted)
        with pytest.raises(Forbidden):
            await run(ctx, override_site_space_customization, placed.id, Overrides())
        with pytest.raises(Forbidden):
            await run(ctx, delete_site_space_customization, placed.id)
    for person in (world.guest, world.outsider):
        ctx = context(session, person)
        with pytest.raises(NotFound):
            await read(ctx, get_site_customization, site.id)
        with pytest.raises(NotFound):
            await read(ctx, get_site_space_customization, placed.id)
        with pytest.raises(NotFound):
            await run(ctx, replace_site_customization, site.id, wanted)
        with pytest.raises(NotFound):
            await run(ctx, override_site_space_customization, placed.id, Overrides())
    with pytest.raises(Unauthenticated):
        await run(Context(NOBODY, session), replace_site_customization, site.id, wanted)
    assert await stored_of(session, SiteCustomization) == []


async def test_guests_see_the_look_of_what_they_may_read(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    await make_grant(session, space, world.guest, Role.READ)
    await settle(session)
    found = await read(context(session, world.guest), get_site_customization, site.id)
    assert found.title is None


async def test_visitors_do_not_get_links_whose_condition_is_not_met(
    session: Session, world: World
) -> None:
    site, placed = await prepared(session, world)
    look = {"header": {"links": [
        {"title": "All", "to": None, "links": []},
        {"title": "Beta", "to": None, "links": [], "condition": "visitor.claims.beta"},
    ]}}  # fmt: skip
    await session.begin_write()
    await make_site_customization(session, site, look)
    stored = await session.get(Site, site.id)
    assert stored is not None
    stored.published = True
    await settle(session)

    async def titles(**claims: Any) -> list[str]:
        ids = {"site_space_ids": frozenset({placed.id}), "space_ids": frozenset({placed.space_id})}
        visitor = Visitor(site.id, site.organization_id, claims=claims, **ids)  # type: ignore[arg-type]
        ctx = Context(Actor(visitor=visitor), session)
        of_site = await read(ctx, get_site_customization, site.id)
        of_space = await read(ctx, get_site_space_customization, placed.id)
        assert of_site.header is not None
        assert of_space.header is not None
        assert of_site.header.links == of_space.header.links
        return [one.title for one in of_site.header.links or ()]

    assert await titles() == ["All"]
    assert await titles(beta=True) == ["All", "Beta"]
    # People who make the site see all of them.
    found = await read(context(session, world.reader), get_site_customization, site.id)
    assert found.header is not None
    assert len(found.header.links or ()) == 2


# ------------------------------------------------------------------ batches


@pytest.mark.parametrize("number", [1, 7])
async def test_looks_of_many_are_one_statement(
    session: Session, world: World, queries: Queries, number: int
) -> None:
    sites = []
    for index in range(number):
        space = await make_space(session, world.organization)
        sites.append(await make_site(session, world.organization, space))
        if index % 2 == 0:
            await make_site_customization(session, sites[-1], {"title": f"T{index}"})
    placed = list((await session.execute(select(SiteSpace).order_by(SiteSpace.id))).scalars())
    await make_site_space_customization(session, placed[0], OVERRIDES)
    await session.commit()
    ctx = context(session, world.reader)
    with queries(1):
        of_sites = await site_customizations(ctx, sites, None)
    with queries(1):
        of_spaces = await site_space_customizations(ctx, placed, None)
    with queries(1):
        marks = await site_spaces.have_own_settings(ctx, placed, None)
    titles = [f"T{index}" if index % 2 == 0 else None for index in range(number)]
    assert [one.title for one in of_sites] == titles
    assert [one.title for one in of_spaces] == titles
    assert [one.has_overrides for one in of_spaces] == marks == [True] + [False] * (number - 1)
    assert to_json(of_spaces[0]) == effective({"title": "T0"}, OVERRIDES)


# ------------------------------------------------------------------ merging, for any settings

_TEXT = st.text("abc", min_size=2, max_size=5)
_COLOR = st.from_regex(values.COLOR, fullmatch=True)
_THEMED = st.fixed_dictionaries({"light": _COLOR, "dark": _COLOR})
_URLS = st.sampled_from(["https://a.example/1", "http://b.example/2"])
_PICTURE = st.fixed_dictionaries({"light": _URLS, "dark": _URLS})
_LINK = st.fixed_dictionaries(
    {"title": _TEXT, "to": st.just({"kind": "url", "url": "https://a.example"})}
)
_ITEM = st.fixed_dictionaries(
    {"title": _TEXT, "links": st.lists(_LINK, max_size=2)},
    optional={"to": st.just({"kind": "page", "page": "p"}), "condition": st.just("true")},
)
_FONT = st.fixed_dictionaries(
    {
        "id": _TEXT,
        "custom": st.booleans(),
        "fontFamily": _TEXT,
        "fontFaces": st.just([{"weight": 400, "sources": [{"url": "https://a.example/f"}]}]),
    }
)
_SWITCH = st.fixed_dictionaries({}, optional={"enabled": st.booleans()})
# What both settings and overrides have.
_SHARED: dict[str, Any] = {
    "title": _TEXT,
    "favicon": st.one_of(
        st.just({}), st.builds(lambda one: {"icon": one}, _PICTURE), st.just({"emoji": "1f4d8"})
    ),
    "header": st.fixed_dictionaries(
        {}, optional={"logo": _PICTURE, "links": st.lists(_ITEM, max_size=2)}
    ),
    "themes": st.fixed_dictionaries(
        {}, optional={"default": st.sampled_from(["light", "dark"]), "toggeable": st.booleans()}
    ),
    "pdf": _SWITCH,
    "announcement": st.fixed_dictionaries(
        {"enabled": st.booleans(), "message": _TEXT, "style": st.just("info")},
        optional={"link": _LINK},
    ),
    "socialPreview": st.fixed_dictionaries({}, optional={"url": _URLS}),
}
_STYLING: dict[str, Any] = {
    "theme": st.sampled_from(["clean", "bold"]),
    "primaryColor": _THEMED,
    "tint": st.builds(lambda one: {"color": one}, _THEMED),
    "sidebar": st.fixed_dictionaries(
        {}, optional={"list": st.sampled_from(["default", "pill"]), "background": st.just("filled")}
    ),
}
SETTINGS = st.fixed_dictionaries(
    {},
    optional=_SHARED
    | {
        "styling": st.fixed_dictionaries(
            {}, optional=_STYLING | {"font": st.one_of(st.just("Inter"), st.just("Lato"), _FONT)}
        ),
        "insights": st.fixed_dictionaries({}, optional={"trackingCookie": st.booleans()}),
    },
)
OWN = st.fixed_dictionaries(
    {}, optional=_SHARED | {"styling": st.fixed_dictionaries({}, optional=_STYLING)}
)


@given(SETTINGS)
def test_what_a_read_gives_may_be_written_back(data: dict[str, Any]) -> None:
    """Replacing settings by those that a read has given changes nothing, shown or stored."""
    wanted = to_json(from_json(SiteCustomizationSettingsInput, data))
    stored = difference(merged(DEFAULTS, wanted, SECTIONS), DEFAULTS, SECTIONS)
    shown = to_json(from_json(SiteCustomizationSettingsInput, effective(stored)))
    assert shown == effective(data) == effective(stored)
    again = merged(DEFAULTS, switched(shown, effective(stored)), SECTIONS)
    assert difference(again, DEFAULTS, SECTIONS) == stored
    for name, value in stored.items():
        assert value != DEFAULTS.get(name)


@given(SETTINGS, OWN, OWN)
def test_overrides_stand_on_top_and_later_ones_on_earlier(
    site: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    own = overridden(overridden({}, _given(first)), _given(second))
    assert effective(site, own) == effective(site, first, second)
    # An override of each kind taken away leaves what the site says.
    nothing = overridden(own, Overrides(**{name: Some(None) for name in _attributes(own)}))
    assert nothing == {}


@given(OWN, st.sampled_from(["theme", "primaryColor", "tint"]))
def test_one_field_of_a_section_is_removed_alone(data: dict[str, Any], name: str) -> None:
    own = overridden({}, _given(data))
    attribute = {"primaryColor": "primary_color"}.get(name, name)
    styling = StylingOverrides(**{attribute: Some(None)})
    left = overridden(own, Overrides(styling=Some(styling)))
    expected = {key: one for key, one in own.get("styling", {}).items() if key != name}
    assert left.get("styling", {}) == expected
    others = {key: one for key, one in own.items() if key != "styling"}
    assert {key: one for key, one in left.items() if key != "styling"} == others


_NAMES = {"socialPreview": "social_preview", "primaryColor": "primary_color"}


def _attributes(data: dict[str, Any]) -> list[str]:
    return [_NAMES.get(name, name) for name in data]


def _given(data: dict[str, Any]) -> Any:
    """Overrides as an input that sets each of them."""
    whole = from_json(SiteCustomizationSettingsInput, data)

    def maybe(section: Any, kind: Any, own: dict[str, Any]) -> Any:
        found = {}
        for name in own:
            attribute = _NAMES.get(name, name)
            value = getattr(section, attribute)
            inner = _SECTION_KINDS.get(name)
            if inner is not None:
                value = maybe(value, inner, own[name])
            found[attribute] = Some(value)
        return kind(**found)

    return maybe(whole, Overrides, data)


_SECTION_KINDS: dict[str, Any] = {
    "styling": StylingOverrides,
    "sidebar": SidebarOverrides,
    "header": overrides_of(settings.CustomizationHeaderInput),
    "themes": overrides_of(settings.CustomizationThemesInput),
    "pdf": overrides_of(settings.CustomizationSwitchInput),
    "socialPreview": overrides_of(settings.CustomizationAddressInput),
}
