# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""feeds.py XLA_RUN FILE DEVICE SEED COUNT: random programs of infeeds and outfeeds in loops, branches and functions.

A program is written to FILE and run. What it has to take, send and return is what a model of it here takes, sends and
returns: numbers and vectors of 3 numbers of 32 bits. With less input than that it has to end with one error.
"""
import random
import subprocess
import sys

TYPES = {"s": "tensor<i32>", "v": "tensor<3xi32>"}
INDENT = "  "


def wrap(x):
    return (x + 2**31) % 2**32 - 2**31


def add(a, b):
    return [wrap(x + y) for x, y in zip(a, b)]


def text(value):
    return ("s32=" if len(value) == 1 else "3xs32=") + " ".join(map(str, value))


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.n_names = 0
        self.functions = []
        self.fed, self.sent = [], []

    def name(self):
        self.n_names += 1
        return "%%v%d" % self.n_names

    def choose(self, scope, kind):
        return self.rng.choice([v for v in scope if scope[v] == kind])

    # Each writer appends lines and returns what runs the operation on an environment, as a function. `scope` has the kinds
    # of the variables that are visible.

    def constant(self, lines, scope):
        kind, name = self.rng.choice("sv"), self.name()
        value = [self.rng.randint(-9, 9) for _ in range(1 if kind == "s" else 3)]
        data = str(value[0]) if kind == "s" else str(value)
        lines.append("%s = xla.constant dense<%s> : %s" % (name, data, TYPES[kind]))
        scope[name] = kind
        return lambda env: env.__setitem__(name, value)

    def infeed(self, lines, scope):
        kinds = [self.rng.choice("sv") for _ in range(self.rng.randint(1, 3))]
        names = [self.name() for _ in kinds]
        ordered = self.rng.random() < 0.5
        form = self.rng.random()
        if form < 0.3:  # a tuple
            whole = self.name()
            types = ["tuple<%s>" % ", ".join(TYPES[k] for k in kinds)]
            results = [whole]
        else:
            types = [TYPES[k] for k in kinds]
            results = list(names)
        operands, operand_types = "", ""
        if ordered:
            lines.append("%s = xla.create_token : () -> !xla.token" % (token := self.name()))
            operands, operand_types = " " + token, "!xla.token"
            results.append(self.name())
            types.append("!xla.token")
        lines.append("%s = xla.infeed%s : (%s) -> (%s)" % (", ".join(results), operands, operand_types, ", ".join(types)))
        for i, (n, k) in enumerate(zip(names, kinds)):
            if form < 0.3:
                lines.append("%s = xla.get_tuple_element %s {index = %d} : (%s) -> %s" % (n, whole, i, types[0], TYPES[k]))
            scope[n] = k

        def run(env):
            for n, k in zip(names, kinds):
                env[n] = [self.rng.randint(-99, 99) for _ in range(1 if k == "s" else 3)]
                self.fed.append(text(env[n]))

        return run

    def outfeed(self, lines, scope):
        names = [self.rng.choice(list(scope)) for _ in range(self.rng.randint(1, 3))]
        operands, types = list(names), [TYPES[scope[n]] for n in names]
        if self.rng.random() < 0.3:
            whole = self.name()
            kind = "tuple<%s>" % ", ".join(types)
            lines.append("%s = xla.tuple %s : (%s) -> %s" % (whole, ", ".join(names), ", ".join(types), kind))
            operands, types = [whole], [kind]
        if self.rng.random() < 0.5:
            token = self.name()
            lines.append("%s = xla.create_token : () -> !xla.token" % token)
            lines.append("%s = xla.outfeed %s, %s : (%s, !xla.token) -> !xla.token" % (self.name(), ", ".join(operands), token, ", ".join(types)))
        else:
            lines.append("xla.outfeed %s : (%s) -> ()" % (", ".join(operands), ", ".join(types)))
        return lambda env: self.sent.extend("outfeed " + text(env[n]) for n in names)

    def sum(self, lines, scope):
        kind = self.rng.choice("sv")
        a, b, name = self.choose(scope, kind), self.choose(scope, kind), self.name()
        lines.append("%s = xla.add %s, %s : %s" % (name, a, b, TYPES[kind]))
        scope[name] = kind
        return lambda env: env.__setitem__(name, add(env[a], env[b]))

    def loop(self, lines, scope, depth):
        """Counts up to a few, or goes on for as long as it is told to by an infeed of its condition."""
        kinds = [self.rng.choice("sv") for _ in range(self.rng.randint(1, 2))]
        starts = [self.choose(scope, k) for k in kinds]
        states, results = [self.name() for _ in kinds], [self.name() for _ in kinds]
        counter, bound, first, count = self.name(), self.name(), self.name(), self.rng.randint(0, 3)
        told = self.rng.random() < 0.4
        types = ["tensor<i32>"] + [TYPES[k] for k in kinds]
        last, go, one, following = self.name(), self.name(), self.name(), self.name()
        arguments = ", ".join("%s: %s" % p for p in zip([counter] + states, types))
        lines.append("%s = xla.constant dense<0> : tensor<i32>" % first)
        lines.append("%s = xla.while(%s) ({" % (", ".join([last] + results), ", ".join([first] + starts)))
        lines.append("^bb0(%s):" % arguments)
        inner = dict(scope, **{counter: "s"}, **dict(zip(states, kinds)))
        condition = self.block(lines, dict(inner), depth + 2, 1)
        if told:
            lines.append("%s = xla.infeed : () -> tensor<i1>" % go)
        else:
            lines.append("%s = xla.constant dense<%d> : tensor<i32>" % (bound, count))
            lines.append('%s = xla.compare %s, %s {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>' % (go, counter, bound))
        lines += ["xla.return %s : tensor<i1>" % go, "}, {", "^bb0(%s):" % arguments]
        body_scope = dict(inner)
        body = self.block(lines, body_scope, depth + 1, self.rng.randint(0, 4))
        ends = [self.choose(body_scope, k) for k in kinds]
        lines.append("%s = xla.constant dense<1> : tensor<i32>" % one)
        lines.append("%s = xla.add %s, %s : tensor<i32>" % (following, counter, one))
        lines.append("xla.return %s : %s" % (", ".join([following] + ends), ", ".join(types)))
        lines.append("}) : (%s) -> (%s)" % (", ".join(types), ", ".join(types)))
        scope.update({last: "s"}, **dict(zip(results, kinds)))

        def run(env):
            state = [[0]] + [env[s] for s in starts]
            while True:
                for n, value in zip([counter] + states, state):
                    env[n] = value
                condition(env)
                if told:
                    goes = state[0][0] < 4 and self.rng.random() < 0.6
                    self.fed.append("pred=" + ("true" if goes else "false"))
                else:
                    goes = state[0][0] < count
                if not goes:
                    break
                body(env)
                state = [[state[0][0] + 1]] + [env[e] for e in ends]
            for n, value in zip([last] + results, state):
                env[n] = value

        return run

    def branches(self, lines, scope, depth):
        index, kind, result = self.choose(scope, "s"), self.rng.choice("sv"), self.name()
        n = self.rng.randint(1, 3)
        lines.append("%s = xla.case(%s) ({" % (result, index))
        ways = []
        for i in range(n):
            inner = dict(scope)
            run = self.block(lines, inner, depth + 1, self.rng.randint(0, 4))
            end = self.choose(inner, kind)
            lines.append("xla.return %s : %s" % (end, TYPES[kind]))
            lines.append("}, {" if i + 1 < n else "}) : (tensor<i32>) -> %s" % TYPES[kind])
            ways.append((run, end))
        scope[result] = kind

        def go(env):
            i = env[index][0]
            run, end = ways[i if 0 <= i < n else n - 1]
            run(env)
            env[result] = env[end]

        return go

    def call(self, lines, scope, depth):
        kinds = [self.rng.choice("sv") for _ in range(2)]
        parameters = [self.name() for _ in kinds]
        body, inner = [], dict(zip(parameters, kinds))
        for kind in "sv":
            if kind not in kinds:
                inner[zero := self.name()] = kind
                body.append("%s = xla.constant dense<0> : %s" % (zero, TYPES[kind]))
        zeros = [n for n in inner if n not in parameters]
        run = self.block(body, inner, depth + 1, self.rng.randint(1, 4))
        kind = self.rng.choice("sv")
        end, result = self.choose(inner, kind), self.name()
        function = "@f%d" % len(self.functions)
        body = ["func.func private %s(%s) -> %s {" % (function, ", ".join("%s: %s" % (p, TYPES[k]) for p, k in zip(parameters, kinds)), TYPES[kind])] + body
        self.functions.append(body + ["return %s : %s" % (end, TYPES[kind]), "}"])
        arguments = [self.choose(scope, k) for k in kinds]
        lines.append("%s = func.call %s(%s) : (%s) -> %s" % (result, function, ", ".join(arguments), ", ".join(TYPES[k] for k in kinds), TYPES[kind]))
        scope[result] = kind

        def go(env):
            local = {p: env[a] for p, a in zip(parameters, arguments)}
            local.update({z: [0] * (1 if inner[z] == "s" else 3) for z in zeros})
            run(local)
            env[result] = local[end]

        return go

    def block(self, lines, scope, depth, n):
        runs = []
        for _ in range(n):
            way = self.rng.random()
            if way < 0.3:
                runs.append(self.infeed(lines, scope))
            elif way < 0.6:
                runs.append(self.outfeed(lines, scope))
            elif way < 0.7 or depth > 3:
                runs.append(self.sum(lines, scope))
            elif way < 0.85:
                runs.append(self.loop(lines, scope, depth))
            elif way < 0.95:
                runs.append(self.branches(lines, scope, depth))
            else:
                runs.append(self.call(lines, scope, depth))
        return lambda env: [run(env) for run in runs] and None

    def write(self):
        """The program's text, what infeeds take, and what it prints."""
        lines, scope, env = [], {}, {}
        while set(scope.values()) != {"s", "v"}:
            self.constant(lines, scope)(env)
        run = self.block(lines, scope, 0, self.rng.randint(4, 9))
        run(env)
        ends = [self.choose(scope, k) for k in "sv"]
        lines = ["func.func @main() -> (tensor<i32>, tensor<3xi32>) {"] + lines
        lines += ["return %s : tensor<i32>, tensor<3xi32>" % ", ".join(ends), "}"]
        for function in self.functions:
            lines += function
        return "\n".join(lines) + "\n", self.fed, self.sent + [text(env[e]) for e in ends]


def main():
    tool, path, device, seed, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    n_fed = n_sent = 0
    for i in range(seed, seed + count):
        program, fed, expected = Program(i).write()
        if len(fed) > 500 or len(expected) > 500:
            continue
        with open(path, "w") as f:
            f.write(program)
        command = [tool, path, "--device=" + device] + ["--infeed=" + x for x in fed]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode or run.stdout.splitlines() != expected:
            sys.exit("seed %d: %s\nexit code %d\n%s%sexpected\n%s" % (i, " ".join(command), run.returncode, run.stdout, run.stderr, "\n".join(expected)))
        left = random.Random(i).randrange(len(fed) + 1)
        if left < len(fed):
            command = [tool, path, "--device=" + device] + ["--infeed=" + x for x in fed[:left]]
            run = subprocess.run(command, capture_output=True, text=True, timeout=60)
            said = "which has given all its %d values" % left
            if run.returncode != 2 or run.stderr.count("error:") != 1 or said not in run.stderr:
                sys.exit("seed %d: %s\nexit code %d\n%s" % (i, " ".join(command), run.returncode, run.stderr))
        n_fed += len(fed)
        n_sent += len(expected) - 2
    print("%d arrays taken, %d sent" % (n_fed, n_sent))


main()
