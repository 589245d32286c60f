#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of test/jax/Inputs/library.py as HLO, before and after XLA's compiler for CPUs, as text and as protocol buffers: what
xla-run computes of each, and what jax computes."""
import argparse
import fnmatch
import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../jax/Inputs"))
import judge
import library

import jax
import numpy as np
from jaxlib import _hlo

FORMS = ["text", "optimized", "typed", "proto", "optimized-proto"]


def printed(module, operand_shapes=False):
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    options.print_operand_shape = operand_shapes
    return module.to_string(options).encode()


def programs(case, cache):
    """The program in all forms, and its results; kept, since compiling takes a second each."""
    lowered = jax.jit(case.build, keep_unused=True).lower(*case.args)
    computation = lowered.compiler_ir("hlo")
    text = computation.as_hlo_text(print_large_constants=True).encode()
    key = hashlib.sha256(repr((jax.__version__, os.environ["XLA_FLAGS"], "hlo 1")).encode() + text)
    for a in case.args:
        key.update(repr((a.shape, a.dtype.name)).encode() + a.tobytes())
    path = os.path.join(cache, "hlo-" + key.hexdigest())
    if os.path.exists(path):
        with open(path, "rb") as file:
            return pickle.load(file)
    compiled = lowered.compile()
    module = compiled.runtime_executable().hlo_modules()[0]
    results = [np.asarray(r) for r in jax.tree.leaves(compiled(*case.args))]
    found = {"text": text, "optimized": printed(module), "typed": printed(computation.get_hlo_module(), True),
             "proto": computation.as_serialized_hlo_module_proto(), "optimized-proto": module.as_serialized_hlo_module_proto()}, results
    with open(f"{path}.{os.getpid()}", "wb") as file:
        pickle.dump(found, file)
    os.replace(f"{path}.{os.getpid()}", path)
    return found


def run(program, case, results, options, device):
    """What is wrong with the results on a device, or None."""
    with tempfile.TemporaryDirectory(prefix="xlac-hlo-") as folder:
        path = os.path.join(folder, "program")
        with open(path, "wb") as file:
            file.write(program)
        command = [options.xla_run, path, f"--device={device}"]
        for i, a in enumerate(case.args):
            np.save(os.path.join(folder, f"in{i}.npy"), a.view("V2") if a.dtype == judge.BF16 else a)
            command.append(f"--input=@{os.path.join(folder, f'in{i}.npy')}")
        outputs = [os.path.join(folder, f"out{i}.npy") for i in range(len(results))]
        command += [f"--output=@{path}" for path in outputs]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=options.timeout)
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stderr.strip()[:600]}"
        try:
            found = [judge.read_array(path, judge.Type(r.shape, judge.NAMES[r.dtype])) for path, r in zip(outputs, results)]
        except judge.Failure as failure:
            return str(failure)
        return judge.judge(case, results, found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xla_run")
    parser.add_argument("--device", default="interpreter")
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--only", default="*", help="cases whose names match")
    parser.add_argument("--timeout", type=float, default=300)
    options = parser.parse_args()
    cache = os.path.join(os.path.dirname(os.path.abspath(shutil.which(options.xla_run) or options.xla_run)), "jax-results")
    os.makedirs(cache, exist_ok=True)
    cases = judge.sample([c for c in library.cases() if fnmatch.fnmatch(c.name, options.only)])
    passed = failed = 0
    for case in cases:
        forms, results = programs(case, cache)
        for form in options.form or FORMS:
            wrong = run(forms[form], case, results, options, options.device)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"{case.name} as {form}: {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
