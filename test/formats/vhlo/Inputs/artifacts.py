#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Portable artifacts of many programs and versions, read by xla-opt, against what jaxlib reads from them: artifacts.py XLA_OPT
[--versions=V,..] [--keep=DIR]

Programs are those of ops.mlir beside this file, of test/jax's library and of the conformance tests. Those that jaxlib writes as an
artifact of a version are functions of one, whose text must be that of jaxlib's generic text, with all locations; then it is
imported, which must give the same again.

Prints what differs and, last, `N passed, N failed`."""
import argparse
import contextlib
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../../../.."))
sys.path.append(os.path.join(ROOT, "test/jax/Inputs"))
sys.argv, ARGUMENTS = sys.argv[:1], sys.argv[1:]
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
from jax._src.interpreters import mlir
from jaxlib import _jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

# The first and the last version, and some that changed operations, attributes or the bytecode.
VERSIONS = [stablehlo.get_minimum_version(), "0.12.0", "0.14.0", "0.19.0", "1.6.0", stablehlo.get_current_version()]


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


@contextlib.contextmanager
def silent():
    """MLIR says on stderr why a version has no such operation."""
    sys.stderr.flush()
    kept, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(sink)


def library():
    import library as programs
    for name, value in vars(programs).items():
        if not isinstance(value, dict) or not name.isupper():
            continue
        for case, program in value.items():
            if isinstance(program, tuple) and callable(program[0]):
                yield f"{name}-{case}", generic(jax.jit(program[0]).lower(*program[1:]).compiler_ir("stablehlo"))


def texts():
    with open(os.path.join(HERE, "ops.mlir")) as file:
        for part in file.read().split("// -----"):
            yield "ops-" + re.search(r"@(\w+)", part)[1], part
    larger = os.environ.get("XLAC_CONFORMANCE", os.path.join(os.path.dirname(ROOT), "shared", "conformance"))
    for folder in [os.path.join(ROOT, "test/conformance/data"), larger]:
        for path in sorted(glob.glob(os.path.join(folder, "**/*.mlir"), recursive=True)):
            with open(path) as file:
                # Checks are of a dialect that is in no artifact.
                text = re.sub(r'^.*"check\.\w+".*\n', "", file.read(), flags=re.MULTILINE)
                yield "conformance-" + os.path.relpath(path, folder), text


def renamed(text, index):
    """Functions of many programs in one module need names of their own."""
    text = re.sub(r'(?<![\w"])@([\w.]+)', rf"@\1__{index}", text)
    return re.sub(r'(sym_name = ")([\w.]+)(")', rf"\g<1>\2__{index}\3", text)


def functions(module):
    return [op for op in module.body.operations if op.operation.name == "func.func"]


def load(context):
    """Programs with a number each that jaxlib reads: name, and functions."""
    found, unread = {}, []
    for name, text in [*library(), *texts()]:
        if name in found:
            continue
        try:
            with silent():
                module = with_composites(ir.Module.parse(text), context)
                module = ir.Module.parse(renamed(generic(module), len(found)))
        except ir.MLIRError:
            unread.append(name)
            continue
        found[name] = module
    return found, unread


def with_composites(module, context):
    """As jax.export does: operations of CHLO become composites. jaxlib does not survive functions without a body there."""
    if "chlo." not in generic(module):
        return module
    try:
        with silent():
            artifact = _jax.mlir.serialize_portable_artifact(module, stablehlo.get_current_version(), False)
            return stablehlo.deserialize_portable_artifact(context, artifact)
    except Exception:
        return module


def first_version(module, versions):
    """The number of the first one that can say the program; later ones can, too."""
    for i, version in enumerate(versions):
        with silent(), contextlib.suppress(Exception):
            stablehlo.serialize_portable_artifact_str(generic(module), version)
            return i
    return len(versions)


def joined(modules, context):
    """One module of the functions of all."""
    whole = ir.Module.create(ir.Location.unknown(context))
    for module in modules:
        for op in functions(module):
            whole.body.append(op.operation.clone())
    return whole


def split(text):
    """Functions by the number of their program."""
    parts = {}
    for part in re.split(r'\n(?=  "func\.func"\()', text):
        number = re.search(r'sym_name = "[\w.]+__(\d+)"', part)
        if number:
            parts.setdefault(int(number[1]), []).append(re.sub(r"\n}\) : \(\) -> \(\).*", "", part))
    return parts


class Reader:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def run(self, data, name, *options):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return subprocess.run([self.tool, path, "--allow-unregistered-dialect", "--mlir-print-op-generic", *options], text=True,
                              capture_output=True)

    def read(self, data, name, *passes):
        run = self.run(data, name, "--mlir-print-debuginfo", "--mlir-print-local-scope", *passes)
        # Calls inside of StableHLO's regions get another name when they are read by others than MLIR.
        text = re.sub(r'"(?:stablehlo|xla)\.call"\((.*?)\) <?\{(callee = @[\w.]+)\}>?', r'"func.call"(\1) <{\2}>', run.stdout)
        return text if not run.returncode else None, run.stderr

    def importable(self, modules):
        """Which of the modules can be imported, by their numbers."""
        texts = [re.sub(r'^"builtin.module"\(\)( <\{[^}]*\}>)?', f'"builtin.module"() <{{sym_name = "number{i}"}}>',
                        module.operation.get_asm(print_generic_op_form=True), count=1, flags=re.MULTILINE) for i, module in enumerate(modules)]
        run = self.run("\n// -----\n".join(texts).encode(), "all.mlir", "--split-input-file", "--xla-import-stablehlo")
        return {int(number) for number in re.findall(r'sym_name = "number(\d+)"', run.stdout)}


def difference(mine, theirs):
    for a, b in zip("".join(mine).split("\n"), "".join(theirs).split("\n")):
        if a != b:
            return f"    {a[:700]}\n    {b[:700]}"
    return "    one has more than the other"


def compare(names, mine, theirs):
    """How many functions are equal; prints the others."""
    failed = 0
    for number, name in names:
        if mine.get(number) != theirs.get(number):
            failed += 1
            print(f"{name}:\n{difference(mine.get(number, []), theirs.get(number, []))}")
    return len(names) - failed, failed


def check(reader, context, version, names, modules, passes):
    """How many of the modules are read from an artifact as from its text."""
    whole = joined([modules[i] for i, _ in names], context)
    artifact = stablehlo.serialize_portable_artifact_str(generic(whole), version)
    text = generic(stablehlo.deserialize_portable_artifact(context, artifact)).encode()
    mine, told = reader.read(artifact, f"{version}.bin", *passes)
    theirs, of_text = reader.read(text, f"{version}.mlir", *passes)
    if mine is None or theirs is None:
        print(f"{version} {passes}: {told[:600]}\n{of_text[:600]}")
        return 0, 1
    if mine == theirs:
        return len(names), 0
    equal, other = compare(names, split(mine), split(theirs))
    return equal, max(other, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xla_opt")
    parser.add_argument("--versions", default=",".join(VERSIONS))
    parser.add_argument("--keep")
    options = parser.parse_args(ARGUMENTS)
    context = mlir.make_ir_context()
    passed = failed = 0
    with context, tempfile.TemporaryDirectory() as folder:
        reader = Reader(options.xla_opt, options.keep or folder)
        programs, unread = load(context)
        print(f"{len(programs)} programs, {len(unread)} that jaxlib does not read")
        modules = list(programs.values())
        importable = reader.importable(modules)
        print(f"{len(importable)} can be imported")
        versions = options.versions.split(",")
        first = [first_version(module, versions) for module in modules]
        for number, version in enumerate(versions):
            names = [(i, name) for i, name in enumerate(programs) if first[i] <= number]
            some, others = check(reader, context, version, names, modules, ())
            imported = [(i, name) for i, name in names if i in importable]
            more, wrong = check(reader, context, version, imported, modules, ("--xla-import-stablehlo",))
            print(f"{version}: {len(names)} programs, {some} + {more} passed, {others + wrong} failed")
            passed, failed = passed + some + more, failed + others + wrong
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
