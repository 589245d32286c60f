#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test programs survive printing and parsing, and bytecode: roundtrip.py XLA_OPT FOLDER

Every section of every .mlir file below FOLDER is parsed, printed, parsed again
and compared, and the same through bytecode. Left out are sections with an
expected error, files that xla-opt is to refuse, and programs of other dialects
of XLA's. Prints what differs and, last, a line `N passed, N failed`, in files;
exits 1 when one failed.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

SEPARATOR = re.compile(r"^(// -----.*\n)", re.M)
PART = re.compile(r"^//--- .*$", re.M)  # of split-file
REFUSED = re.compile(r"^// RUN:.*\bnot (--crash )?%?xla-opt", re.M)
FOREIGN = re.compile(r"^[^/\n]*\b(stablehlo|chlo|vhlo)\.", re.M)


def program(path):
    """What of a file is to survive; its lines keep their numbers. None: nothing."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = PART.sub("// -----", text)
    if REFUSED.search(text) or FOREIGN.search(text):
        return None
    sections = SEPARATOR.split(text)
    kept = [s if "expected-error" not in s else "\n" * s.count("\n") for s in sections]
    return "".join(kept) if "".join(kept[::2]).strip() else None


def round_trip(xla_opt, path):
    text = program(path)
    if text is None:
        return None
    command = [xla_opt, "--split-input-file", "--verify-roundtrip", "-o", os.devnull]
    if "allow-unregistered-dialect" in text:
        command.append("--allow-unregistered-dialect")
    try:
        run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "no end after 120 s"
    return run.stderr.replace("<stdin>", path) + f"exit status {run.returncode}" if run.returncode else ""


def main():
    xla_opt, folder = sys.argv[1:]
    paths = sorted(os.path.join(root, name) for root, _, names in os.walk(folder) for name in names
                   if name.endswith(".mlir"))
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, error in zip(paths, pool.map(lambda path: round_trip(xla_opt, path), paths)):
            passed += error == ""
            if error:
                failed += 1
                print(f"--- {path}\n{error}")
    if not passed and not failed:
        print(f"no programs below {folder}")
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
