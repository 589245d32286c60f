# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""extrema.py SEED COUNT [TOOL]: random indexing maps with min and max, simplified, composed and evaluated, against their text.

Every point is looked at. The last line is `N maps, N points, N wrong`.
"""
import itertools
import random
import re
import subprocess
import sys

TOOL = sys.argv[3] if len(sys.argv) > 3 else "xla-indexing"


def run(*args):
    done = subprocess.run([TOOL, *args], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"{args}: {done.stderr}")
    return done.stdout.strip()


# Of one value, too.
NAMES = {"min": lambda *values: sorted(values)[0], "max": lambda *values: sorted(values)[-1]}


def python(text):
    return re.sub(r"\bmod\b", "%", text.replace("floordiv", "//"))


def split(text):
    """At the commas outside of parentheses."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append((text + ",")[last:i].strip())
            last = i + 1
    return [p for p in parts if p]


class Map:
    """What a text says, by Python's min and max."""

    def __init__(self, text):
        self.text, self.variables, holds = text, [], []
        if text == "KNOWN EMPTY":
            self.results, self.holds = (lambda *v: ()), (lambda *v: False)
            return
        head, domain = text.split(", domain: ")
        left, right = head.split(" -> ")
        self.variables = [v for group in re.findall(r"[(\[{](.*?)[)\]}]", left) for v in split(group)]
        self.runtimes = len(split(re.search(r"\{(.*)\}", left)[1])) if "{" in left else 0
        for part in split(domain):
            name, low, high = re.match(r"(.*) in \[(-?\d+), (-?\d+)\]$", part).groups()
            holds.append(f"{low} <= {python(name)} <= {high}")
        names = ", ".join(self.variables)
        inner = python(right.strip()[1:-1])
        self.results = eval(f"lambda {names}: ({inner}{',' if inner else ''})", NAMES)
        self.holds = eval(f"lambda {names}: {' and '.join(holds)}", NAMES)


def term(rng, names):
    name = rng.choice(names)
    return rng.choice([name, name, f"{name} + {rng.randint(-4, 6)}", f"{name} * {rng.choice([-2, -1, 2, 3])}", f"{name} floordiv {rng.choice([2, 3])}",
                       f"{name} mod {rng.choice([2, 3, 4])}", f"{name} - {rng.choice(names)}", str(rng.randint(-3, 9))])


def extremum(rng, names):
    kind = rng.choice(["min", "max"])
    operands = [term(rng, names) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.5:
        inner = "max" if kind == "min" else "min"
        operands = [operands[0], f"{inner}({', '.join(term(rng, names) for _ in range(rng.randint(1, 3)))})"]
        rng.shuffle(operands)
    return f"{kind}({', '.join(operands)})"


def random_map(rng, dims):
    """Of so many dimensions: the text, and bounds of its variables."""
    names = [f"d{i}" for i in range(dims)] + [f"s{i}" for i in range(rng.randint(0, 1))]
    bounds = {name: (low, low + rng.randint(0, 7)) for name in names for low in [rng.choice([0, 0, 0, 1, -2, 3])]}
    known = [extremum(rng, names) for _ in range(rng.randint(1, 2))]
    results = []
    for _ in range(rng.randint(1, 2)):
        e = rng.choice(known)
        results.append(rng.choice([e, f"{e} + {term(rng, names)}", f"{e} * 2 - {rng.choice(known)}", f"{e} floordiv 2", f"({e} + {names[0]}) mod 3",
                                   term(rng, names)]))
    domain = [f"{n} in [{a}, {b}]" for n, (a, b) in bounds.items()]
    if rng.random() < 0.4:
        domain.append(f"{rng.choice(known)} in [{rng.randint(-2, 3)}, {rng.randint(2, 8)}]")
    if rng.random() < 0.2:
        domain.append(f"{rng.choice(known)} + {rng.choice(names)} in [{rng.randint(-2, 3)}, {rng.randint(2, 8)}]")
    ranges = [n for n in names if n[0] == "s"]
    text = (f"({', '.join(names[:dims])})" + (f"[{', '.join(ranges)}]" if ranges else "")
            + f" -> ({', '.join(results)}), domain: {', '.join(domain)}")
    return text, bounds, len(results)


def points(bounds):
    return itertools.product(*(range(a, b + 1) for a, b in bounds.values()))


def differs(bounds, expected, got):
    """The first point where two maps, or a function and a map, are not the same."""
    for point in points(bounds):
        a = expected(point)
        b = got.results(*point) if got.holds(*point) else None
        if a != b:
            return f"at {point}: {b}, not {a}"
    return None


def value(mapping, point):
    return mapping.results(*point) if mapping.holds(*point) else None


def check(seed):
    """What is wrong, and how many points were looked at."""
    rng = random.Random(seed)
    dims = rng.randint(1, 2)
    text, bounds, n = random_map(rng, dims)
    original = Map(text)
    simple_text = run(text)
    simple = Map(simple_text)
    wrong = [differs(bounds, lambda p: value(original, p), simple)] if simple_text != "KNOWN EMPTY" else [
        "is not empty" if any(value(original, p) is not None for p in points(bounds)) else None]
    again = run(simple_text) if simple_text != "KNOWN EMPTY" else simple_text
    wrong.append(f"simplified again: {again}" if again != simple_text else None)
    sample = [p for p in points(bounds)][:: max(1, len(list(points(bounds))) // 6)]
    given = [f"--evaluate={','.join(map(str, p[:dims]))}" + (":" + ",".join(map(str, p[dims:])) if p[dims:] else "") for p in sample]
    for p, line in zip(sample, run(*given, text).splitlines()):
        a = value(original, p)
        expected = "outside of the domain" if a is None else f"({', '.join(map(str, a))})"
        wrong.append(f"evaluated at {p}: {line}" if line != expected else None)
    second_text, second_bounds, _ = random_map(rng, n)
    both_text = run("--compose", text, second_text)
    both = Map(both_text)
    inner = len(second_bounds) - n
    if both_text != "KNOWN EMPTY" and not both.runtimes:
        second = Map(second_text)
        all_bounds = {**{f"d{i}": list(bounds.values())[i] for i in range(dims)}, **{f"a{i}": list(bounds.values())[i] for i in range(dims, len(bounds))},
                      **{f"b{i}": list(second_bounds.values())[n + i] for i in range(inner)}}

        def composed(point):
            first = value(original, point[:len(bounds)])
            return None if first is None else value(second, first + point[len(bounds):])

        wrong.append(differs(all_bounds, composed, both) and f"composed with {second_text}: {both_text}: {differs(all_bounds, composed, both)}")
    return [f"seed {seed}: {text}: {simple_text}: {w}" for w in wrong if w], len(list(points(bounds)))


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    lines, looked = [], 0
    for s in range(seed, seed + count):
        more, n = check(s)
        lines += more
        looked += n
    print("\n".join(lines + [f"{count} maps, {looked} points, {len(lines)} wrong"]))
    sys.exit(bool(lines))


main()
