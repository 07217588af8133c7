# The environment lives in .venv; it is brought up to date whenever a lock file or pyproject.toml has changed.

PYTHON ?= python3 python3.13 python3.12 python3.11
PIP = .venv/bin/python -m pip --disable-pip-version-check --quiet
LOCK = .venv/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock" pyproject.toml

.PHONY: help play test lint format page screenshots bench lock clean
.DELETE_ON_ERROR:

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

play: .venv/run.stamp ## open the page: play against the computer or with friends
	@.venv/bin/python web/build.py build
	@.venv/bin/azalai

test: lint ## check style and types, then run all tests
	.venv/bin/python web/build.py test build
	.venv/bin/pytest -n 2 --dist loadfile

lint: .venv/dev.stamp ## check style and types
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/python web/build.py lint check

format: .venv/dev.stamp ## put the code in shape
	.venv/bin/ruff check --fix
	.venv/bin/ruff format
	.venv/bin/python web/build.py format

page: .venv/run.stamp ## work on the page: it changes while you write (a server must run, too: make play)
	@.venv/bin/python web/build.py dev

screenshots: .venv/dev.stamp ## take the pictures of docs/screenshots anew
	.venv/bin/python web/build.py build
	.venv/bin/python -m tests.browser.screenshots

bench: .venv/bench.stamp ## measure speed against other libraries
	.venv/bin/python -m benchmarks

lock: .venv/lock/bin/uv ## bring requirements/ in line with pyproject.toml (delete its files first for the newest versions)
	$(LOCK) --extra build -o requirements/run.txt
	$(LOCK) --extra dev -c requirements/run.txt -o requirements/dev.txt
	$(LOCK) --extra bench -c requirements/run.txt -o requirements/bench.txt

clean: ## remove all that these commands made
	rm -rf .venv dist web/node_modules src/azalai/web .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/%.stamp: requirements/%.txt pyproject.toml | .venv/ready
	@echo "Setting up .venv from $< ..."
	@$(PIP) install --require-hashes -r $<
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

.venv/lock/bin/uv: | .venv/ready
	@.venv/bin/python -m venv .venv/lock
	@.venv/lock/bin/python -m pip --disable-pip-version-check --quiet install uv

# The first Python that is neither too old nor too new and can make environments; Debian packs that ability apart.
.venv/ready:
	@for python in $(PYTHON); do \
		"$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || continue; \
		"$$python" -c 'import ensurepip, venv' 2>/dev/null || { bare=$$python; continue; }; \
		"$$python" -m venv --clear .venv && touch $@; exit; \
	done; \
	if [ -n "$$bare" ]; then \
		version=$$("$$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "$$bare cannot make environments: install its venv package (Debian, Ubuntu: sudo apt install python$$version-venv)." >&2; \
	else \
		echo "Azalai needs Python 3.11, 3.12 or 3.13; none of these is one: $(PYTHON). Install it, or name it: make PYTHON=/path/to/python" >&2; \
	fi; exit 1
