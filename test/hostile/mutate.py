#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that were made wrong must be refused, not crash the tools.

mutate.py XLA_OPT FOLDER [--seed=N] [--count=N] [--mode=opt|run|bytecode] [--keep=DIR] [--jobs=N]

Takes every program below FOLDER apart into functions, changes some tokens of a
few of them, and gives the result to XLA_OPT or a tool beside it:

    opt       xla-opt, many at once, with a pass or two of this project
    run       xla-run --device=all, with random inputs
    bytecode  xla-opt's own bytecode with bytes changed, for xla-run

Whatever the text, a tool ends soon with exit code 0, or with a message that
names a place. It is a failure when it ends by a signal, a sanitizer speaks, it
takes too long, fails without a message, or (run) the devices differ. What failed
is kept in DIR. The last line is `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys

SECTION = re.compile(r"^// -----.*\n", re.M)
TOKEN = re.compile(r"""//[^\n]*|"(?:[^"\\\n]|\\.)*"|[%@^#!][\w.$-]+|-?\d+\.\d*(?:[eE][+-]?\d+)?|0x[0-9a-fA-F]+|-?\d+
                   |[A-Za-z_][\w.$]*|->|\s+|.""", re.X)
TYPE = re.compile(r"tensor<[^<>]*(?:<[^<>]*>[^<>]*)*>")
ELEMENT = re.compile(r"(?<=[x<])(?:f16|bf16|f32|f64|ui?\d+|i\d+|si\d+|complex<f\d+>|f8E\w+)(?=>)")

NUMBERS = ["-1", "0", "1", "2", "3", "64", "127", "128", "255", "2147483647", "2147483648", "4294967296",
           "-2147483648", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1000000000",
           "1000000000000000000000000000000", "1.0e400", "-0.0", "0x7FC00000", "0xFFF0000000000000", "4611686018427387904"]
ELEMENTS = ["f16", "bf16", "f32", "f64", "i1", "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui16", "ui32", "ui64",
            "si8", "si32", "i2", "i3", "i128", "ui1", "index", "none", "tf32", "f80", "f128", "complex<f32>",
            "complex<f64>", "complex<i32>", "f8E4M3FN", "f8E5M2", "f4E2M1FN", "f8E8M0FNU", "vector<4xf32>",
            "memref<f32>", "tensor<f32>", "!xla.token", "!xla.nothing", "!quant.any<i8:f32>"]
TYPES = ["tensor<*xf32>", "tensor<?xf32>", "tensor<?x4xf32>", "tensor<f32>", "tensor<i1>", "tensor<0xf32>",
         "tensor<1x0x3xi8>", "tensor<4xindex>", "tensor<2x!xla.token>", "memref<4xf32>", "index", "f32", "i32", "none",
         "tuple<>", "tuple<tensor<f32>, tuple<tensor<4xi32>>>", "tuple<tensor<*xf32>, index>", "!xla.token",
         "vector<4xf32>", "tensor<4xvector<2xf32>>", "tensor<4xcomplex<i32>>", "() -> ()", "!llvm.ptr",
         "tensor<4xf32, #xla.array>", "tensor<2x3xf32, #xla.array<minor_to_major = [0, 1]>>",
         "tensor<2x3xf32, #xla.array<minor_to_major = [0, 0]>>", "tensor<4xf32, dense<1>>",
         "tensor<?xf32, #xla.array<bounds = [4]>>", "tensor<?x3xf32, #xla.array<bounds = [2, ?]>>",
         "tensor<?x?xi32, #xla.array<bounds = [0, 1]>>", "tensor<?xf32, #xla.array<bounds = [9223372036854775807]>>",
         "tensor<2x3xf32, #xla.array<padded_dimensions = [4, 4], padding_value = \"lowest\">>",
         "tensor<4xf32, \"x\">", "tensor<1000000000x1000000000x1000000000xf32>", "tensor<9223372036854775807xi8>",
         "tensor<4294967296x4294967296xf32>", "tensor<" + "1x" * 64 + "f32>", "tensor<" + "2x" * 70 + "i8>",
         "!xla.nothing", "!nothing.at_all", "tensor<4xf32", "tensor<-1xf32>", "complex<f32>"]
LINES = ["cf.br ^bb0", "^bb1:", "^bb1(%z9: tensor<f32>):", "cf.cond_br %c, ^bb1, ^bb2", "%z = arith.addf %0, %0 : tensor<4xf32>",
         "%z = arith.constant dense<1.0> : tensor<4xf32>", "%z = tensor.empty() : tensor<4xf32>",
         "%z = tensor.empty(%0) : tensor<?xf32>", "module { }", "module @main { func.func @main() { return } }",
         "func.func private @f(tensor<f32>) -> tensor<f32>", "func.func @main(%a: tensor<f32>) -> tensor<f32>",
         "func.func @main() { func.call @main() : () -> () return }", "func.func @main() { return }", "return", "xla.return",
         "xla.return %0 : tensor<f32>", "return %0, %0 : tensor<f32>, tensor<f32>", "%z = func.call @main() : () -> tensor<f32>",
         "%z = xla.call @main() : () -> tensor<f32>", "llvm.unreachable", "ub.unreachable", "scf.for %i = %0 to %0 step %0 { }",
         "%z = \"foreign.op\"(%0) : (tensor<f32>) -> tensor<f32>", "\"xla.add\"() : () -> ()", "\"xla.nothing\"() : () -> ()",
         "%z = \"xla.tuple\"() : () -> tuple<>", "\"xla.return\"() : () -> ()", "\"func.func\"() ({}) : () -> ()",
         "%z = \"stablehlo.add\"(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>", "\"stablehlo.return\"() : () -> ()",
         "%z = bufferization.to_tensor %0 : memref<4xf32> to tensor<4xf32>", "%z = memref.alloc() : memref<4xf32>",
         "%z = xla.constant dense<1> : tensor<4294967296x4294967296xi32>", "%z = xla.constant dense_resource<x> : tensor<4xf32>",
         "%z = xla.iota {iota_dimension = 0 : i64} : () -> tensor<1000000x1000000xf32>", "#map = affine_map<(d0) -> (d0)>",
         "\"builtin.unrealized_conversion_cast\"() : () -> ()", "gpu.module @m { }", "transform.named_sequence @s() { transform.yield }"]
PASSES = [["--xla-explicit-broadcast"], ["--xla-fuse"], ["--xla-import-stablehlo"], ["--xla-legalize"], ["--xla-simplify"],
          ["--convert-xla-to-linalg"], ["--xla-linalg-to-affine"], ["--xla-prepare-for-lowering"], ["--canonicalize", "--cse"],
          ["--xla-simplify", "--xla-simplify"], ["--xla-fuse", "--xla-fuse"], ["--xla-legalize", "--xla-legalize"],
          ["--xla-prepare-for-lowering", "--convert-xla-to-linalg", "--xla-linalg-to-affine"], ["--xla-fuse", "--xla-legalize"],
          ["--convert-xla-to-linalg", "--convert-xla-to-linalg"], ["--convert-xla-to-linalg", "--xla-prepare-for-lowering"],
          ["--xla-linalg-to-affine", "--xla-linalg-to-affine"], ["--xla-cpu-pipeline"], ["--xla-cpu-pipeline=to=affine", "--xla-affine-to-llvm"],
          ["--convert-xla-to-linalg", "--xla-linalg-to-affine=report=true", "--xla-affine-to-llvm"], ["--xla-vulkan-pipeline"],
          ["--xla-vulkan-pipeline=to=affine", "--xla-affine-to-spirv"], ["--xla-attach-target=device=llvmpipe", "--xla-linalg-to-affine", "--xla-affine-to-spirv"],
          ["--symbol-dce", "--sccp"], ["--mlir-print-op-generic"], []]


def read_seeds(folder):
    """The programs below `folder`, function by function where these stand alone."""
    seeds = []
    for path in sorted(os.path.join(root, n) for root, _, names in os.walk(folder) for n in names if n.endswith(".mlir")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for section in SECTION.split(text):
            # LLVM 22 frees the region of a linalg.generic that it cannot parse while others still refer to it.
            if "linalg.generic" in section:
                continue
            weight = 1 if "expected-error" in section else 4
            section = "\n".join(line for line in section.split("\n") if not line.lstrip().startswith("//"))
            functions = re.split(r"^(?=func\.func)", section, flags=re.M)
            own = [f for f in functions if f.count("@") == 1]
            if len(own) == len(functions) or (len(functions) > 8 and own):
                seeds += own * weight
            elif section.strip() and len(section) < 8000:
                seeds += [section] * weight
    return seeds


class Mutator:
    def __init__(self, seeds, seed):
        self.seeds = seeds
        self.random = random.Random(seed)

    def make(self):
        r = self.random
        text = r.choice(self.seeds)
        for _ in range(r.choice([1, 1, 1, 1, 2, 2, 4])):
            text = r.choice([self.number, self.number, self.number_everywhere, self.type, self.type, self.type_everywhere,
                             self.element_everywhere, self.element_everywhere, self.tokens, self.tokens, self.group,
                             self.group, self.line, self.line, self.lines, self.splice, self.names, self.bytes])(text)
        return text

    def replace_match(self, pattern, text, make):
        matches = list(re.finditer(pattern, text))
        if not matches:
            return text
        m = self.random.choice(matches)
        return text[:m.start()] + make(m.group()) + text[m.end():]

    def number(self, text):
        return self.replace_match(r"(?<![\w%@#.])-?\d+(?:\.\d*(?:e[+-]?\d+)?)?", text, lambda _: self.random.choice(NUMBERS))

    def number_everywhere(self, text):
        found = sorted(set(re.findall(r"(?<![\w%@#.])\d+(?=[x,\]>:])", text)))
        if not found:
            return text
        return re.sub(r"(?<![\w%@#.])" + self.random.choice(found) + r"(?=[x,\]>:])",
                      self.random.choice(NUMBERS[:8] + ["5", "7", "17", "33"]), text)

    def type(self, text):
        return self.replace_match(TYPE, text, lambda _: self.random.choice(TYPES))

    def type_everywhere(self, text):
        found = sorted(set(TYPE.findall(text)))
        return text.replace(self.random.choice(found), self.random.choice(TYPES)) if found else text

    def element_everywhere(self, text):
        found = sorted(set(ELEMENT.findall(text)))
        if not found:
            return text
        return re.sub(r"(?<=[x<])" + re.escape(self.random.choice(found)) + r"(?=[>,])", self.random.choice(ELEMENTS), text)

    def tokens(self, text):
        r, tokens = self.random, TOKEN.findall(text)
        solid = [i for i, t in enumerate(tokens) if not t.isspace()]
        if len(solid) < 3:
            return text
        i, j = r.choice(solid), r.choice(solid)
        kind = r.randrange(4)
        if kind == 0:
            del tokens[i]
        elif kind == 1:
            tokens.insert(i, tokens[j])
        elif kind == 2:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        else:
            tokens[i] = tokens[j]
        return "".join(tokens)

    def group(self, text):
        """Drops, empties, or doubles a bracketed part."""
        r = self.random
        starts = [i for i, c in enumerate(text) if c in "{([<"]
        if not starts:
            return text
        start, depth = r.choice(starts), 0
        for end in range(start, len(text)):
            depth += text[end] in "{([<"
            depth -= text[end] in "})]>" and text[end - 1] != "-"
            if not depth:
                part = text[start:end + 1]
                new = r.choice(["", part[0] + part[-1], part + part, part[0] + part[1:-1] + ", " + part[1:-1] + part[-1]])
                return text[:start] + new + text[end + 1:]
        return text[:start]

    def line(self, text):
        r, lines = self.random, text.split("\n")
        i = r.randrange(len(lines))
        kind = r.randrange(4)
        if kind == 0:
            del lines[i]
        elif kind == 1:
            lines.insert(i, r.choice(lines))
        elif kind == 2:
            j = r.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        else:
            del lines[i:]
        return "\n".join(lines)

    def lines(self, text):
        r, lines = self.random, text.split("\n")
        line = r.choice(LINES)
        values = re.findall(r"%\w+", text)
        if values:
            line = line.replace("%0", r.choice(values))
        lines.insert(r.randrange(len(lines) + 1), line)
        return "\n".join(lines)

    def splice(self, text):
        r, lines = self.random, text.split("\n")
        other = r.choice(self.seeds).split("\n")
        i, j = r.randrange(len(lines) + 1), r.randrange(len(other))
        lines[i:i + r.randrange(2)] = other[j:j + r.randrange(1, 4)]
        return "\n".join(lines)

    def names(self, text):
        r = self.random
        for sigil in r.sample("@%", 2):
            found = sorted(set(re.findall(sigil + r"\w+", text)))
            if found:
                new = r.choice(found + [sigil + "main", sigil + "f"])
                return re.sub(r.choice(found) + r"\b", new, text, count=r.randrange(2))
        return text

    def bytes(self, text):
        r = self.random
        i = r.randrange(len(text) + 1)
        return text[:i] + r.choice(["\0", "\udcff", "\udcc3", "\x1a", "\r", "(" * 50, "\"", "/", "{-#", "\t", "x" * 5000, "é",
                                    "tuple<" * 1200, "{" * 1500]) + text[i:]


class Runner:
    def __init__(self, tools, keep, limit):
        self.tools, self.keep, self.limit = tools, keep, limit
        self.passed = self.failed = 0

    def call(self, tool, arguments, data):
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogateescape")
        command = [os.path.join(self.tools, tool)] + arguments
        try:
            run = subprocess.run(command, input=data, capture_output=True, timeout=self.limit)
            return run.returncode, run.stderr.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            return None, f"no end after {self.limit} s"

    @staticmethod
    def fault(code, errors, codes):
        if code is None or code < 0 or code > 100:
            return f"exit code {code}: {errors[-3000:]}"
        if re.search(r"ERROR: \w+Sanitizer|runtime error: |a bug in xlac", errors):
            return errors[-6000:]
        if code not in codes:
            return f"exit code {code}: {errors[-3000:]}"
        told = "error: " in errors or "xla-run: " in errors or re.search(r"^\S+:\d+:\d+: check\.", errors, re.MULTILINE)
        if code and not told:
            return f"exit code {code} without a message: {errors[-1000:]}"
        return None

    def report(self, name, fault, arguments, data):
        if not fault:
            self.passed += 1
            return
        self.failed += 1
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogateescape")
        if self.keep:
            os.makedirs(self.keep, exist_ok=True)
            with open(os.path.join(self.keep, name), "wb") as file:
                file.write(data)
        shown = data if len(data) < 3000 else data[:3000] + b" .."
        print(f"--- {name} {' '.join(arguments)}\n{shown.decode('utf-8', 'replace')}\n{fault}", flush=True)

    def opt(self, name, programs, arguments):
        """Many programs in one call; one by one if that shows a fault."""
        arguments = ["--allow-unregistered-dialect", "-o", os.devnull] + arguments
        together = "\n// -----\n".join(programs)
        fault = self.fault(*self.call("xla-opt", ["--split-input-file"] + arguments, together), codes=(0, 1))
        if not fault:
            self.passed += len(programs)
            return
        before = self.failed
        for i, program in enumerate(programs):
            self.report(f"{name}-{i}.mlir", self.fault(*self.call("xla-opt", arguments, program), codes=(0, 1)), arguments,
                        program)
        if self.failed == before:
            self.report(f"{name}-all.mlir", fault, arguments, together)

    def run(self, name, program, arguments):
        arguments = ["-", "--timeout=3"] + arguments
        code, errors = self.call("xla-run", arguments, program)
        codes = (0, 1, 2, 3) if "--check" in arguments or ": check." in errors else (0, 2, 3)
        self.report(f"{name}.mlir", self.fault(code, errors, codes), arguments, program)


def batches(mutator, options):
    r = mutator.random
    if options.mode == "opt":
        done = 0
        while done < options.count:
            size = min(40, options.count - done)
            done += size
            programs = [mutator.make() for _ in range(size)]
            # One that the check of nesting refuses would hide the others.
            programs = [p for p in programs if "{{{{{{" not in p and "tuple<tuple<" not in p] or ["module {}"]
            yield "opt", programs, r.choice(PASSES)
    else:
        for _ in range(options.count):
            yield "run", mutator.make(), r.choice([["--seed=1", "--device=all"]] * 3 + [["--check"], ["--seed=1"]])


def bytecode_batches(mutator, runner, options):
    r = mutator.random
    files = []
    while len(files) < 20:
        command = [os.path.join(runner.tools, "xla-opt"), "--emit-bytecode", "-o", "-"]
        run = subprocess.run(command, input=r.choice(mutator.seeds).encode(), capture_output=True)
        if run.returncode == 0 and run.stdout:
            files.append(run.stdout)
    for _ in range(options.count):
        data = bytearray(r.choice(files))
        for _ in range(r.choice([1, 1, 2, 4, 16])):
            kind, at = r.randrange(4), r.randrange(len(data))
            if kind == 0:
                data[at] ^= 1 << r.randrange(8)
            elif kind == 1:
                data[at] = r.choice([0, 1, 127, 128, 255])
            elif kind == 2:
                del data[at:at + r.randrange(1, 9)]
            else:
                data[at:at] = data[at:at + r.randrange(1, 9)]
            if not data:
                data.append(0)
        yield "run", bytes(data), ["--seed=1"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("xla_opt")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--mode", choices=["opt", "run", "bytecode"], default="opt")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=300, help="seconds")
    options = parser.parse_args()
    os.environ.setdefault("ASAN_OPTIONS", "allocator_may_return_null=1")
    seeds = read_seeds(options.folder)
    mutator = Mutator(seeds, options.seed)
    runner = Runner(os.path.dirname(options.xla_opt), options.keep, options.limit if options.mode != "opt" else 3 * options.limit)
    work = bytecode_batches(mutator, runner, options) if options.mode == "bytecode" else batches(mutator, options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, (kind, data, arguments) in enumerate(work):
            pool.submit(getattr(runner, kind), f"{options.mode}-{options.seed}-{number}", data, arguments)
    print(f"{runner.passed} passed, {runner.failed} failed")
    return 1 if runner.failed or not runner.passed else 0


if __name__ == "__main__":
    sys.exit(main())
