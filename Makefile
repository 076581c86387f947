# Every target sets up what it needs in .venv. Needs: Rust, Python 3.11 or newer with pip.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORPUS ?=
CASES ?= 2000
FILES ?=
NEXTEST := $(shell cargo nextest --version >/dev/null 2>&1 && echo nextest)
CARGO_TEST := $(if $(NEXTEST),cargo nextest run,cargo test)

.DEFAULT_GOAL := help
.PHONY: help demo test lint format parity bench fuzz docs wheel build clean

help: ## This list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

demo: build ## Train on the sample (or CORPUS=path), show merges, curve and one sentence, write ./bukva-demo
	$(BIN)/bukva demo $(CORPUS)

test: build $(VENV)/test.stamp ## All tests: Rust, documentation, Python
	$(CARGO_TEST) --package bukva
	cargo test --quiet --doc --package bukva
	$(BIN)/python -m pytest

lint: build $(VENV)/test.stamp $(VENV)/lint.stamp ## Format, clippy, ruff, mypy, and the stubs against the native module
	cargo fmt --all --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	$(FUZZ_LIBRARY) cargo clippy --quiet --manifest-path fuzz/Cargo.toml --target-dir target/fuzz -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest bukva._core --ignore-missing-stub --mypy-config-file pyproject.toml

format: $(VENV)/lint.stamp ## Format everything
	cargo fmt --all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: build $(VENV)/bench.stamp ## Benchmarks against other libraries (docs/benchmarks.md)
	$(BIN)/python -m bench

parity: build $(VENV)/test.stamp ## Real vocabularies (FILES= parts of names) and whole corpora against the reference libraries
	$(BIN)/python -m tests.parity.suite $(FILES)
	$(BIN)/python -m tests.parity.suite $(FILES) --bytes 1000000 --paths all
	cargo test --quiet --release --package bukva --lib code_points -- --ignored
	$(BIN)/python -m pytest tests/parity tests/golden -m heavy -rs

# The fuzz targets are a workspace of their own. They are checked and not linked, so the library of libFuzzer, which takes a
# compiler of C++ and a minute, need not be there.
FUZZ_LIBRARY := CUSTOM_LIBFUZZER_PATH=target/libnone.a

# cargo-fuzz asks for flags that stable Rust keeps behind RUSTC_BOOTSTRAP; nothing else here does.
FUZZ := RUSTC_BOOTSTRAP=1 PATH="$(abspath $(VENV))/cargo/bin:$$PATH" cargo fuzz run --sanitizer none
TARGETS ?= $(sort $(patsubst fuzz/fuzz_targets/%.rs,%,$(filter-out %/used.rs,$(wildcard fuzz/fuzz_targets/*.rs))))
SECONDS ?= 60

fuzz: build $(VENV)/test.stamp $(VENV)/cargo/bin/cargo-fuzz ## SECONDS of fuzzing for each target, then property tests with CASES cases
	$(BIN)/python fuzz/seeds.py fuzz/corpus
	cd fuzz && for target in $(TARGETS); do $(FUZZ) $$target -- -max_total_time=$(SECONDS) -max_len=20000 || exit 1; done
	PROPTEST_CASES=$(CASES) cargo test --release --package bukva
	HYPOTHESIS_PROFILE=fuzz CASES=$(CASES) $(BIN)/python -m pytest tests/property

$(VENV)/cargo/bin/cargo-fuzz: $(VENV)/bin/python
	cargo install --quiet cargo-fuzz --root $(VENV)/cargo

docs: build $(VENV)/test.stamp ## Rust API pages, and every block of the guide run
	cargo doc --no-deps --package bukva
	$(BIN)/python -m pytest tests/docs

wheel: $(VENV)/maturin.stamp ## A wheel for every Python from 3.11 on, in dist/
	$(BIN)/maturin build --release --out dist

build: $(VENV)/maturin.stamp ## The package, compiled into .venv
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --quiet

clean: ## Remove what was built, .venv included
	rm -rf $(VENV) dist target bukva-demo

# Some systems ship Python without ensurepip; virtualenv does without it.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || { $(PYTHON) -m pip install virtualenv && $(PYTHON) -m virtualenv $(VENV); }

$(VENV)/maturin.stamp: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2'
	touch $@

# The peers of the benchmarks, at the versions that were measured.
$(VENV)/bench.stamp: $(VENV)/bin/python bench/requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	touch $@

# The lists of packages are in pyproject.toml only; `extra` reads one of them.
extra = $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$(1)"], sep="\n")'

$(VENV)/%.stamp: $(VENV)/bin/python pyproject.toml
	$(call extra,$*) > $(VENV)/$*.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r $(VENV)/$*.txt
	touch $@
