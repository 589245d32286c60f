#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""next_after.py XLA-RUN FOLDER: chlo.next_after of all pairs of floats of up to 8 bits, beside numpy's."""
import os
import re
import subprocess
import sys

import ml_dtypes
import numpy as np

np.seterr(all="ignore")
TYPES = ["f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU",
         "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
PROGRAM = """func.func @main(%x: tensor<65536xTYPE>, %y: tensor<65536xTYPE>) -> tensor<65536xTYPE> {
  %0 = "chlo.next_after"(%x, %y) : (tensor<65536xTYPE>, tensor<65536xTYPE>) -> tensor<65536xTYPE>
  return %0 : tensor<65536xTYPE>
}
"""


def main():
    xla_run, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = {name: os.path.join(folder, name) for name in ("program.mlir", "x.npy", "y.npy", "result.npy")}
    failed = 0
    for name in TYPES:
        count = 1 << int(name[1])
        bits = np.arange(count, dtype="u1")
        x, y = np.repeat(bits, count), np.tile(bits, count)
        np.save(path["x.npy"], x.view("V1"))
        np.save(path["y.npy"], y.view("V1"))
        dtype = getattr(ml_dtypes, re.sub(r"^f(\d)", r"float\1_", name.lower()))
        want = np.nextafter(x.view(dtype), y.view(dtype)).astype("f4")
        with open(path["program.mlir"], "w") as file:
            file.write(PROGRAM.replace("65536", str(x.size)).replace("TYPE", name))
        subprocess.run([xla_run, path["program.mlir"], "--device=all", f"--input=@{path['x.npy']}", f"--input=@{path['y.npy']}",
                        f"--output=@{path['result.npy']}"], check=True)
        got = np.load(path["result.npy"]).view(dtype).astype("f4")
        same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
        print(f"{name}: {same.sum()} of {same.size} are numpy's")
        failed += not same.all()
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
