#!/bin/sh
# Shows what skillpick says about one SKILL.md or folder.
set -eu
cargo run --quiet -- check "${1:?usage: try.sh PATH}"
