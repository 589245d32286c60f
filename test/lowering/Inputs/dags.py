# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dags.py SEED COUNT: a program of COUNT random graphs of operations that may be fused, from seeds SEED, SEED + 1, ..

Unlike fusions.py it leaves to the compiler what becomes one kernel. Elementwise operations, those that move data, reductions along
any dimensions, scans, matrix products, gathers, scatters and updates use each other's results, also several times. What is summed
is made small integers first, in the type that it has, so that the order of sums changes no bit.
"""
import random
import sys

from fusions import MAX_ELEMENTS, Fusion, Value, count, is_float, tensor

TYPES = ["f32"] * 8 + ["i32"] * 3 + ["f64", "i64", "f16", "bf16", "i8", "ui8", "ui32", "i16", "i1"]
SUMMED = ["f32", "f64", "i32", "i64", "i8", "i16"]
SHAPES = [[], [1], [7], [33], [256], [1000], [3, 5], [16, 24], [64, 48], [48, 130], [100, 7], [1, 96], [300, 3], [5, 2000], [600, 20],
          [4, 6, 8], [2, 33, 16], [16, 3, 40], [8, 32, 12], [3, 1, 50], [2, 3, 4, 5], [4, 8, 6, 10], [2, 5, 16, 3]]
FUNCTIONS = ["exponential", "tanh", "logistic", "sine", "sqrt", "log"]


class Dag(Fusion):
    """A graph: `lines` are a function of `arguments` with `results`."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.arguments, self.lines, self.values, self.n_names = [], [], [], 0
        self.large = rng.random() < 0.1
        self.shape = self.grown(rng.choice(SHAPES))
        self.starts = [self.argument([], rng.choice(["i32", "i64", "ui8", "i8"])) for _ in range(rng.randint(1, 2))]
        element = rng.choice(TYPES)
        for _ in range(rng.randint(1, 3)):
            dims = self.shape if rng.random() < 0.6 else [d for d in self.shape if rng.random() < 0.6]
            self.values.append(self.argument(dims, element if rng.random() < 0.7 else rng.choice(TYPES)))
        inputs = len(self.values)
        for _ in range(rng.randint(2, 16)):
            self.step()
        self.results = self.ends(inputs)

    def grown(self, dims):
        """A few shapes are large, since figures of time decide what is fused."""
        return [16 * dims[0], *dims[1:]] if self.large and dims else dims

    def ends(self, inputs):
        """What nothing uses, the last of it, and some values that other things use too."""
        used = {word.rstrip(",") for line in self.lines for word in line.split(" = ", 1)[-1].replace("(", " ").replace(")", " ").split()}
        computed = [v for v in self.values[inputs:] if v.name.startswith("%v")]
        ends = [v for v in computed if v.name not in used][-4:] or self.values[-1:]
        others = [v for v in computed if v.name in used]
        return ends + self.rng.sample(others, min(len(others), self.rng.choice([0, 0, 1, 2])))

    def most(self):
        return MAX_ELEMENTS * (16 if self.large else 1)

    def step(self):
        rng = self.rng
        recent = self.values[-1] if rng.random() < 0.6 else rng.choice(self.values)
        operation = rng.choice([self.unary, self.function, self.binary, self.binary, self.mixed, self.mixed, self.select, self.clamp,
                                self.broadcast, self.reshape, self.slice, self.transpose, self.concatenate, self.pad, self.reverse,
                                self.dynamic_slice, self.update, self.reduce, self.reduce, self.normalize, self.argmax, self.scan,
                                self.gather, self.scatter, self.dot, self.halves])
        made, lines = self.n_names, len(self.lines)
        value = operation(recent)
        if value is not None and count(value.dims) <= self.most() and len(value.dims) <= 6:
            self.values.append(value)
        else:
            self.n_names = made
            del self.lines[lines:]

    def call(self, text, operands, dims, element, region, attrs):
        """An operation with a region of scalars: one result, or several of the same dims for a list of elements."""
        elements = element if isinstance(element, list) else [element]
        name = "%%v%d" % self.n_names
        self.n_names += 1
        many = len(elements) > 1
        results = [Value(name + ("#%d" % i if many else ""), dims, e) for i, e in enumerate(elements)]
        types = ", ".join(v.type for v in results)
        self.lines.append("%s%s = xla.%s(%s) ({ %s }) {%s} : (%s) -> %s" % (
            name, ":%d" % len(results) if many else "", text, ", ".join(o.name for o in operands), region, attrs,
            ", ".join(o.type for o in operands), "(%s)" % types if many else types))
        return results if many else results[0]

    def pair(self, name, element):
        """A region that combines two scalars."""
        scalar = tensor([], element)
        return "^bb0(%%p: %s, %%q: %s): %%r = xla.%s %%p, %%q : %s xla.return %%r : %s" % (scalar, scalar, name, scalar, scalar)

    def number(self, text, element):
        return self.filled(text, [], element)

    def filled(self, text, dims, element):
        value = Value("%%v%d" % self.n_names, dims, element)
        self.n_names += 1
        text = text + ".0" if is_float(element) else text
        self.lines.append("%s = xla.constant dense<%s> : %s" % (value.name, text if count(dims) else "", value.type))
        return value

    def small(self, x, most=8):
        """Integers from -most to most, in the type of `x`; of integers those that sums wrap around with."""
        if not is_float(x.element):
            return x
        whole = self.emit("convert", [x], x.dims, "i32")
        rest = self.emit("remainder", [whole, self.filled(str(most), x.dims, "i32")], x.dims, "i32")
        return self.emit("convert", [rest], x.dims, x.element)

    def summable(self, x):
        if x.element not in SUMMED:
            x = self.emit("convert", [x], x.dims, "f32" if is_float(x.element) else "i32")
        return self.small(x)

    # Elementwise.

    def function(self, x):
        if x.element not in ("f32", "f64", "f16", "bf16"):
            return self.unary(x)
        return self.emit(self.rng.choice(FUNCTIONS), [x], x.dims, x.element)

    def clamp(self, x):
        if x.element == "i1":
            return None
        low, high = self.number("1", x.element), self.number("4", x.element)
        return self.emit("clamp", [low, x, high], x.dims, x.element)

    def mixed(self, x):
        """With a value of other dimensions, which is broadcast, or another element type."""
        rng = self.rng
        y = rng.choice(self.values)
        if len(y.dims) > len(x.dims):
            x, y = y, x
        places, at = [], 0
        for d in y.dims:
            while at < len(x.dims) and x.dims[at] != d:
                at += 1
            places.append(at)
            at += 1
        if at > len(x.dims):
            return None
        if y.element != x.element:
            to = "f32" if is_float(y.element) and not is_float(x.element) else x.element
            if to != x.element:
                x = self.emit("convert", [x], x.dims, to)
            y = self.emit("convert", [y], y.dims, to)
        if y.dims != x.dims:
            y = self.emit("broadcast_in_dim", [y], x.dims, y.element, "broadcast_dimensions = %s" % places)
        name = rng.choice(["and", "or", "xor"] if x.element == "i1" else ["add", "subtract", "multiply", "maximum"])
        return self.emit(name, rng.sample([x, y], 2), x.dims, x.element)

    # Several places of one array.

    def halves(self, x):
        """Two parts of an array, worked on together."""
        rng = self.rng
        longer = [i for i, d in enumerate(x.dims) if d > 1]
        if not longer or x.element == "i1":
            return None
        d = rng.choice(longer)
        half = x.dims[d] // 2
        dims = [half if i == d else n for i, n in enumerate(x.dims)]
        parts = []
        for start in rng.choice([(0, half), (0, 1), (half, 0)]):
            starts = [start if i == d else 0 for i in range(len(dims))]
            parts.append(self.emit("slice", [x], dims, x.element, "start_indices = %s, limit_indices = %s, strides = %s" % (
                starts, [a + b for a, b in zip(starts, dims)], [1] * len(dims))))
        return self.emit(rng.choice(["add", "subtract", "maximum"]), parts, dims, x.element)

    # Reductions.

    def some(self, x):
        dims = [i for i in range(len(x.dims)) if self.rng.random() < 0.5]
        return dims or ([self.rng.randrange(len(x.dims))] if x.dims else [])

    def reduce(self, x):
        rng = self.rng
        dims = self.some(x)
        if not dims:
            return None
        if x.element == "i1":
            name, start = rng.choice([("and", "true"), ("or", "false"), ("xor", "false")])
        elif rng.random() < 0.6:
            x, name, start = self.summable(x), "add", "0"
        else:  # which of 0 and -0 is the larger is open
            x, name, start = self.small(x, 100), rng.choice(["maximum", "minimum"]), "0"
        kept = [n for i, n in enumerate(x.dims) if i not in dims]
        return self.call("reduce", [x, self.number(start, x.element)], kept, x.element, self.pair(name, x.element),
                         "dimensions = %s" % dims)

    def normalize(self, x):
        """An array with what a reduction of it makes, as norms and softmax have it."""
        y = self.reduce(x)
        if y is None or x.element == "i1":
            return None
        kept = sorted(self.match(y.dims, x.dims) or [])
        if len(kept) != len(y.dims):
            return None
        y = self.emit("convert", [y], y.dims, x.element) if y.element != x.element else y
        if is_float(y.element) and self.rng.random() < 0.5:
            y = self.function(y)
        wide = self.emit("broadcast_in_dim", [y], x.dims, y.element, "broadcast_dimensions = %s" % kept)
        return self.emit(self.rng.choice(["add", "subtract", "multiply"]), [x, wide], x.dims, x.element)

    @staticmethod
    def match(dims, into):
        """The first places of `dims` in `into`, in order."""
        places, at = [], 0
        for d in dims:
            while at < len(into) and into[at] != d:
                at += 1
            if at == len(into):
                return None
            places.append(at)
            at += 1
        return places

    def argmax(self, x):
        if not x.dims or not is_float(x.element) or 0 in x.dims:
            return None
        d = self.rng.randrange(len(x.dims))
        at = self.emit("iota", [], x.dims, "i32", "iota_dimension = %d" % d)
        a, b = tensor([], x.element), tensor([], "i32")
        low, none = self.number("-1", x.element), self.number("0", "i32")
        # Of equal ones the first, so that no order matters.
        region = ("^bb0(%%p: %s, %%i: %s, %%q: %s, %%j: %s): %%g = xla.compare %%p, %%q {comparison_direction = \"GT\"} : (%s, %s) -> "
                  "tensor<i1> %%e = xla.compare %%p, %%q {comparison_direction = \"EQ\"} : (%s, %s) -> tensor<i1> "
                  "%%l = xla.compare %%i, %%j {comparison_direction = \"LT\"} : (%s, %s) -> tensor<i1> "
                  "%%f = xla.and %%e, %%l : tensor<i1> %%t = xla.or %%g, %%f : tensor<i1> "
                  "%%m = xla.select %%t, %%p, %%q : (tensor<i1>, %s, %s) -> %s %%n = xla.select %%t, %%i, %%j : (tensor<i1>, %s, %s) -> %s "
                  "xla.return %%m, %%n : %s, %s") % (a, b, a, b, a, a, a, a, b, b, a, a, a, b, b, b, a, b)
        both = self.call("reduce", [self.small(x, 50), at, low, none], [n for i, n in enumerate(x.dims) if i != d], [x.element, "i32"],
                         region, "dimensions = [%d]" % d)
        if self.rng.random() < 0.5:
            self.values.append(both[0])
        return both[1]

    def scan(self, x):
        if not x.dims or x.element == "i1" or 0 in x.dims:
            return None
        x = self.summable(x)
        return self.call("associative_scan", [x], x.dims, x.element, self.pair("add", x.element),
                         "dimension = %d, reverse = %s" % (self.rng.randrange(len(x.dims)), self.rng.choice(["true", "false"])))

    # Products.

    def dot(self, x):
        rng = self.rng
        known = [v for v in self.values if len(v.dims) == len(x.dims)]
        if len(x.dims) not in (1, 2, 3) or 0 in x.dims or count(x.dims) > 8000:
            return None
        y = rng.choice(known)
        batch = 1 if len(x.dims) == 3 else 0
        free = list(range(batch, len(x.dims)))
        choices = [(i, k) for i in free for k in free if x.dims[i] == y.dims[k]]
        if not choices or x.dims[:batch] != y.dims[:batch] or count(y.dims) > 8000:
            y, choices = x, [(i, i) for i in free]
        i, k = rng.choice(choices)
        x, y = self.summable(x), self.summable(y)
        if y.element != x.element:
            y = self.summable(self.emit("convert", [y], y.dims, x.element))
        dims = x.dims[:batch] + [x.dims[f] for f in free if f != i] + [y.dims[f] for f in free if f != k]
        if count(dims) * x.dims[i] > 1 << 20:
            return None
        attrs = "lhs_contracting_dimensions = [%d], rhs_contracting_dimensions = [%d]" % (i, k)
        if batch:
            attrs += ", lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]"
        return self.emit("dot_general", [x, y], dims, x.element, attrs)

    # Computed places.

    def indices(self, n, below):
        """`n` integers, most of them from 0 to below - 1: of an argument, or computed from a known value."""
        rng = self.rng
        fits = [v for v in self.values if v.dims == [n] and v.element != "i1"]
        x = rng.choice(fits) if fits and rng.random() < 0.7 else self.argument([n], "i32")
        x = self.emit("convert", [x], [n], "i32") if x.element != "i32" else x
        bound = self.filled(str(below), [n], "i32")
        x = self.emit("remainder", [x, bound], [n], "i32")
        return self.emit("abs", [x], [n], "i32") if rng.random() < 0.8 else x

    def gather(self, x):
        rng = self.rng
        if not x.dims or not x.dims[0] or len(x.dims) > 3:
            return None
        n = rng.choice([v.dims[0] for v in self.values if v.dims and v.dims[0]])
        offset = "offset_dims = %s, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = %s"
        return self.emit("gather", [x, self.indices(n, x.dims[0])], [n] + x.dims[1:], x.element,
                         offset % (list(range(1, len(x.dims))), [1] + x.dims[1:]))

    def scatter(self, x):
        rng = self.rng
        if not x.dims or not x.dims[0] or x.element == "i1" or len(x.dims) > 3:
            return None
        x = self.summable(x)
        fits = [v for v in self.values if len(v.dims) == len(x.dims) and v.dims[1:] == x.dims[1:] and v.dims[0] and v.element != "i1"]
        y = self.summable(rng.choice(fits)) if fits else x
        y = self.summable(self.emit("convert", [y], y.dims, x.element)) if y.element != x.element else y
        attrs = ("update_window_dims = %s, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
                 % list(range(1, len(x.dims))))
        return self.call("scatter", [x, self.indices(y.dims[0], x.dims[0]), y], x.dims, x.element,
                         self.pair(rng.choice(["add", "add", "maximum"]), x.element), attrs)

    def update(self, x):
        rng = self.rng
        fits = [v for v in self.values if v.element == x.element and len(v.dims) == len(x.dims) and
                all(a <= b for a, b in zip(v.dims, x.dims))]
        y = rng.choice(fits)
        if y.dims == x.dims and x.dims and rng.random() < 0.8:
            sizes = [rng.randint(min(d, 1), d) for d in x.dims]
            y = self.emit("slice", [y], sizes, y.element, "start_indices = %s, limit_indices = %s, strides = %s" % (
                [0] * len(sizes), sizes, [1] * len(sizes)))
            y = self.unary(y) if rng.random() < 0.5 else y
            if y.element != x.element:
                return None
        start = rng.choice(self.starts)
        return self.emit("dynamic_update_slice", [x, y] + [start] * len(x.dims), x.dims, x.element)

    def function_text(self, name):
        types = ", ".join(v.type for v in self.results)
        return "func.func private @%s(%s) -> (%s) {\n  %s\n  return %s : %s\n}\n" % (
            name, ", ".join("%s: %s" % (a.name, a.type) for a in self.arguments), types, "\n  ".join(self.lines),
            ", ".join(v.name for v in self.results), types)


def program(seeds):
    """The text of the program that has all results of the graphs of `seeds`, and for each result its seed."""
    parameters, calls, names, types, functions, owners = [], [], [], [], [], []
    for seed in seeds:
        dag = Dag(seed)
        functions.append(dag.function_text("g%d" % seed))
        given = ["%%p%d_%d" % (seed, k) for k in range(len(dag.arguments))]
        parameters += ["%s: %s" % (name, a.type) for name, a in zip(given, dag.arguments)]
        results = [v.type for v in dag.results]
        calls.append("  %%r%d:%d = func.call @g%d(%s) : (%s) -> (%s)" % (
            seed, len(results), seed, ", ".join(given), ", ".join(a.type for a in dag.arguments), ", ".join(results)))
        names += ["%%r%d#%d" % (seed, k) for k in range(len(results))]
        types += results
        owners += [seed] * len(results)
    main_text = "func.func @main(%s) -> (%s) {\n%s\n  return %s : %s\n}\n" % (
        ", ".join(parameters), ", ".join(types), "\n".join(calls), ", ".join(names), ", ".join(types))
    return "".join(functions) + main_text, owners


if __name__ == "__main__":
    print(program(range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])))[0], end="")
