# `just` lists what can be done.
default:
    @just --list

# Everything that CI checks before the tests.
check:
    cargo fmt --check
    cargo clippy -j2 --all-targets -- -D warnings

# All tests that need no other program.
test:
    cargo test -j2

# Every test of docs/reliability.md with all its samples, and the results into that page.
bar SECONDS="2400":
    .ci/bar {{ SECONDS }}
    BLESS=1 SKILLPICK_BAR=target/tmp/bar cargo test -j2 --test it -- docs::reliability

# Write what is generated: tables of the docs, the README's frame, schemas, rows → tests.
bless:
    BLESS=1 cargo test -j2 --test it -- docs schema

# The parts (cargo bench), then the whole program beside others on made-up collections: writes the
# tables of docs/performance.md.
bench *SKILLS:
    cargo bench -j2
    benches/measure {{ SKILLS }}

# Compare what we show with what AGENT's own program says, on generated trees (.ci/agents installs
# it). BLESS=1 writes the line into docs/agents.md.
differ AGENT TREES="100" SEED="1":
    SKILLPICK_DIFFER={{ quote(AGENT + " " + TREES + " " + SEED) }} \
        cargo test -j2 --test hosts -- fuzz::differ --ignored --nocapture

# Hold our readers of YAML against the libraries that agents use, on random documents (installs the
# libraries below target/yaml).
yaml DOCUMENTS="20000" SEED="1":
    tests/hosts/fuzz/yaml/ask {{ DOCUMENTS }} {{ SEED }} target/yaml/answers.jsonl
    SKILLPICK_YAML=target/yaml/answers.jsonl cargo test -j2 --lib yaml_answers
    cat target/yaml/answers.jsonl.differing

# Each fuzz target for this long (cargo install cargo-fuzz; rustup toolchain install nightly).
fuzz SECONDS="600":
    #!/usr/bin/env bash
    set -euo pipefail
    cp Cargo.lock fuzz/
    for target in $(ls fuzz/corpus); do
        mkdir -p "fuzz/grown/$target"
        cargo +nightly fuzz run "$target" "fuzz/grown/$target" "fuzz/corpus/$target" -- \
            -max_total_time={{ SECONDS }} -timeout=5 -rss_limit_mb=512 -max_len=4096
    done

# Which lines of the security rooms the tests run; fails if a room has below 90 %.
coverage:
    .ci/coverage

# Break the code in every way that cargo-mutants knows, and see which tests notice (hours; FILES as
# in `just mutants 'src/policy/**'`; cargo install cargo-mutants).
mutants FILES="src/policy/**":
    cargo mutants -j1 --output target -f {{ quote(FILES) }} -- --lib --test it

# Write a made-up collection of skills; the same number writes the same bytes.
catalog SKILLS="10000" DIR=("target/catalog/" + SKILLS):
    benches/tools/catalog.py {{ quote(DIR) }} -n {{ SKILLS }}

# Compare us with the reference validator (pip install skills-ref) on any folder of skills.
corpus DIR:
    mkdir -p target
    benches/tools/golden.py {{ quote(DIR) }} target/golden.jsonl
    SKILLPICK_CORPUS={{ quote(canonicalize(DIR)) }} cargo test -j2 --test it -- corpus --nocapture

# What CI runs.
ci:
    .ci/run
