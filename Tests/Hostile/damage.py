"""Bytes that are changed at random: of packets, of files, of what people write."""
EDGES = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]


def damage(data, source, words, headers=0):
    """Changes a few bytes, mostly behind the headers; words are put in or written over what stands there."""
    data = bytearray(data)
    for _ in range(source.choice((1, 1, 1, 2, 4, 16))):
        if not data:
            break
        at = source.randrange(len(data)) if source.random() < 0.3 else source.randrange(min(headers, len(data) - 1), len(data))
        kind = source.randrange(6)
        if kind == 0:
            data[at] ^= 1 << source.randrange(8)
        elif kind == 1:
            data[at] = source.choice(EDGES)
        elif kind == 2:
            data[at] = source.randrange(256)
        elif kind == 3:
            del data[at:at + source.choice((1, 1, 2, 4, 64))]
        elif kind == 4:
            data[at:at] = source.choice(words)
        else:
            word = source.choice(words)
            data[at:at + len(word)] = word
    return bytes(data)
