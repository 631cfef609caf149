# Every target sets up what it needs: a Python from 3.11 on and network for the first install, nothing else.
#   make chat ARGS='--user ada'      make dev PORT=2025      make setup PYTHON=python3.12

SHELL = /bin/sh
.DEFAULT_GOAL := help
.PHONY: help setup dev chat test test-slow test-tagger check bench bench-abstention bench-facts bench-changes bench-window bench-threads bench-vectors bench-lag lock clean

ARGS =
# Tests run in so many processes, a file in one of them; `make test JOBS=0` runs them in one.
JOBS = auto --maxprocesses 4
# Plain `=`: some shells export a HOST of their own, and that must not decide where the server listens.
HOST = 127.0.0.1
PORT = 2024

# Conversations leave the machine only when the user says so.
ifndef LANGSMITH_TRACING
LANGSMITH_TRACING = false
endif
export LANGSMITH_TRACING

# The root first on the path, so that our packages win over strangers' of the same name.
RUN = PYTHONPATH="$(CURDIR)" .venv/bin/

# --- the virtual environment -------------------------------------------------------------------------------
MADE = .venv/made-for
PYTHONS = python3.13 python3.12 python3.11 python3
PIP = .venv/bin/python -m pip install -qq --disable-pip-version-check
USABLE = import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
VERSION = import sys; print(*sys.version_info[:2], sep='.')
WHERE = import sys; print(*sys.version_info[:2], sys.prefix)

# Stale: gone, broken, moved to another path, or of another Python than it was made with or than PYTHON names.
STALE := $(shell \
  here=$$(.venv/bin/python -c "$(WHERE)" 2>/dev/null) && test "$$here" = "$$(cat $(MADE) 2>/dev/null)" \
  && { test -z '$(PYTHON)' || test "$$("$(PYTHON)" -c "$(VERSION)" 2>/dev/null)" = "$$(.venv/bin/python -c "$(VERSION)")"; } \
  || echo stale)

.PHONY: stale
$(MADE): pyproject.toml constraints.txt $(STALE)
	@if test -n "$(STALE)" || ! test -x .venv/bin/python; then \
	  for python in $(if $(PYTHON),"$(PYTHON)",$(PYTHONS)); do \
	    if "$$python" -c "$(USABLE)" 2>/dev/null; then found=$$python; break; fi; \
	  done; \
	  if test -z "$$found"; then \
	    echo "Cannot make .venv: no Python from 3.11 on, with its venv module, as $(or $(PYTHON),$(PYTHONS))." >&2; \
	    echo "Install one (on Debian and Ubuntu python3-venv too) or name it: make setup PYTHON=/path/to/python3" >&2; \
	    exit 1; \
	  fi; \
	  echo "Making .venv with $$found; it takes a minute or two, once." >&2; \
	  rm -rf .venv && "$$found" -m venv .venv || exit 1; \
	fi
	@$(PIP) --upgrade -c constraints.txt pip
	@$(PIP) -c constraints.txt -e . --group dev
	@.venv/bin/python -c "$(WHERE)" > $(MADE)

# --- what to do with it ------------------------------------------------------------------------------------
help: ## this list
	@echo "make TARGET [ARGS='...']"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r target text; do \
	  printf '  %-16s %s\n' "$$target" "$$text"; done

setup: $(MADE) ## make the virtual environment in .venv

dev: $(MADE) ## serve the graphs for Studio and the SDK (HOST, PORT)
	@$(RUN)python -m jiyi.cli.checked_settings
	@LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=true \
	  $(RUN)langgraph dev --no-browser --n-jobs-per-worker 10 --host "$(HOST)" --port "$(PORT)" $(ARGS)

chat: $(MADE) ## talk in the terminal (ARGS='--user ada')
	@$(RUN)jiyi chat $(ARGS)

test: $(MADE) ## run the tests, without those that take minutes
	@$(RUN)python -m pytest -q -m "not slow" -n $(JOBS) --dist loadfile $(ARGS)

test-slow: $(MADE) ## run only the tests that take minutes
	@$(RUN)python -m pytest -q -m slow $(ARGS) || test $$? -eq 5

test-tagger: $(MADE) ## run the scenarios and complaints with the tagger beside the rules (minutes)
	@$(RUN)python -m pytest -q -m "not slow" -n $(JOBS) --dist loadfile --tagger local tests/scenarios tests/test_complaints.py $(ARGS)

check: $(MADE) ## lint, format, types, imports, spelling
	@$(RUN)ruff check
	@$(RUN)ruff format --check
	@$(RUN)python -m mypy
	@$(RUN)lint-imports --no-logo
	@$(RUN)codespell

# The labelled files beside the project where they are there, else the project's own small set.
BENCH_FILES = $(wildcard ../shared/bench/*.recall.jsonl)

bench: $(MADE) ## measure recall on labelled files (ARGS='--ablate --chart FILE.svg', BENCH_FILES)
	@$(RUN)jiyi bench recall $(BENCH_FILES) $(ARGS)

bench-abstention: $(MADE) ## measure how often nothing is recalled where nothing helps
	@$(RUN)jiyi bench abstention $(ARGS)

FACTS_FILES = $(wildcard ../shared/bench/*.facts.jsonl)

bench-facts: $(MADE) ## measure how many of the facts that messages state are remembered (FACTS_FILES)
	@$(RUN)jiyi bench facts $(FACTS_FILES) $(ARGS)

train-tagger: $(MADE) ## train the tagger anew on bench/tagging (installs jax; half an hour)
	@.venv/bin/python -m pip install -q --disable-pip-version-check --group train
	@$(RUN)python -m bench.train_tagger $(ARGS)

bench-changes: $(MADE) ## measure how well what is said anew takes the place of the old
	@$(RUN)jiyi bench changes $(ARGS)

bench-window: $(MADE) ## measure what long threads cost under each window (ARGS='--chart FILE.svg')
	@$(RUN)jiyi bench window $(ARGS)

bench-threads: $(MADE) ## measure how threads grow (ARGS='--turns 500')
	@$(RUN)python -m bench.thread_growth $(ARGS)

bench-vectors: $(MADE) ## measure exact search and Chroma side by side (ARGS='--sizes 1000 20000')
	@$(RUN)python -m bench.vector_index $(ARGS)

bench-lag: $(MADE) ## measure how long indexing holds up a streaming answer
	@$(RUN)python -m bench.loop_lag $(ARGS)

lock: $(MADE) ## write constraints.txt anew: the newest releases that pyproject.toml allows
	@new=$$(mktemp -d) && trap 'rm -rf "$$new"' EXIT && .venv/bin/python -m venv "$$new" \
	&& "$$new/bin/python" -m pip install -qq --disable-pip-version-check --upgrade pip \
	&& "$$new/bin/python" -m pip install -qq --disable-pip-version-check -e . --group dev \
	&& { sed -n '/^#/p' constraints.txt; "$$new/bin/python" -m pip freeze --all --exclude-editable; } > "$$new/pins" \
	&& cp "$$new/pins" constraints.txt

clean: ## remove .venv and what the tools left; never memories, threads or .env
	@rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
