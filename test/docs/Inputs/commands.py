# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: commands.py PAGE.MD FOLDER: runs the commands of a page's console blocks on its program, and compares what they print.

The program, the page's first block, is the file that the first command names. A line of two dots stands for any lines.
"""
import os
import re
import subprocess
import sys


def missing(block, printed):
    """The first line of the part that is not printed where it should be, or None."""
    at, exact = 0, True
    for part in re.split(r"^\.\.$", block, flags=re.M):
        shown = part.strip("\n").splitlines()
        while not exact and at < len(printed) and printed[at:at + len(shown)] != shown:
            at += 1
        if printed[at:at + len(shown)] != shown:
            return shown[0]
        at, exact = at + len(shown), False
    return None if block.rstrip().endswith("\n..") or at == len(printed) else printed[at]


def main():
    page, folder = sys.argv[1:]
    text = open(page, encoding="utf-8").read()
    os.makedirs(folder, exist_ok=True)
    program = re.search(r"```mlir\n(.*?)```", text, re.S).group(1)
    blocks = re.findall(r"```console\n\$ ([^\n]*)\n(.*?)```", text, re.S)
    with open(os.path.join(folder, blocks[0][0].split()[1]), "w", encoding="utf-8") as file:
        file.write(program)
    wrong = 0
    for command, shown in blocks:
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=True)
        line = missing(shown, (done.stdout + done.stderr).splitlines())
        wrong += line is not None
        if line is not None:
            print(f"$ {command}\nprints something else here:\n{line}")
    print(f"{len(blocks)} commands, {wrong} wrong")
    sys.exit(wrong != 0)


main()
