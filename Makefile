# make solve: set up .venv, install, and solve two puzzles with the installed command.
# make quick: run ruff and the quick tests; compiled code is kept for the next run.
# make test:  set up what the tests need, and run lint, types, all tests, and kernel tests with the lowest supported Numba.
# make viewer: build the viewer and the studio (needs Node).
# make docs:  build the documentation site, in build/site; make docs-serve serves it to this machine.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOWEST := $(VENV)-lowest

.PHONY: solve quick test lint types tests lowest format viewer viewer-check docs docs-serve bench clean
.DELETE_ON_ERROR:
# The tests start many processes, each of which would compile every module that it imports.
unexport PYTHONDONTWRITEBYTECODE

solve: $(VENV)/installed
	@echo
	@echo "An 8-puzzle, by A* with the Manhattan distance:"
	@echo
	$(BIN)/bestfirst solve sliding-tile "2 8 3 1 6 4 7 _ 5" --goal "1 2 3 8 _ 4 7 6 5" --algorithm astar --heuristic manhattan
	@echo
	@echo "A 15-puzzle (instance 79 of Korf 1985), by IDA* with the Manhattan distance:"
	@echo
	$(BIN)/bestfirst solve sliding-tile "_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15" \
	  --goal "_ 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" --algorithm idastar --heuristic manhattan

quick: lint
	BESTFIRST_TEST_CACHE="$(CURDIR)/.test-cache" $(BIN)/pytest -m "not slow" --hypothesis-profile=quick

test:
	$(MAKE) --jobs=2 lint $(LOWEST)/installed
	$(MAKE) --jobs=3 types lowest tests

lint: $(VENV)/developing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/developing
	$(BIN)/mypy

tests: $(VENV)/developing
	$(BIN)/pytest

# The newest supported Numba is the one of $(VENV): constraints.txt names it. One worker compiles what several tests share once.
lowest: $(LOWEST)/installed
	$(LOWEST)/bin/pytest -n 1 -m numba tests/compiled

format: $(VENV)/developing
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The viewer and the studio are built with Node, and their output is committed. viewer-check builds it again and compares.
viewer: viewer/node_modules/installed
	cd viewer && npm run --silent types && npm run --silent build

viewer-check: viewer/node_modules/installed
	cd viewer && npm run --silent types && npm run --silent build -- build/
	for file in viewer/viewer.js viewer/viewer.css studio/page/studio.js studio/page/studio.css; do \
	  cmp viewer/build/$$file src/bestfirst/$$file || exit 1; done

viewer/node_modules/installed: viewer/package.json viewer/package-lock.json
	cd viewer && npm ci --silent
	touch $@

# With Node, the site has live cells: Python in the browser.
docs: $(VENV)/developing $(if $(shell command -v npm),book/node_modules/installed)
	$(BIN)/python book/build.py

docs-serve: docs
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site 0

book/node_modules/installed: book/package.json book/package-lock.json
	cd book && npm ci --silent
	touch $@

bench: $(VENV)/developing
	$(BIN)/python benchmarks/reference.py

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "bestfirst needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[all]"
	touch $@

$(VENV)/developing: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[all,dev]"
	touch $@

$(LOWEST)/installed: pyproject.toml constraints-lowest.txt
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints-lowest.txt \
	  --editable . hypothesis pytest pytest-xdist
	touch $@

clean:
	rm -rf $(VENV) $(LOWEST) .test-cache .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
