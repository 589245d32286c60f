# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: counts.py XLA-OPT XLA-GEN COUNT PROGRAM..: compares what the report of fusion counts with the kernels that are called

by the programs and COUNT random ones.
"""
import re
import subprocess
import sys


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True)


PREPARE = ["--xla-legalize", "--xla-split-scans", "--xla-sort-scatters", "--xla-sort-top-k", "--canonicalize", "--cse"]


def main():
    tool, gen, count = sys.argv[1:4]
    programs = {}
    for name in sys.argv[4:]:
        with open(name, encoding="utf-8") as file:
            programs[name] = file.read()
    for seed in range(1, int(count) + 1):
        programs[f"seed {seed}"] = run([gen, f"--seed={seed}"], "").stdout
    wrong = total = 0
    for device in ["cpu", "gpu"]:
        for name, text in programs.items():
            prepared = run([tool] + PREPARE + [f"--xla-fuse=report=true device={device}"], text)
            told = sum(int(n) for n in re.findall(r"^\d+ operations? in (\d+) kernels?;", prepared.stderr, re.M))
            called = len(re.findall(r"\bcall @kernel", run([tool, "--xla-to-host=products=true"], prepared.stdout).stdout))
            total += told
            if told != called:
                wrong += 1
                print(f"{name} for {device}: the report has {told} kernels, the program {called}")
    print(f"{2 * len(programs) - wrong} of {2 * len(programs)} programs, {total} kernels")
    return wrong > 0


sys.exit(main())
