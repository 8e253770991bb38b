# Everything a contributor or a build machine runs. Needs Python 3.11+ (with venv and pip), make, git.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-print-directory --no-builtin-rules
# The environment of another virtual environment must not leak into ours. Without compiled files each
# of the processes that the tests start would compile all modules anew, a second and a half each.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# PYTHON=/path/to/python chooses the interpreter of the virtual environment.
PYTHON ?=
# Arguments for pytest, for example: make test ARGS="tests/content -k table"
ARGS ?=
# Test processes: one more than the cores of a small machine, because browsers and servers are waited
# for. 0 runs the tests in one process, which a debugger needs.
WORKERS ?= 3

GRAPHQL_SNAPSHOT := schema/schema.graphql
OPENAPI_SNAPSHOT := rest_compat/openapi.json

.PHONY: help install demo serve test quick answers check check-snapshots format snapshots compatibility bench lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.runtime ## Create .venv with Docstead and its pinned requirements
	@:

demo: $(VENV)/.pdf ## Start Docstead with example content, and all it can do
	@$(BIN)/docstead demo

serve: install ## Start Docstead with the settings of the environment
	@$(BIN)/docstead serve

# Files are handed to the processes in the order of tests/slow.py, the long ones first.
PYTEST = PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# A test that fails is run once more, three in a run at most; the failures of both kinds are printed.
# A debugger stops at the first failure.
RERUNS = $(if $(findstring --pdb,$(ARGS)),,--reruns 1 --max-suite-reruns 3 --rerun-show-tracebacks)

test: $(VENV)/.dev ## Run the tests (ARGS="..." goes to pytest, WORKERS=0 for one process)
	@bash tests/install-packages.sh
	@$(PYTEST) $(RERUNS) $(ARGS)

quick: $(VENV)/.dev ## Run the tests but the slow ones, on SQLite only
	@DOCSTEAD_TEST_DATABASES=sqlite $(PYTEST) -m "not slow" $(ARGS)

answers: $(VENV)/.dev ## Write the answers of /v1 that are not as committed, to be read
	@DOCSTEAD_TEST_WRITE_ANSWERS=1 DOCSTEAD_TEST_DATABASES=sqlite $(PYTEST) -q -n 0 \
	  tests/rest_compat/test_answers.py

check: $(VENV)/.dev ## Check format, lint, types, layers and snapshots
	@$(BIN)/ruff format --check --quiet . || { echo 'Run "make format".' >&2; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports > $(VENV)/.layers.log 2>&1 || { cat $(VENV)/.layers.log >&2; exit 1; }
	@$(MAKE) check-snapshots

# A snapshot is compared once it is committed; the tests say which ones must exist.
check-snapshots: $(VENV)/.runtime
	@for pair in "$(GRAPHQL_SNAPSHOT) sdl" "$(OPENAPI_SNAPSHOT) openapi"; do \
	  read -r file command <<< "$$pair"; \
	  [ -f "$$file" ] || continue; \
	  $(BIN)/docstead "$$command" | diff -u --label "$$file" --label "docstead $$command" "$$file" - \
	    || { echo "$$file is not current: run \"make snapshots\" and review the difference." >&2; exit 1; }; \
	done

format: $(VENV)/.dev ## Format the code and apply safe lint fixes
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

snapshots: $(VENV)/.runtime ## Rewrite the committed GraphQL schema and OpenAPI document
	@$(BIN)/docstead sdl > $(VENV)/.snapshot && cp $(VENV)/.snapshot $(GRAPHQL_SNAPSHOT)
	@$(BIN)/docstead openapi > $(VENV)/.snapshot && cp $(VENV)/.snapshot $(OPENAPI_SNAPSHOT)

compatibility: $(VENV)/.dev ## Rewrite docs/compatibility.md
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.compatibility

bench: $(VENV)/.dev ## Run the benchmarks
	@$(BIN)/python -m benchmarks $(ARGS)

# Versions already pinned stay; LOCK="--upgrade" takes the newest, LOCK="--upgrade-package NAME" one.
lock: $(VENV)/.uv ## Rewrite requirements/*.txt from pyproject.toml
	@bash requirements/lock $(LOCK)

clean: ## Remove the virtual environment and every cache
	rm -rf $(VENV) *.egg-info build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './node_modules/*' -prune -exec rm -rf {} +

# --- The virtual environment --------------------------------------------------------------------

# The interpreter can vanish below its environment, for example when the system moves to a newer one.
# Then nothing counts as installed.
ifneq ($(wildcard $(VENV)),)
$(shell [ -x $(BIN)/python ] || rm -f $(VENV)/.runtime $(VENV)/.pdf $(VENV)/.dev $(VENV)/.uv)
endif

$(BIN)/python:
	@bash requirements/create-venv $(VENV) $(PYTHON)

# Stamps of what is installed.
$(VENV)/.runtime: $(BIN)/python pyproject.toml requirements/build.txt requirements/runtime.txt
	@echo "Installing Docstead into $(VENV)"
	@$(PIP) install -r requirements/build.txt -r requirements/runtime.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.pdf: $(VENV)/.runtime requirements/pdf.txt
	@echo "Installing the requirements of PDFs into $(VENV)"
	@$(PIP) install -r requirements/pdf.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements/dev.txt
	@echo "Installing the development requirements into $(VENV)"
	@$(PIP) install -r requirements/dev.txt
	@touch $@

$(VENV)/.uv: $(BIN)/python
	@$(PIP) install uv==0.13.8
	@touch $@
