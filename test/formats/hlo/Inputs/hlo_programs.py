#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules of programs.hlo, one after another: what xla-run computes of the text, of the text as XLA prints it, of the protocol
buffer and of StableHLO that jaxlib makes of it, and what XLA:CPU computes."""
import argparse
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../jax/Inputs"))
import judge

import jax
import numpy as np
from jax._src import compiler, xla_bridge
from jax.interpreters import mlir
from jaxlib import _hlo, _jax, xla_client
from jaxlib.mlir import ir

def inputs(module):
    """Random arrays for the parameters of the entry computation."""
    shapes = _hlo.XlaComputation(module.as_serialized_hlo_module_proto()).program_shape().parameter_shapes()
    random = np.random.default_rng(5)
    return [random.standard_normal(s.dimensions()).astype("f4") if s.numpy_dtype() == np.float32 else
            random.integers(-3 if s.dimensions() else 1, 40 if s.dimensions() else 2, s.dimensions()).astype(s.numpy_dtype())
            for s in shapes]


def stablehlo(module):
    """What jaxlib makes of it, in MLIR's generic form, and its results on XLA:CPU."""
    text = _jax.mlir.xla_computation_to_mlir_module(_hlo.XlaComputation(module.as_serialized_hlo_module_proto()))
    backend = xla_bridge.get_backend("cpu")
    device = backend.local_devices()[0]
    with mlir.make_ir_context():
        parsed = ir.Module.parse(text)
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        executable = backend.compile_and_load(parsed, xla_client.DeviceList((device,)), options)
        generic = parsed.operation.get_asm(print_generic_op_form=True)
    found = executable.execute_sharded([jax.device_put(a, device) for a in inputs(module)])
    return generic, [np.asarray(o[0]) for o in found.disassemble_into_single_device_arrays()]


def run(program, arrays, wanted, options, device):
    """What is wrong with the results, or None."""
    with tempfile.TemporaryDirectory(prefix="xlac-hlo-") as folder:
        path = os.path.join(folder, "program")
        with open(path, "wb") as file:
            file.write(program)
        command = [options.xla_run, path, f"--device={device}"]
        for i, a in enumerate(arrays):
            np.save(os.path.join(folder, f"in{i}.npy"), a)
            command.append(f"--input=@{folder}/in{i}.npy")
        command += [f"--output=@{folder}/out{i}.npy" for i in range(len(wanted))]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            return f"exit code {done.returncode}: {done.stderr.strip()[:400]}"
        case = judge.Case("", None, arrays, ulp=64, relative=1e-5, absolute=1e-5, zero=True)
        found = [judge.read_array(f"{folder}/out{i}.npy", judge.Type(w.shape, judge.NAMES[w.dtype])) for i, w in enumerate(wanted)]
        return judge.judge(case, wanted, found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xla_run")
    parser.add_argument("programs")
    parser.add_argument("--device", action="append")
    options = parser.parse_args()
    with open(options.programs, encoding="utf-8") as file:
        texts = file.read().split("// -----\n")
    passed = failed = 0
    for text in texts:
        module = _hlo.hlo_module_from_text(text)
        generic, wanted = stablehlo(module)
        print_options = _hlo.HloPrintOptions()
        print_options.print_large_constants = True
        forms = {"text": text.encode(), "XLA's text": module.to_string(print_options).encode(),
                 "protocol buffer": module.as_serialized_hlo_module_proto()}
        if '"mhlo.' not in generic:
            forms["StableHLO"] = generic.encode()
        for form, program in forms.items():
            for device in options.device or ["interpreter", "cpu"]:
                wrong = run(program, inputs(module), wanted, options, device)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"{module.name} as {form} on {device}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
