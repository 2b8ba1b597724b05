# Two commands a newcomer needs: make demo, make test. Everything else is `.venv/bin/vera --help`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# uv installs in a tenth of pip's time; where it is not to be had, or knows nothing of pip's index, pip does it.
comma := ,
UV := uv==0.13.*
install = { $(BIN)/python -m pip install --quiet --disable-pip-version-check '$(UV)' \
	&& $(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[$(1)]'; } \
	|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(1)]'

.PHONY: demo test check lint serve docs build clean

demo: $(VENV)/.installed-demo  ## serve the embedded model, evaluate it, print the scorecard, open the dashboard
	$(BIN)/vera demo

test: $(VENV)/.installed-test check  ## what CI runs
	$(BIN)/python -m pytest -n 2 --dist loadgroup

check: lint  ## formatting, rules, types, layers
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

lint: $(VENV)/.installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

serve: $(VENV)/.installed-demo  ## the dashboard and a worker on http://localhost:8501
	$(BIN)/vera serve

docs: $(VENV)/.installed-test  ## rebuild the generated pages
	$(BIN)/python -m requirements_map.document > docs/requirements.md
	$(BIN)/python -m app.console.document > docs/cli.md

build: $(VENV)/.installed-test  ## a wheel in dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "VERA needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Set PYTHON=/path/to/python3.11.")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed-demo: pyproject.toml | $(BIN)/python
	$(call install,demo)
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(BIN)/python
	$(call install,demo$(comma)test)
	touch $@ $(VENV)/.installed-demo

clean:  ## the environment and the caches; not your data
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache *.egg-info
