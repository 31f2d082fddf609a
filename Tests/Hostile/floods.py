"""Much of one kind, most of which begins and does not end: what limits on memory, and on the growth of time, are tried with."""
import os
import struct
import zlib

from traffic import SYN, Connection

REQUEST = b"GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n"
UPGRADE = (b"GET /ws HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
SWITCHED = (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
GZIP = zlib.compressobj(9, zlib.DEFLATED, 31)
GZIPPED = GZIP.compress(os.urandom(900)) + GZIP.flush(zlib.Z_SYNC_FLUSH)


def deflated(text):
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (squeeze.compress(text) + squeeze.flush(zlib.Z_SYNC_FLUSH))[:-4]


def interims(capture, count):
    one = Connection(capture).open()
    one.say(REQUEST)
    for _ in range(count):
        one.hear(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n")


def open_heads(capture, count):
    for number in range(count):
        one = Connection(capture, number).open()
        for part in range(10):
            one.say(b"GET /a HTTP/1.1\r\nX: " + b"x" * 1_300 if part == 0 else b"y" * 1_400)


def open_exchanges(capture, count):
    for number in range(count):
        Connection(capture, number).open().say(REQUEST)


def open_sockets(capture, count):
    for number in range(count):
        one = Connection(capture, number).open()
        one.say(UPGRADE)
        one.hear(SWITCHED)
        text = deflated(b"hello %d " % number * 4)
        one.hear(bytes([0xC1, len(text)]) + text)


def lone_syns(capture, count):
    for number in range(count):
        one = Connection(capture, number)
        capture.packet(one.client, one.server, 0, 0, SYN)


def one_sided(capture, count):
    for number in range(count):
        Connection(capture, number).hear(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def open_gzip(capture, count):
    for number in range(count):
        one = Connection(capture, number).open()
        one.say(REQUEST)
        one.hear(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(GZIPPED)
                 + GZIPPED + b"\r\n")


def open_multipart(capture, count):
    for number in range(count):
        one = Connection(capture, number).open()
        one.say(b"POST /a HTTP/1.1\r\nHost: a.example\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                b"Content-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name=a\r\nX: ")
        for _ in range(10):
            one.say(b"x" * 1_400)


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">IBI", len(payload) << 8 | kind, flags, stream) + payload


def open_http2(capture, count, fields=b"", content=lambda number: b"id: %d\ndata: hello\n\n" % number):
    """Connections of HTTP/2, each with twenty event streams."""
    streams = range(1, 41, 2)
    for number in range(count):
        one = Connection(capture, number).open()
        one.say(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + b"".join(
            frame(1, 5, stream, b"\x82\x86\x84\x01\x09a.example") for stream in streams))
        one.hear(frame(4, 0, 0) + b"".join(
            frame(1, 4, stream, b"\x88\x0f\x10\x11text/event-stream" + fields) for stream in streams))
        for event in range(5):
            one.hear(b"".join(frame(0, 0, stream, content(event)) for stream in streams))


def http2_gzip(capture, count):
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    events = [squeeze.compress(b"id: %d\ndata: hello\n\n" % number) + squeeze.flush(zlib.Z_SYNC_FLUSH) for number in range(5)]
    open_http2(capture, count, b"\x0f\x0b\x04gzip", lambda number: events[number])


def open_streams(capture, count):
    for number in range(count):
        one = Connection(capture, number).open()
        one.say(REQUEST)
        one.hear(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for event in range(10):
            text = b"id: %d\nevent: tick\ndata: {}\n\n" % event
            one.hear(b"%x\r\n%s\r\n" % (len(text), text))


def whole_messages(capture, count):
    """Connections that say a lot at once: eight requests, and eight answers."""
    for number in range(count):
        one = Connection(capture, number).open()
        for _ in range(8):
            one.say(REQUEST)
        for _ in range(8):
            one.hear(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                     b"2\r\n{}\r\n0\r\n\r\n")


def out_of_order(capture, count):
    for number in range(count):
        one = Connection(capture, number).open()
        one.say(REQUEST)
        one.down += 1_000
        for _ in range(20):
            one.hear(b"z" * 1_400)


def pipelined(capture, count):
    one = Connection(capture).open()
    for _ in range(count):
        one.say(REQUEST)


def endpoints(capture, count):
    for number in range(count):
        one = Connection(capture).open() if number == 0 else one
        one.say(b"GET /%s HTTP/1.1\r\nHost: a.example\r\n\r\n" % bytes(97 + number // 26**place % 26 for place in range(5)))
        one.hear(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


KINDS = {
    "interims": (interims, 1_000_000), "open-heads": (open_heads, 10_000), "open-exchanges": (open_exchanges, 50_000),
    "open-sockets": (open_sockets, 20_000), "open-streams": (open_streams, 10_000), "open-http2": (open_http2, 3_000),
    "http2-gzip": (http2_gzip, 1_000), "whole-messages": (whole_messages, 10_000), "lone-syns": (lone_syns, 1_000_000),
    "one-sided": (one_sided, 200_000), "open-gzip": (open_gzip, 5_000), "open-multipart": (open_multipart, 5_000),
    "out-of-order": (out_of_order, 3_000), "pipelined": (pipelined, 100_000), "endpoints": (endpoints, 100_000),
}
