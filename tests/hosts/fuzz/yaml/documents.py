"""Writes random YAML documents, one JSON string on each line: mostly such as people write in a
frontmatter, with every fault that a parser could take otherwise. Usage: documents.py COUNT SEED."""

import json
import pathlib
import random
import re
import sys

HEADS = (pathlib.Path(__file__).parent.parent / "heads.rs").read_text()


def texts(name):
    """The texts of a constant of heads.rs."""
    body = re.search(rf"const {name}: &\[&str\] = &\[(.*?)\n\];", HEADS, re.S).group(1)
    escapes = {"n": "\n", "t": "\t", "r": "\r"}

    def unescaped(found):
        code = found.group(1)
        return chr(int(code, 16)) if code else escapes.get(found.group(2), found.group(2))

    quoted = re.findall(r'"((?:[^"\\]|\\.)*)"', body)
    return [re.sub(r"\\(?:u\{(\w+)\}|(.))", unescaped, text) for text in quoted]


KEYS = [
    "name", "description", "a", "b", "allowed-tools", "metadata", "paths", "\"q\"", "'q'", "? k",
    "- x", "<<", "1", "~", "[a]", "{a: b}", "!!str t", "&x k", "*x", "k ", "a b", "a#b", "a:b",
]
SEPARATORS = [
    ": ", ":", " : ", ":\t", ": \t", ":  ", ":\n  ", ":\n", ":\n\t", " :\t",
]
# Values with their further lines, indented for a key at the edge.
VALUES = [
    "a", "b c", "x:y", "1", "1.5", "true", "null", "~", "\"q\"", "'s'", "[a, b]", "[a,\n b]",
    "[a,\n\tb]", "{a: b}", "{a: b,\n  c: d}", "{a: b,\n\tc: d}", "|\n  x\n  y", ">\n  x\n  y",
    "|2\n  x", "|-\n x", ">+\n  x\n\n", "|\n\tx", "|\n  x\n\t\n  y", "|\n  x\n\n\ty", "- a",
    "\n- a\n- b", "\n  - a\n  - b", "\n  - a: b\n    c: d", "\n  -\ta", "-\ta", "\n  a: b",
    "\n  ? a\n  : b", "? q", "a: b", "a #c", "a#c", "#c", "*x", "&x a", "&x\n  a", "!!str a",
    "!t a", "!!int 5", "!<tag:yaml.org,2002:str> a", "\"a\n  b\"", "'a\n  b'", "\"a\nb\"",
    "\"a\n\tb\"", "a\n  b", "a\n\tb", "a\n \tb", "a\nb", "\"a\\tb\"", "\"a\\qb\"", "\"a\" b",
    "\"a\"\tb", "[a] b", "[a]#c", "[a", "{a", "a]", "a}", "a,", "[a b: c]", "[a: b]", "[? a]",
    "{a}", "{a:b}", "{\"a\":b}", "[\"a\":b]", "[,]", "[a,,b]", "{a: b,}", "[a,]", "[a\n]",
    "[\n]", "{\n}", "\"\\\n  x\"", "\"x \n\n y\"", "@a", "`a", "%a", "-", "--", "---", "...",
    "- ", "-a", "?", "? ", "?a", ":", ":a", ": a", "a:", "a: ", "<<", "<<: 1", "=", "!", "! a",
    "!a", "&", "*", "|", ">", "| x", "|x", "|9\n x", ">0", "|-2\n  a", "|2-\n  a", "|+-", "\"",
    "'", "\t", "\ta", "a\t", "a\tb", "a \t#c", "a\t#c", '\xa0', '\ufeff', '\u2028a', '\x85',
    '\x00', "\u007f", '\U0001f389',
]
LINES = [
    "# c", "\t# c", "  # c", "", "\t", " \t", "   ", "---", "...", "- a", "-\ta", "\t- a",
    "text", "\ttext", "%YAML 1.2", "%TAG ! x:", "&a", "!t", "--- a", "---\t", "... ", "...x",
    "---x",
]
SIGNS = "\t\t\t  \n\n\n:-?#&*!|>'\"%@`{}[],~.a<=\\1"
DESCRIPTIONS = texts("DESCRIPTIONS") + texts("SOUND")
NAMES = texts("NAME_VALUES")
FURTHER = texts("KEYS")


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def happens(self, chance):
        return self.random.random() < chance

    def value(self):
        kind = self.random.random()
        if kind < 0.5:
            return self.random.choice(VALUES)
        if kind < 0.8:
            return self.random.choice(DESCRIPTIONS)
        return self.random.choice(NAMES).replace("{}", "pdf")

    def line(self, depth=0):
        kind = self.random.random()
        if kind < 0.08:
            return self.random.choice(LINES)
        if kind < 0.2:
            return self.random.choice(FURTHER)
        separator = self.random.choice(SEPARATORS) if self.happens(0.4) else ": "
        head = self.random.choice(KEYS) + separator
        if depth < 2 and self.happens(0.15):
            indent = self.random.choice(["  ", " ", "    ", "\t", "  \t"])
            inner = "\n".join(self.line(depth + 1) for _ in range(self.random.randint(1, 3)))
            return head.rstrip(" ") + "\n" + indent + inner.replace("\n", "\n" + indent)
        return head + self.value()

    def changed(self, text):
        """The text with up to three signs more, fewer or other ones."""
        signs = list(text)
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 3])):
            at, kind = self.random.randint(0, len(signs)), self.random.random()
            if kind < 0.6:
                signs.insert(at, self.random.choice(SIGNS))
            elif signs:
                at = min(at, len(signs) - 1)
                signs[at : at + 1] = [] if kind < 0.8 else [self.random.choice(SIGNS)]
        return "".join(signs)

    def document(self):
        lines = [self.line() for _ in range(self.random.choice([1, 1, 1, 2, 2, 3, 4]))]
        if self.happens(0.3):
            lines.insert(self.random.randint(0, len(lines)), "name: pdf")
        text = "\n".join(lines) + ("\n" if self.happens(0.6) else "")
        text = self.changed(text) if self.happens(0.5) else text
        return text.replace("\n", "\r\n") if self.happens(0.03) else text


count, seed = int(sys.argv[1]), int(sys.argv[2])
maker, made = Maker(seed), set()
while len(made) < count:
    text = maker.document()
    if text not in made:
        made.add(text)
        print(json.dumps(text))
