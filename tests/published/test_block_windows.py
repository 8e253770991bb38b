"""Windows of blocks, properties that blocks give themselves, options from addresses: what readers
may ask for, and nothing beside it."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from content.documents.integration_elements import name_of_window
from content.documents.integration_options import (
    MOST_ADDRESSES,
    MOST_OPTIONS,
    option_addresses,
    read_options,
    with_options,
)
from db.session import Session
from jobs.integrations import Asking
from published.blocks import OF_INTEGRATION, WAITING, _resolved
from resolvers.core.errors import Invalid, Unavailable
from resolvers.integrations.shown import MOST_WINDOWS, names_to_seal
from runtime.calls import Answer
from runtime.runner import Runner
from tests.conftest import Api, World
from tests.published.integrated import Integrated, integrate
from tests.published.test_integration_blocks import act, attribute, shows
from tests.runtime.scripts import bundle

SCRIPT = bundle(
    """
    if (event.type !== "ui_render") return new Response("OK");
    const { action, componentId, props, state } = event;
    const said = `${componentId} of ${JSON.stringify(props)}` +
      ` with ${JSON.stringify(state ?? null)} after ${JSON.stringify(action ?? null)}`;
    if (action?.action === "finish") {
      return Response.json({ type: "complete", returnValue: { a: 1 } });
    }
    const window = componentId === "window";
    const opening = { action: "@ui.modal.open", componentId: "window",
      props: { word: { $state: "word" } } };
    return Response.json({ element: { type: window ? "modal" : "block", title: "Title", children: [
      { type: "text", children: said }, { type: "button", label: "Open", onPress: opening },
      { type: "button", label: "Close", onPress: { action: "@ui.modal.close", returnValue: {} } },
    ] }, state: { word: "first" }, props: action?.action === "turn" ? { own: 1 } : props });
    """
)
PAGE = 'Before.\n\n{% @echo/box content="c" %}\n\nBehind.\n'


@pytest.fixture
async def box(api: Api, world: World, session: Session) -> AsyncIterator[Integrated]:
    blocks = [{"id": "box", "title": "Box"}]
    yield await integrate(api, world, session, PAGE, SCRIPT, blocks=blocks)
    await api.server.runner.close()


async def test_a_window_opens_with_what_its_button_says_and_nothing_else(box: Integrated) -> None:
    html = await shows(box, "box of")
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    action, seal = json.loads(attribute(html, "data-action")), attribute(html, "data-seal")
    # Of editors it has no window that could be closed. It was drawn once: nothing asks for a theme.
    assert html.count("data-action=") == 1
    assert "for-dark" not in html.partition("<main")[2]
    good = {"block": key, "action": action, "seal": seal, "state": {"word": "mine"}}
    opened = (await act(box, address, **good)).json()["html"]
    assert opened.startswith("<dialog")
    assert 'aria-label="Title"' in opened
    # Its state is its own; its properties are those of the button, with the reader's state.
    assert "window of {&quot;word&quot;:&quot;mine&quot;} with null after {" in opened
    # In it windows close, and others open.
    assert opened.count("data-action=") == 2
    asked, own_seal = json.loads(attribute(opened, "data-asked")), attribute(opened, "data-seal")
    again = {"block": key, "asked": asked, "state": {"word": "x"}, "window": True}
    looked = await act(box, address, **again, seal=own_seal, action={"action": "look"})
    assert (
        "window of {&quot;word&quot;:&quot;mine&quot;} with {&quot;word&quot;:&quot;x&quot;}"
        in (looked.json()["html"])
    )
    done = await act(box, address, **again, seal=own_seal, action={"action": "finish"})
    assert done.json() == {"html": None, "returned": {"a": 1}}
    # What no button of this server says is asked for by nobody.
    wrong: list[tuple[dict[str, Any], int]] = [
        ({"seal": ""}, 404), ({"seal": "0" * 64}, 404), ({"seal": own_seal}, 404),
        ({"seal": 7}, 422),
        ({"action": {**action, "props": {"word": "other"}}}, 404),
        ({"action": {**action, "componentId": "other"}}, 404),
        ({"action": {**action, "props": []}}, 422),
        ({"action": {"action": "@ui.modal.open"}}, 422),
        ({"action": {"action": "turn"}, "asked": {"componentId": "box", "props": {}}}, 404),
        ({"action": {"action": "turn"}, "asked": []}, 422),
    ]  # fmt: skip
    for change, status in wrong:
        answer = await act(box, address, **{**good, **change})
        assert answer.status_code == status, (change, answer.text)
    # Outside of a window nothing that is one is shown.
    outside = await act(box, address, **{**again, "window": False}, seal=own_seal, action=None)
    assert outside.json()["html"] is None


@pytest.mark.parametrize(("names", "fits"), [(2, True), (10, False), (1_000, False)])
def test_a_long_value_stands_for_few_names(names: int, fits: bool) -> None:
    """A small body would be a large event."""
    state, properties = {"word": "w" * 20_000}, {"all": [{"$state": "word"}] * names}
    if fits:
        assert _resolved(state, properties) == {"all": [state["word"]] * names}
        return
    with pytest.raises(Invalid, match="state"):
        _resolved(state, properties)


async def test_properties_that_a_block_gives_itself_go_on(box: Integrated) -> None:
    html = await shows(box, "box of")
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    assert "data-asked" not in html
    turned = await act(box, address, block=key, action={"action": "turn"}, state={})
    html = turned.json()["html"]
    asked, seal = json.loads(attribute(html, "data-asked")), attribute(html, "data-seal")
    assert asked == {"componentId": "box", "props": {"own": 1}}
    answer = await act(
        box, address, block=key, asked=asked, seal=seal, action={"action": "on"}, state={}
    )
    assert "box of {&quot;own&quot;:1}" in answer.json()["html"]


async def test_readers_who_act_leave_room_for_those_who_read(
    box: Integrated, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = await shows(box, "box of")
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    going, free, running = asyncio.Event(), asyncio.Event(), 0

    async def slow(*_: Any) -> Answer:
        nonlocal running
        running += 1
        going.set()
        await free.wait()
        raise AssertionError("nobody waits for this")

    with monkeypatch.context() as patched:
        patched.setattr(Asking, "__call__", slow)
        body = {"block": key, "action": {"action": "turn"}, "state": {}}
        tasks = [asyncio.create_task(act(box, address, **body)) for _ in range(40)]
        await going.wait()
        for _ in range(40 - OF_INTEGRATION - WAITING):
            await asyncio.wait(
                [task for task in tasks if not task.done()], return_when=asyncio.FIRST_COMPLETED
            )
            if sum(task.done() for task in tasks) >= 40 - OF_INTEGRATION - WAITING:
                break
        assert running == OF_INTEGRATION
        assert "box of" in (await box.get()).text
        refused = [task.result() for task in tasks if task.done()]
        assert {answer.status_code for answer in refused} == {503}
        assert all("retry-after" in answer.headers for answer in refused)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_seal_holds_for_its_block_alone(api: Api, world: World, session: Session) -> None:
    """What another block of the page has shown is asked for in its name, not in this one's."""
    two = 'Before.\n\n{% @echo/box content="one" %}\n\n{% @echo/box content="two" %}\n'
    blocks = [{"id": "box", "title": "Box"}]
    site = await integrate(api, world, session, two, SCRIPT, blocks=blocks)
    await shows(site, "box of {&quot;content&quot;:&quot;one")
    html = await shows(site, "box of {&quot;content&quot;:&quot;two")
    address, action = attribute(html, "data-to"), json.loads(attribute(html, "data-action"))
    keys, seals = (
        re.findall(f' {name}="([0-9a-f]+)"', html) for name in ("data-block", "data-seal")
    )
    assert len(set(keys)) == len(set(seals)) == 2
    for index, key in enumerate(keys):
        for place, seal in enumerate(seals):
            answer = await act(site, address, block=key, action=action, seal=seal, state={})
            assert answer.status_code == (200 if index == place else 404)
    await api.server.runner.close()


