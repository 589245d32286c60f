#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every exact operation on narrow types gives the same bits on all devices: narrow.py XLA_RUN TYPE..

Operands are random bytes, so that nothing is folded, and numbers of other types on and beside the middle between two of the type.
Prints `TYPE: N results agree`, or what xla-run says."""
import os
import subprocess
import sys
import tempfile

import numpy as np

N = 2048
OTHERS = ["i1", "i8", "ui8", "i32", "i64", "f16", "bf16", "f32", "f64", "i4", "ui2", "f8E4M3FN", "f8E5M2FNUZ", "f6E3M2FN"]
FLOATS = {1: "abs ceil floor negate round_nearest_afz round_nearest_even sign sqrt".split(),
          2: "add subtract multiply divide maximum minimum remainder".split()}
INTEGERS = {1: "negate not popcnt count_leading_zeros sign".split(),
            2: ("add subtract multiply divide maximum minimum power remainder and or xor shift_left shift_right_logical "
                "shift_right_arithmetic").split()}


def program(element):
    """The text of a program, and how many results it has."""
    is_float = element.startswith("f")
    array = f"tensor<{N}x{element}>"
    ops, types = [], []

    def add(text, kind=array):
        ops.append(f"%r{len(types)} = {text}")
        types.append(kind)

    for count, names in (FLOATS if is_float else INTEGERS).items():
        for name in names:
            add(f"xla.{name} {', '.join(['%x', '%y'][:count])} : {array}")
    add(f"xla.clamp %x, %y, %x : {array}")
    for direction in ("EQ", "LT", "GE"):
        add(f'xla.compare %x, %y {{comparison_direction = "{direction}"}} : ({array}, {array}) -> tensor<{N}xi1>', f"tensor<{N}xi1>")
    if is_float:
        add(f"xla.is_finite %x : ({array}) -> tensor<{N}xi1>", f"tensor<{N}xi1>")
        for exponent, mantissa in ((2, 1), (5, 2), (4, 0)):
            add(f"xla.reduce_precision %x {{exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32}} : {array}")
    for other in OTHERS:
        if other != element:
            add(f"xla.convert %x : ({array}) -> tensor<{N}x{other}>", f"tensor<{N}x{other}>")
    for other in ("f32", "f64", "i64"):
        add(f"xla.convert %{other} : (tensor<{N}x{other}>) -> {array}")
    lines = "\n  ".join(ops)
    return f"""func.func @main(%a: tensor<{N}xui8>, %b: tensor<{N}xui8>, %f32: tensor<{N}xf32>, %f64: tensor<{N}xf64>, %i64: tensor<{N}xi64>) -> ({", ".join(types)}) {{
  %x = func.call @of(%a) : (tensor<{N}xui8>) -> {array}
  %y = func.call @of(%b) : (tensor<{N}xui8>) -> {array}
  {lines}
  return {", ".join(f"%r{i}" for i in range(len(types)))} : {", ".join(types)}
}}
func.func private @of(%a: tensor<{N}xui8>) -> {array} {{
  {bytes_as(element, array)}
  return %x : {array}
}}
""", len(types)


def bytes_as(element, array):
    """Operations that make %x of the lower bits of %a."""
    bits = 8 if element.startswith("f8") else int("".join(c for c in element if c.isdigit())[:1])
    if bits == 8:
        return f"%x = xla.bitcast_convert %a : (tensor<{N}xui8>) -> {array}"
    per = 8 // bits if bits != 6 else 0
    if not per:  # f6: its 64 values as numbers
        return (f"%s = xla.bitcast_convert %a : (tensor<{N}xui8>) -> tensor<{N}xi8>\n  "
                f"%x = xla.convert %s : (tensor<{N}xi8>) -> {array}")
    return (f"%n = xla.bitcast_convert %a : (tensor<{N}xui8>) -> tensor<{N}x{per}x{element}>\n  "
            f"%s = xla.slice %n {{start_indices = [0, 0], limit_indices = [{N}, 1], strides = [1, 1]}} : "
            f"(tensor<{N}x{per}x{element}>) -> tensor<{N}x1x{element}>\n  "
            f"%x = xla.reshape %s : (tensor<{N}x1x{element}>) -> {array}")


def inputs(folder):
    rng = np.random.default_rng(1)
    middle = rng.integers(-65, 65, N) * 2.0 ** rng.integers(-24, 16, N)
    middle[:8] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, 2.0**-127, 61440]
    step = rng.integers(-1, 2, N)
    beside = np.where(step == 0, middle, np.nextafter(middle, np.where(step > 0, np.inf, -np.inf)))
    whole = 3 * 2 ** rng.integers(0, 61, N) + rng.integers(-1, 2, N)
    whole[:600] = np.arange(-300, 300)
    arrays = [rng.integers(0, 256, N).astype(np.uint8), rng.integers(0, 256, N).astype(np.uint8), middle.astype(np.float32),
              beside, whole]
    for i, array in enumerate(arrays):
        np.save(os.path.join(folder, f"{i}.npy"), array)
    return [f"--input=@{folder}/{i}.npy" for i in range(len(arrays))]


def main():
    run, elements = sys.argv[1], sys.argv[2:]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        given = inputs(folder)
        path = os.path.join(folder, "program.mlir")
        for element in elements:
            text, count = program(element)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([run, path, "--device=all", "--rtol=0", "--atol=0", *given], capture_output=True,
                                  text=True, check=False)
            failed |= done.returncode != 0
            print(f"{element}: {count} results agree" if not done.returncode else f"{element}: {done.stderr}", flush=True)
    sys.exit(failed)


main()
