#!/usr/bin/env python3
"""Writes a made-up collection of Agent Skills; the same arguments write the same bytes.

    catalog.py DIR [-n 10000] [--root .agents/skills] [--broken PERCENT] [--seed 1]
    catalog.py DIR --hostile        one skill of every broken or hostile kind, and three good ones

Skill i depends on the seed and on i alone, so a collection of 1,000 is the beginning of one of
10,000. One more skill, `quokka-ledger-audit`, has words that no other has: a search for them has
one answer. File sizes are spread as in 47,705 skills met in public: half below 4.9 KB, one in a
hundred above 33 KB. DIR gets an empty `.git`, so that agents take it for a repository.
"""
import argparse
import math
import os
import random
from pathlib import Path

ACTIONS = """analyze annotate archive assemble audit automate balance benchmark bootstrap build
chart check classify clean compare compile compose convert debug deploy design diagnose document
draft enrich estimate evaluate explain export extract fill fix forecast format generate harden
import inspect label lint localize map measure merge migrate monitor normalize optimize organize
package parse plan polish profile prune publish query rank reconcile refactor render repair report
research restructure review rewrite sample scaffold schedule secure simplify split summarize
sync test trace transcribe translate triage tune upgrade validate visualize watch""".split()
DOMAINS = """accessibility airflow analytics android angular ansible azure bash bazel billing
calendar celery chemistry cloudflare cmake compliance confluence contract crm csv customer dart
debian django docker docx email embedded excel fastapi figma finance firebase flask flutter
genomics git github go grafana graphql hadoop haskell helm hiring html invoice java jenkins jira
kafka kotlin kubernetes latex legal linux lua mail markdown marketing media medical mongodb music
nginx node notion numpy office openapi oracle pandas payroll pdf perl php podcast postgres presto
privacy product prometheus pulumi python pytorch qa rabbitmq rails react redis release risk
robotics ruby rust sales scala schema security seo shell shopify slack snowflake spark sql
statistics stripe supabase support svelte swift tax terraform travel typescript unity video vim
vue wasm web webhook windows xml yaml zig""".split()
OBJECTS = """adapter alert anomaly archive article asset backlog backup banner batch blueprint
board branch budget build cache campaign chart checklist cluster cohort comment component config
container coverage dashboard dataset dependency diagram diff digest endpoint event experiment feed
fixture forecast form glossary graph handbook hotfix image incident index inventory issue journal
keyword layout lexicon license log manifest memo metric migration mock model module notebook
outline package page parser patch payload permission persona pipeline plan playbook policy poster
postmortem prompt proposal prototype query queue quiz registry regression report resume review
rollout runbook sandbox script sdk secret session sitemap snapshot sprint storyboard style-guide
survey syllabus table task template theme thread ticket timeline token trace tutorial validator
variant vault version warehouse widget workflow worksheet""".split()
NOUNS = """input output header column record baseline draft section change reviewer owner deadline
threshold error warning commit client server limit retry timeout figure footnote appendix summary
rule exception scope runbook rollback partition replica worker job schedule field""".split()
VERBS = """check record compare confirm list keep split merge rename remove validate measure explain
note follow apply rerun collect sort group format quote cite describe""".split()
KINDS = """current previous stable empty duplicate missing stale nested optional required explicit
hidden default public private temporary external internal numeric plain""".split()
TOOLS = ["Read", "Grep", "Glob", "Write", "Edit", "WebFetch", "Bash(git:*)", "Bash(jq:*)"]
NEEDLE = "quokka-ledger-audit"


def sentence(draw):
    verb, kind, noun = draw.choice(VERBS).capitalize(), draw.choice(KINDS), draw.choice(NOUNS)
    return f"{verb} the {kind} {noun} before the {draw.choice(KINDS)} {draw.choice(NOUNS)}."


def paragraph(draw):
    """One block of markdown: steps, a list, code, a table, or prose with a quotation."""
    lines, kind = draw.randint(3, 8), draw.randrange(5)
    if kind == 0:
        return "\n".join(f"{at + 1}. {sentence(draw)}" for at in range(lines))
    if kind == 1:
        return "\n".join(f"- **{draw.choice(NOUNS)}**: {sentence(draw)}" for _ in range(lines))
    if kind == 2:
        code = (f'{draw.choice(NOUNS)} = run("{draw.choice(VERBS)}", {at})' for at in range(lines))
        return f"```{draw.choice(['python', 'bash', 'json', 'rust'])}\n" + "\n".join(code) + "\n```"
    if kind == 3:
        rows = (f"| {draw.choice(NOUNS)} | `{draw.choice(VERBS)}` |" for _ in range(lines))
        return "| what | how |\n|---|---|\n" + "\n".join(rows)
    return " ".join(sentence(draw) for _ in range(lines)) + f"\n\n> {sentence(draw)}"


