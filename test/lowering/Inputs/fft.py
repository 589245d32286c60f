#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms on a compiled device and on the interpreter, which computes in double precision: fft.py RUN DEVICE LENGTH ..

Every length, 4x5 for two dimensions, is transformed in all kinds, some lines of f32 and one of f64, in one program. The root of the mean square of the
differences is to be a few units in the last place of the results' own."""
import subprocess
import sys
import tempfile

import numpy as np

KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")
# Of sums whose errors are random; convolutions add up more of them.
BOUNDS = {"f32": 3e-7, "f64": 6e-16}


def tensor(dims, element):
    return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"


def types(kind, dims, real):
    half = (*dims[:-1], dims[-1] // 2 + 1)
    numbers = f"complex<{real}>"
    operand = (dims, real) if kind == "RFFT" else (half, numbers) if kind == "IRFFT" else (dims, numbers)
    result = (dims, real) if kind == "IRFFT" else (half, numbers) if kind == "RFFT" else (dims, numbers)
    return tensor(*operand), tensor(*result)


def program(cases):
    arguments, results, body = [], [], []
    for i, (kind, dims, rank, real) in enumerate(cases):
        operand, result = types(kind, dims, real)
        arguments.append(f"%x{i}: {operand}")
        results.append(result)
        signature = operand if operand == result else f"({operand}) -> {result}"
        body.append(f'  %{i} = xla.fft %x{i} {{fft_type = "{kind}", fft_length = {list(dims[len(dims) - rank:])}}} : {signature}')
    values = ", ".join(f"%{i}" for i in range(len(cases)))
    return f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{\n" + "\n".join(
        body) + f"\n  return {values} : {', '.join(results)}\n}}\n"


def run(command, device, folder, n):
    names = [f"{folder}/{device}{i}.npy" for i in range(n)]
    subprocess.run([command, f"{folder}/f.mlir", f"--device={device}", "--seed=1", *(f"--output=@{name}" for name in names)], check=True)
    return [np.load(name) for name in names]


def check(command, device, cases):
    """The largest error in terms of its bound."""
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/f.mlir", "w", encoding="utf-8") as file:
            file.write(program(cases))
        want = run(command, "interpreter", folder, len(cases))
        for case, x, y in zip(cases, run(command, device, folder, len(cases)), want):
            if x.shape != y.shape or not np.isfinite(x).all():
                sys.exit(f"{case}: wrong")
            size = np.sqrt(np.mean(np.abs(y)**2)) if y.size else 0
            error = np.sqrt(np.mean(np.abs(x - y)**2)) / size if size else 0
            worst = max(worst, error / BOUNDS[case[3]])
            if error > BOUNDS[case[3]]:
                sys.exit(f"{case}: off by {error:.2g} of the results' size")
    return worst


def main():
    command, device = sys.argv[1:3]
    for length in sys.argv[3:]:
        dims = tuple(int(d) for d in length.split("x"))
        cases = [(kind, (3, *dims) if real == "f32" else dims, len(dims), real) for kind in KINDS for real in BOUNDS]
        # Many lines are laid beside each other.
        cases += [(kind, (17, *dims), len(dims), "f32") for kind in KINDS[:3:2]]
        worst = check(command, device, cases)
        print(f"{length}: {len(cases)} transforms agree, the worst within {worst:.2f} of the bound")


if __name__ == "__main__":
    main()
