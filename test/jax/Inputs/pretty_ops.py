#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""formats/stablehlo/ops.def against jaxlib, the import and the tests: pretty_ops.py REPOSITORY

    jaxlib  has the same operations, with the same attributes
    import  docs/stablehlo.md says of each what it becomes
    forms   test/formats/stablehlo has each, and those files are what jaxlib prints
"""
import glob
import os
import re
import sys

import jax  # noqa: F401  registers its dialects
from jax._src.interpreters import mlir
from jaxlib.mlir import ir
import jaxlib.mlir.dialects as dialects

ROOT = sys.argv[1]
# Rows of XLA_UNARY("name") and the like.
SHORT = {"UNARY": ("stablehlo", ""), "ACCURATE": ("stablehlo", "OPTIONAL(result_accuracy)"), "BINARY": ("stablehlo", ""),
         "SYMMETRIC": ("stablehlo", ""), "CHLO_UNARY": ("chlo", ""), "CHLO_BINARY": ("chlo", ""),
         "CHLO_BROADCAST": ("chlo", "OPTIONAL(broadcast_dimensions)")}


def read(*path):
    with open(os.path.join(ROOT, *path)) as file:
        return file.read()


def attributes(text):
    return {name: kind == "OPTIONAL" for kind, name in re.findall(r"(OPTIONAL|REQUIRED)\((\w+)\)", text)}


def table():
    """The attributes of each operation, and whether they are optional."""
    ops = {}
    for kind, row in re.findall(r"^XLA_(\w+)\((.*)\)$", read("formats", "stablehlo", "ops.def"), re.M):
        dialect, attrs = SHORT.get(kind) or (row.split(",")[0], row)
        name = re.search(r'"([^"]+)"', row)[1]
        ops[f"{dialect}.{name}"] = attributes(attrs)
    # They follow from the operands.
    for name in ("operandSegmentSizes", "resultSegmentSizes"):
        ops["chlo.scan"].pop(name)
    return ops


def of_jaxlib():
    ops = {}
    for dialect in ("stablehlo", "chlo", "sdy"):
        with open(os.path.join(list(dialects.__path__)[0], f"_{dialect}_ops_gen.py")) as file:
            classes = file.read().split("@_ods_cext.register_operation(")[1:]
        for text in classes:
            name = re.search(r'OPERATION_NAME = "(.*)"', text)[1]
            init = text[text.index("def __init__"):text.index("super().__init__")]
            ops[name] = {attr: bool(condition) for condition, attr
                         in re.findall(r'^    (if .*?: )?attributes\["(\w+)"\] = ', init, re.M)}
    return ops


def main():
    ops, passed, failed = table(), 0, 0

    def expect(what, a, b):
        nonlocal passed, failed
        passed, failed = passed + (a == b), failed + (a != b)
        if a != b:
            print(f"{what}: {a} is not {b}")

    theirs = of_jaxlib()
    expect("operations", sorted(ops), sorted(theirs))
    for name in sorted(ops.keys() & theirs.keys()):
        expect(name, ops[name], theirs[name])
    documented = re.findall(r"^\| `((?:stablehlo|chlo)\.[^`]+)` \|", read("docs", "stablehlo.md"), re.M)
    expect("what is imported", sorted(n for n in ops if not n.startswith("sdy.")), sorted(documented))
    forms = ""
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "formats", "stablehlo", "*.mlir"))):
        text = "".join(line for line in open(path) if not line.startswith("//"))
        if os.path.basename(path) in ("stablehlo.mlir", "chlo.mlir", "sdy.mlir"):
            with mlir.make_ir_context():
                expect(os.path.basename(path), text.strip(), str(ir.Module.parse(text)).strip())
        forms += text
    expect("operations in forms", sorted(ops), sorted(ops.keys() & set(re.findall(r"(?:stablehlo|chlo|sdy)\.[\w-]+", forms))))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
