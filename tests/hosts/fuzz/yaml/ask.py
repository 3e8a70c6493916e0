"""Adds to each document what PyYAML and libyaml make of it: a tree of scalars, each with whether it
has no quotes; `null` for a refusal, and for no document."""

import json
import sys

import yaml


class Unchecked(yaml.CSafeLoader):
    """libyaml as it is: its own composer refuses an anchor that is there twice."""


def tree(node, above=()):
    if id(node) in above:
        raise yaml.YAMLError("it contains itself")
    inner = (*above, id(node))
    if isinstance(node, yaml.ScalarNode):
        return {"text": node.value, "plain": node.style in (None, "")}
    if isinstance(node, yaml.SequenceNode):
        return [tree(item, inner) for item in node.value]
    return {"map": [[tree(key, inner), tree(value, inner)] for key, value in node.value]}


def answer(text, loader):
    try:
        node = yaml.compose(text, Loader=loader)
        return node and tree(node)
    except (yaml.YAMLError, ValueError):
        return None


def is_twice(text):
    try:
        yaml.compose(text, Loader=Unchecked)
    except yaml.YAMLError as error:
        return "duplicate anchor" in str(error)
    return False


for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    case["py"] = answer(case["text"], yaml.SafeLoader)
    if not is_twice(case["text"]):
        case["lib"] = answer(case["text"], Unchecked)
    print(json.dumps(case))
