#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints coefficients of polynomials, highest power first, that interpolate at Chebyshev nodes, and how far they are off."""
import argparse

import mpmath
from mpmath import mpf

mpmath.mp.dps = 70
EXAMPLES = """
The function is of x, as Python writes it with mpmath's functions (tools/requirements-compare.txt has it).

Examples
  tools/polynomials.py '(sinh(sqrt(x)) - sqrt(x)) / sqrt(x)**3' 0 1 7           of lowering/math/exp.c
  tools/polynomials.py '(asin(sqrt(x)) - sqrt(x)) / sqrt(x)**3' 0 0.25 12       of lowering/math/atan.c
  tools/polynomials.py 'besseli(1, 8*sqrt(x)) / (8*sqrt(x))' 0 1 16             of passes/import/chlo/import.c
"""


def interpolate(f, low, high, degree):
    """Newton's divided differences, then powers."""
    nodes = [(low + high) / 2 + (high - low) / 2 * mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * degree + 2)) for i in range(degree + 1)]
    table = [f(x) for x in nodes]
    for j in range(1, degree + 1):
        for i in range(degree, j - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - j])
    powers = [mpf(0)]
    for i in range(degree, -1, -1):
        powers = multiply(powers, nodes[i])
        powers[-1] += table[i]
    return powers[-degree - 1:]


def multiply(powers, node):
    """Times x - node, highest power first."""
    return [a - node * b for a, b in zip(powers + [mpf(0)], [mpf(0)] + powers)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function")
    parser.add_argument("low")
    parser.add_argument("high")
    parser.add_argument("degree", type=int)
    parser.add_argument("--relative", default="1", help="to what the error is measured (%(default)s)")
    parser.add_argument("--digits", type=int, default=17, help="of coefficients (%(default)s)")
    options = parser.parse_args()
    names = vars(mpmath)

    def evaluate(text, x=None):
        return mpf(eval(text, {**names, "x": x}))  # pylint: disable=eval-used
    low, high = evaluate(options.low), evaluate(options.high)
    powers = interpolate(lambda x: evaluate(options.function, x), low, high, options.degree)
    print(", ".join(mpmath.nstr(c, options.digits) for c in powers))
    rounded = [mpf(mpmath.nstr(c, options.digits)) for c in powers]
    points = [low + (high - low) * (i + mpf(1) / 2) / 500 for i in range(500)]
    worst = max(abs(mpmath.polyval(rounded, x) - evaluate(options.function, x)) / abs(evaluate(options.relative, x)) for x in points)
    print(f"off by at most 2^{mpmath.nstr(mpmath.log(worst, 2), 4)}")


if __name__ == "__main__":
    main()
