#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of test/jax in every form: which are read, and become the module that MLIR's generic text becomes, operation for
operation (of HLO: one that the interpreter takes); which are written, and read again by jaxlib.

table.py BIN [EVERY [FOLDER]]: every EVERYth program, or that of the files of StableHLO in FOLDER; BIN may be -, for the tools that the
shell finds. Prints a table, what failed, and `N passed, N failed`."""
import glob
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



def forms_of_text(text):
    """The same of a public file of StableHLO, as jaxlib prints it. Checks are of a dialect that artifacts lack."""
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        want = generic(module)
        yield "StableHLO, pretty", str(module).encode(), want
        yield "StableHLO, with locations", module.operation.get_asm(enable_debug_info=True).encode(), want
        yield "MLIR's generic text", want.encode(), want
        plain = generic(ir.Module.parse(re.sub(r'^.*(?:check\.|"interpreter\.).*\n', "", text, flags=re.MULTILINE)))
        for version in (VERSION, stablehlo.get_current_version()):
            artifact = stablehlo.serialize_portable_artifact_str(plain, version)
            yield "artifact, " + version, artifact, generic(stablehlo.deserialize_portable_artifact(context, artifact))


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


def programs_of(source):
    """Name, forms, and a form to write others of."""
    if source == "library":
        for case in all_cases():
            yield case.name, forms(case)
        return
    for path in sorted(glob.glob(os.path.join(source, "**/*.mlir"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            yield os.path.relpath(path, source), forms_of_text(file.read())


def main():
    source = sys.argv[3] if len(sys.argv) > 3 else "library"
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    counts, problems = {}, []

    def note(row, name, problem):
        passed, failed = counts.get(row, (0, 0))
        counts[row] = (passed + (not problem), failed + bool(problem))
        if problem:
            problems.append(f"{name}, {row}: {problem}")

    with tempfile.TemporaryDirectory(prefix="xlac-forms-") as folder:
        for name, each in itertools.islice(programs_of(source), 0, None, every):
            last = None
            try:
                for form, data, want in each:
                    last = data if last is None or form.startswith("artifact") and source != "library" else last
                    note("read: " + form, name, reads(data, want, folder))
            except Exception as error:  # jax.export, or jaxlib, refuses it
                print(f"{name}: not in all forms: {str(error).splitlines()[0][:120]}")
            for form in ("stablehlo", "stablehlo-generic", "artifact", "hlo") if last else ():
                note("written: " + form, name, writes(last, form, folder))
    print("| form | programs | right |\n|---|---|---|")
    for row, (passed, failed) in counts.items():
        print(f"| {row} | {passed + failed} | {passed} |")
    print("\n".join(problems))
    print(f"{sum(p for p, _ in counts.values())} passed, {sum(f for _, f in counts.values())} failed")


main()
