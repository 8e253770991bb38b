"""Exports that somebody has changed at random: an import names the place, or all of what it has
read can be read."""

import asyncio
import base64
import datetime as dt
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import orjson
from hypothesis import HealthCheck, example, given, settings, strategies as st
from sqlalchemy import JSON, LargeBinary

from content.hashing import content_id
from content.merkle.node import canonical
from db.models.all import metadata
from db.organization_rows import columns_of, exported_tables
from db.session import Database
from jobs.organization_archive import ArchiveError, write_checksums
from jobs.organization_import import ImportRefusedError
from jobs.organization_schemas import SCHEMAS, value_problem
from resolvers.core.scalars import read_time
from schema.build import build_schema
from tests.conftest import Sown
from tests.databases import be_another_installation
from tests.docstead.test_organization_export import imported, lines, serving, taken_out
from tests.graphql_walk import FieldWalk

__all__ = ["taken_out"]
Json = dict[str, Any]
PLACE = re.compile(
    r"data/[a-z_]+\.jsonl, line \d+: |the content of space \w+: |it names the |is here already|"
    r"names what is not in it|its rows are of another organization|the account "
)
OTHERS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 10**20), st.floats(allow_nan=False),
    st.text(max_size=9), st.sampled_from(["", "\ud800", "javascript:alert(1)", "../x", "1 +"]),
    st.sampled_from(["x" * 3_000, "2026-13-01"]), st.just([]), st.just({}), st.just([None]),
    st.just({"kind": "page"}), st.just({"a": {"b": [1]}}),
)  # fmt: skip


def is_json(table: str, name: str) -> bool:
    return isinstance(metadata.tables[table].columns[name].type, JSON)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all parts of a value."""
    found = [path]
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    for name, part in parts:
        found += places(part, (*path, name))
    return found


def forged(data: st.DataObject, value: Any) -> Any:
    """A value with one part of it changed, added or taken away."""
    path = data.draw(st.sampled_from(places(value)))
    other = data.draw(OTHERS)
    if not path:
        return other
    holder = value
    for part in path[:-1]:
        holder = holder[part]
    match data.draw(st.sampled_from(["set", "remove", "add"])):
        case "set":
            holder[path[-1]] = other
        case "remove":
            del holder[path[-1]]
        case _ if isinstance(holder, dict):
            holder[data.draw(st.sampled_from(["extra", "type", "id"]))] = other
        case _:
            holder.append(other)
    return value


def forge(data: st.DataObject, folder: Path) -> str:
    """Change something of an export; what it was."""
    tables = [
        table.name for table in exported_tables() if lines(folder, table.name)
    ]  # fmt: skip
    name = data.draw(st.sampled_from(tables), label="table")
    rows = lines(folder, name)
    row = data.draw(st.sampled_from(rows))
    table = metadata.tables[name]
    binary = [one for one in row if isinstance(table.columns[one].type, LargeBinary)]
    documents = [one for one in row if is_json(name, one)]
    column = data.draw(
        st.sampled_from(binary or documents or sorted(row))
        if data.draw(st.booleans()) else st.sampled_from(sorted(row)), label="column",
    )  # fmt: skip
    if column in binary:
        stored = base64.b64decode(row[column])
        if name in ("content_node", "document"):
            stored = orjson.dumps(forged(data, orjson.loads(stored)), default=str)
            try:
                stored = canonical(orjson.loads(stored))
            except TypeError:
                stored = b"{}"
            head = b"" if name == "content_node" else orjson.dumps([row["markdown"]])
            renamed(folder, row["id"], content_id(head + stored))
            rows = lines(folder, name)
            row = next(one for one in rows if one["id"] == content_id(head + stored))
        else:
            stored = stored[:-3]
        row[column] = base64.b64encode(stored).decode()
    else:
        row[column] = forged(data, row[column])
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "data" / f"{name}.jsonl").write_text(text)
    (folder / "checksums.json").unlink()
    write_checksums(folder)
    return f"{name}.{column}"


def renamed(folder: Path, before: str, after: str) -> None:
    """Have everything name what it has named by another id, nodes of content included."""
    for path in (folder / "data").iterdir():
        path.write_text(path.read_text().replace(before, after))
    nodes = lines(folder, "content_node")
    for node in nodes:
        data = base64.b64decode(node["data"])
        if before.encode() in data:
            data = data.replace(before.encode(), after.encode())
            node["data"] = base64.b64encode(data).decode()
            id, node["id"] = node["id"], content_id(data)
            text = "".join(json.dumps(row) + "\n" for row in nodes)
            (folder / "data" / "content_node.jsonl").write_text(text)
            renamed(folder, id, node["id"])
            return


def test_every_json_of_an_export_has_a_schema() -> None:
    columns = {
        (table.name, name)
        for table in exported_tables()
        for name in columns_of(table)
        if is_json(table.name, name)
    }
    assert columns == SCHEMAS.keys()


def written(moment: str) -> Json:
    """What `git_info` of a space has when it was updated then."""
    return {"provider": None, "url": None, "repoName": None, "updatedAt": moment}


@given(st.datetimes(dt.datetime(1902, 1, 1), dt.datetime(2999, 12, 31), timezones=st.timezones()))
@example(dt.datetime(2027, 1, 30, tzinfo=dt.UTC))
@example(dt.datetime(2027, 12, 31, 23, 59, 59, 1, tzinfo=dt.UTC))
@example(dt.datetime(2028, 2, 29, tzinfo=dt.UTC))
def test_every_time_that_an_export_writes_is_read(moment: dt.datetime) -> None:
    text = moment.astimezone(dt.UTC).isoformat()
    assert value_problem("space", "git_info", written(text)) is None
    assert value_problem("space", "git_info", written(text.replace("+00:00", "Z"))) is None


@given(st.from_regex(r"\A[0-9]{4}-[0-3][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]Z\Z"))
@example("2027-02-29T00:00:00Z")
@example("2027-12-31T23:59:60Z")
@example("0000-01-01T00:00:00Z")
@example("9999-12-31T23:59:59-00:01")
def test_times_of_an_export_that_are_none_are_refused(text: str) -> None:
    try:
        read_time(text)
    except ValueError:
        assert value_problem("space", "git_info", written(text)) is not None


@settings(
    max_examples=20, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(data=st.data())
async def test_what_is_read_can_be_read(
    taken_out: Path,
    sown: Sown,
    sqlite_template: Path,
    shared_documents: None,
    tmp_path: Path,
    data: st.DataObject,
) -> None:
    place = Path(tempfile.mkdtemp(dir=tmp_path))
    copy = place / "copy"
    await asyncio.to_thread(shutil.copytree, taken_out, copy)
    what = forge(data, copy)
    shutil.copy(sqlite_template, place / "there.sqlite3")
    there = Database(f"sqlite:///{place / 'there.sqlite3'}", durable=False)
    await be_another_installation(there)
    try:
        async with serving(there, place / "data") as api:
            refusal = ""
            try:
                await imported(there, api, copy)
            except (ArchiveError, ImportRefusedError) as error:
                refusal = str(error)
            if refusal:
                assert PLACE.search(refusal), (what, refusal)
                return
            walk = FieldWalk(build_schema()._schema, sown.seed.known, tried=3, most=1, together=40)
            for _, query in walk.queries():
                answer = await api.graphql(query, sown.world.admin)
                codes = {error["extensions"]["code"] for error in answer.get("errors", ())}
                assert "INTERNAL" not in codes, (what, query, answer["errors"])
    finally:
        await there.close()
        shutil.rmtree(place)
