#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how far functions of floats are off, beside XLA:CPU and libm, and writes docs/accuracy.md."""
import argparse
import collections
import ctypes
import math
import os
import re
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import ml_dtypes
import mpmath
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
mp = mpmath.mp
mp.prec = 130

HEAD = """# Accuracy

How far results of functions are off, in units of the last place (ulp) of the exact result: the mean and the largest of {points} random arguments from
each range, a fourth as many pairs and complex numbers, whose distances are in units of the last place of their magnitudes. Beside
them are XLA:CPU (jaxlib {jaxlib}) and the C library (glibc {glibc}), where it has the function. Exact results are computed with {digits} digits.
Subnormal results are left out, as XLA:CPU flushes them. Rounding alone gives 0.25 and 0.5. This page is what

    python3 test/bench/accuracy.py > docs/accuracy.md

prints, on a processor with AVX-512; `--device=vulkan` measures a shader. [functions.def](../lowering/math/functions.def) has the bounds that tests hold
functions of the dialect to, for all magnitudes; what is here beyond them is composed of operations when programs are read.
"""
EXAMPLES = """
Examples
  python3 test/bench/accuracy.py > docs/accuracy.md
  python3 test/bench/accuracy.py --only 'gamma.*f32' --points 20000 --worst
  python3 test/bench/accuracy.py --device=vulkan --types=f32
"""

# `exact` is of mpmath's numbers, `libm` the C library's name; `ranges` are for all arguments, or a tuple of one for each.
Function = collections.namedtuple("Function", "name jax exact libm ranges types")
TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "c64": np.complex64, "c128": np.complex128}
PARTS = {"c64": "f32", "c128": "f64"}
# Digits, and exponents of the least normal number and of the largest ones.
FORMATS = {"f64": (53, -1022, 1023), "f32": (24, -126, 127), "f16": (11, -14, 15), "bf16": (8, -126, 127)}
REAL, WIDE, COMPLEX = "f64 f32 f16 bf16".split(), "f64 f32".split(), "c128 c64".split()


def polygamma(n):
    return lambda x: lax.polygamma(jnp.full_like(x, n), x)


def trigamma(x):
    return mpmath.zeta(2, x)


def lgamma(x):
    return mpmath.log(abs(mpmath.gamma(x))) if x < 1e6 else mpmath.loggamma(x)


def erf_inv(x):
    """mpmath's own stops early."""
    y = mpmath.erfinv(x)
    for _ in range(2):
        y -= (mpmath.erf(y) - x) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(y * y)
    return y


def bessel_e(n):
    return lambda x: mpmath.besseli(n, x) * mpmath.exp(-abs(x))


def betainc(a, b, x):
    return mpmath.betainc(a, b, 0, x, regularized=True)


