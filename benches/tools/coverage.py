#!/usr/bin/env python3
"""Prints how many lines of each security room were run, from what `llvm-cov export -format=lcov`
writes to stdin, as a table. Fails if a room is below 90 %. Tests do not count as lines."""

import collections
import os
import sys

ROOMS = ["policy", "settings", "yaml", "files", "sandbox", "runtime", "serve", "state", "text"]
LEAST = 90
# They run only in the process that becomes the script, which cannot write what it ran. The tests of
# `tests/it/program/script` hold what they do.
CONFINED = {
    f"src/sandbox/launcher/{name}.rs" for name in ["domain", "files", "granted", "inner", "limits"]
}


def own_lines(path):
    """How many lines of a file stand before its tests."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, (line, after) in enumerate(zip(lines, lines[1:])):
        if line == "#[cfg(test)]" and after.startswith("mod ") and after.endswith("{"):
            return number
    return len(lines)


def main():
    counts = collections.defaultdict(dict)  # by file and line: how often it was run
    path = None
    for row in sys.stdin:
        kind, _, rest = row.strip().partition(":")
        if kind == "SF":
            path = os.path.relpath(rest)
        elif kind == "DA":
            line, count = map(int, rest.split(",")[:2])
            counts[path][line] = max(count, counts[path].get(line, 0))
    low = []
    print("| room | lines | run | least covered files |\n|---|---|---|---|")
    for room in ROOMS:
        files = []
        for path, lines in counts.items():
            name = path.removeprefix(f"src/{room}/")
            if name == path or path in CONFINED or "tests" in name or "fixture" in name:
                continue
            last = own_lines(path)
            own = [count for line, count in lines.items() if line <= last]
            files.append((name, len(own), sum(count > 0 for count in own)))
            missed = [line for line, count in sorted(lines.items()) if line <= last and not count]
            if "-v" in sys.argv and missed:
                print(f"{path}: {missed}", file=sys.stderr)
        every, run = sum(file[1] for file in files), sum(file[2] for file in files)
        share = 100 * run / max(every, 1)
        worst = sorted(((100 * hit / count, name) for name, count, hit in files if count))[:3]
        words = ", ".join(f"`{name}` {part:.0f} %" for part, name in worst if part < LEAST)
        print(f"| `{room}/` | {every} | {share:.1f} % | {words} |")
        if share < LEAST:
            low.append(room)
    if low:
        sys.exit(f"below {LEAST} %: {', '.join(low)}")


main()
