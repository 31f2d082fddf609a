#!/usr/bin/env python3
"""Write certificates.txt: some certificates, with what is in them.

usage: certificates.py >certificates.txt      (needs the package cryptography)

Other keys come out every time; CertificateTests.swift knows the rest.
"""
import datetime
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

NAMES = {"CN": NameOID.COMMON_NAME, "O": NameOID.ORGANIZATION_NAME}
issuing = ec.generate_private_key(ec.SECP256R1())


def name(**parts):
    return x509.Name([x509.NameAttribute(NAMES[part], value) for part, value in parts.items()])


def show(title, subject, key, issuer=None, alternatives=(), since=(2024, 1, 1), until=(2034, 1, 1)):
    is_own = issuer is None
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if is_own else issuer)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(datetime.datetime(*since))
        .not_valid_after(datetime.datetime(*until)))
    if alternatives:
        builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
    signer = key if is_own else issuing
    hash = None if isinstance(signer, ed25519.Ed25519PrivateKey) else hashes.SHA256()
    der = builder.sign(signer, hash).public_bytes(serialization.Encoding.DER)
    print(f"{title} {der.hex()}")


def main():
    point = lambda: ec.generate_private_key(ec.SECP256R1())
    address = lambda text: x509.IPAddress(ipaddress.ip_address(text))
    ca = name(O="Test & Söhne", CN="Test Issuer 1")
    print("# Written by certificates.py")
    show(
        "wildcard", name(O="Example GmbH", CN="www.example.com"), rsa.generate_private_key(65537, 2048), ca,
        [x509.DNSName("www.example.com"), x509.DNSName("*.Api.example.com"), x509.DNSName("*.com")])
    show(
        "addresses", name(CN="gateway"), point(), ca,
        [address("192.0.2.7"), address("2001:db8::7"), x509.DNSName("gateway.test"),
         x509.RFC822Name("admin@example.com")])
    show("no-alternatives", name(CN="old.example.com"), ec.generate_private_key(ec.SECP384R1()), ca)
    show(
        "expired", name(CN="late.example.com"), point(), ca, [x509.DNSName("late.example.com")], (2019, 2, 3, 4, 5, 6),
        (2020, 2, 29, 23, 59, 59))
    show("far", name(CN="far"), point(), ca, [x509.DNSName("far.test")], (1960, 1, 1), (9999, 12, 31, 23, 59, 59))
    show("self-signed", name(CN="localhost"), ed25519.Ed25519PrivateKey.generate(), None, [x509.DNSName("localhost")])
    show("nameless", x509.Name([]), point(), x509.Name([]), [x509.DNSName("nameless.test")])


main()
