SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-container fuzz torture torture-bypass lint check contract docs trace bench fmt

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install from Debian what is missing: PostgreSQL 15, pgTAP, plpgsql_check, tmux, git, ...
	@scripts/setup

demo: setup ## run a whole workflow with six agents without a model, in an installation of its own, and prove it
	@scripts/demo

# $(call tests,LOG,MORE): run every test and count. A test that says of itself that it was skipped did not pass.
define tests
@mkdir -p target
@status=0; cargo test --workspace --locked --no-fail-fast --features striatumd/faults $(2) 2>&1 | tee $(1) || status=$$?; \
awk '/^test result: / { passed += $$4; failed += $$6; skipped += $$8 } /^skipped: / { passed--; skipped++ } \
  END { printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped }' $(1); \
exit $$status
endef

test: setup ## run every test against a PostgreSQL of its own; what ran stays in target/test.log
	$(call tests,target/test.log)

test-container: export STRIATUM_TEST_PROVIDER := container
test-container: ## the same against a PostgreSQL in a container (Docker has to answer; builds for minutes at first)
	@scripts/setup container
	@scripts/postgres-image
	$(call tests,target/test-container.log,--features striatum-testkit/container)

fuzz: export STRIATUM_FUZZ_SECONDS ?= 600
fuzz: export STRIATUM_FUZZ_SEED ?= 1
fuzz: ## change the corpus of artifacts at random, for STRIATUM_FUZZ_SECONDS (600), from STRIATUM_FUZZ_SEED (1) on
	cargo test --locked --release --package striatum-contract --test contract -- --nocapture artifact::fuzz

torture: export STRIATUM_TORTURE_SEEDS ?= 1..50
torture: setup ## crash daemon, backends and server under load, and runs, for each seed of STRIATUM_TORTURE_SEEDS (1..50)
	cargo test --locked --package striatumd --features faults --test crash -- --nocapture
	cargo test --locked --package striatum-testkit --test run -- --nocapture crashes killed

# A test that cannot fail proves nothing: over a daemon that answers before the commit it has to fail, each time. That
# daemon is built apart, so that nobody ever starts it by mistake.
BYPASS := cargo test --quiet --locked --package striatumd --features acknowledge_early --test crash --target-dir target/bypass
torture-bypass: setup ## see the crash test go red over a daemon that answers too early, 10 times of 10
	@$(BYPASS) --no-run
	@red=0; for seed in 1 2 3 4 5 6 7 8 9 10; do \
	  if STRIATUM_TORTURE_SEEDS=$$seed $(BYPASS) >target/bypass/log 2>&1; then echo "seed $$seed: green, and that is wrong"; \
	  elif grep -q 'was acknowledged' target/bypass/log; then red=$$((red + 1)); echo "seed $$seed: red"; \
	  else echo "seed $$seed: red for another reason"; tail -n 30 target/bypass/log; fi; \
	done; echo "$$red of 10 red"; [ $$red -eq 10 ]

lint: ## formatting, clippy, documentation: no warning is let through
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --features striatumd/acknowledge_early --locked -- -D warnings
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked --quiet

check: lint ## lint, and licences, sources and edges between crates (installs cargo-deny, which takes minutes)
	@command -v cargo-deny >/dev/null || cargo install cargo-deny --version 0.20.2 --locked
	cargo clippy --package striatum-testkit --all-targets --all-features --locked -- -D warnings
	cargo build --quiet --locked --package striatumd
	@! grep -q STRIATUM_FAULT "$${CARGO_TARGET_DIR:-target}/debug/striatumd" || { echo 'striatumd has fault points'; exit 1; }
	cargo deny --log-level error --all-features check licenses bans sources

contract: setup ## write contract/*.json anew from a freshly installed database
	cargo run --quiet --locked --package striatum-testkit --bin generate -- contract

docs: setup ## write the generated pages of docs/ anew
	cargo run --quiet --locked --package striatum-testkit --bin generate -- docs

trace: ## which requirement lines are cited by a test that ran and passed, which are deferred, which open
	@scripts/trace

bench: setup ## measure, and print ratios (docs/performance.md)
	cargo bench --quiet --locked --package striatum-contract --bench hash
	cargo bench --quiet --locked --package striatum-contract --bench artifact
	cargo bench --quiet --locked --package striatum-contract --bench workflow
	cargo bench --quiet --locked --package striatum-verify --bench chains
	cargo bench --quiet --locked --package striatumd --features bench --bench door
	cargo bench --quiet --locked --package striatumd --features bench --bench queue

fmt: ## format the Rust sources
	cargo fmt --all
