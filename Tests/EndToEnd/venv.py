"""Python packages for the checks of this folder, in environments of their own.

`python(["jsonschema==4.23.0"])` answers the path of an interpreter that has them. An environment is made once for a
list of packages, under .build/venvs, and found again by the list; making it needs PyPI, using it nothing. Pin versions.

usage: Tests/EndToEnd/venv.py PACKAGE...      make one now, and print its interpreter
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2] / ".build" / "venvs"


def python(packages):
    """The interpreter that has exactly these packages and what they need."""
    packages = sorted(packages)
    key = hashlib.sha256("\n".join([sys.version, *packages]).encode()).hexdigest()[:16]
    folder = ROOT / key
    interpreter = folder / "bin" / "python"
    # Written last: an environment without it was not finished.
    ready = folder / "ready"
    if ready.exists() and interpreter.exists():
        return str(interpreter)
    ROOT.mkdir(parents=True, exist_ok=True)
    # Two may make it at once: the scripts in it name their folder, so it is made in its place, under a lock.
    lock = ROOT / f"{key}.lock"
    with open(lock, "w") as held:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX)
        if ready.exists() and interpreter.exists():
            return str(interpreter)
        shutil.rmtree(folder, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(folder)])
        # What is imported is compiled then; a package like Spark has a thousand files that are not.
        run([str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", *packages])
        ready.write_text("\n".join(packages) + "\n")
    return str(interpreter)


def run(words):
    with tempfile.TemporaryFile() as log:
        if subprocess.run(words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT).returncode:
            log.seek(0)
            sys.stderr.write(log.read().decode(errors="replace"))
            sys.exit(f"venv: failed: {' '.join(words)}")


def enter(packages):
    """Starts the running script again with an interpreter that has the packages, unless it has it already."""
    interpreter = python(packages)
    if os.path.abspath(sys.executable) != interpreter:
        os.execv(interpreter, [interpreter, *sys.argv])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    print(python(sys.argv[1:]))
