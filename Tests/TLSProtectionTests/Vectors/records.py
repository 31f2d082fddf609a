#!/usr/bin/env python3
"""Write records.txt: connections of OpenSSL with itself, one for each way of protection that it has.

usage: records.py >records.txt      (Python 3.13, OpenSSL 3)

A part of the result is what one side sends under one secret. See VectorFile.swift for the form. Other secrets come out
every time, of course.
"""
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

NO_ENCRYPT_THEN_MAC = 1 << 19
SUITES_13 = {
    0x1301: "TLS_AES_128_GCM_SHA256",
    0x1302: "TLS_AES_256_GCM_SHA384",
    0x1303: "TLS_CHACHA20_POLY1305_SHA256",
    0x1304: "TLS_AES_128_CCM_SHA256",
    0x1305: "TLS_AES_128_CCM_8_SHA256",
}
folder = pathlib.Path(tempfile.mkdtemp())


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


def prepare():
    for name, key in [("rsa", ["rsa:2048"]), ("ec", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])]:
        files = ["-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"]
        openssl("req", "-x509", "-newkey", *key, "-nodes", *files, "-subj", "/CN=test", "-days", "1")
    openssl("dhparam", "-dsaparam", "-out", folder / "dh.pem", "2048")


def context(purpose, name, version, options):
    result = ssl.SSLContext(purpose)
    result.check_hostname = False
    result.verify_mode = ssl.CERT_NONE
    result.minimum_version = result.maximum_version = version
    result.options |= options | ssl.OP_NO_COMPRESSION | ssl.OP_NO_TICKET
    if name:
        result.set_ciphers(f"{name}:@SECLEVEL=0")
    if purpose == ssl.PROTOCOL_TLS_SERVER:
        for kind in ["rsa", "ec"]:
            result.load_cert_chain(folder / f"{kind}.pem", folder / f"{kind}.key")
        result.load_dh_params(str(folder / "dh.pem"))
        result.num_tickets = 0
        result.keylog_filename = str(folder / "keys")
        result.set_psk_server_callback(lambda identity: b"psk" * 8, None)
    else:
        result.set_psk_client_callback(lambda hint: ("me", b"psk" * 8))
    return result


def records(data):
    position = 0
    while position < len(data):
        end = position + 5 + int.from_bytes(data[position + 3 : position + 5], "big")
        yield data[position:end]
        position = end


def connect(name, version, options):
    """All bytes of both sides, and what each said last."""
    (folder / "keys").unlink(missing_ok=True)
    client_in, server_in = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_out, server_out = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context(ssl.PROTOCOL_TLS_CLIENT, name, version, options).wrap_bio(client_in, client_out)
    server = context(ssl.PROTOCOL_TLS_SERVER, name, version, options).wrap_bio(server_in, server_out, server_side=True)
    sent = {"client": b"", "server": b""}

    def move():
        for side, out, other in [("client", client_out, server_in), ("server", server_out, client_in)]:
            data = out.read()
            sent[side] += data
            other.write(data)

    waiting = [client, server]
    for _ in range(20):
        for side in list(waiting):
            try:
                side.do_handshake()
                waiting.remove(side)
            except ssl.SSLWantReadError:
                pass
            move()
    assert not waiting
    suite = next(entry["id"] & 0xFFFF for entry in client.context.get_ciphers() if entry["name"] == client.cipher()[0])
    start = {side: len(data) for side, data in sent.items()}
    said = {"client": [b"first", b"the client's second"], "server": [b"the server's answer"]}
    for text in said["client"]:
        client.write(text)
        move()
    server.write(said["server"][0])
    move()
    return suite, sent, start, said


def keys():
    lines = (folder / "keys").read_text().splitlines()
    return {line.split()[0]: line.split()[1:] for line in lines if line and line[0] != "#"}


def hello_random(data, kind):
    for record in records(data):
        if record[0] == 22 and record[5] == kind:
            return record[11:43].hex()


def show_old(name, version, number, options, sides):
    suite, sent, start, said = connect(name, version, options)
    master = keys()["CLIENT_RANDOM"][1]
    way = "" if "CBC" not in way_of(name) else ", MAC then encrypt" if options else ", encrypt then MAC"
    for side in sides:
        print(f"\nname {version.name} {name}{way}, {side}\nsuite {suite:04x}\nversion {number:04x}\nfrom {side}")
        print(f"encrypt-then-mac {0 if options else 1}\nmaster {master}")
        print(f"client {hello_random(sent['client'], 1)}\nserver {hello_random(sent['server'], 2)}")
        behind = False
        position = 0
        texts = []
        for record in records(sent[side]):
            position += len(record)
            if record[0] == 20:
                behind = True
            elif behind:
                texts.append((record, position > start[side]))
        show_records(texts, said[side])


