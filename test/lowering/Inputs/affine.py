# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: affine.py XLA_OPT PIPELINE COUNT KIND=PERCENT..: how many kernels are not nests of affine, of COUNT random programs.

Compiles each with PIPELINE, up to affine, and counts the functions and shaders by their kind, and those among them that have a loop or a branch of
scf, or that load or store by memref inside of a loop. A function that kernels call (the micro-kernels of products) is none of them. Of a kind that
is named, more than PERCENT of the kernels are too many; of others one is.
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys

OTHER = re.compile(r"\bscf\.(for|while|if|parallel)\b|(?:^ {6}(?: {2})*.*)\bmemref\.(load|store)\b")


def kinds(text):
    """The kernels of one program in the stage affine: kind, and whether they are affine."""
    shaders = dict(re.findall(r"func\.func private @(\w+)\([^\n]*xla\.kind = \"(\w+)\"[^\n{]*}\n", text))
    for part in re.split(r"(?m)^  (?=func\.func|gpu\.module)", text):
        function = re.match(r"func\.func private @(\w+)\(.*xla\.kind = \"(\w+)\".* {\n", part)
        shader = re.match(r"gpu\.module @\w+ .*xla\.kernel = @(\w+)", part)
        if not function and not shader:
            continue
        kind = function.group(2) if function else shaders.get(shader.group(1), "?")
        body = part.splitlines()[2:] if shader else part.splitlines()[1:]
        yield kind, not any(OTHER.search(line[2:] if shader else line) for line in body)


def main():
    tool, pipeline, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    most = dict(limit.split("=") for limit in sys.argv[4:])
    generator = os.path.join(os.path.dirname(tool), "xla-gen")

    def run(seed):
        program = subprocess.run([generator, f"--seed={seed}", "--types=f32,bf16,s32,u8,pred"], capture_output=True, check=True).stdout
        done = subprocess.run([tool, "-", *pipeline.split()], input=program, capture_output=True)
        return list(kinds(done.stdout.decode())) if done.returncode == 0 else None

    all_kinds, others, compiled = collections.Counter(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(run, range(1, count + 1)):
            compiled += found is not None
            for kind, affine in found or []:
                all_kinds[kind] += 1
                others[kind] += not affine
    print(f"{compiled} of {count} programs")
    too_many = 0
    for kind in sorted(all_kinds):
        print(f"{kind}: {all_kinds[kind]} kernels, {others[kind]} not affine")
        too_many += 100 * others[kind] > float(most.get(kind, 0)) * all_kinds[kind]
    print(f"{too_many} kinds with too many")


main()
