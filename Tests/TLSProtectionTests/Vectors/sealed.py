#!/usr/bin/env python3
"""Write sealed.txt: records that are allowed, or nearly so, but that OpenSSL does not send.

usage: sealed.py >sealed.txt      (needs the package cryptography)

See VectorFile.swift for the form.
"""
import hashlib
import hmac

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand


def expand(secret, label, count):
    label = b"tls13 " + label
    info = count.to_bytes(2, "big") + bytes([len(label)]) + label + b"\0"
    return HKDFExpand(hashes.SHA256(), count, info).derive(secret)


def new(title, inner):
    secret = bytes(range(32))
    cipher = AESGCM(expand(secret, b"key", 16))
    iv = int.from_bytes(expand(secret, b"iv", 12), "big")
    print(f"\nname {title}\nsuite 1301\nsecret {secret.hex()}")
    for number, (content, kind, plain) in enumerate(inner):
        header = bytes([23, 3, 3]) + (len(content) + 16).to_bytes(2, "big")
        record = header + cipher.encrypt((iv ^ number).to_bytes(12, "big"), content, header)
        print(f"record {kind} {record.hex()} {plain.hex() or '-'}")


def old(title, suite, make, key_count, salt_count):
    master, client, server = bytes(range(48)), bytes(range(32)), bytes(range(32, 64))
    seed = b"key expansion" + server + client
    block, chain = b"", seed
    while len(block) < 2 * (key_count + salt_count):
        chain = hmac.digest(master, chain, hashlib.sha256)
        block += hmac.digest(master, chain + seed, hashlib.sha256)
    cipher = make(block[:key_count])
    salt = block[2 * key_count :][:salt_count]
    print(f"\nname {title}\nsuite {suite:04x}\nversion 0303\nfrom client\nencrypt-then-mac 0\nmaster {master.hex()}")
    print(f"client {client.hex()}\nserver {server.hex()}")
    for number, content in enumerate([b"", b"x", bytes(200), b""]):
        order = number.to_bytes(8, "big")
        explicit = order if salt_count < 12 else b""
        nonce = salt + explicit if explicit else (int.from_bytes(salt, "big") ^ number).to_bytes(12, "big")
        sealed = explicit + cipher.encrypt(nonce, content, order + bytes([23, 3, 3]) + len(content).to_bytes(2, "big"))
        record = bytes([23, 3, 3]) + len(sealed).to_bytes(2, "big") + sealed
        print(f"record 23 {record.hex()} {content.hex() or '-'}")


def main():
    print("# Written by sealed.py")
    new(
        "much padding, and nothing else",
        [(b"a\0\x17" + bytes(30), 23, b"a\0"), (b"\x17", 23, b""), (bytes(40), 0, b""), (b"\0", 0, b""),
         (b"\x01\0\x15", 21, b"\x01\0")])
    old("empty records of AES-GCM", 0xC02F, AESGCM, 16, 4)
    old("empty records of AES-CCM", 0xC0AC, AESCCM, 16, 4)
    old("empty records of AES-CCM_8", 0xC0AE, lambda key: AESCCM(key, 8), 16, 4)
    old("empty records of ChaCha20-Poly1305", 0xCCA8, ChaCha20Poly1305, 32, 12)


main()
