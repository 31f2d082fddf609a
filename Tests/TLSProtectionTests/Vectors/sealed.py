#!/usr/bin/env python3
"""Write sealed.txt: records that are allowed, or nearly so, but that OpenSSL does not send.

usage: sealed.py >sealed.txt      (needs the package cryptography)

See VectorFile.swift for the form.
"""
import hashlib
import hmac

from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4, Camellia, TripleDES
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, modes
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


def stream(secret, seed, count, digest):
    made, chain = b"", seed
    while len(made) < count:
        chain = hmac.digest(secret, chain, digest)
        made += hmac.digest(secret, chain + seed, digest)
    return made[:count]


def key_block(master, seed, count, version, digest):
    if version == 0x0303:
        return stream(master, seed, count, digest)
    left, right = stream(master[:24], seed, count, "md5"), stream(master[24:], seed, count, "sha1")
    return bytes(a ^ b for a, b in zip(left, right))


class Plain:
    def update(self, content):
        return content


def with_mac(title, suite, version, mac, key_count, make, block=0, digest="sha256"):
    """A MAC behind the content, and RC4, nothing, or CBC in blocks over both."""
    master, client, server = bytes(range(48)), bytes(range(32)), bytes(range(32, 64))
    size = hashlib.new(mac).digest_size
    keys = key_block(master, b"key expansion" + server + client, 2 * (size + key_count + block), version, digest)
    mac_key, key = keys[:size], keys[2 * size :][:key_count]
    chain = keys[2 * (size + key_count) :][:block]
    cipher = None if block else make(key)
    print(f"\nname {title}\nsuite {suite:04x}\nversion {version:04x}\nfrom client\nencrypt-then-mac 0\nmaster {master.hex()}")
    print(f"client {client.hex()}\nserver {server.hex()}")
    for number, content in enumerate([b"finished here", b"x", bytes(200), b""]):
        head = bytes([23]) + version.to_bytes(2, "big")
        told = number.to_bytes(8, "big") + head + len(content).to_bytes(2, "big")
        inner = content + hmac.digest(mac_key, told + content, mac)
        if block:
            padding = block - 1 - len(inner) % block
            inner += bytes([padding] * (padding + 1))
            vector = chain if version == 0x0301 else bytes([number + 7] * block)
            sealed = Cipher(make(key), modes.CBC(vector)).encryptor().update(inner)
            chain = sealed[-block:]
            if version > 0x0301:
                sealed = vector + sealed
        else:
            sealed = cipher.update(inner)
        record = head + len(sealed).to_bytes(2, "big") + sealed
        print(f"record 23 {record.hex()} {content.hex() or '-'}")


def rc4(key):
    return Cipher(ARC4(key), None).encryptor()


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
    for version, name in [(0x0301, "TLSv1"), (0x0302, "TLSv1_1"), (0x0303, "TLSv1_2")]:
        with_mac(f"{name} RC4-MD5", 0x0004, version, "md5", 16, rc4)
        with_mac(f"{name} ECDHE-RSA-RC4-SHA", 0xC011, version, "sha1", 16, rc4)
        with_mac(f"{name} NULL-MD5", 0x0001, version, "md5", 0, lambda _: Plain())
        with_mac(f"{name} NULL-SHA", 0x0002, version, "sha1", 0, lambda _: Plain())
        with_mac(f"{name} DES-CBC3-SHA", 0x000A, version, "sha1", 24, TripleDES, 8)
        with_mac(f"{name} CAMELLIA128-SHA", 0x0041, version, "sha1", 16, Camellia, 16)
        with_mac(f"{name} CAMELLIA256-SHA", 0x0084, version, "sha1", 32, Camellia, 16)
    with_mac("NULL-SHA256", 0x003B, 0x0303, "sha256", 0, lambda _: Plain())
    with_mac("CAMELLIA128-SHA256", 0x00BA, 0x0303, "sha256", 16, Camellia, 16)
    with_mac("ECDHE-RSA-CAMELLIA256-SHA384", 0xC077, 0x0303, "sha384", 32, Camellia, 16, "sha384")


main()