class Catalog:
    def __init__(self, root, seed):
        self.root, self.seed = root, seed
        draw = random.Random(f"{seed}/paragraphs")
        self.paragraphs = [paragraph(draw) for _ in range(2_000)]

    def words(self, index):
        """The words of a name: every triple once, in an order that jumps about."""
        triples = len(ACTIONS) * len(DOMAINS) * len(OBJECTS)
        step = next(n for n in range(611_953 + self.seed, triples * 2) if math.gcd(n, triples) == 1)
        at = index * step % triples
        at, action = divmod(at, len(ACTIONS))
        at, domain = divmod(at, len(DOMAINS))
        return ACTIONS[action], DOMAINS[domain], OBJECTS[at]

    def name(self, index):
        action, domain, thing = self.words(index)
        return f"{domain}-{thing}-{action}" if index % 7 else f"{action}-{thing}-{domain}-{index}"

    def text(self, index, name, description=None):
        draw = random.Random(f"{self.seed}/{index}")
        action, domain, thing = self.words(index)
        more = " ".join(sentence(draw) for _ in range(draw.choice([0, 0, 1, 2, 4])))
        description = description or (
            f"{action.capitalize()} a {thing} for {domain} projects. Use when the user mentions "
            f"{domain}, a {thing} or a {draw.choice(KINDS)} {draw.choice(NOUNS)}. {more}".strip()
        )
        lines = [f"name: {name}", f"description: {description}"]
        if draw.random() < 0.5:
            lines.append("license: MIT")
        if draw.random() < 0.3:
            lines.append("allowed-tools: " + " ".join(draw.sample(TOOLS, 3)))
        if draw.random() < 0.4:
            lines += ["metadata:", f"  author: team-{draw.randrange(20)}", '  version: "1.0"']
        size = min(max(draw.lognormvariate(math.log(4_900), 0.83), 400), 300_000)
        body = [f"# {name.replace('-', ' ').title()}"]
        while size > 0:
            body.append(f"## {draw.choice(NOUNS).title()}\n\n{draw.choice(self.paragraphs)}")
            size -= len(body[-1])
        return "---\n" + "\n".join(lines) + "\n---\n\n" + "\n\n".join(body) + "\n"

    def write(self, name, files):
        for path, content in files.items():
            file = self.root / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                file.unlink(missing_ok=True)
                file.symlink_to(content)
            else:
                file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def good(self, index):
        name = self.name(index)
        files = {"SKILL.md": self.text(index, name)}
        draw = random.Random(f"{self.seed}/{index}/files")
        if draw.random() < 0.35:
            for file in draw.sample(["guide", "api", "examples"], draw.randint(1, 3)):
                text = "\n\n".join(draw.choices(self.paragraphs, k=draw.randint(2, 20)))
                files[f"references/{file}.md"] = f"# {file.title()}\n\n{text}\n"
        if draw.random() < 0.25:
            files["scripts/run.py"] = f'#!/usr/bin/env python3\nprint("{name}")\n'
        if draw.random() < 0.10:
            files["assets/icon.bin"] = draw.randbytes(256)
        self.write(name, files)

    def needle(self):
        description = "Audit quokka ledgers with a xylograph. Use for a quokka ledger."
        self.write(NEEDLE, {"SKILL.md": self.text(-1, NEEDLE, description)})

    def broken(self, index, name):
        """The files of one skill of every kind that is broken, or would do harm if shown raw."""
        good = self.text(index, name)
        top, fence = f"---\nname: {name}\n", f"---\n\n# {name}\n"
        said = "description: A made-up skill for tests\n"
        pairs = zip("abcdefgh", "bcdefghi")
        bomb = "".join(f"  {to}: &{to} [{', '.join([f'*{of}'] * 9)}]\n" for of, to in pairs)
        zero = 'description: "zero\u200bwidth e\u0301\u0301 \U0001f1ef\U0001f1f5"\n'
        files = {
            "no-frontmatter": f"# {name}\n",
            "unclosed-frontmatter": top + said + f"\n# {name}\n",
            "bad-yaml": top + "description: Use when: [unclosed\n  bad: indent\n\t- tab\n" + fence,
            "missing-name": "---\n" + said + fence,
            "missing-description": top + fence,
            "empty-description": top + 'description: ""\n' + fence,
            "long-description": top + "description: " + "word " * 400 + "\n" + fence,
            "description-not-text": top + "description:\n  - a\n  - b: {c: 1}\n" + fence,
            "name-of-another-folder": f"---\nname: other-{name}\n" + said + fence,
            "name-in-capitals": f"---\nname: {name.title()}\n" + said + fence,
            "name-with-hyphens": f"---\nname: -{name}--x\n" + said + fence,
            "name-too-long": f"---\nname: {name}{'-very-long' * 8}\n" + said + fence,
            "name-with-newline": '---\nname: "one\\ntwo\\tthree"\n' + said + fence,
            "duplicate-key": top + said + "name: second\n" + fence,
            "frontmatter-is-list": "---\n- a\n- b\n" + fence,
            "unknown-fields": top + said + "model: x\nhooks: {a: 1}\n" + fence,
            "yaml-bomb": top + said + "metadata:\n  a: &a [x, x, x]\n" + bomb + fence,
            "empty-file": "",
            "binary": random.Random(name).randbytes(4_096),
            "not-utf8": (top + said).encode() + b"license: caf\xe9 \xff\n" + fence.encode(),
            "utf16": (top + said + fence).encode("utf-16"),
            "byte-order-mark": "\ufeff" + good,
            "crlf": good.replace("\n", "\r\n"),
            "nul-in-body": top + said + fence + "before\0after\n",
            "escape-title": top + 'description: "A \\e]0;pwned\\a title \\e[31mred"\n' + fence,
            "escape-raw": top + "description: A \x1b[2J\x1b[H\x1b]0;pwned\x07 raw\n" + fence,
            "escape-body": top + said + fence + "\x1b[2J\x1b]0;pwned\x07 \x1bc \u009b2J\n",
            "escape-clipboard": top + said + fence + "\x1b]52;c;cHduZWQ=\x07\n",
            "bidi": top + 'description: "safe \u202etxt.exe\u202c \u2066hidden\u2069"\n' + fence,
            "zero-width": top + zero + fence,
            "wide": top + "description: 日本語の説明、幅の広い文字 한국어 설명\n" + fence,
            "huge-line": top + said + fence + "x" * 2_000_000 + "\n",
            "huge-file": top + said + fence + "a line of text in a huge file\n" * 700_000,
        }
        kinds = {kind: {"SKILL.md": text} for kind, text in files.items()}
        kinds["no-skill-file"] = {"README.md": "no SKILL.md here\n"}
        kinds["skill-file-is-folder"] = {"SKILL.md/README.md": "a folder\n"}
        kinds["skill-file-in-lower-case"] = {"skill.md": good}
        kinds["dangling-link"] = {"SKILL.md": Path("nowhere.md")}
        kinds["link-loop"] = {"SKILL.md": good, "loop": Path("."), "up": Path("..")}
        return kinds


