"""Boxes of MP4 and fields of Protocol Buffers in Python: nothing of geotagd's own reader is in it."""

import struct

CONTAINERS = {b'moov', b'trak', b'mdia', b'minf', b'stbl'}


def boxes(data, start, end):
    while start + 8 <= end:
        size, name = struct.unpack_from('>I4s', data, start)
        head = 8
        if size == 1:
            size, head = struct.unpack_from('>Q', data, start + 8)[0], 16
        yield name, start + head, start + size
        start += size


def find(data, start, end, path):
    for name, low, high in boxes(data, start, end):
        if name == path[0]:
            if len(path) == 1:
                yield low, high
            else:
                yield from find(data, low, high, path[1:])


def samples(path):
    """The samples of the first track of djmd."""
    data = path.read_bytes()
    for low, high in find(data, 0, len(data), [b'moov', b'trak']):
        table = next(find(data, low, high, [b'mdia', b'minf', b'stbl']))
        parts = {name: (a, b) for name, a, b in boxes(data, *table)}
        if data[parts[b'stsd'][0] + 12:parts[b'stsd'][0] + 16] != b'djmd':
            continue
        return list(sliced(data, parts))
    raise ValueError(f'{path}: no djmd')


def sliced(data, parts):
    low = parts[b'stsz'][0]
    sizes = struct.unpack_from(f'>{struct.unpack_from(">I", data, low + 8)[0]}I', data, low + 12)
    name, letter = (b'co64', 'Q') if b'co64' in parts else (b'stco', 'I')
    low = parts[name][0]
    offsets = struct.unpack_from(f'>{struct.unpack_from(">I", data, low + 4)[0]}{letter}', data,
                                 low + 8)
    low = parts[b'stsc'][0]
    runs = [struct.unpack_from('>III', data, low + 8 + 12 * number)
            for number in range(struct.unpack_from('>I', data, low + 4)[0])]
    index = 0
    for chunk, offset in enumerate(offsets, 1):
        count = [run[1] for run in runs if run[0] <= chunk][-1]
        for size in sizes[index:index + count]:
            yield data[offset:offset + size]
            offset += size
        index += count


def varint(value):
    value &= (1 << 64) - 1
    out = b''
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    """An integer, a double, a text, or the bytes of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack('<d', value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def box(name, *contents):
    body = b''.join(contents)
    return struct.pack('>I', len(body) + 8) + name + body
