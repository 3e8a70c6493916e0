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

# Write what is generated: tables of the docs, the README's frame, schemas, rows → tests.
bless:
    BLESS=1 cargo test -j2 --test it -- docs schema

# The parts (cargo bench), then the whole program on a made-up collection.
bench SKILLS="10000":
    cargo bench -j2
    benches/measure {{ SKILLS }}

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
