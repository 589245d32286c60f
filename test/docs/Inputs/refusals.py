# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""refusals.py TYPES.md SOURCE: every message of a refusal in the sources of passes/ and lowering/ is in the page's table of
refusals, and every one in the table is in the sources."""
import glob
import os
import re
import sys

FUNCTIONS = r"\b(?:xlaOpUnsupported|xlaBoundedUnsupported|xlaErrorEmit|xlaExpandUnsupported|xlaVulkanEmitFail)\("
LITERAL = r'"((?:[^"\\]|\\.)*)"'


def arguments_of(text, start):
    """The text of a call's arguments, from behind its opening parenthesis."""
    depth, at, quoted = 1, start, False
    while depth:
        c = text[at]
        if c == '"' and text[at - 1] != "\\":
            quoted = not quoted
        depth += 0 if quoted else (c == "(") - (c == ")")
        at += 1
    return text[start:at - 1]


def messages_of(path):
    with open(path) as file:
        text = re.sub(r"//.*", "", file.read())
    for call in re.finditer(FUNCTIONS, text):
        arguments = arguments_of(text, call.end())
        if re.match(r"\s*(?:XlaExpansion \*x, )?MlirOperation op", arguments):
            continue  # it is declared or defined here
        if not call.group().endswith("Unsupported(") and "XLA_STATUS_UNIMPLEMENTED" not in arguments:
            continue
        # Neighbouring literals are one; labels are one word.
        found = ["".join(re.findall(LITERAL, run)) for run in re.findall(r'(?:"(?:[^"\\]|\\.)*"\s*)+', arguments)]
        yield from (message.strip().replace("\\\"", "\"") for message in found if " " in message.strip() or message.startswith(" "))


def main():
    page, source = sys.argv[1:]
    with open(page) as file:
        table = file.read().split("\n## Refusals\n", 1)[-1]
    rows = set(re.findall(r"\| `([^`]*)` \|$", table, re.MULTILINE))
    said = {}
    for folder in ["passes", "lowering"]:
        for path in glob.glob(os.path.join(source, folder, "**", "*.c"), recursive=True):
            for message in messages_of(path):
                said.setdefault(message, os.path.relpath(path, source))
    for message in sorted(set(said) - rows):
        print(f"no row: {said[message]}: {message}")
    for row in sorted(rows - set(said)):
        print(f"nothing says: {row}")
    print(f"{len(rows)} refusals")
    return set(said) != rows


if __name__ == "__main__":
    sys.exit(main())
