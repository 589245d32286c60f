# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: fusion.py FUSION.MD FOLDER: runs the command of docs/fusion.md on its program, and compares what it says."""
import difflib
import os
import re
import subprocess
import sys


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    os.makedirs(sys.argv[2], exist_ok=True)
    program = re.search(r"```mlir\n(.*?)```", text, re.S).group(1)
    command, expected = re.search(r"```console\n\$ ([^\n]*)\n(.*?)```", text, re.S).groups()
    with open(os.path.join(sys.argv[2], command.split()[1]), "w", encoding="utf-8") as file:
        file.write(program)
    done = subprocess.run(command.split(), cwd=sys.argv[2], capture_output=True, text=True, check=True)
    got = done.stderr.splitlines()
    changes = list(difflib.unified_diff(expected.splitlines(), got, "docs/fusion.md", "xla-opt", lineterm=""))
    print("\n".join(changes))
    sys.exit(bool(changes))


main()