def main():
    help = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=help)
    options.add_argument("dir", type=Path)
    options.add_argument("-n", type=int, default=10_000, help="good and broken skills together")
    options.add_argument("--root", default=".agents/skills", help="where below DIR")
    options.add_argument("--broken", type=float, default=0, metavar="PERCENT")
    options.add_argument("--hostile", action="store_true")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    catalog = Catalog(asked.dir / asked.root, asked.seed)
    (asked.dir / ".git").mkdir(parents=True, exist_ok=True)
    if asked.hostile:
        for kind in catalog.broken(0, "x"):
            catalog.write(f"x-{kind}", catalog.broken(0, f"x-{kind}")[kind])
    count, broken = (3 if asked.hostile else asked.n), 0
    for index in range(count):
        if int((index + 1) * asked.broken / 100) > broken:
            # The two huge kinds are left to --hostile: a collection of many would fill the disk.
            kinds = catalog.broken(index, catalog.name(index))
            kinds = [files for kind, files in kinds.items() if not kind.startswith("huge")]
            catalog.write(catalog.name(index), kinds[broken % len(kinds)])
            broken += 1
        else:
            catalog.good(index)
    catalog.needle()
    total = sum(os.path.getsize(at) for at in catalog.root.glob("*/SKILL.md") if at.is_file())
    print(f"{catalog.root}: {count - broken} skills, {broken} broken, one {NEEDLE};", end=" ")
    print(f"{total / 1e6:.1f} MB of SKILL.md")


if __name__ == "__main__":
    main()
