# What people and CI run. Every target does its own set-up.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

TARGET := $(or $(CARGO_TARGET_DIR),target)
FUZZ_SECONDS ?=
API_SECONDS ?= 60
SOAK_SECONDS ?= 60

.PHONY: help demo test test-agents redteam bench accuracy update setup setup-test setup-coverage build format web lint unit coverage browser api doc agents fuzz soak release

help: ## what there is to run
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: setup ## review an example page, improve it, and show the verdict
	@scripts/steps "$(MAKE)" build
	@scripts/demo "$(TARGET)/debug/jury"

test: setup-test setup-coverage ## everything that must hold
	@scripts/steps "$(MAKE)" format web lint unit coverage browser api doc agents fuzz soak release
	@echo "all tests passed"

test-agents: setup-test ## every agent program that can be installed, against a scripted service
	@scripts/agents install
	cargo nextest run --package jury-agents --test real --profile ci --no-fail-fast
	cargo nextest run --package jury --test real --profile ci --no-fail-fast

redteam: setup ## attack the gate in every known way, and print what held (ONLY=kind or workflow, PUBLISH=1 writes docs/redteam.md)
	@cargo build --quiet --package jury
	@cargo test --quiet --package jury --test redteam -- $(or $(ONLY),held::) $(if $(PUBLISH),--publish)

bench: setup-test ## measure: parser, house, a browser beside it, documents, content, sites, log, scores, first words, start-up, daemon, page
	@cargo build --quiet --release --package jury
	@cargo build --quiet --release --package jury-house --example sit
	@cargo build --quiet --release --package jury-core --example transcript
	@cargo bench --quiet --package jury-core --bench parser
	@cargo bench --quiet --package jury-core --bench critic
	@crates/jury-core/benches/instructions.sh
	@cargo bench --quiet --package jury-learning --bench tally
	@cargo bench --quiet --package jury-text --bench site
	@cargo bench --quiet --package jury-store --bench append
	@cargo bench --quiet --package jury-learning --bench score
	@cargo bench --quiet --package jury-engine --bench first_event
	@scripts/bench "$(TARGET)/release/jury" "$(TARGET)/release/examples/sit" "$(TARGET)/release/examples/transcript"
	@scripts/hostile "$(TARGET)/release/jury"
	@cargo run --quiet --release --package jury-text --example measure -- --cost
	@cargo bench --quiet --package jury-text --bench content
	@cargo bench --quiet --package jury --bench judge
	@cargo bench --quiet --package jury --bench load -- burst chat idle history
	@cargo bench --quiet --package jury --bench load -- soak --seconds 300
	@cd web && JURY="$(abspath $(TARGET))/release/jury" npm run --silent bench

accuracy: setup-test ## hold the house against W3C cases, axe in a browser, published packages, known defects and repairs (JURY_TRUTH_DIR, ACCURACY_DOC)
	@cargo build --quiet --release --package jury
	@cargo build --quiet --release --package jury-house --example mutations
	@cargo build --quiet --release --package jury-text --example gaming
	@JURY="$(TARGET)/release/jury" MUTATIONS="$(TARGET)/release/examples/mutations" GAMING="$(TARGET)/release/examples/gaming" node accuracy/main.mjs \
		$(if $(ACCURACY_DOC),--doc "$(ACCURACY_DOC)")

coverage: setup-coverage ## measure which lines and branches of parser, scoreboard and orchestrator the tests reach, and hold it against coverage.toml
	@scripts/coverage "$(TARGET)/coverage"

update: setup-test ## rewrite golden files, snapshots and generated types after a change that is meant
	cargo insta --version >/dev/null 2>&1 || cargo install --locked --quiet cargo-insta
	JURY_UPDATE=1 INSTA_UPDATE=always cargo nextest run --no-fail-fast || true
	cargo insta accept --workspace
	cd web && npm run types && npm run build
	cargo build --quiet --package jury
	cd web && JURY_UPDATE=1 JURY="$(abspath $(TARGET))/debug/jury" npm run --silent test:looks

setup:
	@scripts/setup build

setup-test:
	@scripts/setup build test

setup-coverage:
	@scripts/setup build coverage

build:
	cargo build --package jury

format:
	cargo fmt --all -- --check

web:
	cd web && npm run check && npm run test:types && npm run test:build && npm test

lint:
	cargo clippy --all-targets -- -D warnings

unit:
	cargo nextest run --profile ci
	cargo test --doc --quiet

# The page in a real browser, against a live daemon.
browser:
	cargo build --package jury --package jury-text --bin jury --example site
	cd web && JURY="$(abspath $(TARGET))/debug/jury" SITE="$(abspath $(TARGET))/debug/examples/site" npm run --silent test:browser

# Requests of every kind against a live daemon and its own description.
api: build
	scripts/api-test "$(TARGET)/debug/jury" $(API_SECONDS)

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items

# The four that most people have, and a small model on this machine. The rest is 'make test-agents'.
agents:
	@scripts/agents install claude codex opencode llm local-model
	cargo clippy --package jury-agents --test real --quiet -- -D warnings
	cargo clippy --package jury --test real --quiet -- -D warnings
	cargo nextest run --package jury-agents --test real --profile ci --no-fail-fast \
		--filterset 'test(/^(claude|codex|opencode|llm|local_model)::/)'
	cargo nextest run --package jury --test real --profile ci --no-fail-fast \
		--filterset 'test(/^(claude|codex|opencode|llm|local_model)::/)'

fuzz:
	fuzz/run.sh $(FUZZ_SECONDS)

# A rough life of the daemon. It prints its seed: 'make soak SOAK_SECONDS=1800' is the long one.
soak: setup
	cargo bench --package jury --bench load -- soak --seconds $(SOAK_SECONDS)

release:
	cargo build --release --package jury
	scripts/smoke "$(TARGET)/release/jury"