def show_records(texts, said):
    """What is not said is a handshake's; TLS 1.0 sends each text as an empty record or one byte, and the rest."""
    left = b"".join(said)
    for record, is_text in texts:
        if not is_text:
            print(f"record {record[0] if record[0] != 23 else 22} {record.hex()} ?")
    for record, _ in [entry for entry in texts if entry[1]]:
        print(f"record 23 {record.hex()} +")
    print(f"text {left.hex()}")


def way_of(name):
    if "GCM" in name or "CCM" in name or "CHACHA" in name:
        return "AEAD"
    return "CBC"


def show_new(suite, title):
    found, sent, start, said = connect(None, ssl.TLSVersion.TLSv1_3, 0)
    assert found == suite
    for side, label in [("client", "CLIENT_TRAFFIC_SECRET_0"), ("server", "SERVER_TRAFFIC_SECRET_0")]:
        print(f"\nname {title} {SUITES_13[suite]}, {side}\nsuite {suite:04x}\nsecret {keys()[label][1]}")
        show_records([(record, True) for record in records(sent[side][start[side] :])], said[side])


def show_update(suite):
    """A client of the command line asks for other keys, which a library for Python cannot."""
    (folder / "keys").unlink(missing_ok=True)
    left, right = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
    port = right.getsockname()[1]
    right.close()
    files = ["-cert", folder / "ec.pem", "-key", folder / "ec.key", "-keylogfile", folder / "keys"]
    words = ["-ciphersuites", SUITES_13[suite], "-num_tickets", "0"]
    server = subprocess.Popen(
        ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-naccept", "1", *files, *words],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    client = subprocess.Popen(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{left.getsockname()[1]}", "-tls1_3"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    near, _ = left.accept()
    far = socket.create_connection(("127.0.0.1", port))
    sent = {"client": b"", "server": b""}

    def pump(source, target, side):
        while data := source.recv(65536):
            sent[side] += data
            target.sendall(data)

    for entry in [(near, far, "client"), (far, near, "server")]:
        threading.Thread(target=pump, args=entry, daemon=True).start()
    time.sleep(0.5)
    start = len(sent["client"])
    for text in [b"before\n", b"K\n", b"after\n", b"K\n", b"at last\n"]:
        client.stdin.write(text)
        client.stdin.flush()
        time.sleep(0.4)
    print(f"\nname key updates, {SUITES_13[suite]}\nsuite {suite:04x}\nsecret {keys()['CLIENT_TRAFFIC_SECRET_0'][1]}")
    plain = [b"before\n", None, b"after\n", None, b"at last\n"]
    for record, text in zip(records(sent["client"][start:]), plain, strict=True):
        print(f"record {23 if text else 22} {record.hex()} {text.hex() if text else '1800000101'}")
        if not text:
            print("update")
    for process in [client, server]:
        process.kill()
        process.wait()


def main():
    if len(sys.argv) > 1:
        # In a process of its own, because libcrypto reads the suites of TLS 1.3 from its configuration once.
        prepare()
        show_new(int(sys.argv[1], 16), sys.argv[2])
        return
    prepare()
    print("# Connections of OpenSSL with itself; written by records.py")
    listed = subprocess.run(
        ["openssl", "ciphers", "-V", "ALL:COMPLEMENTOFALL:@SECLEVEL=0"], check=True, capture_output=True, text=True)
    names = [line.split()[2] for line in listed.stdout.splitlines()]
    ours = re.compile(r"^(?!TLS_|.*(ARIA|CAMELLIA|DES|RC4|NULL|SEED|SRP|DSS)).*(AES|CHACHA)")
    versions = [(ssl.TLSVersion.TLSv1, 0x0301), (ssl.TLSVersion.TLSv1_1, 0x0302)]
    seen = set()
    for name in filter(ours.match, names):
        # What differs in the exchange of keys alone need not be shown in every way.
        way = re.search(r"(AES|CHACHA).*", name)[0]
        is_first = way not in seen
        seen.add(way)
        both = ["client", "server"] if is_first else ["client"]
        for options in [0, NO_ENCRYPT_THEN_MAC] if way_of(name) == "CBC" and is_first else [0]:
            show_old(name, ssl.TLSVersion.TLSv1_2, 0x0303, options, both)
            if is_first and name.endswith("-SHA"):
                for version, number in versions:
                    show_old(name, version, number, options, both)
    for suite, padding in [*((suite, 0) for suite in SUITES_13), (0x1301, 64)]:
        settings = folder / f"{suite:x}.cnf"
        settings.write_text(
            "openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n[c]\n"
            f"Ciphersuites = {SUITES_13[suite]}\nRecordPadding = {padding}\n")
        sys.stdout.flush()
        words = [sys.executable, "-W", "ignore", __file__, f"{suite:x}", "padding" if padding else "TLSv1_3"]
        subprocess.run(words, check=True, env={**os.environ, "OPENSSL_CONF": str(settings)})
    for suite in [0x1301, 0x1302]:
        show_update(suite)


main()
