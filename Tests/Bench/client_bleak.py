"""The Python peer: what somebody would write with bleak, carefully (one grid, all at once).

    client_bleak.py GPSD-PORT ADDRESS...     prints READY when all are connected; until SIGTERM
"""

import asyncio
import json
import math
import struct
import sys
import time

from bleak import BleakClient, BleakScanner

NOTIFY, WRITE = (f'0000fff{digit}-0000-1000-8000-00805f9b34fb' for digit in (4, 5))


def table(polynomial):
    entries = []
    for entry in range(256):
        for _ in range(8):
            entry = entry >> 1 ^ polynomial if entry & 1 else entry >> 1
        entries.append(entry)
    return entries


TABLE16, TABLE32 = table(0xA001), table(0xEDB88320)


def checksum(entries, data, value=0x3AA3):
    for byte in data:
        value = value >> 8 ^ entries[(value ^ byte) & 255]
    return value


def frame(sequence, payload):
    head = struct.pack('<BHBB3xH', 0xAA, 18 + len(payload), 0, 0, sequence)
    body = head + struct.pack('<H', checksum(TABLE16, head)) + b'\x00\x17' + payload
    return body + struct.pack('<I', checksum(TABLE32, body))


async def follow(port, fix):
    reader, writer = await asyncio.open_connection('127.0.0.1', port)
    writer.write(b'?WATCH={"enable":true,"json":true}\n')
    while line := await reader.readline():
        report = json.loads(line)
        if report.get('class') == 'TPV':
            fix.update(report)


def payload(fix):
    course, speed = math.radians(fix.get('track', 0)), fix.get('speed', 0) * 100
    return struct.pack(
        '<iiiiifffIIII', 20260101, 120000, int(fix.get('lon', 0) * 1e7),
        int(fix.get('lat', 0) * 1e7), int(fix.get('altMSL', 0) * 1000),
        speed * math.cos(course), speed * math.sin(course), 0, 1500, 1000, 10, 12)


async def main(port, addresses):
    fix, clients = {}, []
    found = await BleakScanner.discover(4)
    for address in addresses:
        device = next(d for d in found if d.address == address)
        client = BleakClient(device)
        await client.connect()
        await client.start_notify(NOTIFY, lambda *_: None)
        clients.append(client)
    feed = asyncio.create_task(follow(port, fix))
    print('READY', flush=True)
    sequence, tick = 0, time.monotonic()
    while not feed.done():
        tick += 0.1
        await asyncio.sleep(tick - time.monotonic())
        data = payload(fix)
        await asyncio.gather(*(
            client.write_gatt_char(WRITE, frame(sequence + i & 0xFFFF, data), response=False)
            for i, client in enumerate(clients)))
        sequence += len(clients)


asyncio.run(main(int(sys.argv[1]), sys.argv[2:]))
