#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms of all kinds, of 1 to 3 dimensions, of every size up to 70 and of powers, primes and products beyond. Compared
with XLA's transforms of doubles, from which sums of all numbers in their own type may differ."""
import numpy as np

from judge import DTYPES, Case, Type, arguments, check, i64s

SIZES = [*range(1, 71), 97, 128, 210, 243, 251, 256, 509, 1000, 1009, 1024, 1728, 4099]
SHAPES = [((3, 5), 1), ((3, 5), 2), ((4, 6, 10), 3), ((2, 3, 4, 5), 3), ((2, 3, 4, 5), 2), ((7, 1), 2), ((1, 1, 1), 3), ((0,), 1),
          ((0, 4), 1), ((4, 0), 2), ((3, 0, 2), 3), ((5, 60), 2), ((60, 50), 2), ((2, 2, 49), 3)]


def normal(shape, seed, is_complex):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    return values + 1j * rng.standard_normal(shape) if is_complex else values


def transform(kind, lengths, result):
    attrs = f"fft_length = {i64s(lengths)}, fft_type = #stablehlo<fft_type {kind}>"
    return lambda f, x: f.op("fft", [x], Type(result, element_of(kind, x.element)), attrs)


def element_of(kind, element):
    """What the result's elements are; of the wide reference too."""
    if kind == "RFFT":
        return f"complex<{element}>"
    return element[len("complex<"):-1] if kind == "IRFFT" else element


def half(shape):
    return (*shape[:-1], shape[-1] // 2 + 1 if shape[-1] else 0)


def case(kind, real, shape, dimensions):
    operand = half(shape) if kind == "IRFFT" else shape
    result = half(shape) if kind == "RFFT" else shape
    element = real if kind == "RFFT" else f"complex<{real}>"
    x = normal(operand, len(shape), kind != "RFFT").astype(DTYPES[element])
    # Errors are relative to all that is added up.
    size = 1 / np.sqrt(max(np.prod(result), 1)) if kind in ("IFFT", "IRFFT") else np.sqrt(np.prod(result))
    absolute = 10 * size * (1e-7 if real == "f32" else 1e-15)
    return Case(f"{kind}.{real}.{'x'.join(map(str, shape))}.{dimensions}", transform(kind, shape[len(shape) - dimensions:], result), [x],
                wide=real == "f32", relative=1e-7 if real == "f32" else 2e-15, absolute=absolute)


def cases():
    for n, size in enumerate(SIZES):
        for k, kind in enumerate(("FFT", "IFFT", "RFFT", "IRFFT")):
            yield case(kind, "f32" if (n + k) % 2 else "f64", (size,), 1)
    for shape, dimensions in SHAPES:
        for kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
            for real in ("f32", "f64"):
                yield case(kind, real, shape, dimensions)


if __name__ == "__main__":
    check(cases(), arguments())
