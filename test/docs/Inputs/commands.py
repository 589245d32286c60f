# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: commands.py PAGE.MD FOLDER: runs the commands of a page's console blocks on its programs, and compares what they print.

A program is the file that the first command behind it names. A line of two dots stands for any lines.
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
    program, commands, wrong = None, 0, 0
    for kind, content in re.findall(r"```(mlir|console)\n(.*?)```", text, re.S):
        if kind == "mlir":
            program = content
            continue
        command, shown = content.removeprefix("$ ").split("\n", 1)
        commands += 1
        if program is not None:
            with open(os.path.join(folder, command.split()[1]), "w", encoding="utf-8") as file:
                file.write(program)
            program = None
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=True)
        line = missing(shown, (done.stdout + done.stderr).splitlines())
        wrong += line is not None
        if line is not None:
            print(f"$ {command}\nprints something else here:\n{line}")
    print(f"{commands} commands, {wrong} wrong")
    sys.exit(wrong != 0)


main()
