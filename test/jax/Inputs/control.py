#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""while, case, if, tuples, barriers: nested, around tensors, with values from outside. All results are to be the same bits."""
import numpy as np

from contractions import reduce_op, small
from judge import DTYPES, FLOATS, SIGNED, UNSIGNED, Case, Type, Value, arguments, check, i64s, type_text


def compare(f, direction, a, b):
    kind = "FLOAT" if a.element in FLOATS else "SIGNED" if a.element in SIGNED else "UNSIGNED"
    return f.op("compare", [a, b], Type(a.shape, "i1"), f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
                f"compare_type = #stablehlo<comparison_type {kind}>")


def while_(f, state, condition, body):
    return f.op("while", state, state, regions=[f.region(state, condition), f.region(state, body)])


def count_up(f, limit, state, step):
    """`step(g, i, *state)` for i = 0 .. limit - 1, limit a scalar."""
    zero = f.constant(0, limit.element)

    def body(g, i, *rest):
        one = g.constant(1, limit.element)
        return [g.same("add", i, one), *step(g, i, *rest)]
    return while_(f, [zero, *state], lambda g, i, *rest: compare(g, "LT", i, limit), body)


def counters():
    for element in SIGNED + UNSIGNED + FLOATS:
        for n in (0, 1, 5, 100):
            yield Case(f"while.count.{element}.{n}", lambda f, n: count_up(f, n, [], lambda g, i: []), [np.array(n, DTYPES[element])])
    for shape in [(), (0,), (5,), (17, 3), (2, 3, 4)]:
        for element in ["f32", "i16", "ui64", "bf16"]:
            def build(f, x, n):
                return count_up(f, n, [x], lambda g, i, y: [g.same("add", g.same("multiply", y, x), y)])
            yield Case(f"while.state.{shape}.{element}", build, [small(element, shape, 1, 1), np.int32(6)])


def swap(f, x, y, n):
    """State that changes places."""
    return count_up(f, n, [x, y], lambda g, i, a, b: [b, a])


def fibonacci(f, n):
    a, b = f.constant(0, "ui64"), f.constant(1, "ui64")
    return count_up(f, n, [a, b], lambda g, i, a, b: [b, g.same("add", a, b)])


def invariant(f, x, y, n):
    """State that stays, and a result that is used twice."""
    _, a, b = count_up(f, n, [x, y], lambda g, i, a, b: [a, g.same("add", b, a)])
    return [a, b, f.same("add", a, b), b]


def triangle(f, n):
    """A loop in a loop, the inner one as long as the outer one is far."""
    total = f.constant(0, "i32")

    def outer(g, i, s):
        return [count_up(g, i, [s], lambda h, j, t: [h.same("add", t, h.same("multiply", i, j))])[1]]
    return count_up(f, n, [total], outer)


def collatz(f, n):
    """A condition that is no count; case in a loop."""
    steps = f.constant(0, "i32")

    def body(g, m, s):
        one, two, three = (g.constant(k, "i64") for k in (1, 2, 3))
        odd = g.convert(g.same("and", m, one), "i32")
        halved = g.region([], lambda h: h.same("divide", m, two))
        grown = g.region([], lambda h: h.same("add", h.same("multiply", m, three), one))
        return [g.op("case", [odd], [m], regions=[halved, grown])[0], g.same("add", s, g.constant(1, "i32"))]
    return while_(f, [n, steps], lambda g, m, s: compare(g, "NE", m, g.constant(1, "i64")), body)


def write_rows(f, x, n):
    """Every row of the state from the one before: dynamic_slice and dynamic_update_slice in place."""
    def step(g, i, y):
        zero, one = g.constant(0, "i32"), g.constant(1, "i32")
        before = g.op("dynamic_slice", [y, g.same("subtract", i, one), zero], Type((1, y.shape[1]), y.element),
                      f"slice_sizes = {i64s([1, y.shape[1]])}")
        row = g.op("dynamic_slice", [y, i, zero], before, f"slice_sizes = {i64s([1, y.shape[1]])}")
        return [g.op("dynamic_update_slice", [y, g.same("add", before, row), i, zero], y)]
    return count_up(f, n, [x], step)


def shift_in_place(f, x, n):
    """Each update reads what it overwrites, one place further."""
    def step(g, i, y):
        part = g.op("slice", [y], Type((y.shape[0] - 1,), y.element), f"limit_indices = {i64s([y.shape[0] - 1])}, "
                    f"start_indices = {i64s([0])}, strides = {i64s([1])}")
        return [g.op("dynamic_update_slice", [y, part, g.constant(1, "i32")], y)]
    return count_up(f, n, [x], step)


def reverse_each_time(f, x, n):
    return count_up(f, n, [x], lambda g, i, y: [g.op("reverse", [y], y, f"dimensions = {i64s([0])}")])


