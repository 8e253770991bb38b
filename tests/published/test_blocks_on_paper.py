"""PDFs have what blocks show: of specifications, of integrations; where that is nothing, a name."""

import io
from collections.abc import AsyncIterator

import pytest
from pypdf import PdfReader

from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.integrated import Integrated, integrate
from tests.published.kept_sites import API
from tests.published.test_integration_blocks import BLOCKS, PAGE, SCRIPT, shows

TEXT = f"{PAGE}\n{API}\n\n{{% @gone/box %}}\n"


@pytest.fixture
async def site(api: Api, world: World, session: Session) -> AsyncIterator[Integrated]:
    await factories.make_specification(session, world.organization.id)
    await settle(session)
    yield await integrate(api, world, session, TEXT, SCRIPT, blocks=BLOCKS)
    await api.server.runner.close()


async def printed(site: Integrated) -> str:
    answer = await site.call("GET", f"/spaces/{site.space.id}/pdf")
    pdf = await site.api.client.get(answer["url"], timeout=120)
    assert pdf.status_code == 200, pdf.text
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf.content)).pages)


async def test_blocks_are_on_paper(site: Integrated) -> None:
    await shows(site, "<strong>drawn</strong>")
    text = await printed(site)
    for part in ("Before.", "drawn", "Behind.", "/planets", "The planets", "200", "curl"):
        assert part in text, part
    # One sample stands for all languages, and what nobody draws is named.
    assert "fetch(" not in text
    assert "gone/box" in text
    assert "document false" in text
