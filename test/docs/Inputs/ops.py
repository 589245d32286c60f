# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ops.py OPS.md FOLDER DIALECT: parses and runs the examples of docs/ops.md, compares which devices take them with what
the page says, and looks for operations without an example and labels without a rule."""
import glob
import os
import re
import shlex
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and "nothing was compared" not in done.stderr:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stderr


def check_devices(name, body, devices, said):
    """A device refuses a function if the page says no to one of its operations, or to its elements or sizes."""
    used = [op for op in set(re.findall(r"xla\.\w+", body)) if op in devices]
    for column, device in enumerate(["cpu", "vulkan"]):
        refused = f"{device} is left out, because it refuses" in said
        words = [devices[op][column] for op in used]
        if refused and "complex" not in body and "no" not in words:
            sys.exit(f"{name}: {device} refuses what docs/ops.md says it takes\n{said}")
        absent = f"{device} is left out" in said and not refused
        if not refused and not absent and "no" in words:
            sys.exit(f"{name}: {device} takes what docs/ops.md says it does not")


def main():
    page, folder, dialect = sys.argv[1:]
    with open(page) as file:
        text = file.read()
    program = "\n".join(re.findall(r"^```mlir\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    path = os.path.join(folder, "examples.mlir")
    os.makedirs(folder, exist_ok=True)
    with open(path, "w") as file:
        file.write(program)
    run("xla-opt", path)
    names = re.findall(r"func\.func @(\w+)", program)
    # A comment in front of a function may say with what options it runs.
    found = re.findall(r"^// Run with (.*)\.\n(?://.*\n)*func\.func @(\w+)", program, re.MULTILINE)
    options = {name: shlex.split(text) for text, name in found}
    devices = {op: cells for op, *cells in re.findall(
        r"^\| `(xla\.\w+)` \|.*\| yes \| ([^|]*) \| ([^|]*) \| [^|]* \|$", text, re.MULTILINE)}
    bodies = dict(re.findall(r"func\.func @(\w+)(.*?)^}", program, re.MULTILINE | re.DOTALL))
    for name in names:
        given = options.get(name, [])
        said = run("xla-run", path, "--entry=" + name, "--seed=1", "--device=all", *given)
        check_devices(name, bodies[name], devices, said)
    if not devices:
        sys.exit("no devices in the tables")

    others = text[text.index("\n## ", text.index("\n## Elementwise") + 1):]
    operations = re.findall(r"^\| `(xla\.\w+)`", others, re.MULTILINE)
    missing = [op for op in operations if not re.search(re.escape(op) + r"\b", program)]

    used = set()
    for source in glob.glob(os.path.join(dialect, "**", "*.c"), recursive=True):
        with open(source) as file:
            used.update(re.findall(r'"([a-z_0-9]+_c[0-9]+)"', file.read()))
    labels = set(re.findall(r"^\| `(\w+)` \|[^|]*\|$", text, re.MULTILINE))
    missing += [label for label in sorted(used - labels)]
    if missing:
        sys.exit("no XLA_EXAMPLE, or no XLA_LABEL, in dialect/rows/*.def: " + ", ".join(missing))
    stale = [label for label in sorted(labels - used) if re.search(r"_c[0-9]+$", label)]
    if stale:
        sys.exit("no code has the labels " + ", ".join(stale))
    print(f"{len(names)} functions, {len(operations)} operations, {len(labels)} labels")


main()
