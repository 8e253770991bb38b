"""Pages of sites show operations of the organization's specifications, as they are now."""

from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.kept_sites import API
from tests.published.test_sites import make_pages


async def test_a_page_shows_an_operation(api: Api, world: World, session: Session) -> None:
    # Another organization has a specification of the same name.
    elsewhere = await factories.make_organization(session)
    foreign = factories.SPECIFICATION_TEXT.replace("The planets", "FOREIGN")
    await factories.make_specification(session, elsewhere.id, foreign)
    space = await make_pages(session, world, "Guide", start={"text": API})
    site = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    path = f"/sites/{site.id}/"
    before = await api.client.get(path, follow_redirects=True)
    assert before.status_code == 200
    assert "/planets" in before.text
    assert "FOREIGN" not in before.text
    specification, _ = await factories.make_specification(session, world.organization.id)
    await settle(session)
    shown = await api.client.get(path, follow_redirects=True)
    for part in ("The planets", "curl", "200", "openapi-reference"):
        assert part in shown.text
    markdown = await api.client.get(
        path, headers={"Accept": "text/markdown"}, follow_redirects=True
    )
    # Readers of text get what the block shows, not its tag; so does whoever reads all pages.
    whole = await api.client.get(f"{path}llms-full.txt", follow_redirects=True)
    for text in (markdown.text, whole.text):
        assert "{%" not in text
        assert "`GET /planets`" in text
        assert "* `200`: The planets" in text
    # What is gone is named.
    await session.delete(await session.merge(specification))
    await settle(session)
    gone = await api.client.get(path, follow_redirects=True)
    assert "The planets" not in gone.text