def functions():
    def row(name, exact=None, ranges=((-10, 10),), libm=None, types=REAL, function=None):
        return Function(name, function or getattr(lax, name), exact or getattr(mpmath, name), libm, ranges, types)
    yield row("exp", ranges=[(-1, 1), (-80, 80)], libm="exp")
    yield row("expm1", ranges=[(-1, 1), (-20, 80)], libm="expm1")
    yield row("log", ranges=[(0.5, 2), (1e-30, 1e30)], libm="log")
    yield row("log1p", ranges=[(-0.5, 1), (1e-30, 1e30)], libm="log1p")
    yield row("sin", ranges=[(-1, 1), (-100, 100), (1e-10, 1e30)], libm="sin")
    yield row("cos", ranges=[(-1, 1), (-100, 100), (1e-10, 1e30)], libm="cos")
    yield row("tan", ranges=[(-1, 1), (-100, 100)], libm="tan")
    yield row("asin", ranges=[(-1, 1)], libm="asin")
    yield row("acos", ranges=[(-1, 1)], libm="acos")
    yield row("atan", ranges=[(-10, 10), (1e-30, 1e30)], libm="atan")
    yield row("sinh", ranges=[(-1, 1), (-80, 80)], libm="sinh")
    yield row("cosh", ranges=[(-1, 1), (-80, 80)], libm="cosh")
    yield row("tanh", ranges=[(-1, 1), (-20, 20)], libm="tanh")
    yield row("asinh", ranges=[(-1, 1), (1e-30, 1e30)], libm="asinh")
    yield row("acosh", ranges=[(1, 3), (1, 1e30)], libm="acosh")
    yield row("atanh", ranges=[(-1, 1)], libm="atanh")
    yield row("logistic", lambda x: 1 / (1 + mpmath.exp(-x)), [(-20, 20)])
    yield row("rsqrt", lambda x: 1 / mpmath.sqrt(x), [(1e-30, 1e30)])
    yield row("cbrt", lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), [(-10, 10), (1e-30, 1e30)], "cbrt")
    yield row("erf", ranges=[(-1, 1), (-4, 4)], libm="erf")
    yield row("erfc", ranges=[(-1, 1), (-4, 9)], libm="erfc")
    yield row("erf_inv", erf_inv, [(-0.5, 0.5), (-1, 1)])
    yield row("lgamma", lgamma, [(0, 3), (1e-30, 1e30), (-10, 0)], "lgamma")
    yield row("digamma", mpmath.digamma, [(0, 3), (1e-30, 1e30), (-10, 0)])
    yield row("trigamma", trigamma, [(0, 3), (3, 100)], types=WIDE, function=polygamma(1))
    yield row("bessel_i0e", bessel_e(0), [(-10, 10), (1e-10, 1e10)], types=WIDE)
    yield row("bessel_i1e", bessel_e(1), [(-10, 10), (1e-10, 1e10)])
    yield row("atan2", ranges=[(-10, 10), (1e-30, 1e30)], libm="atan2")
    yield row("pow", mpmath.power, [((0.1, 10), (-10, 10)), ((0.99, 1.01), (-1000, 1000))], "pow")
    yield row("zeta", ranges=[((1.01, 10), (0.01, 10)), ((1.01, 3), (10, 1000))], types=WIDE)
    yield row("igamma", lambda a, x: mpmath.gammainc(a, 0, x, regularized=True), [(0.1, 10)], types=WIDE)
    yield row("igammac", lambda a, x: mpmath.gammainc(a, x, mpmath.inf, regularized=True), [(0.1, 10)], types=WIDE)
    yield row("betainc", betainc, [((0.1, 10), (0.1, 10), (0.01, 0.99))], types=WIDE)
    for name in "exp log log1p expm1 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt".split():
        yield row(name, ranges=[(-3, 3)], types=COMPLEX)
    yield row("pow", mpmath.power, [(-3, 3)], types=COMPLEX)


def arity(function):
    return 2 if function.name in ("atan2", "pow", "zeta", "igamma", "igammac") else 3 if function.name == "betainc" else 1


def numbers(r, low, high, n):
    """Of a range that begins with a power of 10, evenly of all magnitudes."""
    if 0 < low < 1e-9 or high >= 1e10:
        return np.exp(r.uniform(math.log(low), math.log(high), n))
    return r.uniform(low, high, n)


def arguments(function, bounds, type_, n):
    r = np.random.default_rng(5)
    kind = TYPES[type_]
    several = bounds if isinstance(bounds[0], tuple) else [bounds] * arity(function)
    with np.errstate(all="ignore"):
        return [(numbers(r, *b, n) + 1j * numbers(r, *b, n) if type_ in COMPLEX else numbers(r, *b, n)).astype(kind) for b in several]


def precise(x):
    return mpmath.mpc(complex(x)) if np.iscomplexobj(x) else mpmath.mpf(float(x))


def exact(function, inputs):
    values = []
    for x in zip(*inputs):
        try:
            values.append(function.exact(*map(precise, x)))
        except (ValueError, ZeroDivisionError, mpmath.libmp.NoConvergence):
            values.append(mpmath.nan)
    return values


def off(got, wanted, type_):
    """In units of the last place, or None where the result is not a normal number."""
    digits, least, most = FORMATS[type_]
    if not mpmath.isfinite(wanted) or wanted == 0 or isinstance(wanted, mpmath.mpc):
        return None
    exponent = mpmath.frexp(wanted)[1] - 1
    if not least <= exponent <= most:
        return None
    return float(abs(mpmath.mpf(float(got)) - wanted) / mpmath.ldexp(1, exponent - digits + 1)) if math.isfinite(got) else math.inf


