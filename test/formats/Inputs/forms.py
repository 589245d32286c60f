# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as people have them, in every form that jaxlib writes, and what jaxlib makes of what others wrote."""
import dataclasses
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "jax", "Inputs"))
import judge  # sets JAX up
import library
import programs

import jax
import numpy as np
from jax import export
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jaxlib import _hlo, xla_client
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

VERSION = "1.13.0"


class Refused(Exception):
    """What jaxlib does not make of a program."""


@dataclasses.dataclass
class Form:
    name: str
    data: bytes
    generic: str  # what it says, in MLIR's generic text
    is_hlo: bool = False


@dataclasses.dataclass
class Program:
    name: str
    text: str  # what is written in other forms, in MLIR's generic text
    forms: object  # Forms, one after the other
    case: object  # its arguments, and how far results may be from XLA's


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True)


def first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]


def refuse_f6(text):
    """jaxlib aborts where such constants become HLO."""
    if re.search(r"constant.*xf6E", text):
        raise Refused("constants of f6 do not become HLO")


def artifact_forms(text):
    """Artifacts of `text` by version, and jax.export's file around one of them."""
    with mlir.make_ir_context() as context:
        for version in (stablehlo.get_minimum_version(), VERSION, stablehlo.get_current_version()):
            try:
                artifact = stablehlo.serialize_portable_artifact_str(text, version)
            except Exception:  # a version that lacks an operation, or a type
                continue
            name = "minimum version" if version == stablehlo.get_minimum_version() else version
            yield Form("artifact, " + name, artifact, generic(stablehlo.deserialize_portable_artifact(context, artifact)))


def hlo_forms(computation, text):
    yield Form("HLO text", computation.as_hlo_text(print_large_constants=True).encode(), text, True)
    yield Form("HLO protocol buffer", computation.as_serialized_hlo_module_proto(), text, True)


CHECKS = [export.DisabledSafetyCheck.custom_call(name) for name in (
    "Qr", "ProductOfElementaryHouseholderReflectors", "LuDecomposition", "Eigh", "lapack_ssyevd_ffi", "lapack_sgesdd_ffi", "check")]


def forms_of_case(case, lowered, text):
    yield Form("StableHLO, pretty", lowered.as_text().encode(), text)
    yield Form("StableHLO, with locations", lowered.as_text(debug_info=True).encode(), text)
    yield Form("MLIR's generic text", text.encode(), text)
    exported = export.export(jax.jit(case.build), platforms=["cpu"], disabled_checks=CHECKS)(*case.args)
    with mlir.make_ir_context() as context:
        want = generic(stablehlo.deserialize_portable_artifact(context, exported.mlir_module_serialized))
    yield from artifact_forms(want)
    yield Form("jax.export's file", exported.serialize(), want)
    yield from hlo_forms(lowered.compiler_ir("hlo"), text)


def without_checks(text):
    """The program of a public file: what it checks are its results, and nothing is checked."""
    text = re.sub(r"^.*call_target_name = \"(?:check\.)?expect_.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'^.*call_target_name = "check\..*\n', "", text, flags=re.MULTILINE)
    checked = re.findall(r'^ *"check\.\w+"\((%\w+(?:#\d+)?).* : \((tensor<[^()]*?>)[,)]', text, flags=re.MULTILINE)
    text = re.sub(r'^ *"check\..*\n', "", text, flags=re.MULTILINE)
    if checked:
        values, types = ", ".join(v for v, _ in checked), ", ".join(t for _, t in checked)
        text = text.replace('"func.return"() : () -> ()', f'"func.return"({values}) : ({types}) -> ()')
        text = text.replace("function_type = () -> ()", f"function_type = () -> ({types})")
    if not re.search(r'sym_name = "main"', text):
        text = re.sub(r'(function_type = .*sym_name = )"\w+"', r'\1"main"', text, count=1)
    return text


def exported_around(artifact):
    """What jax.export would write of it."""
    small = export.export(jax.jit(lambda x: x), platforms=["cpu"])(jax.ShapeDtypeStruct((), "float32"))
    return bytes(dataclasses.replace(small, mlir_module_serialized=artifact).serialize())


def forms_of_file(text, plain):
    """The file as it is, as text; artifacts, which have no dialect of checks, and HLO, are of the program without its checks."""
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        want = generic(module)
        yield Form("StableHLO, pretty", str(module).encode(), want)
        yield Form("StableHLO, with locations", module.operation.get_asm(enable_debug_info=True).encode(), want)
        yield Form("MLIR's generic text", want.encode(), want)
    last = None
    for last in artifact_forms(plain):
        yield last
    if last:
        yield Form("jax.export's file", exported_around(last.data), last.generic)
    refuse_f6(plain)
    with mlir.make_ir_context():
        module = mlir.module_to_bytecode(ir.Module.parse(plain))
    yield from hlo_forms(_jax.mlir.mlir_module_to_xla_computation(module, use_tuple_args=False, return_tuple=False), plain)


def programs_of_jax():
    for case in (case for each in (library, programs) for case in each.cases() if case.jax):
        lowered = jax.jit(case.build, keep_unused=True).lower(*case.args)
        text = generic(lowered.compiler_ir("stablehlo"))
        yield Program(case.name, text, forms_of_case(case, lowered, text), case)


def programs_of_files(folder):
    for path in sorted(glob.glob(os.path.join(folder, "**/*.mlir"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        plain = without_checks(text)
        # Gamma functions of negative numbers are differences of larger ones, by other formulas in each expansion.
        near = judge.Case("", None, [], ulp=4, relative=1e-5, absolute=1e-5 if "gamma" in path else 0, zero=True)
        yield Program(os.path.relpath(path, folder), plain, forms_of_file(text, plain), near)


def module_of(data, form, context):
    """The StableHLO that jaxlib reads: it verifies. Refused if it does not; None of what jaxlib reads and aborts on afterwards."""
    try:
        if form == "hlo":
            module = _hlo.hlo_module_from_text(data.decode())
            if re.search(rb"\bf6e\w+\[\d*\]\S* constant", data):
                return None
            text = _jax.mlir.xla_computation_to_mlir_module(_hlo.XlaComputation(module.as_serialized_hlo_module_proto()))
            return ir.Module.parse(text, context)
        if form == "artifact":
            module = stablehlo.deserialize_portable_artifact(context, data)
        else:
            module = ir.Module.parse(data, context)
        if not module.operation.verify():
            raise Refused("does not verify")
        return module
    except Exception as error:
        raise Refused(first_line(error)) from None


def count_results(module):
    """Those of its function main."""
    main = next(op for op in module.body.operations if ir.StringAttr(op.attributes["sym_name"]).value == "main")
    return len(ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value).results)


def results_of(module, args):
    """XLA:CPU's."""
    refuse_f6(generic(module))
    backend = xla_bridge.get_backend("cpu")
    device = backend.local_devices()[0]
    try:
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        executable = backend.compile_and_load(module, xla_client.DeviceList((device,)), options)
        outputs = executable.execute_sharded([jax.device_put(a, device) for a in args])
        return [np.asarray(o[0]) for o in outputs.disassemble_into_single_device_arrays()]
    except Exception as error:
        raise Refused("XLA: " + first_line(error)) from None
