"""The process that renders one document: `python -P -m content.html.worker SECONDS MEGABYTES`.

It gets a job on its standard input and answers on its standard output, in frames of JSON. In
between it asks what references lead to: `{"references": [...]}` is answered by
`{"targets": [...]}`. The last frame is `{"html", "headings"}` with what the page uses. A process
that ends without one has failed. It opens no connections, and knows nothing but what it was sent.
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import orjson

from content.documents.nodes import text_of
from content.html.document import Rendered, render_document
from content.html.markup import Html
from content.html.rendering import Heading, Options, Target, Uses
from content.html.words import DocumentWords, document_words
from content.isolation import limit_resources, refuse_sockets
from content.json_types import JsonObject, values_in
from content.merkle.node import canonical

LENGTH = struct.Struct(">I")
# Bytes of HTML of one document.
MOST_HTML = 32_000_000


def frame_of(value: Any) -> bytes:
    """A value as a frame: its length, then JSON."""
    data = orjson.dumps(value)
    return LENGTH.pack(len(data)) + data


def rendered_from(answer: dict[str, Any]) -> Rendered:
    """The HTML, headings and uses of the last frame."""
    headings = (Heading(int(level), str(id), str(text)) for level, id, text in answer["headings"])
    uses = Uses(
        set(answer["players"]),
        set(answer["frames"]),
        bool(answer["diagrams"]),
        bool(answer["updates"]),
        bool(answer["requests"]),
        bool(answer["blocks"]),
    )
    title_ids = tuple(str(id) for id in answer["title_ids"])
    return Rendered(Html(str(answer["html"])), tuple(headings), uses, title_ids)


@dataclass(slots=True)
class Job:
    """One document, with the reusable contents of its space by id."""

    document: JsonObject
    contents: dict[str, JsonObject]
    space_id: str
    words: DocumentWords
    requests: str
    blocks: str
    frames: BinaryIO
    answers: BinaryIO
    targets: dict[bytes, Target] = field(default_factory=dict)

    def run(self) -> None:
        """Render the document and send it."""
        references = {
            canonical(reference): reference
            for reference in values_in([self.document, *self.contents.values()])
            # What looks like a reference.
            if isinstance(reference, dict) and "kind" in reference and "object" not in reference
        }
        self._ask(references)
        rendered = render_document(
            self.document,
            Options(
                resolve=self._resolve,
                reusable=self._reusable,
                words=self.words,
                requests=self.requests,
                blocks=self.blocks,
            ),
        )
        headings = [[heading.level, heading.id, heading.text] for heading in rendered.headings]
        uses = rendered.uses
        self._send(
            {
                "html": rendered.html,
                "headings": headings,
                "title_ids": rendered.title_ids,
                "players": sorted(uses.players),
                "frames": sorted(uses.frames),
                "diagrams": uses.diagrams,
                "updates": uses.updates,
                "requests": uses.requests,
                "blocks": uses.blocks,
            }
        )

    def _resolve(self, reference: JsonObject) -> Target:
        key = canonical(reference)
        if key not in self.targets:
            self._ask({key: reference})
        return self.targets[key]

    def _reusable(self, reference: JsonObject) -> JsonObject | None:
        if text_of(reference, "space") not in ("", self.space_id):
            return None
        return self.contents.get(text_of(reference, "reusableContent"))

    def _ask(self, references: dict[bytes, JsonObject]) -> None:
        if references:
            self._send({"references": list(references.values())})
            answer = read_frame(self.frames)
            targets = [Target(**target) for target in answer["targets"]]
            self.targets.update(zip(references, targets, strict=True))

    def _send(self, value: Any) -> None:
        self.answers.write(frame_of(value))
        self.answers.flush()


def read_frame(file: BinaryIO) -> Any:
    """The next frame; EOFError when there is none."""
    start = file.read(LENGTH.size)
    if len(start) < LENGTH.size:
        raise EOFError
    return orjson.loads(file.read(LENGTH.unpack(start)[0]))


def main(seconds: int, megabytes: int) -> None:
    """Render the document that comes in."""
    limit_resources(seconds, megabytes, file_bytes=0)
    refuse_sockets()
    frames, answers = sys.stdin.buffer, sys.stdout.buffer
    job = read_frame(frames)
    words = document_words(job["language"])
    Job(
        job["document"], job["contents"], job["space"], words, job["requests"], job["blocks"],
        frames, answers
    ).run()  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
