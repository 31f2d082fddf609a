#!/usr/bin/env python3
"""Write rfc8448.txt from the text of RFC 8448.

usage: rfc8448.py RFC8448.TXT >rfc8448.txt

A part of the result is what one side sends under one traffic secret, in one of the RFC's handshakes: the secret, then
its records and what is in them. See VectorFile.swift for the form.
"""
import re
import sys

CONTENT = {"handshake": 22, "application_data": 23, "alert": 21}
EPOCHS = {"early application": "e", "handshake": "hs", "application": "ap"}


def paragraphs(text):
    """The RFC's lines without empty ones, and without the feet and heads of its pages."""
    page = re.compile(r"Thomson +Informational|RFC 8448 +TLS 1.3 Traces")
    return [line for line in text.replace("\f", "").split("\n") if line.strip() and not page.match(line)]


def main():
    lines = paragraphs(open(sys.argv[1]).read())
    heading = ""
    sender = task = None
    epoch = {}
    secrets = {}
    parts = {}
    position = 0
    payload = None
    while position < len(lines):
        line = lines[position]
        position += 1
        if match := re.match(r"([3-7])\.  (.*)", line):
            heading, epoch, secrets = match[2].strip(), {}, {}
        elif match := re.match(r"   \{(client|server)\}  (.*)", line):
            sender, task = match.groups()
            if match := re.match(r"derive write traffic keys for (.*) data", task):
                epoch[sender] = EPOCHS[match[1]]
        elif match := re.match(r"      (payload|complete record|expanded) \((\d+) octets\):(.*)", line):
            field, count, digits = match.groups()
            while position < len(lines) and re.match(r"         ?[0-9a-f]{2}( [0-9a-f]{2})*$", lines[position]):
                digits += lines[position]
                position += 1
            digits = "".join(digits.split())
            assert len(digits) == 2 * int(count), (heading, task)
            if field == "expanded":
                if match := re.match(r'derive secret "tls13 (c|s) (e|hs|ap) traffic"', task):
                    secrets[match.groups()] = digits
            elif field == "payload":
                payload = digits
            elif digits.startswith("17"):
                content = CONTENT[re.match(r"send (\w+) record", task)[1]]
                key = (heading, sender, epoch[sender])
                part = parts.setdefault(key, (secrets[(sender[0], epoch[sender])], []))
                part[1].append((content, digits, payload))
    print("# Values of RFC 8448, https://www.rfc-editor.org/rfc/rfc8448; written by rfc8448.py")
    for (heading, sender, stage), (secret, records) in parts.items():
        stage = {value: name for name, value in EPOCHS.items()}[stage]
        print(f"\nname {heading}: {stage} data from the {sender}\nsuite 1301\nsecret {secret}")
        for content, record, plain in records:
            print(f"record {content} {record} {plain}")


main()
