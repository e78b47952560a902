# Hexwright. `make module` builds the main module, `make test` runs all tests; both set up .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# tests run in that many processes, each file of tests in one of them
JOBS ?= 2

.PHONY: help module test check engine soak bench clean

help:
	@echo "make module   set up, build dist/dropzone.vmod and dist/dropzone-map.png"
	@echo "make test     set up, run all checks and tests (with VASSAL too after 'make engine')"
	@echo "make engine   install the real VASSAL (and Chromium) for tests/engine"
	@echo "make soak     the long runs"
	@echo "make bench    the benchmarks"

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; say: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

module: $(STAMP)
	$(BIN)/hexwright build dropzone

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/pytest -n $(JOBS) --dist loadfile

engine: $(STAMP)
	$(BIN)/python tests/engine/setup_engine.py --dest .engine

soak: $(STAMP)
	HYPOTHESIS_PROFILE=soak HEXWRIGHT_SOAK=1 $(BIN)/pytest -n $(JOBS) -m '(soak or hypothesis) and not engine'

bench: $(STAMP)
	$(BIN)/pytest bench --benchmark-enable --benchmark-only -o python_files='bench_*.py' --benchmark-columns=median,min,max,rounds

clean:
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist/*.vmod dist/*.png
