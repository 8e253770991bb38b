"""Every realtime channel of the published contract can be followed, as docs/events.md says."""

import re

from db.event_enums import EventTopic
from schema.build import build_schema
from tests.event_docs import PAGE
from tests.published_contract import published_contract

# Of the envelope of all messages.
ANY = "*"


async def test_each_channel_has_a_way() -> None:
    contract = await published_contract()
    schemas = contract.document["components"]["schemas"]
    channels = {
        name
        for schema in schemas.values()
        for name in schema.get("properties", {}).get("channel", {}).get("enum", ())
    } - {ANY}
    assert len(channels) > 70
    table = PAGE.read_text().partition("## Channels of the published contract")[2]
    described: dict[str, str] = {}
    for line in table.splitlines():
        cells = line.strip("|").split("|")
        if line.startswith("| `"):
            described |= dict.fromkeys(re.findall("`([^`]+)`", cells[0]), cells[1])
    topics = {topic.value for topic in EventTopic}
    assert channels - topics - described.keys() == set()
    assert described.keys() - channels == set(), "there are no such channels"
    # What is named there is there.
    streams = build_schema()._schema.subscription_type
    assert streams is not None
    known = {topic.name for topic in EventTopic} | streams.fields.keys()
    known |= {name for field in streams.fields.values() for name in field.args}
    named = {name for way in described.values() for name in re.findall("`([^`]+)`", way)}
    assert named - known == set()
