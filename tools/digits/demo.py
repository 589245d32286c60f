# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of tools/demo after the build: trains, reads the test digits, and shows what came out."""
import argparse
import os
import sys
import time

import numpy as np

import numpy_digits
import run

RATE = 0.5
AGREEMENT = 1e-4  # probabilities may differ by so much from numpy's
COLUMNS = 4  # digits side by side
DATA = os.path.join("build", "data", "digits")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="tools/demo", usage="tools/demo [OPTION..]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=run.HIDDEN)
    parser.add_argument("--steps", type=int, default=run.STEPS)
    parser.add_argument("--device", action="append")
    parser.add_argument("--xla-run", required=True)
    parser.add_argument("--ascii", action="store_true")
    arguments = parser.parse_args()
    arguments.devices = arguments.device or ["cpu", "vulkan"]
    for name, value, least, most in (
        ("seed", arguments.seed, 0, 2**32 - 1),
        ("hidden", arguments.hidden, 1, 2048),
        ("steps", arguments.steps, 1, 10**6),
    ):
        if not least <= value <= most:
            parser.error(f"--{name}={value} is not from {least} to {most}")
    return arguments


def duration(seconds):
    for unit, size in ("s", 1), ("ms", 1e-3), ("us", 1e-6):
        if seconds >= size or unit == "us":
            return f"{seconds / size:.3g} {unit}"


def say(title, text=""):
    print(f"{title:<12}{text}", flush=True)


def report(title, spent, device):
    compiled = f"compiled in {duration(spent['compile'])}, " if spent["compile"] else ""
    # One run in a new process: its memory and caches are untouched, its threads not started.
    say(title, f"{compiled}ran in {duration(spent['run'])}, cold, on {device}")


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def curve(losses, ascii_only):
    """The loss in 40 columns, by its logarithm."""
    marks = "_.-=*#@" if ascii_only else "▁▂▃▄▅▆▇█"
    parts = [part.mean() for part in np.array_split(losses, min(40, len(losses)))]
    logs = np.log(np.maximum(parts, 1e-30))
    span = max(logs.max() - logs.min(), 1e-9)
    return "".join(marks[int((x - logs.min()) / span * (len(marks) - 1) + 0.5)] for x in logs)


def draw(images, captions, ascii_only):
    """Prints 8 x 8 pixels side by side, two characters each, with a line below."""
    marks = " .:+#@" if ascii_only else " ░▒▓█"
    for y in range(8):
        rows = ("".join(2 * marks[int(p * (len(marks) - 1) + 0.5)] for p in i[8 * y : 8 * y + 8]) for i in images)
        print(("  " + "   ".join(rows)).rstrip())
    print(("  " + "   ".join(f"{c:^16}" for c in captions)).rstrip())


def show_digits(data, probabilities, digits, ascii_only):
    """The first digits that differ among those that were read, and the first of those that were not."""
    labels = data["test_labels"]
    right, wrong = np.flatnonzero(digits == labels), np.flatnonzero(digits != labels)
    first = sorted(right[np.unique(labels[right], return_index=True)[1]])
    for title, chosen in ("Read right, with its probability:", first), ("Misread:", wrong):
        chosen = list(chosen[:COLUMNS])
        captions = [f"{digits[i]} ({100 * probabilities[i, digits[i]]:.0f} %)" for i in chosen]
        captions = [c if digits[i] == labels[i] else f"{c}, is {labels[i]}" for i, c in zip(chosen, captions)]
        if chosen:
            print("\n" + title)
            draw(data["test_images"][chosen], captions, ascii_only)
    print()


def use_device(options, device, size):
    """Trains and reads; returns (losses, probabilities, digits), or None where there is no such device."""
    named = device
    if device.startswith("vulkan"):
        named = run.vulkan_name(options.xla_run, device)
        if named is None and not options.device:
            say(device, "left out: no Vulkan device; xla-run --list-devices says why")
            return None
    folder = os.path.join("build", "demo", "" if device == "cpu" else device.replace(":", ""))
    session = run.Session(options.xla_run, device, folder)
    _, losses, trained = session.train(DATA, options.seed, RATE, *size)
    report("training", trained, named or device)
    probabilities, digits, read = session.classify(DATA, options.hidden)
    report("reading", read, named or device)
    return losses, probabilities, digits


def compare(devices, probabilities, expected):
    """Says how far the devices are from numpy and from each other; returns whether that is near enough."""
    difference = max(float(np.abs(p - expected).max()) for p in probabilities)
    text = f"probabilities differ from numpy's by at most {difference:.1g}"
    if len(probabilities) > 1:
        between = max(float(np.abs(p - probabilities[0]).max()) for p in probabilities)
        text += f", between {' and '.join(devices)} by {between:.1g}"
        difference = max(difference, between)
    agrees = difference <= AGREEMENT
    say("agreement", text + ("" if agrees else f", more than {AGREEMENT:g}: something is wrong"))
    return agrees


def main():
    options = parse_arguments()
    data = numpy_digits.load(DATA)
    train_images, train_labels = data["train_images"], data["train_labels"]
    say("data", f"{len(train_labels)} handwritten digits to learn from, {len(data['test_labels'])} to be tested on")
    say("network", f"64 pixels, {options.hidden} hidden units, 10 digits; {options.steps} steps of 64 digits; seed {options.seed}")

    size = options.hidden, options.steps
    results = [result for device in options.devices if (result := use_device(options, device, size))]
    losses, probabilities, digits = results[0]
    numpy_digits.train(train_images, train_labels, options.seed, RATE, options.hidden, 10)  # warms its threads up
    (expected, _), numpy_training = timed(numpy_digits.train, train_images, train_labels, options.seed, RATE, *size)
    (numpy_probabilities, numpy_read), numpy_reading = timed(numpy_digits.classify, data["test_images"], *expected)
    say("numpy", f"training {duration(numpy_training)}, reading {duration(numpy_reading)}, with warm threads")

    right = digits == data["test_labels"]
    say("loss", f"{losses[: 10].mean():.3g} {curve(losses, options.ascii)} {losses[-10:].mean():.2g}")
    say("accuracy", f"{100 * right.mean():.1f} %: {right.sum()} of {len(right)} digits read; "
        f"numpy {100 * (numpy_read == data['test_labels']).mean():.1f} %")
    agrees = compare(options.devices, [r[1] for r in results], numpy_probabilities)
    show_digits(data, probabilities, digits, options.ascii)
    return 0 if agrees else 1


try:
    sys.exit(main())
except run.Failed as failure:
    print(failure, file=sys.stderr)
    sys.exit(1)
except BrokenPipeError:
    # Whoever read has seen enough; nothing is left to flush.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)
except KeyboardInterrupt:
    sys.exit(130)
