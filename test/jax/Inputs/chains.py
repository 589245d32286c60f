#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs: chains of operations on a pool of values. chains.py XLA-RUN --seed=1 --count=40.

Of every three programs one is of integers and preds, whose results are to be equal; one of floats with operations that IEEE 754
rounds exactly, equal too (values are kept between 2^-20 and 2^20, far from denormals, and sums short); one of f32 with
transcendental functions and long sums, without comparisons, where one rounding would change everything, and is compared with
the same program in f64."""
import math

import numpy as np

import movement
from contractions import dot_general, random_dot, reduce_op
from control import compare, count_up
from judge import DTYPES, FLOATS, NAMES, SIGNED, UNSIGNED, Case, Type, arguments, check, i64s

INTEGERS = SIGNED + UNSIGNED
LENGTH = 20
LARGEST = 3000


class Chain:
    """A random program. It is built twice if its reference is another type's: `choices` are made once."""

    def __init__(self, kind, seed):
        self.kind, self.seed = kind, seed
        rng = np.random.default_rng(seed)
        self.elements = {"integer": ["i1"] + INTEGERS, "float": FLOATS, "smooth": ["f32"]}[kind]
        self.shape = tuple(int(d) for d in rng.choice([0, 1, 2, 3, 4, 5, 17], int(rng.integers(0, 4)), p=[.03, .17, .2, .2, .15, .15, .1]))
        self.args = [self.input(rng, self.shape) for _ in range(3)]

    def input(self, rng, shape):
        element = self.elements[int(rng.integers(len(self.elements)))]
        if self.kind == "integer":
            return movement.data(element, shape, int(rng.integers(1000)))
        if self.kind == "float":  # few bits, so that much stays exact
            return np.asarray(rng.integers(-64, 65, shape) / 8).astype(DTYPES[element])
        return np.asarray(rng.standard_normal(shape)).astype(DTYPES[element])

    def build(self, f, *parameters):
        rng = np.random.default_rng(self.seed + 1)
        pool = list(parameters)
        for _ in range(LENGTH):
            x = pool[int(rng.integers(max(0, len(pool) - 5), len(pool)))]
            steps = STEPS[self.kind]
            result = steps[int(rng.integers(len(steps)))](self, f, rng, x, pool)
            if result is not None and math.prod(result.shape) <= LARGEST:
                pool.append(self.bounded(f, result))
        return pool[len(parameters):][-6:] or pool[:1]

    def bounded(self, f, x):
        """Keeps floats in range; with powers of two as limits nothing is rounded."""
        if x.element not in FLOATS:
            return x
        limit = 256 if x.element == "f16" else 2**20
        if self.kind == "smooth":
            limit = 4
        return f.op("clamp", [f.constant(-limit, x.element), x, f.constant(limit, x.element)], x)

    def partner(self, f, rng, x, pool):
        """A value of x's type: from the pool, or x in another order."""
        same = [v for v in pool if v.shape == x.shape and v.element == x.element]
        same += [f.convert(v, x.element) for v in pool if v.shape == x.shape and v.element != x.element and self.kind == "integer"][:1]
        y = same[int(rng.integers(len(same)))]
        return f.op("reverse", [y], y, f"dimensions = {i64s(range(len(y.shape)))}") if y is x and x.shape else y


def integer_unary(c, f, rng, x, pool):
    if x.element == "i1":
        return f.same("not", x)
    # Not abs, which XLA drops of x * x even if that wrapped, nor count_leading_zeros, which it folds wrongly below 64 bits.
    names = ["not", "negate", "popcnt"] + ["sign"] * (x.element in SIGNED)
    return f.same(str(rng.choice(names)), x)


def integer_binary(c, f, rng, x, pool):
    names = ["and", "or", "xor", "maximum", "minimum", "add", "multiply"]
    if x.element != "i1":
        names += ["subtract", "divide", "remainder", "shift_left", "shift_right_arithmetic", "shift_right_logical"]
    name, y = str(rng.choice(names)), c.partner(f, rng, x, pool)
    if name in ("divide", "remainder"):  # XLA stops with SIGFPE when it simplifies x / 0 and MIN / -1 of constants
        y = f.same("or", f.same("shift_right_logical", y, c_number(f, y, 1)), c_number(f, y, 1))
    return f.same(name, x, y)


def float_unary(c, f, rng, x, pool):
    return f.same(str(rng.choice(["negate", "abs", "floor", "ceil", "sign", "round_nearest_afz", "round_nearest_even"])), x)


def float_binary(c, f, rng, x, pool):
    return f.same(str(rng.choice(["add", "subtract", "multiply", "maximum", "minimum"])), x, c.partner(f, rng, x, pool))


def float_divide(c, f, rng, x, pool):
    """x / (1 + y^2) and sqrt(1 + x^2), rounded once each; not below 2^-12, so that later products stay normal."""
    y = c.partner(f, rng, x, pool)
    one = f.op("broadcast_in_dim", [f.constant(1, x.element)], x, f"broadcast_dimensions = {i64s([])}")
    square = f.same("round_nearest_even", f.same("multiply", y, y))
    positive = f.same("maximum", square, one)
    value = f.same("divide", x, positive) if rng.random() < 0.5 else f.same("sqrt", positive)
    small = f.same("divide", f.same("round_nearest_even", f.same("multiply", value, c_number(f, x, 64))), c_number(f, x, 64))
    return small


def c_number(f, like, number):
    return f.op("broadcast_in_dim", [f.constant(number, like.element)], like, f"broadcast_dimensions = {i64s([])}")


def smooth_unary(c, f, rng, x, pool):
    return f.same(str(rng.choice(["tanh", "exponential", "sine", "cosine", "logistic", "negate"])), x)


