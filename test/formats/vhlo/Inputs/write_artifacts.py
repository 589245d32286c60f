#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Portable artifacts that xla-translate writes, against the text that it writes of the same programs: write_artifacts.py XLA_TRANSLATE XLA_OPT
[--only=REGEX] [--keep=DIR]

Programs are those of artifacts.py. What jaxlib reads from the artifact must be what it reads from the artifact of the same version that
it writes itself of the text of StableHLO that xla-translate writes of the program. Our own reader must read the same, with all locations.

Prints what differs and what is refused, and, last, `N passed, N failed, N refused`."""
import argparse
import concurrent.futures
import difflib
import os
import re
import subprocess
import sys
import tempfile

ARGUMENTS = sys.argv[1:]
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import artifacts
from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

# The one that xla-translate --list-formats says.
VERSION = "1.13.0"


class Tools:
    def __init__(self, xla_translate, xla_opt, folder):
        self.tool, self.folder = xla_translate, folder
        self.reader = artifacts.Reader(xla_opt, folder)

    def translate(self, path, form, written):
        return subprocess.run([self.tool, path, f"--to={form}", "-o", written], text=True, capture_output=True)

    def path(self, name, suffix):
        return os.path.join(self.folder, name.replace("/", "_") + suffix)


def write(tools, name, text):
    """Paths of the artifact and of the text, or why the artifact is refused; None if the program itself is."""
    program, artifact, plain = (tools.path(name, suffix) for suffix in (".mlir", ".bin", ".text.mlir"))
    with open(program, "w") as file:
        file.write(text)
    if tools.translate(program, "stablehlo-generic", plain).returncode:
        return None
    run = tools.translate(program, "artifact", artifact)
    if run.returncode == 3:
        return re.sub(r"^.*?error: ", "", run.stderr.split("\n")[0])
    return (artifact, plain) if not run.returncode else f"exit {run.returncode}: {run.stderr[:600]}"


def difference(first, second):
    return "\n".join([line for line in difflib.unified_diff(first.split("\n"), second.split("\n"), lineterm="", n=0)][:8])


def check(tools, name, artifact, plain):
    """What differs, as text; empty if nothing does."""
    with open(artifact, "rb") as file:
        written = file.read()
    module = stablehlo.deserialize_portable_artifact(ir.Context.current, written)
    if not module.operation.verify():
        return "jaxlib does not verify it"
    with open(plain) as file:
        text = file.read()
    if "chlo." not in text:  # for which there are composites
        own = stablehlo.serialize_portable_artifact_str(text, VERSION)
        wanted = stablehlo.deserialize_portable_artifact(ir.Context.current, own)
        # The text says no locations.
        told = difference(*(m.operation.get_asm(print_generic_op_form=True) for m in (wanted, module)))
        if told:
            return told
    theirs, of_theirs = tools.reader.read(artifacts.generic(module).encode(), "theirs.mlir")
    mine, of_mine = tools.reader.read(written, "mine.bin")
    return difference(theirs, mine) if mine and theirs else f"is not read: {of_mine[:600]}{of_theirs[:600]}"


def outcome(tools, name, written):
    if isinstance(written, str):
        return ("failed" if written.startswith("exit") else "refused"), written
    try:
        told = check(tools, name, *written)
    except Exception as error:
        told = str(error)[:600]
    return "failed" if told else "passed", told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xla_translate")
    parser.add_argument("xla_opt")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    options = parser.parse_args(ARGUMENTS)
    counts = {"passed": 0, "failed": 0, "refused": 0}
    with mlir.make_ir_context(), tempfile.TemporaryDirectory() as folder:
        tools = Tools(options.xla_translate, options.xla_opt, options.keep or folder)
        chosen = {name: text for name, text in [*artifacts.library(), *artifacts.texts()] if re.search(options.only, name)}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            written = list(pool.map(lambda item: write(tools, *item), chosen.items()))
        for name, result in zip(chosen, written):
            if result is None:
                continue
            word, told = outcome(tools, name, result)
            counts[word] += 1
            if told:
                print(f"{name}: {word}: {told}", flush=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} refused")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
