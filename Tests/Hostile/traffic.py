"""Captures written packet by packet: what a hostile or a busy side could send. IPv4 without checksums on raw links."""
import collections
import struct

SECOND = 10**9
SYN, FIN, RST, PSH, ACK = 2, 1, 4, 8, 16


class Capture:
    def __init__(self, path):
        self.file = open(path, "wb")
        self.file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262_144, 101))
        self.time = 1_700_000_000 * SECOND

    def packet(self, source, target, sequence, acknowledged, flags, payload=b"", after=50_000):
        self.time += after
        self.write(source, target, self.record(source, target, sequence, acknowledged, flags, payload))

    def record(self, source, target, sequence, acknowledged, flags, payload):
        length = 40 + len(payload)
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length, 0, 0, 64, 6, 0, source[0], target[0])
        tcp = struct.pack(">HHIIBBHHH", source[1], target[1], sequence % 2**32, acknowledged % 2**32, 0x50, flags, 65_000, 0, 0)
        return struct.pack("<IIII", self.time // SECOND, self.time % SECOND, length, length) + ip + tcp + payload

    def write(self, _source, _target, record):
        self.file.write(record)

    def close(self):
        self.file.close()


class Together(Capture):
    """The same packets, of all connections in turn: they begin together."""

    def __init__(self, path):
        super().__init__(path)
        self.connections = {}

    def write(self, source, target, record):
        self.connections.setdefault(frozenset((source, target)), collections.deque()).append(record)

    def close(self):
        waiting = list(self.connections.values())
        time = 1_700_000_000 * SECOND
        while waiting:
            for records in waiting:
                time += 20_000
                self.file.write(struct.pack("<II", time // SECOND, time % SECOND) + records.popleft()[8:])
            waiting = [records for records in waiting if records]
        self.file.close()


class Connection:
    def __init__(self, capture, number=0):
        self.capture = capture
        self.client = (bytes([10, 1 + number // 40_000, 0, 1]), 20_000 + number % 40_000)
        self.server = (bytes([10, 0, 0, 2]), 80)
        self.up, self.down = 1, 1

    def open(self):
        self.capture.packet(self.client, self.server, 0, 0, SYN)
        self.capture.packet(self.server, self.client, 0, 1, SYN | ACK)
        self.capture.packet(self.client, self.server, 1, 1, ACK)
        return self

    def say(self, payload, after=50_000):
        self.capture.packet(self.client, self.server, self.up, self.down, PSH | ACK, payload, after)
        self.up += len(payload)

    def hear(self, payload, after=50_000):
        self.capture.packet(self.server, self.client, self.down, self.up, PSH | ACK, payload, after)
        self.down += len(payload)
