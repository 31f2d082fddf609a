"""Whether twice the input takes more than 2.2 times the time, on a machine that does other things, too."""
import os
import re
import shutil
import subprocess

LIMIT = 2.2
# Below this a difference says more about the machine than about the program.
LEAST = 0.08
# What else the machine does makes a run longer, never shorter: what seems to grow is measured again, so often.
ROUNDS = 4


def settle(spent, measure, commands):
    """The least that N and 2N took, and whether 2N takes too much.

    `spent` is what they took first, and `measure` answers what they take now. Where time says that it grows after all
    rounds, instructions decide: what other processes do to caches and clocks cannot change those. An algorithm that
    compares each with each shows in them as it does in the time.
    """
    for _ in range(ROUNDS):
        if not too_much(spent):
            return spent, ""
        spent = [min(pair) for pair in zip(spent, measure())]
    if not too_much(spent):
        return spent, ""
    counted = [instructions(command) for command in commands]
    if None in counted or counted[1] > LIMIT * counted[0]:
        return spent, "GROWS"
    return spent, f"ok: in time only, instructions x {counted[1] / counted[0]:.2f}"


def too_much(spent):
    return spent[1] >= LEAST and spent[1] > LIMIT * spent[0]


def instructions(command):
    """What a run takes with one job, or None where nothing counts them."""
    if not shutil.which("valgrind"):
        return None
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command), "--jobs", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
    found = re.search(r"refs: *([0-9,]+)", run.stderr)
    return int(found[1].replace(",", "")) if found else None
