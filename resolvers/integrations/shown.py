"""What integrations have drawn for the blocks of a space, as its readers see it.

A reader waits for no script: a page shows what was drawn last, and says which blocks are to be
drawn anew (`Drawn.undrawn`). Whoever draws them writes down what came of it with `record_block`
(jobs/integration_blocks.py). A block that could not be drawn keeps the last good result.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import bindparam, delete, select

from content.documents.integration_elements import name_of_window, windows_in
from db.integration_enums import InstallationStatus as Status
from db.models.integrations import (
    Installation,
    Integration,
    IntegrationBlock,
    SpaceInstallation,
)
from db.prepared import KEY, among
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import ApiError
from resolvers.core.signed_addresses import signature
from resolvers.core.statements import Viewer, Written, statement
from resolvers.integrations.rendering import output_of
from runtime.calls import Answer

Json = dict[str, Any]
# What a block shows, and for how many seconds that holds.
Result = tuple[Json, int]
BLOCK = "integration"
# The members of a block's data that are never stored: what is shown, and how it is written.
SHOWN, MARKDOWN, KEY_OF_BLOCK, DARK, SEALS = "shown", "markdown", "key", "dark", "seals"
# The root elements that a page, and a window of a page, show.
OF_PAGES, OF_WINDOWS = ("block",), ("block", "modal")
# Blocks of one page that are drawn, results of one space that are kept.
MOST_OF_PAGE, MOST_OF_SPACE = 20, 2_000
# Of one result: bytes of its JSON, and how deep it is.
MOST_BYTES, DEPTH = 100_000, 60
# Windows that one result opens for readers: each has its seal, whenever the page is read.
MOST_WINDOWS = 100
# Seconds for which a result holds: where the integration does not say, and what it may say.
USUAL, SHORTEST, LONGEST = 3_600, 60, 86_400
# Seconds before a block that could not be drawn is tried again: the first time, and at most.
FIRST_PAUSE, LONGEST_PAUSE = 5, 3_600
# Seconds after which a page is made anew whose blocks are being drawn.
SOON = 2
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age=([0-9]{1,9})(?:$|[,\s])")


@dataclass(frozen=True, slots=True)
class WantedBlock:
    """A block that is to be drawn: by which integration, and what of."""

    space_id: str
    digest: str
    integration_id: str
    component_id: str
    props: Json
    seed: str
    # What the manifest calls it.
    title: str = ""

    def event(self, theme: str = "light") -> Json:
        """The event with which its integration draws it."""
        context = {"type": "document", "spaceId": self.space_id, "theme": theme,
                   "editable": False}  # fmt: skip
        return {"type": "ui_render", "componentId": self.component_id, "props": self.props,
                "context": context}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """Documents with what their blocks show, what is to be drawn, and until when that holds."""

    documents: Sequence[Json]
    # What is added to the data of blocks, by their digests.
    additions: Mapping[str, Json] = field(default_factory=dict)
    undrawn: Sequence[WantedBlock] = ()
    # All that an integration draws, by their digests.
    blocks: Mapping[str, WantedBlock] = field(default_factory=dict)
    until: dt.datetime | None = None


@statement
def _installed(viewer: Viewer) -> Written:
    return (
        select(
            Integration.id, Integration.name, Integration.version, Integration.blocks,
            Installation.configuration.label("installed"),
            SpaceInstallation.configuration.label("configured"),
        )
        .join(SpaceInstallation, SpaceInstallation.integration_id == Integration.id)
        .join(Installation, Installation.id == SpaceInstallation.installation_id)
        .where(
            SpaceInstallation.space_id == bindparam("space", type_=KEY),
            among(Integration.name, "names"),
            SpaceInstallation.status == Status.ACTIVE,
            Installation.status == Status.ACTIVE,
        )
    )  # fmt: skip


@statement
def _drawn(viewer: Viewer) -> Written:
    return select(
        IntegrationBlock.digest, IntegrationBlock.seed, IntegrationBlock.shown,
        IntegrationBlock.due_at,
    ).where(
        IntegrationBlock.space_id == bindparam("space", type_=KEY),
        among(IntegrationBlock.digest, "digests"),
    )  # fmt: skip


async def with_blocks(
    ctx: Context, space_id: str, documents: Iterable[Json], most: int = MOST_OF_PAGE
) -> Drawn:
    """Documents whose blocks hold what their integrations have drawn, beside their own data.

    Whoever may read a page of the space may read what it shows; the caller has asked whether they
    may. Without blocks of integrations it costs no statement, else two. Blocks behind the first
    `most` show nothing of their integrations.
    """
    documents = list(documents)
    blocks = _first_blocks(documents, most)
    if not blocks:
        return Drawn(documents)
    names = {str(block["integration"]) for block in blocks.values()}
    offers = {row.name: row for row in await _installed.rows(ctx, space=space_id, names=names)}
    rows = {row.digest: row for row in await _drawn.rows(ctx, space=space_id, digests=set(blocks))}
    additions: dict[str, Json] = {}
    undrawn: list[WantedBlock] = []
    of_page: dict[str, WantedBlock] = {}
    times: list[dt.datetime] = []
    for digest, block in blocks.items():
        offer, row = offers.get(block["integration"]), rows.get(digest)
        declared = None if offer is None else _declared(offer.blocks, block["block"])
        if offer is None or declared is None:
            continue
        seed = _seed(offer)
        additions[digest] = {MARKDOWN: declared.get("markdown"), KEY_OF_BLOCK: digest}
        of_page[digest] = WantedBlock(
            space_id, digest, offer.id, block["block"], block["props"], seed,
            str(declared.get("title") or ""),
        )  # fmt: skip
        if row is not None and row.shown is not None:
            additions[digest][SHOWN] = row.shown
            if names := names_to_seal(row.shown):
                seals = seals_of(ctx.signing_key, of_page[digest], names)
                additions[digest][SEALS] = seals
        if row is None or row.seed != seed or row.due_at <= ctx.now():
            undrawn.append(of_page[digest])
            times.append(ctx.now() + dt.timedelta(seconds=SOON))
        else:
            times.append(row.due_at)
    shown = [_filled(document, additions) for document in documents]
    return Drawn(shown, additions, tuple(undrawn), of_page, min(times, default=None))


def _first_blocks(documents: Sequence[Json], most: int) -> dict[str, Json]:
    """The data of the first blocks of integrations, by their digests."""
    blocks: dict[str, Json] = {}
    for data in _data_of_blocks(documents):
        if len(blocks) >= most:
            break
        blocks[digest_of(data)] = data
    return blocks


def _data_of_blocks(documents: Sequence[Json]) -> Iterator[Json]:
    waiting: list[Any] = list(reversed(documents))
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            data = _data(value)
            if data is not None:
                yield data
            waiting.extend(value[name] for name in ("fragments", "nodes") if name in value)


def _data(node: Json) -> Json | None:
    """The data of a block that an integration may draw."""
    data = node.get("data")
    if node.get("type") != BLOCK or not isinstance(data, dict):
        return None
    integration, name, props = (data.get(key) for key in ("integration", "block", "props"))
    if not isinstance(integration, str) or not isinstance(name, str):
        return None
    shown_props = props if isinstance(props, dict) else {}
    return {"integration": integration, "block": name, "props": shown_props}


def digest_of(data: Mapping[str, Any]) -> str:
    """What a block is drawn of, as a name."""
    what = [data["integration"], data["block"], data["props"]]
    written = orjson.dumps(what, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(written, digest_size=20).hexdigest()


def _declared(blocks: Sequence[Any], id: str) -> Json | None:
    return next((block for block in blocks if block.get("id") == id), None)


def _seed(offer: Any) -> str:
    what = [offer.version, offer.installed, offer.configured]
    return hashlib.blake2b(orjson.dumps(what, option=orjson.OPT_SORT_KEYS),
                           digest_size=20).hexdigest()  # fmt: skip


def _filled(value: Any, additions: Mapping[str, Json]) -> Any:
    """A value with blocks in it, copied; everything else is the same."""
    if isinstance(value, list):
        return [_filled(item, additions) for item in value]
    if not isinstance(value, dict):
        return value
    data = _data(value)
    if data is not None:
        added = additions.get(digest_of(data))
        return value if added is None else {**value, "data": {**value["data"], **added}}
    return {
        name: _filled(item, additions) if name in ("nodes", "fragments") else item
        for name, item in value.items()
    }


def names_to_seal(shown: Json) -> set[str]:
    """What readers of a block may ask for beside it, by the names of windows: those that it opens,
    and itself with the properties that it has given itself."""
    names = set(sorted(windows_in(shown))[:MOST_WINDOWS])
    for drawn in (shown, shown.get(DARK) or {}):
        if "component" in drawn:
            names.add(name_of_window(drawn["component"], drawn["props"]))
    return names


def seals_of(key: bytes, block: WantedBlock, names: Iterable[str]) -> dict[str, str]:
    """The seals with which they may be asked for."""
    return {name: seal_of(key, block, name) for name in names}


def seal_of(key: bytes, block: WantedBlock, name: str) -> str:
    """The seal of one of these: from readers alone of what this server has shown to somebody, and
    only while the page that they see has the block that has shown it."""
    return signature(key, "block", block.space_id, block.integration_id, block.digest, name)


def shown_by(additions: Mapping[str, Json], node: Json) -> Json | None:
    """What a node shows, where it is a block that an integration draws."""
    data = _data(node)
    return None if data is None else additions.get(digest_of(data))


# ------------------------------------------------------------------ what was drawn


@operation(audited=False)
async def record_block(
    ctx: Context, undrawn: WantedBlock, result: Result | None, dark: Json | None = None
) -> bool:
    """Write down what came of drawing a block, for light and for dark surroundings; whether it
    shows something else now.

    None where nothing came of it.
    """
    must_be_operator(ctx)
    key = (undrawn.space_id, undrawn.digest)
    row = await ctx.session.get(IntegrationBlock, key, with_for_update=True)
    if row is None:
        if await ctx.session.get(Integration, undrawn.integration_id) is None:
            return False
        row = IntegrationBlock(
            space_id=undrawn.space_id, digest=undrawn.digest, integration_id=undrawn.integration_id,
            seed=undrawn.seed, shown=None, failures=0, due_at=ctx.now(),
        )  # fmt: skip
        ctx.session.add(row)
        await _make_room(ctx, undrawn.space_id)
    if row.seed != undrawn.seed:
        row.seed, row.failures = undrawn.seed, 0
    if result is None:
        seconds = min(FIRST_PAUSE * 2 ** min(row.failures, 20), LONGEST_PAUSE)
        row.failures += 1
        row.due_at = ctx.now() + dt.timedelta(seconds=seconds)
        return False
    shown, seconds = result
    if dark is not None and dark != shown:
        shown = {**shown, DARK: dark}
    row.failures, row.due_at = 0, ctx.now() + dt.timedelta(seconds=seconds)
    if row.shown == shown:
        return False
    row.shown = shown
    return True


async def _make_room(ctx: Context, space_id: str) -> None:
    """Leave the results of a space that are to be drawn anew first, where there are too many."""
    beyond = (
        select(IntegrationBlock.digest)
        .where(IntegrationBlock.space_id == space_id)
        .order_by(IntegrationBlock.due_at.desc())
        .offset(MOST_OF_SPACE - 1)
        .limit(MOST_OF_PAGE)
    )
    digests = (await ctx.session.execute(beyond)).scalars().all()
    if digests:
        await ctx.session.execute(
            delete(IntegrationBlock).where(
                IntegrationBlock.space_id == space_id, IntegrationBlock.digest.in_(digests)
            )
        )


def result_of(
    answer: Answer, block: WantedBlock, *, acted: bool = False, window: bool = False
) -> Result | None:
    """What an integration has drawn, and for how many seconds; None where that is nothing.

    From then on it is asked with the properties that it has answered: they are noted where they are
    others than those of the block, and where a reader has `acted`, in the page or in a `window`.
    """
    try:
        output = output_of(answer)
    except ApiError:
        return None
    element = output.element
    if element is None or element.get("type") not in (OF_WINDOWS if window else OF_PAGES):
        return None
    shown: Json = {"element": dict(element), "state": dict(output.state or {})}
    props = block.props if output.props is None else dict(output.props)
    if acted or props != block.props:
        shown |= {"component": block.component_id, "props": props}
    if not fits(shown):
        return None
    return shown, _seconds(output.cache_control or "")


def fits(shown: Json) -> bool:
    """Whether what a block shows is within its bounds."""
    return not _is_deep(shown) and len(orjson.dumps(shown)) <= MOST_BYTES


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEPTH):
        level = [
            member
            for item in level
            if isinstance(item, dict | list)
            for member in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return True


def _seconds(cache_control: str) -> int:
    said = cache_control.lower()
    if "no-store" in said or "no-cache" in said:
        return SHORTEST
    age = _MAX_AGE.search(said)
    return USUAL if age is None else min(max(int(age[1]), SHORTEST), LONGEST)


@operation(audited=False)
async def purge_blocks(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the results that nobody has read since a time; how many."""
    must_be_operator(ctx)
    old = (
        select(IntegrationBlock.digest)
        .where(IntegrationBlock.due_at < before)
        .order_by(IntegrationBlock.due_at)
        .limit(1_000)
    )
    return await ctx.session.change(
        delete(IntegrationBlock).where(
            IntegrationBlock.due_at < before, IntegrationBlock.digest.in_(old)
        )
    )
