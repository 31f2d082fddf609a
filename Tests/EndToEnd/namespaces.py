"""Two network namespaces with a cable between them, for what needs a real device: what the scripts about `live` share."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from loopback import Unavailable


def ip(*words, check=True):
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if check and done.returncode:
        raise Unavailable(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done


class Cable:
    """`left` and `right` are namespaces, each with a device of 10.77.0.x; gone after the `with`."""

    def __init__(self):
        self.left, self.right = (f"sscope{os.getpid()}{side}" for side in "lr")
        self.devices = {self.left: "veth-l", self.right: "veth-r"}
        self.addresses = {self.left: "10.77.0.1", self.right: "10.77.0.2"}

    def __enter__(self):
        if os.geteuid() != 0:
            raise Unavailable("not root")
        if shutil.which("ip") is None:
            raise Unavailable("no ip")
        try:
            for side in (self.left, self.right):
                ip("netns", "add", side)
            ip("-n", self.left, "link", "add", "veth-l", "type", "veth", "peer", "name", "veth-r", "netns", self.right)
            for side in (self.left, self.right):
                ip("-n", side, "link", "set", "lo", "up")
                ip("-n", side, "addr", "add", f"{self.addresses[side]}/24", "dev", self.devices[side])
                ip("-n", side, "link", "set", self.devices[side], "up")
        except Unavailable:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for side in (self.left, self.right):
            ip("netns", "del", side, check=False)

    def narrow(self, side):
        """What a side sends passes slowly, and too much of it is lost; where the kernel can."""
        subprocess.run(
            ["tc", "-n", side, "qdisc", "replace", "dev", self.devices[side], "root", "tbf", "rate", "20mbit", "burst", "5kb",
             "limit", "9000"], capture_output=True)

    def inside(self, side, *command):
        """The words that run a command in a namespace."""
        return ["ip", "netns", "exec", side, *map(str, command)]


class Live:
    """`streamscope live` in a namespace, from the moment it captures."""

    def __init__(self, cable, side, binary, *options, output=subprocess.PIPE, device=None):
        ready, told = os.pipe()
        command = cable.inside(
            side, binary, "live", "-i", device or cable.devices[side], "--ready-fd", told, *options)
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, pass_fds=[told], text=True,
            bufsize=1, env={**os.environ, "LC_ALL": "C.UTF-8"})
        os.close(told)
        with os.fdopen(ready) as pipe:
            self.is_ready = pipe.readline() == "ready\n"
        if not self.is_ready:
            raise RuntimeError(f"live did not begin: {self.process.communicate()[1]}")

    @property
    def pid(self):
        """ip exec's its command: they are one process."""
        return self.process.pid

    def end(self, number=signal.SIGINT, seconds=20):
        """Ends it, or waits where `number` is None; answers the exit code and what it said."""
        if number is not None:
            self.process.send_signal(number)
        try:
            self.output, self.errors = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.output, self.errors = self.process.communicate()
            raise RuntimeError(f"live did not end: {self.errors}")
        return self.process.returncode


class OpenFolder:
    """A folder that everybody may write to: whoever the program becomes."""

    def __init__(self, name, keep=None):
        self.keep = keep
        self.path = pathlib.Path(keep or tempfile.mkdtemp(prefix=f"{name}-"))

    def __enter__(self):
        self.path.mkdir(exist_ok=True)
        os.chmod(self.path, 0o777)
        return self.path

    def __exit__(self, *_):
        if not self.keep:
            shutil.rmtree(self.path, ignore_errors=True)


def counts(errors):
    """captured, received and dropped, of the last line that tells them."""
    line = [line for line in errors.splitlines() if " captured" in line][-1]
    found = re.findall(r"([\d,]+) (?:packets? )?(captured|received|dropped)(?! by)", line)
    return {name: int(number.replace(",", "")) for number, name in found}


def skipped(name, main):
    """Runs a script, or says why it cannot run here; the exit code."""
    try:
        return main()
    except Unavailable as reason:
        print(f"{name}: skipped: {reason}")
        return 0
