# Two commands do everything, set-up included:  make figure1   and   make test
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= $(shell $(PYTHON) -c "import os; print(len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count())")
# pip is enough; uv is used where it is there, because it is quicker
UV := $(shell command -v uv 2>/dev/null)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
ifeq ($(UV),)
CREATE := $(PYTHON) -m venv $(VENV)
INSTALL := $(PIP) install --no-compile
else
CREATE := $(UV) venv --quiet --seed --allow-existing --python $(PYTHON) $(VENV)
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
endif
TO_RUN := $(VENV)/.ready-to-run
TO_TEST := $(VENV)/.ready-to-test

.PHONY: help setup setup-test figure1 figures scale preview test quick verify costs lint types bench mutants docs links snippets newest lock clean

## name the targets
help:
	@awk '/^## /{words = substr($$0, 4); next} /^[a-z0-9-]+:/ && words {sub(/:.*/, ""); printf "make %-11s %s\n", $$0, words} !/^([A-Z]+ *[?:]?=|\t)/ {words = ""}' $(firstword $(MAKEFILE_LIST))

## what the figures and the commands need
setup: $(TO_RUN)

$(TO_RUN): pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.version_info >= (3, 11) or sys.exit('Python 3.11 or newer is needed, this is ' + sys.version.split()[0] + '; try: make PYTHON=python3.12')"
	$(CREATE)
	$(INSTALL) --require-hashes -r constraints.txt
	$(INSTALL) --no-deps --no-build-isolation -e .
	$(PIP) check
	$(BIN)/theory-lab list > /dev/null
	touch $@

## what the tests need besides
setup-test: $(TO_TEST)

$(TO_TEST): $(TO_RUN) constraints-test.txt
	$(INSTALL) --require-hashes -r constraints-test.txt
	$(PIP) check
	touch $@

## the main job: Figure 1 of the DPZero paper at the full grid of its Table 6
figure1: setup
	$(BIN)/theory-lab figure dpzero-1 --out out/figures --store results/dpzero.sqlite --workers $(WORKERS)

## Figures 1 to 3, which share the grid
figures: setup
	$(BIN)/theory-lab figure dpzero-1 dpzero-2 dpzero-3 --out out/figures --store results/dpzero.sqlite --workers $(WORKERS)

## Figure 1 from d = 20 to 10^12, in law, and beside it on data up to d = 2,000
scale: setup
	$(BIN)/theory-lab figure dpzero-scale --out out/figures --store results/dpzero.sqlite --workers $(WORKERS)

## Figure 1 up to d = 200 and T = 320, in about a minute
preview: setup
	$(BIN)/theory-lab figure dpzero-1 --preview --out out/preview --store results/preview.sqlite --workers $(WORKERS)

# --dist loadfile: a file of tests runs in one worker, so that what it compiles and loads is there for all of its tests
## what this README promises and CI runs: at most 12 minutes on two idle cores
test: lint types
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --level test

## while you work: at most 75 seconds; ROOM=bounds takes the tests of one package
ROOM ?=
quick: lint types
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --level quick tests/$(ROOM)

## before a release: all there is, for hours; what has passed is not run again (PART=faults takes one part, PART=list names them)
PART ?=
verify: setup-test
	$(BIN)/python -m tests.verify --workers $(WORKERS) $(PART)

## measures the CPU time of every test that `make test` runs and writes it to tests/costs.txt; then what `make quick` compiles itself
costs: setup-test
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --level test --record-costs
	for k in 1 2 3; do $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --level quick --record-costs || exit 1; done

## style
lint: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

## types
types: setup-test
	$(BIN)/mypy

## prints the speed ratios of the grid engine, of Gauss-PSGD and of DP-GRAPE against the plain way, of runs in law against the grid engine, and what audits and calibrations of noise cost, timed in the same process
bench: setup
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench.psgd
	$(BIN)/python -m tests.bench.grape
	$(BIN)/python -m tests.bench.in_law
	$(BIN)/python -m tests.bench.privacy

## how many random slips in the packages the tests notice, a room at a time; hours; what is finished is kept (ARGS="figures --count 100")
mutants: setup-test
	$(PIP) install --no-build-isolation -e ".[test,mutants]"
	$(BIN)/python -m tests.mutants $(ARGS)

TO_DOCUMENT := $(VENV)/.ready-to-document

$(TO_DOCUMENT): $(TO_RUN) constraints-docs.txt
	$(INSTALL) --require-hashes -r constraints-docs.txt
	$(PIP) check
	touch $@

## the documentation, out/docs/index.html; warnings are errors, and no address is reached
docs: $(TO_DOCUMENT)
	$(BIN)/sphinx-build -q -E -W --keep-going -b html docs out/docs
	@echo out/docs/index.html

## whether the addresses that the documentation names can be reached
links: $(TO_DOCUMENT)
	$(BIN)/sphinx-build -q -b linkcheck docs out/links

## run the snippets of README and docs/ again and write what they print into the pages, where it differs (ARGS="docs/faq.md")
snippets: setup-test
	$(BIN)/python -m tests.docs.renew $(ARGS)

## the quick tests with the newest versions that pyproject.toml allows, on each of these Pythons that is here (ARGS="tests/bounds")
PYTHONS ?= python3.11 python3.12 python3.13
newest:
	for python in $(PYTHONS); do \
		$$python -c "" || { echo "$$python is not here"; continue; }; \
		rm -rf out/newest/$$python && $$python -m venv out/newest/$$python && \
		out/newest/$$python/bin/python -m pip --quiet --disable-pip-version-check install -e ".[test]" && \
		out/newest/$$python/bin/python -m pip list --format freeze --exclude-editable && \
		out/newest/$$python/bin/python -m pytest -n $(WORKERS) --dist loadfile --level quick $(ARGS) || exit 1; \
	done

## refresh the pinned versions and the hashes of all their files, for every Python and system: the newest set that satisfies pyproject.toml
LOCK = .venv-lock/bin/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make lock" pyproject.toml .venv-lock/build.txt
lock:
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip --quiet --disable-pip-version-check install uv
	.venv-lock/bin/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'])" > .venv-lock/build.txt
	$(LOCK) --upgrade --output-file constraints.txt
	$(LOCK) --upgrade -c constraints.txt --extra test --output-file constraints-test.txt
	$(LOCK) --upgrade -c constraints-test.txt --extra docs --output-file constraints-docs.txt
	rm -rf .venv-lock

## remove what was made, the results of runs too
clean:
	rm -rf $(VENV) build dist out results *.egg-info
