#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs from .npz files, stored and deflated, whole and damaged: npz.py XLA_RUN"""
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = """func.func @main(%x: tensor<300xf32> loc("x"), %y: tensor<300xf32> loc("y")) -> tensor<300xf32> {
  %0 = xla.subtract %x, %y : tensor<300xf32>
  return %0 : tensor<300xf32>
}
"""


def main():
    random.seed(1)
    passed = failed = 0
    x, y = np.arange(300, dtype="f4"), np.ones(300, "f4")
    with tempfile.TemporaryDirectory() as folder:
        program, archive, output = (os.path.join(folder, name) for name in ["f.mlir", "x.npz", "z.npy"])
        with open(program, "w") as file:
            file.write(PROGRAM)

        def run(*inputs):
            return subprocess.run([sys.argv[1], program, *inputs, f"--output=@{output}"], capture_output=True, text=True, errors="replace")

        def check(right, told):
            nonlocal passed, failed
            passed, failed = passed + bool(right), failed + (not right)
            if not right:
                print(told)

        for save in [np.savez, np.savez_compressed]:
            save(archive, y=y, x=x)
            for inputs in [[f"--input=@{archive}"], [f"--input=y=@{archive}:y", f"--input=@{archive}:x"]]:
                done = run(*inputs)
                check(done.returncode == 0 and (np.load(output) == x - y).all(), done.stderr)
            done = run(f"--input=x=@{archive}:z", "--seed=1")
            check(done.returncode == 2 and "has no array 'z'" in done.stderr, done.stderr)
            with open(archive, "rb") as file:
                whole = file.read()
            for _ in range(40):
                data = bytearray(whole)
                kind, at = random.randrange(3), random.randrange(len(data))
                if kind == 0:
                    data[at] ^= 1 << random.randrange(8)
                elif kind == 1:
                    del data[at:]
                else:
                    at = len(data) - 1 - random.randrange(200)
                    data[at] = random.choice([0, 1, 127, 255])
                with open(archive, "wb") as file:
                    file.write(data)
                done = run(f"--input=@{archive}")
                check(done.returncode in (0, 2, 3) and (not done.returncode or done.stderr), f"{done.returncode} {done.stderr}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
