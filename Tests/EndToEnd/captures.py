"""Captures as lists of packets that can be cut, moved, copied and dropped, and what the program says of them.

Only what the transforms of this folder need: classic pcap files, and TCP over IPv4 or IPv6 on the link types that
samples and recordings use. A packet that is anything else, or was not captured whole, is passed on as it is.
"""
import json
import pathlib
import struct
import subprocess

SYN, FIN, RST, PSH, ACK, URG = 2, 1, 4, 8, 16, 32
# Length of the link-layer header, and where in it the EtherType stands.
LINKS = {1: (14, 12), 113: (16, 14), 276: (20, 0), 0: (4, None), 101: (0, None), 228: (0, None), 12: (0, None)}
MAGICS = {0xA1B2C3D4: 1_000, 0xA1B23C4D: 1}


class Packet:
    """One record of a capture file; of a TCP segment also where its parts stand."""

    def __init__(self, link, time, data, length):
        self.time, self.data, self.length = time, data, length
        self.link = link
        self.tcp = None
        if len(data) == length:
            self._find_tcp()

    def _find_tcp(self):
        data = self.data
        start, kind = LINKS.get(self.link, (None, None))
        if start is None or len(data) < start + 20:
            return
        if kind is not None:
            ether = struct.unpack_from(">H", data, kind)[0]
            while ether in (0x8100, 0x88A8) and len(data) >= start + 24:
                ether = struct.unpack_from(">H", data, start + 2)[0]
                start += 4
            if ether not in (0x0800, 0x86DD):
                return
        version = data[start] >> 4
        if version == 4:
            header = (data[start] & 15) * 4
            total = struct.unpack_from(">H", data, start + 2)[0]
            if data[start + 9] != 6 or struct.unpack_from(">H", data, start + 6)[0] & 0x3FFF or header < 20:
                return
            self.addresses = data[start + 12:start + 16], data[start + 16:start + 20]
            end = start + total
        elif version == 6 and len(data) >= start + 40 and data[start + 6] == 6:
            header = 40
            self.addresses = data[start + 8:start + 24], data[start + 24:start + 40]
            end = start + 40 + struct.unpack_from(">H", data, start + 4)[0]
        else:
            return
        tcp = start + header
        if end > len(data) or tcp + 20 > end:
            return
        payload = tcp + (data[tcp + 12] >> 4) * 4
        if payload < tcp + 20 or payload > end:
            return
        self.ip, self.tcp, self.version = start, tcp, version
        source, target, self.sequence, self.acknowledgment, _, self.flags, self.window = struct.unpack_from(
            ">HHIIBBH", data, tcp)
        self.payload = data[payload:end]
        self.body = payload
        self.sender = self.addresses[0], source
        self.receiver = self.addresses[1], target
        self.connection = tuple(sorted((self.sender, self.receiver)))
        self.identification = struct.unpack_from(">H", data, start + 4)[0] if version == 4 else 0

    @property
    def size(self):
        """What it takes of the sequence numbers."""
        return len(self.payload) + bool(self.flags & SYN) + bool(self.flags & FIN)

    def piece(self, low, high):
        """A segment of its own for a part of the payload: same acknowledgement and time, own numbers and checksums."""
        flags = self.flags
        if high < len(self.payload):
            flags &= ~(FIN | PSH)
        return self.rebuilt(
            self.payload[low:high], flags=flags, sequence=(self.sequence + low) & 0xFFFFFFFF)

    def rebuilt(self, payload, flags=None, sequence=None, identification=None, time=None):
        flags = self.flags if flags is None else flags
        sequence = self.sequence if sequence is None else sequence
        head = bytearray(self.data[:self.body])
        struct.pack_into(">I", head, self.tcp + 4, sequence)
        head[self.tcp + 13] = flags
        segment = bytes(head[self.tcp:]) + payload
        if self.version == 4:
            struct.pack_into(">H", head, self.ip + 2, self.tcp - self.ip + len(segment))
            if identification is not None:
                struct.pack_into(">H", head, self.ip + 4, identification & 0xFFFF)
            struct.pack_into(">H", head, self.ip + 10, 0)
            struct.pack_into(">H", head, self.ip + 10, checksum(bytes(head[self.ip:self.tcp])))
        else:
            struct.pack_into(">H", head, self.ip + 4, len(segment))
        struct.pack_into(">H", head, self.tcp + 16, 0)
        pseudo = b"".join(self.addresses) + struct.pack(">II", len(segment), 6)
        segment = bytes(head[self.tcp:]) + payload
        struct.pack_into(">H", head, self.tcp + 16, checksum(pseudo + segment))
        data = bytes(head) + payload
        return Packet(self.link, self.time if time is None else time, data, len(data))

    def at(self, time):
        copy = Packet.__new__(Packet)
        copy.__dict__.update(self.__dict__)
        copy.time = time
        return copy

    def snapped(self, size):
        """The same with no more than `size` bytes captured."""
        return Packet(self.link, self.time, self.data[:size], self.length) if len(self.data) > size else self


def checksum(data):
    """RFC 1071."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def read(path):
    """(link type, packets) of a classic capture file, up to where it is cut short; None for anything else."""
    data = pathlib.Path(path).read_bytes()
    for order in "<>":
        if len(data) >= 24 and (unit := MAGICS.get(struct.unpack_from(order + "I", data)[0])):
            break
    else:
        return None
    link = struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF
    packets, at = [], 24
    while at + 16 <= len(data):
        seconds, fraction, captured, length = struct.unpack_from(order + "IIII", data, at)
        if at + 16 + captured > len(data):
            break
        packets.append(
            Packet(link, seconds * 1_000_000_000 + fraction * unit, data[at + 16:at + 16 + captured], length))
        at += 16 + captured
    return link, packets


def write(path, link, packets):
    out = bytearray(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262_144, link))
    for packet in packets:
        seconds, fraction = divmod(packet.time, 1_000_000_000)
        out += struct.pack("<IIII", seconds, fraction, len(packet.data), packet.length) + packet.data
    pathlib.Path(path).write_bytes(out)


def find(operands, wire, folder):
    """Name and packets of every capture in files and folders; wire scripts are made captures of with the tool `wire`."""
    paths = []
    for operand in map(pathlib.Path, operands):
        paths += sorted(each for each in operand.rglob("*") if each.is_file()) if operand.is_dir() else [operand]
    found = []
    for path in paths:
        if path.suffix == ".wire" and wire:
            capture = folder / "script.pcap"
            with open(capture, "wb") as output:
                subprocess.run([wire, str(path)], check=True, stdout=output)
        elif path.suffix in (".pcap", ".cap"):
            capture = path
        else:
            continue
        if (contents := read(capture)) is not None:
            found.append((f"{path.parent.name}/{path.name}", *contents))
    return found


def reports(binary, paths, *options):
    """The program's document on each of the captures."""
    documents = []
    for start in range(0, len(paths), 100):
        part = [str(path) for path in paths[start:start + 100]]
        output = subprocess.run([binary, "--json", *options, *part], check=True, capture_output=True).stdout
        parsed = json.loads(output)
        documents += parsed if isinstance(parsed, list) else [parsed]
    assert len(documents) == len(paths)
    return documents