def distance(got, wanted, type_):
    """Of complex numbers the distance by the last place of the magnitude."""
    if type_ not in PARTS:
        return off(got, wanted, type_)
    size = abs(wanted)
    if not mpmath.isfinite(size) or size == 0:
        return None
    digits, least, most = FORMATS[PARTS[type_]]
    exponent = mpmath.frexp(size)[1] - 1
    if not least <= exponent <= most or not np.isfinite(got):
        return None if np.isfinite(got) else math.inf
    return float(abs(mpmath.mpc(complex(got)) - wanted) / mpmath.ldexp(1, exponent - digits + 1))


def saved(x):
    return x.view("V2") if x.dtype == ml_dtypes.bfloat16 else x


def ours(function, inputs, options, folder):
    with open(f"{folder}/f.mlir", "w", encoding="utf-8") as f:
        f.write(jax.jit(function.jax).lower(*inputs).as_text())
    for i, x in enumerate(inputs):
        np.save(f"{folder}/{i}.npy", saved(x))
    subprocess.run([options.run, f"{folder}/f.mlir", f"--device={options.device}", f"--output=@{folder}/y.npy",
                    *(f"--input=@{folder}/{i}.npy" for i in range(len(inputs)))], check=True, stdout=subprocess.DEVNULL)
    y = np.load(f"{folder}/y.npy")
    return y.view(ml_dtypes.bfloat16) if y.dtype.kind == "V" else y


LIBM = ctypes.CDLL("libm.so.6")


def libm(function, inputs, type_):
    if not function.libm or type_ not in WIDE:
        return None
    kind = ctypes.c_double if type_ == "f64" else ctypes.c_float
    call = getattr(LIBM, function.libm + ("" if type_ == "f64" else "f"))
    call.restype, call.argtypes = kind, [kind] * len(inputs)
    return np.array([call(*map(float, x)) for x in zip(*inputs)], TYPES[type_])


def summary(got, wanted, inputs, type_, worst):
    if got is None:
        return "-"
    offs = [(d, i) for i, (g, w) in enumerate(zip(got, wanted)) if (d := distance(g, w, type_)) is not None]
    if not offs:
        return "-"
    most, at = max(offs)
    text = f"{sum(d for d, _ in offs) / len(offs):.2f} {most:.3g}"
    return text + (f" at {', '.join(str(x[at]) for x in inputs)}" if worst else "")


def span(bounds):
    if isinstance(bounds[0], tuple):
        return "; ".join(map(span, bounds))
    return f"{bounds[0]:g} to {bounds[1]:g}"


def measure(function, type_, options, folder):
    n = options.points if arity(function) == 1 and type_ not in COMPLEX else max(options.points // 4, 1)
    for bounds in function.ranges:
        inputs = arguments(function, bounds, type_, n)
        if not all(np.isfinite(x).all() for x in inputs):
            continue
        wanted = exact(function, inputs)
        columns = [ours(function, inputs, options, folder), np.asarray(jax.jit(function.jax)(*inputs)), libm(function, inputs, type_)]
        cells = [summary(c, wanted, inputs, type_, options.worst) for c in columns]
        if cells[0] != "-":
            print(f"| {function.name} | {type_} | {span(bounds)} | {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", default="build/release/bin/xla-run", help="path of xla-run (%(default)s)")
    parser.add_argument("--device", default="cpu", help="(%(default)s)")
    parser.add_argument("--only", default="", help="a regular expression, of functions and types as 'erf f32'")
    parser.add_argument("--types", default=",".join(TYPES), help="(%(default)s)")
    parser.add_argument("--points", type=int, default=1000, help="a range, a fourth of them for pairs and complex numbers (%(default)s)")
    parser.add_argument("--worst", action="store_true", help="says where results are the farthest off")
    options = parser.parse_args()
    if not os.access(options.run, os.X_OK):
        sys.exit(f"no program {options.run}: --run says where xla-run is")
    print(HEAD.format(points=options.points, jaxlib=jax.lib.__version__, glibc=os.confstr("CS_GNU_LIBC_VERSION").split()[1], digits=mp.dps))
    print("| function | type | arguments | xlac | XLA:CPU | libm |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="accuracy.") as folder:
        for function in functions():
            for type_ in function.types:
                if type_ in options.types.split(",") and re.search(options.only, f"{function.name} {type_}"):
                    measure(function, type_, options, folder)


if __name__ == "__main__":
    main()