def power_iteration(f, x, n):
    """A contraction and a reduction in the body."""
    def step(g, i, y, s):
        numbers = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
        z = g.op("dot_general", [y, x], y, f"dot_dimension_numbers = {numbers}")
        z = g.op("clamp", [g.constant(-3, y.element), z, g.constant(3, y.element)], y)
        total = reduce_op("add", [0, 1])(g, z, g.constant(0, y.element))[0]
        return [z, g.same("add", s, total)]
    return count_up(f, n, [x, f.constant(0, x.element)], step)


def condition_reduces(f, x, limit):
    """A loop until the sum is large."""
    def condition(g, y):
        return compare(g, "LT", reduce_op("add", [0])(g, y, g.constant(0, y.element))[0], limit)
    return while_(f, [x], condition, lambda g, y: [g.same("add", y, y)])


def programs():
    x = small("f32", (4, 4), 2, 1)
    for n in (0, 1, 2, 7):
        count = np.int32(n)
        yield Case(f"swap.{n}", swap, [np.arange(5, dtype="f4"), np.arange(5, 10).astype("f4"), count])
        yield Case(f"swap.scalar.{n}", swap, [np.int8(1), np.int8(2), count])
        yield Case(f"fibonacci.{n}", fibonacci, [np.int32(13 * n)])
        yield Case(f"invariant.{n}", invariant, [np.arange(6).reshape(2, 3), np.arange(6, 12).reshape(2, 3), count])
        yield Case(f"triangle.{n}", triangle, [count])
        yield Case(f"collatz.{n}", collatz, [np.int64(n + 20)])
        yield Case(f"write_rows.{n}", write_rows, [small("i32", (6, 5), 4), count])
        yield Case(f"shift_in_place.{n}", shift_in_place, [np.arange(70, dtype="i2"), count])
        yield Case(f"reverse.{n}", reverse_each_time, [np.arange(37, dtype="f8"), count])
        yield Case(f"power_iteration.{n}", power_iteration, [x, count])
        yield Case(f"condition_reduces.{n}", condition_reduces, [np.arange(1, 6).astype("f4"), np.float32(10.0**n)])


def case(f, index, x, y):
    branches = [f.region([], lambda g: [g.same("add", x, y), x]), f.region([], lambda g: [g.same("multiply", x, y), y]),
                f.region([], lambda g: [y, g.same("subtract", x, y)])]
    return f.op("case", [index], [x, y], regions=branches)


def if_(f, p, q, x, y):
    def inner(g):
        return g.op("if", [q], [x], regions=[g.region([], lambda h: [h.same("add", x, y)]), g.region([], lambda h: [y])])
    return f.op("if", [p], [x], regions=[f.region([], inner), f.region([], lambda g: [g.same("multiply", x, y)])])


def tuples(f, x, y):
    """What is put into nested tuples and taken out again."""
    def tuple_text(types):
        return f"tuple<{', '.join(types)}>"

    def line(name, operands, types, result, attrs=""):
        value = f.fresh()
        f.lines.append(f'{value} = "stablehlo.{name}"({", ".join(operands)}) {attrs} : ({", ".join(types)}) -> {result}')
        return value
    tx, ty = type_text(x), type_text(y)
    inner_type, outer_type = tuple_text([tx, ty]), tuple_text([ty, tuple_text([tx, ty])])
    inner = line("tuple", [x.name, y.name], [tx, ty], inner_type)
    outer = line("tuple", [y.name, inner], [ty, inner_type], outer_type)
    taken = line("get_tuple_element", [outer], [outer_type], inner_type, "<{index = 1 : i32}>")
    a = line("get_tuple_element", [taken], [inner_type], tx, "<{index = 0 : i32}>")
    b = line("get_tuple_element", [outer], [outer_type], ty, "<{index = 0 : i32}>")
    return [Value(a, x.shape, x.element), Value(b, y.shape, y.element), f.same("negate", Value(a, x.shape, x.element))]


def barrier(f, x, y):
    a, b = f.op("optimization_barrier", [x, y], [x, y])
    return [f.same("add", a, a), b]


def branches():
    for index in (-2**31, -1, 0, 1, 2, 3, 2**31 - 1):
        for element, shape in [("f32", (3, 5)), ("i8", ()), ("ui32", (0, 2)), ("complex<f32>", (2,))]:
            yield Case(f"case.{index}.{element}", case, [np.int32(index), small(element, shape, 1), small(element, shape, 2)])
    for p in (False, True):
        for q in (False, True):
            for element, shape in [("f32", (33,)), ("ui8", ()), ("f64", (2, 0))]:
                yield Case(f"if.{p}.{q}.{element}", if_, [np.array(p), np.array(q), small(element, shape, 1), small(element, shape, 2)])
    for element, other in [("f32", "i8"), ("i64", "f16"), ("ui16", "i1"), ("complex<f64>", "f32")]:
        args = [small(element, (3, 2), 1), small(other, (), 2)]
        yield Case(f"tuples.{element}.{other}", tuples, args)
        yield Case(f"barrier.{element}.{other}", barrier, args)


def cases():
    yield from counters()
    yield from programs()
    yield from branches()


if __name__ == "__main__":
    check(cases(), arguments())
