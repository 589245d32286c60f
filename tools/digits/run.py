# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs train.mlir and classify.mlir with xla-run, at any layer size and number of steps."""
import os
import re
import subprocess

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
STATISTIC = r"^(\S.*?) {2,}([0-9.]+) (ms|bytes)?$"
HIDDEN, STEPS = 96, 3000  # what the programs' text says


class Failed(Exception):
    """xla-run failed; the text is what it printed."""


class Session:
    """One tool on one device, with files in `folder`. Times are in seconds."""

    def __init__(self, xla_run, device, folder):
        self.xla_run, self.device, self.folder = xla_run, device, folder
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, name, hidden, steps):
        """Writes the program for another size; returns its path."""
        sizes = {str(HIDDEN): str(hidden), str(STEPS): str(steps)}
        with open(os.path.join(HERE, name)) as file:
            text = re.sub(rf"(?<!\d)({HIDDEN}|{STEPS})(?!\d)", lambda m: sizes[m[0]], file.read())
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def run(self, program, inputs, outputs):
        """Returns the arrays named `outputs`, and the times {"compile", "run"}. Inputs are paths of .npy files, or
        values as xla-run takes them."""
        command = [self.xla_run, program, "--device=" + self.device, "--stats"]
        command += ["--input=" + ("@" + i if i.endswith(".npy") else i) for i in inputs]
        command += [f"--output=@{self.path(name)}.npy" for name in outputs]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            lines = (line for line in done.stderr.splitlines() if not re.search(STATISTIC, line))
            raise Failed("\n".join(lines) or f"xla-run ended with {done.returncode}")
        return [np.load(self.path(name) + ".npy") for name in outputs], times(done.stderr)

    def train(self, data, seed, rate, hidden, steps):
        """`data` is the folder of digits. Returns the weights, the losses, and the times."""
        program = self.program("train.mlir", hidden, steps)
        inputs = [os.path.join(data, name) for name in ("train_images.npy", "train_labels.npy")]
        out, spent = self.run(program, inputs + [f"u32={seed}", f"f32={rate}"], ["w1", "b1", "w2", "b2", "losses"])
        return out[:4], out[4], spent

    def classify(self, data, hidden):
        """With the weights that train left. Returns the probabilities, the digits, and the times."""
        program = self.program("classify.mlir", hidden, STEPS)
        inputs = [os.path.join(data, "test_images.npy")] + [self.path(w + ".npy") for w in ("w1", "b1", "w2", "b2")]
        out, spent = self.run(program, inputs, ["probabilities", "digits"])
        return out[0], out[1], spent


def vulkan_name(xla_run, device):
    """"DEVICE (its name)" of `vulkan` or `vulkan:N`; None if there is no such device."""
    done = subprocess.run([xla_run, "--list-devices"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    number = device.partition(":")[2] or "0"
    match = re.search(rf"^vulkan:{re.escape(number)} +(.*),", done.stdout, re.MULTILINE)
    return f"{device} ({match[1]})" if match else None


def times(stats):
    """From the lines `DEVICE: STAGE  TIME ms` of xla-run --stats; an interpreter does not compile."""
    spent = {stage: float(ms) / 1e3 for stage, ms, unit in re.findall(STATISTIC, stats, re.MULTILINE) if unit == "ms"}
    spent = {stage.split(": ")[-1]: seconds for stage, seconds in spent.items()}
    return {"compile": spent.get("compile, in all", 0.0), "run": spent["run"]}
