#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HLO that was made wrong must be refused, not crash the tools.

mutate_hlo.py XLA_OPT FOLDER [--seed=N] [--count=N] [--proto]

Changes tokens of the modules below FOLDER (with --proto, bytes of the protocol buffers that jaxlib makes of them), and reads what
comes of it. The tool ends soon with exit code 0, or with 1 and a message. Other ends are failures, and kept in the current folder. The
last line is `N passed, N failed`."""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|%?[A-Za-z_][\w.-]*|-?\d+(?:\.\d+)?|\s+|.')
NUMBERS = ["-1", "0", "1", "2", "3", "7", "64", "127", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
           "1000000000", "1e400", "nan", "inf", "-inf", "1000000000000000000000000000000"]
SHAPES = ["f32[]", "f32[3]{0}", "s32[]", "pred[]", "(f32[], s32[3])", "()", "token[]", "f32[<=3]", "f32[0]", "f32[2,3]{0,1}", "c64[3]",
          "f32[1000000000,1000000000]", "s4[3]{0:E(4)}", "f32[9223372036854775807]", "u8[12]", "f8e4m3fn[3]", "opaque[]", "bf16[3]"]
LINES = ["  z1 = f32[] constant(1)", "  z2 = token[] after-all()", "}", "ENTRY z {", "add {", "  ROOT z3 = () tuple()",
         "  z4 = f32[3]{0} constant({1, nan, -inf})", "  z5 = f32[3]{0} parameter(9)", "  z6 = u32[] replica-id()"]


def modules(folder):
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.hlo"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            for text in file.read().split("// -----\n"):
                yield path, "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("//"))


def mutate(text, others, r):
    for _ in range(r.choice([1, 1, 2, 3])):
        tokens = TOKEN.findall(text) or [""]
        at = r.randrange(len(tokens))
        kind = r.randrange(8)
        if kind == 0:
            places = [i for i, t in enumerate(tokens) if t.lstrip("-").isdigit()] or [at]
            tokens[r.choice(places)] = r.choice(NUMBERS)
        elif kind == 1:
            del tokens[at:at + r.randrange(1, 4)]
        elif kind == 2:
            tokens[at:at] = [r.choice(tokens)]
        elif kind == 3:
            words = [i for i, t in enumerate(tokens) if t[:1].isalpha() or t[:1] == "%"] or [at]
            tokens[r.choice(words)] = tokens[r.choice(words)]
        elif kind == 4:
            text = re.sub(r"(?<== )\w+\[[\d,]*\](\{[\d,]*\})?", lambda m: r.choice(SHAPES) if r.random() < 0.2 else m.group(), text)
            continue
        elif kind == 5:
            lines = text.split("\n")
            lines.insert(r.randrange(len(lines)), r.choice(LINES + r.choice(others).split("\n")))
            text = "\n".join(lines)
            continue
        elif kind == 6:
            tokens = tokens[:at]
        else:
            tokens[at] = r.choice(["{", "}", "(", ")", "[", "]", ",", "=", "\"", "/*", "->", "%", "<=", "\0", "\xff"])
        text = "".join(tokens)
    return text


def mutate_bytes(data, r):
    data = bytearray(data)
    for _ in range(r.choice([1, 1, 2, 8])):
        at = r.randrange(len(data))
        kind = r.randrange(4)
        if kind == 0:
            data[at] = r.randrange(256)
        elif kind == 1:
            del data[at:at + r.randrange(1, 9)]
        elif kind == 2:
            data[at:at] = bytes(r.choice([b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x00", b"\x0a\x00", data[at:at + 20]]))
        else:
            data[at] ^= 1 << r.randrange(8)
        if not data:
            break
    return bytes(data)


def run(tool, program, number):
    with tempfile.TemporaryDirectory(prefix="xlac-hlo-") as folder:
        path = os.path.join(folder, "f.hlo")
        with open(path, "wb") as file:
            file.write(program)
        try:
            done = subprocess.run([tool, path, "-o", os.devnull], capture_output=True, errors="replace", text=True, timeout=60,
                                  check=False)
            right = done.returncode == 0 or (done.returncode == 1 and done.stderr.strip() and "Sanitizer" not in done.stderr)
            said = f"exit code {done.returncode}: {done.stderr[-300:]}"
        except subprocess.TimeoutExpired:
            right, said = False, "takes too long"
    if not right:
        with open(f"mutant-{number}.hlo", "wb") as file:
            file.write(program)
        print(f"mutant-{number}.hlo: {said}")
    return right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--proto", action="store_true")
    options = parser.parse_args()
    r = random.Random(options.seed)
    # jaxlib does not survive some of the wrong ones.
    seeds = [text for path, text in modules(options.folder) if not options.proto or "errors" not in path]
    if options.proto:
        from jaxlib import _hlo
        protos = []
        for seed in seeds:
            try:
                protos.append(_hlo.hlo_module_from_text(seed).as_serialized_hlo_module_proto())
            except Exception:  # those that are wrong, of several kinds
                pass
        mutants = [mutate_bytes(r.choice(protos), r) for _ in range(options.count)]
    else:
        mutants = [mutate(r.choice(seeds), seeds, r).encode("latin-1", "replace") for _ in range(options.count)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda m: run(options.tool, m[1], m[0]), enumerate(mutants)))
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
