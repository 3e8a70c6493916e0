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

# Write what is generated: README tables, schemas, rows → tests.
bless:
    BLESS=1 cargo test -j2 --test it -- docs schema

# The benches, in one run so that their figures can be compared.
bench:
    cargo bench -j2
    benches/measure

# What CI runs.
ci:
    .ci/run
