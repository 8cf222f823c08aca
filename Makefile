# Every target first makes sure that .venv exists and holds what pyproject.toml asks for, so any of them can be the
# first command on a fresh clone. Needs Python 3.11 or newer and, the first time, indexes of Python and npm packages;
# offline afterwards. Node comes from the path, or else from the index of Python packages.
# Written for GNU make 3.81 (macOS) and newer.

SHELL := /bin/sh
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
INSTALLED := .venv/installed
INSTALLED_BENCH := .venv/installed-bench
INSTALLED_DOCS := .venv/installed-docs

# `make PYTHON=/path/to/python` chooses one; otherwise the first of these that really runs and is new enough.
PYTHON ?=
CANDIDATES := $(PYTHON) python3.13 python3.12 python3.11 python3 python
NEW_ENOUGH := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

# Two workers pay off: most of the time is spent compiling kernels.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile

.PHONY: help setup bundle browser screenshots demo gallery test test-long bench lint format docs docs-check walk soak study-faults robot-files fuzz release-check floors lock clean

help:
	@echo "make demo        the first five minutes: derive, diagnose, drive through gimbal lock, write a report"
	@echo "make gallery     check every entry of the gallery and write its site -> output/gallery"
	@echo "make test        all checks: lint, types, layers, tests (what CI runs)"
	@echo "make test-long   the slow tests as well"
	@echo "make bench       benchmarks against other tools -> benchmarks/results.md"
	@echo "make bundle      build the page of report and viewer from frontend/"
	@echo "make screenshots pictures of report, viewer and figures -> output/screenshots"
	@echo "make walk        the road through the rooms: one simulate, one fold, one robot file, one report"
	@echo "make soak        random systems against other tools and identities, SOAK_MINUTES=20 -> docs/trust.md"
	@echo "make study-faults killed drivers and workers, flipped bytes, a full disk: what studies survive"
	@echo "make robot-files  every robot file of a dozen packages, loaded and compared -> docs/robot-files.md"
	@echo "make fuzz        random files and expressions, FUZZ_COUNT=100000 -> docs/trust.md"
	@echo "make release-check  the wheel: built twice with one hash, installed alone, licences -> output/licences.txt"
	@echo "make floors      the oldest releases that pyproject.toml allows, tried"
	@echo "make lock        requirements/development.txt: every package of development with its hashes"
	@echo "make lint        ruff, mypy and the layers contract only"
	@echo "make format      rewrite the code in the house format"
	@echo "make docs        the documentation site, every example executed, warnings as errors -> output/docs"
	@echo "make docs-check  links and code blocks of README and docs"
	@echo "make clean       remove everything that make made, .venv included"

setup: $(INSTALLED)

# Does nothing when the page is newer than its sources.
bundle: $(INSTALLED)
	@$(BIN)/python frontend/build.py

# Finds Chromium, Chrome or Edge; as root of a Debian it installs Chromium, elsewhere it says how.
browser: $(INSTALLED)
	@$(BIN)/python -m tools.browser

screenshots: bundle browser
	$(BIN)/python -m tools.screenshots

demo: bundle
	$(BIN)/python -m cardan.cli demo --output output/cardan_suspension.html

gallery: bundle
	$(BIN)/python -m cardan.gallery output/gallery

test: lint bundle browser
	$(PYTEST) -m "not long"

test-long: lint bundle browser
	$(PYTEST)

lint: $(INSTALLED)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

format: $(INSTALLED)
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

# The gallery's pages are part of the site; they are written once (make gallery writes them again).
docs: bundle $(INSTALLED_DOCS)
	@test -f output/gallery/index.html || $(BIN)/python -m cardan.gallery output/gallery
	$(BIN)/python -m tools.site

docs-check: $(INSTALLED)
	$(BIN)/python -m pytest tests/examples tests/unit/test_docs.py

walk: bundle
	$(BIN)/python -m tools.walk

# Ends with an error where something was silently wrong, crashed or took too long.
soak: $(INSTALLED)
	$(BIN)/python -m tools.soak

# Kills drivers and workers of studies, flips bytes of their stores, fills their disk; prints what came of it.
study-faults: $(INSTALLED)
	$(BIN)/python -m tools.study_faults

# Ends with an error where a file was not refused properly or took too long.
fuzz: $(INSTALLED)
	$(BIN)/python -m tools.fuzz

# Ends with an error where the wheel is not reproducible, too large, or does not work alone.
release-check: bundle
	$(BIN)/python -m tools.release

floors: bundle
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python -m tools.floors

lock: $(INSTALLED)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python -m tools.locking

# Downloads a gigabyte of packages the first time; what is done is kept in output/robot-files.
robot-files: $(INSTALLED_BENCH)
	$(BIN)/python -m tools.robot_files

bench: $(INSTALLED_BENCH)
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv output build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf frontend/node_modules src/cardan/report/static
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A name on the path proves little (version managers leave shims that only print an error), so each candidate is run.
$(INSTALLED): pyproject.toml
	@if ! $(BIN)/python -c "$(NEW_ENOUGH)" >/dev/null 2>&1; then \
	  found=; \
	  for candidate in $(CANDIDATES); do \
	    if "$$candidate" -c "$(NEW_ENOUGH)" >/dev/null 2>&1; then found="$$candidate"; break; fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "Cardan needs Python 3.11 or newer with the venv module; none of these works: $(CANDIDATES)." >&2; \
	    echo "Install one from https://www.python.org/downloads/ (on Debian and Ubuntu also: apt install python3-venv)," >&2; \
	    echo "or name one: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; \
	    exit 1; \
	  fi; \
	  echo "Creating .venv with $$("$$found" --version)"; \
	  "$$found" -m venv --clear .venv || exit 1; \
	fi
	@echo "Installing Cardan and its tools into .venv (once, a minute or two)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

$(INSTALLED_BENCH): $(INSTALLED)
	@echo "Installing the tools that Cardan is measured against (once, about 1 GB)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	@touch $@

$(INSTALLED_DOCS): $(INSTALLED)
	@echo "Installing Sphinx and its theme (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	@touch $@
