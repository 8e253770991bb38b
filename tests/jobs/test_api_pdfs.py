"""PDFs of spaces whose pages are made of a specification: operations and schemas are on paper."""

import io

from pypdf import PdfReader

from db.session import Session
from tests import factories
from tests.jobs.queue import Queue
from tests.jobs.test_translated_sources import COMPUTED, put_computed
from tests.jobs.test_translations import Case, case

__all__ = ["case"]
TEXT = """openapi: 3.1.0
info: {title: Planets, version: "1", description: All **about** them}
servers: [{url: "https://api.planets.example"}]
tags: [{name: planet, x-page-title: The planets, description: They go round.}]
paths:
  /planets/{id}:
    put:
      tags: [planet]
      summary: Change a planet
      parameters:
        - {name: id, in: path, required: true, description: Which one, schema: {type: integer}}
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Planet"}}}}
      responses:
        "200": {description: The planet, content: {application/json: {
          schema: {$ref: "#/components/schemas/Planet"}}}}
        "404": {description: No such planet}
components:
  schemas:
    Planet: {type: object, required: [name], properties: {
      name: {type: string, description: What it is called},
      moons: {type: array, items: {$ref: "#/components/schemas/Moon"}}}}
    Moon: {type: object, properties: {far: {type: number, description: Kilometres away}}}
"""


async def test_pages_of_a_specification_are_on_paper(case: Case, session: Session) -> None:
    await factories.make_specification(session, case.world.organization.id, TEXT)
    await session.commit()
    await put_computed(case)
    await Queue(case.api.server).work(COMPUTED)
    answer = await case.rest("GET", f"/spaces/{case.space.id}/pdf")
    pdf = await case.api.client.get(answer.json()["url"], timeout=120)
    assert pdf.status_code == 200, pdf.text
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf.content)).pages)
    # Of the operation what readers expect, with nested schemas, which nobody can open on paper.
    for part in ("The planets", "They go round.", "Change a planet", "PUT", "/planets/{id}",
                 "Which one", "What it is called", "Kilometres away", "404", "No such planet",
                 "curl", "Models"):  # fmt: skip
        assert part in text, (part, text)
    # One sample of the six, and no form.
    for part in ("fetch(", "requests.request", "Try it"):
        assert part not in text, part
