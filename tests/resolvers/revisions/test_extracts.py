"""What is worked out of a page for the index, before a write takes its lock."""

from dataclasses import replace

from resolvers.revisions.bodies_work import BodiesWork
from resolvers.revisions.extracts import Extract, extract_ahead
from tests.merging import pages_of


async def test_a_page_that_is_renamed_meanwhile_is_worked_out_again() -> None:
    changes = pages_of("s", 1, "## Setup\n\nText.\n")
    page, work = changes.pages["p0"], BodiesWork()
    assert page is not None
    # Programs that count the title as a heading give the second one a number.
    renamed = replace(page, title="Setup")
    aliases = []
    for one in (page, renamed):
        await extract_ahead(work, "s", [one], changes.documents)
        extract = [value for value in work.results.values() if isinstance(value, Extract)][-1]
        aliases.append("setup-1" in extract.aliases)
    assert aliases == [False, True]
