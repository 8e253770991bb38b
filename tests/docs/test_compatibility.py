"""docs/compatibility.md is what its generator makes of the contract and of what is served."""

from tests.compatibility import PAGE, page
from tests.published_contract import FOLLOWED, NEWEST, published_contract


async def test_the_page_is_current() -> None:
    made = page(await published_contract(FOLLOWED), await published_contract(NEWEST))
    assert PAGE.read_text(encoding="utf-8") == made, "run `make compatibility`"
