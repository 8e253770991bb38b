"""Properties have the same examples in each run, and `forged` always forges."""

import string

from hypothesis import given, strategies as st
from hypothesis.internal.conjecture import providers

from tests.chance import forged, without_ids


def test_examples_hold_no_literals_of_modules_that_are_loaded() -> None:
    """With them a change anywhere gives all properties other examples (tests/conftest.py)."""
    assert len(providers._get_local_constants()) == 0


@given(st.text(string.ascii_letters + string.digits + "-_=", min_size=9))
def test_forged_tokens_are_other_ones(token: str) -> None:
    assert forged(token) != token
    assert len(forged(token)) == len(token)


def test_ids_are_no_words() -> None:
    assert without_ids("a pear 0VcILh8EJjSiGcpearAj, 12") == "a pear , 12"