def smooth_root(c, f, rng, x, pool):
    """Functions of 1 + x^2."""
    square = f.same("add", f.same("multiply", x, x), c_number(f, x, 1))
    return f.same(str(rng.choice(["log", "sqrt", "rsqrt", "cbrt", "log_plus_one"])), square)


def smooth_binary(c, f, rng, x, pool):
    y = c.partner(f, rng, x, pool)
    name = str(rng.choice(["add", "subtract", "multiply", "divide", "atan2"]))
    if name in ("divide", "atan2"):
        y = f.same("add", f.same("multiply", y, y), c_number(f, x, 1))
    return f.same(name, x, y)


def comparison(c, f, rng, x, pool):
    """A comparison that chooses between two values."""
    y = c.partner(f, rng, x, pool)
    p = compare(f, str(rng.choice(["EQ", "NE", "LT", "LE", "GT", "GE"])), x, y)
    return f.same("select", p, y, x) if rng.random() < 0.7 or c.kind == "float" else p


def conversion(c, f, rng, x, pool):
    element = c.elements[int(rng.integers(len(c.elements)))]
    return f.convert(x, element)


def move(c, f, rng, x, pool):
    op = movement.OPS[int(rng.integers(len(movement.OPS)))]
    made = op(rng, tuple(x.shape))
    if not made:
        return None
    operands = [x]
    for other in made[0]:
        if isinstance(other, np.ndarray):
            if other.dtype.kind == "u":  # XLA takes constant starts from half the range on for negative ones
                other = np.minimum(other, 100)
            operands.append(f.constant(other, NAMES[other.dtype]))
        else:
            operands.append(filler(c, f, rng, Type(tuple(other), x.element), pool))
    return made[1](f, *operands)


def filler(c, f, rng, type_, pool):
    """A value of a type that the pool lacks: a number everywhere."""
    number = f.constant(1 if type_.element in UNSIGNED + ["i1"] else -1, type_.element)
    return f.op("broadcast_in_dim", [number], type_, f"broadcast_dimensions = {i64s([])}") if type_.shape else number


def reduction(c, f, rng, x, pool):
    dims = [d for d in range(len(x.shape)) if rng.random() < 0.5]
    if not dims:
        return None
    if c.kind == "smooth":
        name, init = "add", 0
    elif c.kind == "float":
        name, init = [("maximum", -math.inf), ("minimum", math.inf)][int(rng.integers(2))]
    else:
        name, init = [("add", 0), ("xor", 0), ("or", 0)][int(rng.integers(3))]
        name = "or" if x.element == "i1" and name == "add" else name
    value = reduce_op(name, dims)(f, x, f.constant(init, x.element))[0]
    if c.kind == "smooth":  # the mean, so that errors stay small
        n = max(math.prod(x.shape[d] for d in dims), 1)
        value = f.same("divide", value, c_number(f, value, n))
    return value


def contraction(c, f, rng, x, pool):
    """x's first dimension with the last of another value."""
    others = [v for v in pool if v.shape and x.shape and v.shape[-1] == x.shape[0] and v.element == x.element]
    if not others or x.element == "i1":
        return None
    y = others[int(rng.integers(len(others)))]
    if math.prod(x.shape[1:]) * math.prod(y.shape[:-1]) > LARGEST or len(x.shape) + len(y.shape) > 8:
        return None
    value = dot_general([], [], [len(y.shape) - 1], [0], None)(f, y, x)
    return f.same("divide", value, c_number(f, value, max(x.shape[0], 1))) if c.kind == "smooth" else value


def loop(c, f, rng, x, pool):
    n = f.constant(int(rng.integers(0, 4)), "i32")

    def step(g, i, y):
        name = "xor" if x.element == "i1" else "subtract" if c.kind == "integer" else "maximum"
        turned = g.op("reverse", [y], y, f"dimensions = {i64s(range(len(y.shape)))}")
        if c.kind == "smooth":
            return [g.same("multiply", g.same("add", g.same("tanh", turned), y), c_number(g, y, 0.5))]
        return [g.same(name, turned, x if rng_bit else y)]
    rng_bit = rng.random() < 0.5
    return count_up(f, n, [x], step)[1]


def choice(c, f, rng, x, pool):
    index = f.constant(int(rng.integers(-1, 4)), "i32")
    y = c.partner(f, rng, x, pool)
    unary = "not" if c.kind == "integer" else "negate"
    return f.op("case", [index], [x], regions=[f.region([], lambda g: [g.same(unary, x)]), f.region([], lambda g: [y]),
                                                f.region([], lambda g: [g.same("maximum", x, y)] if c.kind != "smooth" else [x])])[0]


STEPS = {
    "integer": [integer_unary, integer_binary, integer_binary, integer_binary, comparison, conversion, move, move, move, reduction,
                contraction, loop, choice],
    "float": [float_unary, float_binary, float_binary, float_binary, float_divide, comparison, conversion, move, move, move, reduction,
              loop, choice],
    "smooth": [smooth_unary, smooth_unary, smooth_root, smooth_binary, smooth_binary, move, move, move, reduction, contraction, loop,
               choice],
}


def cases(seed, count):
    for n in range(count):
        kind = ["integer", "float", "smooth"][n % 3]
        chain = Chain(kind, 100003 * seed + n)
        smooth = kind == "smooth"
        yield Case(f"{kind}.{seed}.{n}", chain.build, chain.args, wide=smooth, absolute=2e-4 * smooth, relative=1e-4 * smooth,
                   zero=kind == "float")


if __name__ == "__main__":
    options = arguments()
    options.size = min(options.size, 20)
    check(cases(options.seed, 40 if options.count is None else options.count), options)
