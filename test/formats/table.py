#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of test/jax in every form: which are read, and become the module that MLIR's generic text becomes, operation for
operation (of HLO: one that the interpreter takes); which are written, and read again by jaxlib.

table.py BIN [EVERY]: every EVERYth program; BIN may be -, for the tools that the shell finds. Prints a table, what failed, and `N passed, N failed`."""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "jax", "Inputs"))
import judge  # sets JAX up
import library
import programs

import jax
from jax import export
from jax._src.interpreters import mlir
from jaxlib import _hlo
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

BIN = os.path.dirname(shutil.which("xla-opt")) if sys.argv[1] == "-" else os.path.abspath(sys.argv[1])
VERSION = "1.13.0"


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True)


def forms(case):
    """The program as people have it, by the name of the form, and the text to compare with, if it is of StableHLO."""
    lowered = jax.jit(case.build, keep_unused=True).lower(*case.args)
    module = lowered.compiler_ir("stablehlo")
    text = generic(module)
    yield "StableHLO, pretty", lowered.as_text().encode(), text
    yield "StableHLO, with locations", lowered.as_text(debug_info=True).encode(), text
    yield "MLIR's generic text", text.encode(), text
    with mlir.make_ir_context() as context:
        exported = export.export(jax.jit(case.build), platforms=["cpu"], disabled_checks=CHECKS)(*case.args)
        plain = stablehlo.deserialize_portable_artifact(context, exported.mlir_module_serialized)
        want = generic(plain)
        for version in (stablehlo.get_minimum_version(), VERSION, stablehlo.get_current_version()):
            try:
                artifact = stablehlo.serialize_portable_artifact_str(want, version)
            except Exception:  # a version that lacks an operation
                continue
            name = "artifact, " + ("minimum version" if version == stablehlo.get_minimum_version() else version)
            yield name, artifact, generic(stablehlo.deserialize_portable_artifact(context, artifact))
        yield "jax.export's file", exported.serialize(), want
    computation = lowered.compiler_ir("hlo")
    yield "HLO text", computation.as_hlo_text(print_large_constants=True).encode(), None
    yield "HLO protocol buffer", computation.as_serialized_hlo_module_proto(), None



CHECKS = [export.DisabledSafetyCheck.custom_call(name) for name in (
    "Qr", "ProductOfElementaryHouseholderReflectors", "LuDecomposition", "Eigh", "lapack_ssyevd_ffi", "lapack_sgesdd_ffi", "check")]


def imported(data, folder):
    """The program in xla, or what went wrong."""
    path = os.path.join(folder, "program")
    with open(path, "wb") as file:
        file.write(data)
    done = subprocess.run([BIN + "/xla-opt", path, "--xla-import-stablehlo"], capture_output=True, text=True, timeout=300)
    if done.returncode:
        return None, done.stderr.strip()[:300]
    return re.sub(r"^module @[\w.$-]+", "module", done.stdout, count=1), ""


def reads(data, want, folder):
    got, problem = imported(data, folder)
    if problem or want is None:
        return problem
    expected, problem = imported(want.encode(), folder)
    return problem or ("" if got == expected else "is another module than that of the generic text")


def written(data, form, folder):
    path = os.path.join(folder, "written")
    with open(path, "wb") as file:
        file.write(data)
    done = subprocess.run([BIN + "/xla-translate", path, "--to=" + form], capture_output=True, timeout=300)
    if done.returncode:
        return None, done.stderr.decode(errors="replace").strip()[:300]
    return done.stdout, ""


def read_by_jaxlib(data, form):
    """What jaxlib says against it."""
    try:
        if form == "hlo":
            _hlo.hlo_module_from_text(data.decode())
            return ""
        with mlir.make_ir_context() as context:
            module = (stablehlo.deserialize_portable_artifact(context, data) if form == "artifact" else ir.Module.parse(data))
            return "" if module.operation.verify() else "does not verify"
    except Exception as error:
        return str(error)[:300]


def writes(data, form, folder):
    got, problem = written(data, form, folder)
    return problem or read_by_jaxlib(got, form)


def all_cases():
    for source in (library, programs):
        yield from (case for case in source.cases() if case.jax)


def main():
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    counts, problems = {}, []

    def note(row, name, problem):
        passed, failed = counts.get(row, (0, 0))
        counts[row] = (passed + (not problem), failed + bool(problem))
        if problem:
            problems.append(f"{name}, {row}: {problem}")

    with tempfile.TemporaryDirectory(prefix="xlac-forms-") as folder:
        for case in itertools.islice(all_cases(), 0, None, every):
            pretty = None
            try:
                for form, data, want in forms(case):
                    pretty = pretty or data
                    note("read: " + form, case.name, reads(data, want, folder))
            except ValueError as error:  # jax.export refuses it
                print(f"{case.name}: not exported: {str(error)[:120]}")
            for form in ("stablehlo", "stablehlo-generic", "artifact", "hlo"):
                note("written: " + form, case.name, writes(pretty, form, folder))
    print("| form | programs | right |\n|---|---|---|")
    for row, (passed, failed) in counts.items():
        print(f"| {row} | {passed + failed} | {passed} |")
    print("\n".join(problems))
    print(f"{sum(p for p, _ in counts.values())} passed, {sum(f for _, f in counts.values())} failed")


main()