async def test_what_readers_name_in_actions_is_not_multiplied(
    box: Integrated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only properties that have a seal are replaced here: of what a reader has sent, nothing is."""
    html = await shows(box, "box of")
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    opening, seal = json.loads(attribute(html, "data-action")), attribute(html, "data-seal")
    sizes: list[int] = []

    async def heard(_: Asking, __: str, event: Any, ___: Any) -> Answer:
        sizes.append(len(json.dumps(event)))
        raise Unavailable("it was heard")

    monkeypatch.setattr(Asking, "__call__", heard)
    many = [{"$state": "big"}] * 1_000
    for action in ({"action": "turn", "x": many}, {**opening, "x": many}):
        body = {"block": key, "seal": seal, "action": action, "state": {"big": "x" * 20_000}}
        assert (await act(box, address, **body)).status_code == 503
    assert len(sizes) == 2
    assert max(sizes) < 100_000


def deep(levels: int) -> Any:
    return {} if not levels else {"a": deep(levels - 1)}


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"element": {"type": []}}, 200),
        ({"element": {"type": "block", "children": [
            {"type": "select", "options": {"url": "https://["}}]}}, 200),
        ({"element": {"type": "block", "children": [deep(300)]}}, 200),
        ({"element": {"type": "block"}, "props": deep(300)}, 200),
        ({"type": "complete", "returnValue": deep(300)}, 503),
        ({"type": "complete", "returnValue": {"a": "x" * 200_000}}, 503),
    ],
)  # fmt: skip
async def test_odd_answers_are_no_faults_of_the_server(
    box: Integrated, odd: Any, said: int
) -> None:
    shown = {"element": {"type": "block", "children": [
        "Ready", {"type": "button", "label": "b", "onPress": {"action": "go"}}]}}  # fmt: skip
    choice = f"event.action ? {json.dumps(odd)} : {json.dumps(shown)}"
    await box.publish(bundle(f"return Response.json({choice});"))
    html = await shows(box, "Ready")
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    body: dict[str, Any] = {"block": key, "action": {"action": "go"}, "state": {}}
    if odd.get("type") == "complete":
        # Windows return something.
        body["window"] = True
    answer = await act(box, address, **body)
    assert answer.status_code == said, answer.text


async def test_a_window_stays_where_its_component_answers_nothing_that_is_one(
    box: Integrated,
) -> None:
    shown = {"element": {"type": "block", "children": [
        "Ready", {"type": "button", "label": "b", "onPress": {"action": "go"}}]}}  # fmt: skip
    nothing = {"element": {"type": "configuration"}}
    answers = f"event.action ? {json.dumps(nothing)} : {json.dumps(shown)}"
    await box.publish(bundle(f"return Response.json({answers});"))
    html = await shows(box, "Ready")
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    body = {"block": key, "action": {"action": "go"}, "state": {}, "window": True}
    assert (await act(box, address, **body)).json() == {"html": None}


def test_a_block_has_seals_for_so_many_windows() -> None:
    buttons = [{"onPress": {"action": "@ui.modal.open", "componentId": f"{n}"}} for n in range(500)]
    shown = {"element": {"type": "block", "children": buttons}, "component": "c", "props": {}}
    names = names_to_seal(shown)
    assert len(names) == MOST_WINDOWS + 1
    assert name_of_window("c", {}) in names


@given(st.recursive(st.floats(allow_nan=False, allow_infinity=False) | st.integers(),
                    lambda inner: st.lists(inner, max_size=3), max_leaves=6))  # fmt: skip
def test_names_of_windows_outlive_a_browser(value: Any) -> None:
    """Browsers write numbers in another way than they have read them."""

    def in_browser(value: Any) -> Any:
        if isinstance(value, list):
            return [in_browser(item) for item in value]
        number = float(value)
        return int(number) if number.is_integer() and abs(number) < 1e21 else number

    try:
        read = orjson.loads(json.dumps(value))
    except orjson.JSONDecodeError:
        return
    back = orjson.loads(json.dumps(in_browser(read)))
    assert name_of_window("c", {"a": read}) == name_of_window("c", {"a": back})


# ------------------------------------------------------------------ options from addresses

OPTIONS = {"url": {"host": "h.example", "pathname": "/o", "query": {"of": {"$state": "word"}}}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["id", "label", "icon", "items", "selected", "type", "url"]), inner,
        max_size=4),
    max_leaves=10,
)  # fmt: skip


async def test_options_are_read_once_for_all_who_read(
    box: Integrated, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: list[str] = []

    async def read(_: Runner, url: str) -> bytes:
        addresses.append(url)
        return b'{"selected": [{"id": "b", "label": "Bee"}], "items": [{"id": "a", "label": "Ay"}]}'

    monkeypatch.setattr(Runner, "read", read)
    select = {"type": "select", "state": "chosen", "options": OPTIONS}
    output = {
        "element": {"type": "block", "children": [select]},
        "state": {"word": "w"},
        "props": {},
    }
    await box.publish(bundle(f"return Response.json({json.dumps(output)});"))
    html = await shows(box, '<option value="b">Bee')
    assert '<option value="a">Ay' in html
    assert attribute(html, "data-follows") == "word"
    await box.get()
    assert addresses == ["https://h.example/o?of=w"]
    # A reader's own state leads to options of their own.
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    await act(box, address, block=key, action=None, state={"word": "other"})
    assert addresses[1:] == ["https://h.example/o?of=w"]


@given(JSON)
def test_whatever_is_at_an_address_is_options_or_none(value: Any) -> None:
    options = read_options(json.dumps(value).encode())
    assert len({option["id"] for option in options}) == len(options) <= MOST_OPTIONS
    assert all(option.keys() == {"id", "label", "icon"} for option in options)


@given(JSON)
def test_whatever_names_an_address_is_read_or_not(value: Any) -> None:
    shown = {"element": {"type": "select", "options": {"url": value}}, "state": {}}
    addresses = option_addresses(shown)
    assert all(address.startswith(("http://", "https://")) for address in addresses)
    assert with_options(shown, {})["element"]["options"] == []
    many = [{"type": "select", "options": {"url": f"https://h{n}.example/"}} for n in range(20)]
    assert len(option_addresses({"element": many})) == MOST_ADDRESSES
    assert read_options(b"no JSON") == []
    assert read_options(None) == []
