"""Recording on the loopback, with certificates made for the moment: what the scripts about TLS share."""
import itertools
import os
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time


class Unavailable(Exception):
    """Something that a script needs is not on this machine: it is skipped, with this as the reason."""


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            raise Unavailable(f"no {tool}")


_ports = itertools.count(random.randrange(20_000, 28_000))


def free_port():
    """Never the same one twice, and none of those that the kernel gives to clients."""
    while True:
        port = next(_ports)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


def wait_for(port, seconds=10):
    """Until somebody listens, as the kernel tells it: a connection of our own would be in the capture."""
    wanted = f"0100007F:{port:04X} 00000000:0000 0A"
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if wanted in pathlib.Path("/proc/net/tcp").read_text():
            return
        time.sleep(0.01)
    raise RuntimeError(f"nobody listens on port {port}")


class Capture:
    """tcpdump, as long as the `with` lasts."""

    def __init__(self, path, filter="tcp", device="lo"):
        self.path, self.filter, self.device = path, filter, device

    def __enter__(self):
        self.process = subprocess.Popen(
            # Each place of the kernel's buffer has the size of the longest packet: of loopback that is 64 KiB and a head,
            # and of what "-s 0" stands for there were 32 places.
            ["tcpdump", "-i", self.device, "-U", "--immediate-mode", "-B", "65536", "-s", "66000", "-w", str(self.path),
             self.filter],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # Of all devices it names the link type first.
        while b"listening on" not in (line := self.process.stderr.readline()):
            if b"data link type" not in line:
                raise Unavailable(f"cannot capture on {self.device}")
        time.sleep(0.2)
        return self

    def __exit__(self, *_):
        time.sleep(0.3)
        self.process.terminate()
        told = self.process.communicate(timeout=10)[1].decode()
        if "\n0 packets dropped by kernel" not in told:
            raise Unavailable(f"this machine is too slow to capture: {told}")


def certificate(folder, name, kind):
    """A key and a certificate for it that nobody signed but itself; answers the paths."""
    key, chain = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-nodes", "-newkey", *kind, "-keyout", str(key), "-out", str(chain), "-days", "2",
         "-subj", f"/CN={name}.example.test", "-addext", f"subjectAltName=DNS:{name}.example.test"],
        check=True, capture_output=True)
    return str(chain), str(key)


RSA = ["rsa:2048"]
ECDSA = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]


def secrets(*logs):
    """Every secret of key logs, in hexadecimal."""
    return {line.split()[2] for log in logs for line in pathlib.Path(log).read_text().splitlines() if line.count(" ") == 2}


def with_secrets(capture, log, path, is_behind=False):
    """A pcapng of a classic capture with a key log as a block of its own, before the packets or behind them."""
    import captures
    link, packets = captures.read(capture)

    def block(kind, body):
        body += bytes(-len(body) % 4)
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    log = pathlib.Path(log).read_bytes()
    held = block(10, struct.pack("<II", 0x544C534B, len(log)) + log)
    out = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    # Option 9: the times are in nanoseconds.
    out += block(1, struct.pack("<HHI", link, 0, 262_144) + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0))
    if not is_behind:
        out += held
    for packet in packets:
        out += block(
            6, struct.pack("<IIIII", 0, packet.time >> 32, packet.time & 0xFFFFFFFF, len(packet.data), packet.length)
            + packet.data)
    if is_behind:
        out += held
    pathlib.Path(path).write_bytes(out)


class Folder:
    """For captures and keys, gone afterwards unless it is to be kept."""

    def __init__(self, name, keep):
        self.keep = keep
        self.path = pathlib.Path(keep or tempfile.mkdtemp(prefix=f"{name}-"))

    def __enter__(self):
        self.path.mkdir(exist_ok=True)
        # tcpdump gives up root before it writes.
        os.chmod(self.path, 0o777)
        return self.path

    def __exit__(self, *_):
        if not self.keep:
            shutil.rmtree(self.path, ignore_errors=True)


class Program:
    """A program with what it says gathered, so that one can wait for a part of it."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})})
        self.name = f"{command[0]} {command[1]}"
        self.said = bytearray()
        self.has_more = threading.Condition()
        self.is_over = False
        threading.Thread(target=self._gather, daemon=True).start()

    def _gather(self):
        while piece := os.read(self.process.stdout.fileno(), 1 << 16):
            with self.has_more:
                self.said += piece
                self.has_more.notify_all()
        with self.has_more:
            self.is_over = True
            self.has_more.notify_all()

    def write(self, content):
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def wait_for(self, words, seconds=20):
        with self.has_more:
            self.has_more.wait_for(lambda: words in self.said or self.is_over, seconds)
            if words not in self.said:
                raise RuntimeError(f"{self.name} did not say {words!r}:\n{bytes(self.said[-2000:]).decode(errors='replace')}")

    def close(self, seconds=10):
        """The end of its input, and then its own."""
        self.process.stdin.close()
        return self.wait(seconds)

    def wait(self, seconds=10):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def finish(name, wrong, well):
    """The exit code, and in words what is wrong or that all is well."""
    for sentence in wrong:
        print(f"{name}: {sentence}", file=sys.stderr)
    if not wrong:
        print(f"{name}: {well}")
    return 1 if wrong else 0
