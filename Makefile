# The environment lives in .venv; it is brought up to date whenever a lock file or pyproject.toml has changed.

PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
LOCK = $$(command -v uv || echo .venv/bin/uv) pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock" -c requirements/constraints.in

.PHONY: help play test lint format page screenshots bench docs dist lock clean
.DELETE_ON_ERROR:
unexport PYTHONDONTWRITEBYTECODE # packages are installed without bytecode: what is imported once is quick from then on

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

play: .venv/run.stamp ## open the page: play against the computer or with friends
	@.venv/bin/python web/build.py build
	@.venv/bin/azalai

# Tests run in three processes, also on two processors: while one waits, another goes on.
test: .venv/dev.stamp ## check style and types, then run all tests; the games are compiled meanwhile, so that no test waits for that
	@.venv/bin/python -m tests.compiled & compiled=$$!; \
	$(MAKE) --no-print-directory lint && .venv/bin/python web/build.py test build && wait $$compiled && \
	.venv/bin/pytest -n 3 --dist loadfile --no-loadscope-reorder

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

docs: .venv/dev.stamp ## build the documentation; a server shows it at /docs
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet

dist: docs ## build wheel and source package into dist/, with page and documentation inside
	@rm -rf dist
	@.venv/bin/hatchling build

lock: .venv/bin/uv ## bring requirements/ in line with pyproject.toml (delete its files first for the newest versions)
	$(LOCK) pyproject.toml --extra build -o requirements/run.txt
	$(LOCK) pyproject.toml -c requirements/run.txt -o requirements/wheel.txt
	$(LOCK) pyproject.toml --extra dev -c requirements/run.txt -o requirements/dev.txt
	$(LOCK) pyproject.toml --extra bench -c requirements/run.txt -o requirements/bench.txt
	echo uv | $(LOCK) - -o requirements/uv.txt

clean: ## remove all that these commands made
	rm -rf .venv dist web/node_modules src/azalai/web src/azalai/site .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/%.stamp: requirements/%.txt pyproject.toml | .venv/ready
	@.venv/bin/python tools/environment.py $<
	@touch $@

.venv/bin/uv: | .venv/ready
	@command -v uv >/dev/null || .venv/bin/python -m pip --disable-pip-version-check --quiet install uv

# The first Python that is neither too old nor too new and can make environments; Debian packs that ability apart, uv has it, too.
# For Macs with an Intel processor there is no Numba for Python 3.14.
KNOWN = import platform, sys; mac = (sys.platform, platform.machine()) == ("darwin", "x86_64"); \
	sys.exit(not (3, 11) <= sys.version_info < (3, 14 if mac else 15))
.venv/ready:
	@for python in $(PYTHON); do \
		"$$python" -c '$(KNOWN)' 2>/dev/null || continue; \
		began=$$(date +%s); \
		if command -v uv >/dev/null; then make_it="uv venv --quiet --clear --seed --python $$python"; \
		else \
			"$$python" -c 'import ensurepip, venv' 2>/dev/null || { bare=$$python; continue; }; \
			make_it="$$python -m venv --clear"; \
		fi; \
		printf "Making an environment in .venv with $$("$$python" --version) ..."; \
		$$make_it .venv && touch $@ && echo " $$(($$(date +%s) - began)) s"; exit; \
	done; \
	if [ -n "$$bare" ]; then \
		version=$$("$$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "$$bare cannot make environments: install its venv package (Debian, Ubuntu: sudo apt install python$$version-venv) or uv." >&2; \
	else \
		echo "Azalai needs Python 3.11 to 3.14 (3.13 on a Mac with an Intel processor); none of these is one: $(PYTHON). Install it, or name it: make PYTHON=/path/to/python" >&2; \
	fi; exit 1
