# Docstead: `make` lists the commands. They need Python 3.11 or newer with venv and pip, and git.

PYTHON := $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help install install-dev demo serve test check format snapshots bench lock clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

install: $(VENV)/installed ## Set up .venv with everything the server needs

$(VENV)/python:
	@test -n "$(PYTHON)" || { echo "Docstead needs Python 3.11 or newer as python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Python's venv module is incomplete (Debian: apt-get install python3-venv)"; exit 1; }
	@touch $@

$(VENV)/installed: $(VENV)/python requirements/runtime.txt pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/runtime.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

install-dev: $(VENV)/installed-dev ## Also install what tests and checks need

$(VENV)/installed-dev: $(VENV)/installed requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $@

demo: install ## Fill an embedded database with a demo organization and serve it
	@$(BIN)/docstead demo

serve: install ## Serve the data in ./data
	@$(BIN)/docstead serve

test: install-dev ## Run all tests (ARGS= for pytest)
	@bash tests/browser/install-chromium.sh
	@$(BIN)/python -m pytest -n 2 $(ARGS)

check: install-dev ## Formatting, lint, types, import layers
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: install-dev ## Rewrite the code in the common format
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

snapshots: install ## Rewrite schema/schema.graphql and rest_compat/openapi.json
	@$(BIN)/docstead sdl > schema/schema.graphql.new && mv schema/schema.graphql.new schema/schema.graphql
	@$(BIN)/docstead openapi > rest_compat/openapi.json.new && mv rest_compat/openapi.json.new rest_compat/openapi.json

bench: install-dev ## Measure both interfaces beside hand-written routes
	@$(BIN)/python -m benchmarks $(ARGS)

lock: $(VENV)/python ## Pin the newest allowed versions in requirements/
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 \
	  pyproject.toml -o requirements/runtime.txt
	@$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 \
	  --extra dev -c requirements/runtime.txt pyproject.toml -o requirements/dev.txt

clean: ## Remove what the other commands made, except data
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis artifacts
