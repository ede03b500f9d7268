# What a developer does with nofluke. `make demo` and `make test` are all that a newcomer needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup system demo test lint types docs docs-methods docs-check site dist unit coverage bench calibrate clean

setup: $(READY)

# Bytecode is compiled once here: importing scipy uncompiled takes ten seconds.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "nofluke needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { \
		apt-get update -q && apt-get install -y -q python3-venv && $(PYTHON) -m venv --clear $(VENV); }
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@$(BIN)/python -m compileall -q $(VENV)/lib src > /dev/null || true
	@touch $@

demo: setup
	@$(BIN)/nofluke demo

# Types and docs keep one core busy each: they are checked beside the tests.
test: setup system
	@$(MAKE) --no-print-directory --jobs 2 lint types docs-check site unit

# pdflatex and a browser, where they are missing: reports are compiled and opened in the tests.
system:
	@sh tests/system_packages.sh

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

# Bytecode is kept whatever the environment says: rewriting the asserts of all tests takes ten seconds a process.
unit: setup system
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n auto --dist worksteal -q

# Takes half as long again as the tests alone, so that it is no part of `make test`. The floor stands in pyproject.toml.
coverage: setup system
	@rm -f .coverage .coverage.*
	COVERAGE_FILE=$(CURDIR)/.coverage $(BIN)/coverage run -m pytest -n auto --dist worksteal -q
	@$(BIN)/coverage combine --quiet
	@$(BIN)/python tests/coverage_by_room.py

# Writes the generated pages (methods, command line) and checks that every page's examples still print what they say.
docs: setup
	$(BIN)/python docs/generate.py

# In seconds: the pages that come from the registries. NAME=wilcoxon prints its row.
docs-methods: setup
	@$(BIN)/python docs/generate.py --methods $(NAME)

docs-check: setup
	$(BIN)/python docs/generate.py --check

# The documentation as a site of its own, in site/: gallery and Python reference are made with it, and links are followed.
site: setup
	$(BIN)/python docs/build_site.py

# Wheel and sdist in dist/, tried in empty environments: the core, each extra, all. Takes some minutes, and the network.
dist: setup
	$(BIN)/python release/build.py

# Peers come from the bench extra; the table goes to benchmarks/RESULTS.md.
bench: setup
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/budgets.py

# Simulations of the full size, and every example that a property states.
calibrate: setup
	$(BIN)/pytest -n auto --dist worksteal -q -o faulthandler_timeout=0 --all-examples -m 'slow or hypothesis' tests

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* build site dist
