"""What it costs at most to work out what a visitor sees of a large site."""

from types import SimpleNamespace
from typing import Any

from resolvers.published import visitors
from resolvers.published.paths import SiteMap
from resolvers.published.visitors import Structure, shown_in
from tests.growth import Work, assert_growth

# About 150 steps.
DEAR = " && ".join(["1 == 1"] * 50)


def site_space(number: int, condition: str | None = None) -> Any:
    return SimpleNamespace(
        id=f"p{number}", path=f"space-{number}", condition=condition, section_id=None,
        space_id=f"s{number}", title="Space", in_bin=False,
    )  # fmt: skip


def test_all_conditions_of_a_site_have_one_bound(monkeypatch: Any) -> None:
    rows = [site_space(number, f"{DEAR} && {number} == {number}") for number in range(20)]
    structure = Structure((), rows)
    assert len(shown_in(structure, {}).site_space_ids) == 20
    monkeypatch.setattr(visitors, "SITE_STEPS", 2_000)
    shown = shown_in(structure, {})
    # What is not reached counts as not met: it stays hidden.
    assert 0 < len(shown.site_space_ids) < 20
    assert len(shown.hidden) == 20 - len(shown.site_space_ids)


def test_equal_conditions_are_worked_out_once(monkeypatch: Any) -> None:
    monkeypatch.setattr(visitors, "SITE_STEPS", 2_000)
    structure = Structure((), [site_space(number, DEAR) for number in range(1_000)])
    assert len(shown_in(structure, {}).site_space_ids) == 1_000


def test_addresses_of_a_large_site_take_time_in_proportion() -> None:
    def paths(count: int) -> Work:
        rows = [site_space(number) for number in range(count)]
        structure = Structure((), rows)
        site = SimpleNamespace(id="site", default_section_id=None, default_site_space_id="p0")
        site_map = SiteMap(site, structure, shown_in(structure, {}))
        assert [site_map.path_of(None, row.id) for row in rows[:2]] == [(), ("space-1",)]
        return lambda: [site_map.path_of(None, row.id) for row in rows]

    # Sixteen times as long if each were looked for among all.
    assert_growth(paths, 16_000)
