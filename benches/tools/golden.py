#!/usr/bin/env python3
"""Writes what the reference validator says of every skill below FOLDER, one line of JSON a skill.

    golden.py FOLDER FILE

Needs `pip install skills-ref`; exits with 3 where it is not installed. tests/it/corpus.rs reads
FILE. The text of the skills is data: nothing of it is run.

path, file        the skill's directory below FOLDER, and the name of its skill file
valid, errors     the verdict, and its messages word for word
codes             the messages as the codes of `skillpick check`
name, desc_chars, desc_sha256_16
                  name and description as the validator reads them, absent where it cannot parse;
                  the hash is the first 16 hexadecimal digits
lenient           the same three, where only a more lenient YAML reader can parse
prompt_sha256_16  of the skill's block in `to-prompt`, with FOLDER as `/`; absent where it has none
"""
import hashlib
import json
import os
import sys
from pathlib import Path

try:
    from strictyaml.ruamel import main as yaml
    from skills_ref import errors, parser, prompt, validator
except ImportError:
    print("skipped: reference verdicts (`pip install skills-ref`, then run this again)")
    sys.exit(3)

# The first phrase that a message contains decides; the validator has no codes of its own.
CODES = [
    ("must start with YAML", "no-frontmatter"),
    ("not properly closed", "unclosed"),
    ("must be a YAML mapping", "not-mapping"),
    ("JSONesque flow mapping", "yaml:flow-mapping"),
    ("disallowed anchor", "yaml:anchor"),
    ("disallowed tag", "yaml:tag"),
    ("uplicate key", "yaml:duplicate-key"),
    ("inconsistent indentation", "yaml:indentation"),
    ("Invalid YAML", "yaml:syntax"),
    ("Unexpected fields", "unexpected-fields"),
    ("Missing required field in frontmatter: name", "name-missing"),
    ("Missing required field in frontmatter: description", "desc-missing"),
    ("Field 'name'", "name-empty"),
    ("Field 'description'", "desc-empty"),
    ("Field 'compatibility'", "compat-type"),
    ("Compatibility exceeds", "compat-length"),
    ("Description exceeds", "desc-length"),
    ("must be lowercase", "name-case"),
    ("start or end with a hyphen", "name-hyphen-edge"),
    ("consecutive hyphens", "name-double-hyphen"),
    ("contains invalid characters", "name-chars"),
    ("must match skill name", "name-dir-mismatch"),
    ("Skill name", "name-length"),
]


def code(message):
    return next((code for phrase, code in CODES if phrase in message), message)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def properties(fields):
    """Name and description of parsed frontmatter."""
    name, description = fields.get("name"), fields.get("description")
    row = {"name": name if isinstance(name, str) else None}
    if isinstance(description, str):
        row |= {"desc_chars": len(description), "desc_sha256_16": digest(description)}
    return row


def lenient(text):
    """What a YAML reader makes of the lines between the two fences, or nothing."""
    lines = text.splitlines()
    if not lines or lines[0].rstrip() != "---":
        return {}
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() == "---"), None)
    try:
        fields = yaml.safe_load("\n".join(lines[1:end])) if end else None
    except Exception:  # a reader that gives up has read nothing
        return {}
    return {"lenient": properties(fields)} if isinstance(fields, dict) else {}


def block(folder, file):
    """The skill's block in `to-prompt`, with the folder as `/`."""
    try:
        text = prompt.to_prompt([file.parent])
    except errors.SkillError:
        return {}
    inside = text.removeprefix("<available_skills>\n").removesuffix("</available_skills>")
    inside = inside.replace(f"<location>\n{folder}/", "<location>\n/")
    return {"prompt_sha256_16": digest(inside)}


def row(folder, file):
    messages = validator.validate(file.parent)
    text = file.read_text(encoding="utf-8")
    try:
        read = properties(parser.parse_frontmatter(text)[0])
    except errors.ParseError:
        read = {"name": None} | lenient(text)
    return {
        "path": str(file.parent.relative_to(folder)),
        "file": file.name,
        "valid": not messages,
        "errors": messages,
        "codes": [code(message) for message in messages],
    } | read | block(folder, file)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, written, crashes = Path(sys.argv[1]).resolve(), 0, 0
    files = [Path(at, "SKILL.md") for at, _, names in os.walk(folder) if "SKILL.md" in names]
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for file in sorted(files):
            try:
                line = json.dumps(row(folder, file), ensure_ascii=False)
            except Exception as error:  # the validator crashes on bytes that are not UTF-8
                crashes += 1
                print(f"skipped: {file}: the validator crashes ({type(error).__name__})")
                continue
            out.write(line + "\n")
            written += 1
    print(f"{written} verdicts in {sys.argv[2]}, {crashes} skills crash the validator")


if __name__ == "__main__":
    main()
