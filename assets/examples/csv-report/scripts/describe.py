#!/usr/bin/env python3
"""Prints one line for each column of a CSV file: kind, gaps, extremes."""

import argparse
import csv
import sys


def kind_of(values):
    """`number` if every value is one, else `text`."""
    try:
        for value in values:
            float(value)
    except ValueError:
        return "text"
    return "number" if values else "empty"


def describe(name, values):
    given = [value for value in values if value.strip()]
    kind = kind_of(given)
    order = sorted(given, key=float) if kind == "number" else sorted(given)
    ends = f"{order[0]} to {order[-1]}" if order else "-"
    return f"{name}: {kind}, {len(values) - len(given)} of {len(values)} empty, {ends}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--no-header", action="store_true")
    options = parser.parse_args()
    with open(options.file, newline="", encoding="utf-8") as table:
        rows = list(csv.reader(table))
    if not rows:
        sys.exit("the file is empty")
    width = max(len(row) for row in rows)
    names = [str(number + 1) for number in range(width)] if options.no_header else rows.pop(0)
    names += [f"(column {number + 1})" for number in range(len(names), width)]
    for number, name in enumerate(names):
        print(describe(name, [row[number] if number < len(row) else "" for row in rows]))


if __name__ == "__main__":
    main()
