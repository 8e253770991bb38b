"""The benchmarks can be started: each module fits the code that it measures."""

import importlib
import pkgutil

import pytest

import benchmarks

MODULES = [found.name for found in pkgutil.iter_modules(benchmarks.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__main__"])
def test_a_module_of_the_benchmarks_is_imported(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}").__doc__
