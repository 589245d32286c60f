# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command whose standard output, and standard error, is a terminal: terminal.py COMMAND.. What it writes there is printed, and the
exit code is the command's."""
import os
import pty
import sys

sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], lambda terminal: os.read(terminal, 1 << 16))))
