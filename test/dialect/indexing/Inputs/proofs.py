# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""proofs.py XLA-INDEXING [--count=N] [--seed=N]: random indexing maps of large bounds; z3 proves that each is defined where
its simplified form is, and has the same results there."""
import argparse
import random
import re
import subprocess
import sys

import z3

DIVISORS = [2, 3, 4, 6, 8, 10, 12, 16, 64, 100, 128, 715]


def expression(r, names, depth):
    if depth == 0 or r.random() < 0.15:
        return r.choice(names) if r.random() < 0.9 else str(r.randint(-50, 50))
    a = expression(r, names, depth - 1)
    kind = r.randrange(7)
    if kind <= 2:
        return f"({a} + {expression(r, names, depth - 1)})"
    if kind == 3:
        return f"({a} * {r.choice(DIVISORS) * r.choice([1, 1, 1, -1])})"
    c = r.choice(DIVISORS)
    if kind == 4:
        return f"({a} floordiv {c})"
    if kind == 5:
        return f"({a} mod {c})"
    k = r.choice([1, 2, 3, 5])
    return f"((({a}) floordiv {c}) * {c * k} + (({a}) mod {c}) * {k})"


def random_map(r):
    dims = [f"d{i}" for i in range(r.randint(1, 3))]
    symbols = [f"s{i}" for i in range(r.randint(0, 2))]
    names = dims + symbols
    results = [expression(r, names, r.randint(1, 4)) for _ in range(r.randint(1, 2))]
    domain = []
    for name in names:
        lower = r.choice([0, 0, 0, r.randint(-100, 100)])
        domain.append(f"{name} in [{lower}, {lower + r.choice(DIVISORS) * r.choice([1, 1, 7, 1000]) - 1}]")
    for _ in range(r.randint(0, 2)):
        lower = r.choice([0, r.randint(-20, 20)])
        domain.append(f"{expression(r, names, 2)} in [{lower}, {lower + r.choice([0, 1, 5, 99, 599])}]")
    return f"({', '.join(dims)})[{', '.join(symbols)}] -> ({', '.join(results)}), domain: {', '.join(domain)}".replace("[]", "", 1)


class Expr:
    """Expressions of the text form as z3's."""

    def __init__(self, text):
        self.tokens = re.findall(r"floordiv|ceildiv|mod|\w+|[-+*()]", text)
        self.at = 0

    def take(self, *tokens):
        if self.at < len(self.tokens) and self.tokens[self.at] in tokens:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def factor(self):
        if self.take("-"):
            return -self.factor()
        if self.take("("):
            value = self.sum()
            assert self.take(")")
            return value
        token = self.tokens[self.at]
        self.at += 1
        return z3.IntVal(int(token)) if token.isdigit() else z3.Int(token)

    def product(self):
        value = self.factor()
        while op := self.take("*", "floordiv", "mod"):
            rhs = self.factor()
            value = value * rhs if op == "*" else value / rhs if op == "floordiv" else value % rhs
        return value

    def sum(self):
        value = self.product()
        while op := self.take("+", "-"):
            rhs = self.product()
            value = value + rhs if op == "+" else value - rhs
        return value


def split(text):
    """At commas that are in no parentheses."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [part for part in parts + [text[last:]] if part.strip()]


def meaning(text):
    """The domain and the results of a map."""
    if text == "KNOWN EMPTY":
        return z3.BoolVal(False), []
    head, _, domain = text.partition(", domain:")
    results = head[head.index("->") + 2:].strip()[1:-1]
    where = []
    for item in split(domain):
        expr, lower, upper = re.fullmatch(r"\s*(.*) in \[(-?\d+), (-?\d+)\]\s*", item).groups()
        value = Expr(expr).sum()
        where += [value >= int(lower), value <= int(upper)]
    return z3.And(where), [Expr(result).sum() for result in split(results)]


def prove(before, after):
    (domain, results), (domain2, results2) = meaning(before), meaning(after)
    solver = z3.Solver()
    solver.set("timeout", 5000)
    differ = domain != domain2
    if results2:
        differ = z3.Or(differ, z3.And(domain, z3.Or([a != b for a, b in zip(results, results2)])))
    solver.add(differ)
    return solver.check(), solver


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    r = random.Random(options.seed)
    proved = unknown = changed = 0
    while proved < options.count:
        maps = [random_map(r) for _ in range(100)]
        done = subprocess.run([options.tool, *maps], capture_output=True, text=True, check=True)
        for before, after in zip(maps, done.stdout.splitlines(), strict=True):
            verdict, solver = prove(before, after)
            if verdict == z3.sat:
                sys.exit(f"{before}\nis not\n{after}\nat {solver.model()}")
            proved += verdict == z3.unsat
            unknown += verdict == z3.unknown
            changed += before.count("floordiv") + before.count("mod") > after.count("floordiv") + after.count("mod")
        if unknown > proved:
            sys.exit(f"z3 proves too few: {proved}, and {unknown} left open")
    print(f"{proved} maps proved equal, {unknown} left open, {changed} with fewer quotients and remainders")


main()
