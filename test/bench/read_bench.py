#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast programs of many operations are read, in every form, beside jaxlib."""
import argparse
import dataclasses
import os
import re
import subprocess
import tempfile
import time

import jax
from jax import export
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jaxlib import _hlo
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

TYPE, TURNED = "tensor<4x8xf32>", "tensor<8x4xf32>"


def program(n, constant):
    """A chain of `n` operations, each with a place of its own in a file, and a constant of as many bytes."""
    values = f"tensor<{constant // 4}xi32>"
    results = f"({TYPE}, {values})" if constant else TYPE
    yield f"func.func public @main(%x: {TYPE}, %y: {TYPE}) -> {results} {{"
    last = "%x"
    for i in range(n):
        place = f'loc("layer{i % 97}.py":{i % 5000 + 1}:{i % 8 + 1})'
        kind = i % 8
        if kind < 5:
            name = ("add", "multiply", "subtract", "maximum", "minimum")[kind]
            yield f"  %{i} = stablehlo.{name} {last}, %y : {TYPE} {place}"
        elif kind == 5:
            yield f"  %{i} = stablehlo.tanh {last} : {TYPE} {place}"
        else:
            types = f"({TYPE}) -> {TURNED}" if kind == 6 else f"({TURNED}) -> {TYPE}"
            yield f"  %{i} = stablehlo.transpose {last}, dims = [1, 0] : {types} {place}"
        last = f"%{i}"
    if constant:
        yield f'  %c = stablehlo.constant dense<"0x{os.urandom(constant).hex()}"> : {values}'
    yield f"  return {last}, %c : {TYPE}, {values}" if constant else f"  return {last} : {TYPE}"
    yield "}"


def exported(artifact):
    """What jax.export would write of it."""
    x = jax.ShapeDtypeStruct((4, 8), "float32")
    small = export.export(jax.jit(lambda x, y: x + y), platforms=["cpu"])(x, x)
    return bytes(dataclasses.replace(small, mlir_module_serialized=artifact).serialize())


def forms(n, constant, version):
    """Name, bytes, and how jaxlib reads them: in a context, or None."""
    with mlir.make_ir_context():
        module = ir.Module.parse("\n".join(program(n - n % 8, constant)))
        generic = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
        pretty = module.operation.get_asm(enable_debug_info=True)
        parse = lambda context, data: ir.Module.parse(data.decode())
        yield "StableHLO, pretty", pretty.encode(), parse
        yield "MLIR's generic text", generic.encode(), parse
        artifact = stablehlo.serialize_portable_artifact_str(generic, version)
        yield "artifact " + version, artifact, stablehlo.deserialize_portable_artifact
        yield "jax.export's file", exported(artifact), lambda context, data: stablehlo.deserialize_portable_artifact(
            context, export.deserialize(bytearray(data)).mlir_module_serialized)
        computation = _jax.mlir.mlir_module_to_xla_computation(
            mlir.module_to_bytecode(module), use_tuple_args=False, return_tuple=False)
        yield "HLO text", computation.as_hlo_text(print_large_constants=True).encode(), lambda _, data: (
            _hlo.hlo_module_from_text(data.decode()))
        yield "HLO protocol buffer", computation.as_serialized_hlo_module_proto(), lambda _, data: _hlo.XlaComputation(data)


def ours(binary, path, runs):
    out = subprocess.run([binary, "-n", str(runs), path], capture_output=True, text=True, check=True).stdout
    match = re.search(r"(\d+) operations, read ([\d.]+) s, .* copied ([\d.]+) s, (\d+) MB, (\d+) without", out)
    return int(match[1]), float(match[2]), float(match[3]), int(match[4]) - int(match[5])


def theirs(read, data, runs):
    least = float("inf")
    for _ in range(runs):
        with mlir.make_ir_context() as context:
            start = time.process_time()
            read(context, data)
            least = min(least, time.process_time() - start)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="Seconds are those of the processor, the least of several runs. `copied` is "
                                     "what MLIR takes to make the same operations from those that were read, without reading. Memory is with "
                                     "the file, and without what an empty program takes.")
    parser.add_argument("binary", help="build/release/test/read_bench")
    parser.add_argument("--operations", type=int, default=100000)
    parser.add_argument("--constant", type=int, default=0, help="bytes of a constant beside them (default: none)")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--version", default="1.13.0", help="of the artifact")
    args = parser.parse_args()
    print("| form | MB | operations | read, s | copied, s | MB/s | jaxlib, MB/s | MB of memory |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, data, read in forms(args.operations, args.constant, args.version):
            path = os.path.join(folder, "program")
            with open(path, "wb") as file:
                file.write(data)
            operations, seconds, copied, memory = ours(args.binary, path, args.runs)
            megabytes = len(data) / 1e6
            peer = megabytes / theirs(read, data, args.runs)
            print(f"| {name} | {megabytes:.1f} | {operations} | {seconds:.3f} | {copied:.3f} | {megabytes / seconds:.1f} | {peer:.1f} | {memory} |",
                  flush=True)


if __name__ == "__main__":
    main()
