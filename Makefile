SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup test lint check contract docs trace bench fmt

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install from Debian what is missing: PostgreSQL 15, pgTAP, plpgsql_check, tmux, git, ...
	@scripts/setup

test: setup ## run every test against a PostgreSQL of its own; what ran stays in target/test.log
	@mkdir -p target
	@status=0; cargo test --workspace --locked --no-fail-fast 2>&1 | tee target/test.log || status=$$?; \
	awk '/^test result: / { passed += $$4; failed += $$6; skipped += $$8 } \
	  END { printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped }' target/test.log; \
	exit $$status

lint: ## formatting, clippy, documentation: no warning is let through
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked --quiet

check: lint ## lint, and licences, sources and edges between crates (installs cargo-deny, which takes minutes)
	@command -v cargo-deny >/dev/null || cargo install cargo-deny --version 0.20.2 --locked
	cargo deny --log-level error --all-features check licenses bans sources

contract: setup ## write contract/*.json anew from a freshly installed database
	cargo run --quiet --locked --package striatum-testkit --bin generate -- contract

docs: setup ## write the generated pages of docs/ anew
	cargo run --quiet --locked --package striatum-testkit --bin generate -- docs

trace: ## which requirement lines are cited by a test that ran and passed, which are deferred, which open
	@scripts/trace

bench: ## measure, and print ratios (docs/performance.md)
	cargo bench --quiet --locked --package striatum-contract --bench hash

fmt: ## format the Rust sources
	cargo fmt --all
