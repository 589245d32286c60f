# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with longer and longer time until it says what it should: patient.py PATTERN COMMAND..

Every {} in the command stands for a number of seconds, 0.5 and then twice as many each time, up to 128. When what the command
prints matches the regular expression PATTERN, or time is up, that is printed, and its exit code behind it. So a test of a time
limit is quick on an idle machine, and right on one that needs a minute to read the program.
"""
import re
import subprocess
import sys

pattern, command = sys.argv[1], sys.argv[2:]
for seconds in (0.5 * 2**i for i in range(9)):
    run = subprocess.run([part.replace("{}", f"{seconds:g}") for part in command], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace")
    if re.search(pattern, run.stdout, re.DOTALL):
        break
print(f"{run.stdout}exit {run.returncode}")
