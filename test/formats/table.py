#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in every form. Of those read: which are, and become the module that MLIR's generic text becomes, operation for operation; of
HLO: one with the same results. Of those written: which are, and jaxlib reads them, and XLA has the same results of them as of the program.

table.py BIN [EVERY [FOLDER]]: every EVERYth program of test/jax, or of the files of StableHLO in FOLDER; BIN may be -, for the tools that
the shell finds. Prints a table of how many of the programs are right, what is not, and `N passed, N failed`."""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import forms
from forms import judge, mlir

import numpy as np

BIN = os.path.dirname(shutil.which("xla-opt")) if sys.argv[1] == "-" else os.path.abspath(sys.argv[1])
COLUMNS = ("read", "the same", "written", "read by jaxlib", "the same results")
WRITTEN = {"stablehlo": "StableHLO, pretty", "stablehlo-generic": "MLIR's generic text", "artifact": "artifact, " + forms.VERSION,
           "hlo": "HLO text"}


class Problem(Exception):
    pass


def tool(name, data, folder, *arguments):
    """What a tool prints for the program of these bytes."""
    path = os.path.join(folder, "program")
    with open(path, "wb") as file:
        file.write(data)
    done = subprocess.run([os.path.join(BIN, name), path, *arguments], capture_output=True, timeout=300)
    if done.returncode:
        raise Problem(done.stderr.decode(errors="replace").strip()[:300])
    return done.stdout


def imported(data, folder):
    """The program in xla, without its name."""
    return re.sub(rb"^module @[\w.$-]+", b"module", tool("xla-opt", data, folder, "--xla-import-stablehlo"), count=1)


def interpreted(data, inputs, n, folder):
    """The `n` results of the reference evaluator."""
    arguments = []
    for i, a in enumerate(inputs):
        path = f"{folder}/in{i}.npy"
        np.save(path, a.view("V2") if a.dtype == judge.BF16 else a)
        arguments.append("--input=@" + path)
    outputs = [f"{folder}/out{i}.npy" for i in range(n)]
    tool("xla-run", data, folder, "--device=interpreter", *arguments, *("--output=@" + path for path in outputs))
    arrays = [np.load(path) for path in outputs]
    return [a.view(judge.BF16) if a.dtype.kind == "V" and a.itemsize == 2 else a for a in arrays]


def compare(case, expected, found):
    """Raises what is not the same in `found`. Types that numpy lacks are compared by their bits."""
    if [(a.shape, a.dtype) for a in expected] != [(a.shape, a.dtype) for a in found]:
        raise Problem("results have other types: " + ", ".join(f"{a.dtype} {a.shape}" for a in found))
    for i, (want, got) in enumerate(zip(expected, found)):
        if want.dtype in judge.NAMES:
            problem = judge.judge(case, [want], [got])
            if problem:
                raise Problem(f"result {i}: {problem}")
        elif want.tobytes() != got.tobytes():
            raise Problem(f"result {i} has other bits")


class Table:
    """How many of the programs of a form are right in a column, and what is not."""

    def __init__(self):
        self.counts, self.problems = {}, []

    def note(self, form, column, program, check):
        """Whether `check` raises nothing; what it returns."""
        passed, tried = self.counts.setdefault(form, {}).get(column, (0, 0))
        value = None
        try:
            value = check()
            passed += 1
        except (Problem, forms.Refused, subprocess.TimeoutExpired) as error:
            self.problems.append(f"{program.name}, {form}, {column}: {error}")
        self.counts[form][column] = passed, tried + 1
        return value

    def lines(self):
        yield "| form | " + " | ".join(COLUMNS) + " |"
        yield "|---" * (1 + len(COLUMNS)) + "|"
        for form, counts in self.counts.items():
            yield f"| {form} | " + " | ".join("{} of {}".format(*counts[c]) if c in counts else "-" for c in COLUMNS) + " |"

    def totals(self):
        cells = [cell for counts in self.counts.values() for cell in counts.values()]
        return sum(p for p, _ in cells), sum(n - p for p, n in cells)


class Run:
    """A program, and what is known of it."""

    def __init__(self, program, table, folder):
        self.program, self.table, self.folder = program, table, folder
        self.modules, self.results = {}, {}

    def import_once(self, text):
        if text not in self.modules:
            self.modules[text] = imported(text.encode(), self.folder)
        return self.modules[text]

    def interpret_once(self, text):
        if text not in self.results:
            with mlir.make_ir_context() as context:
                n = forms.count_results(forms.module_of(text, "stablehlo", context))
            self.results[text] = interpreted(text.encode(), self.program.case.args, n, self.folder)
        return self.results[text]

    def check_same(self, form, module):
        if form.is_hlo:
            expected = self.interpret_once(form.generic)
            compare(self.program.case, expected, interpreted(form.data, self.program.case.args, len(expected), self.folder))
        elif module != self.import_once(form.generic):
            raise Problem("is another module than that of the generic text")

    def read(self, form):
        module = self.table.note(form.name, "read", self.program, lambda: imported(form.data, self.folder))
        if module is not None:
            self.table.note(form.name, "the same", self.program, lambda: self.check_same(form, module))

    def write(self, form, expected):
        row, table, program = WRITTEN[form], self.table, self.program
        data = table.note(row, "written", program, lambda: tool("xla-translate", program.text.encode(), self.folder, "--to=" + form))
        if data is None:
            return
        with mlir.make_ir_context() as context:
            module = table.note(row, "read by jaxlib", program, lambda: forms.module_of(data, form, context))
            if module and expected:
                table.note(row, "the same results", program,
                           lambda: compare(program.case, expected, forms.results_of(module, program.case.args)))

    def expect(self):
        """XLA's results, if it has any."""
        try:
            with mlir.make_ir_context() as context:
                return forms.results_of(forms.module_of(self.program.text, "stablehlo", context), self.program.case.args)
        except forms.Refused as error:
            print(f"{self.program.name}: has no results: {error}")
            return None

    def all(self):
        try:
            for form in self.program.forms:
                self.read(form)
        except Exception as error:  # of many kinds: jax.export, or jaxlib, refuses it
            print(f"{self.program.name}: not in all forms: {forms.first_line(error)[:160]}")
        expected = self.expect()
        for form in WRITTEN:
            self.write(form, expected)


def main():
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    programs = forms.programs_of_files(sys.argv[3]) if len(sys.argv) > 3 else forms.programs_of_jax()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="xlac-forms-") as folder:
        for program in itertools.islice(programs, 0, None, every):
            Run(program, table, folder).all()
    print("\n".join([*table.lines(), *table.problems]))
    print("{} passed, {} failed".format(*table.totals()))


main()
