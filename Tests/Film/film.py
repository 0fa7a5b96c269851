#!/usr/bin/env python3
"""What others read in the film of simulated cameras, and what a clip of 15 GB costs.

    film.py agree     ExifTool and pyosmogps's decoder against geotagctl clip
    film.py tiers [N] of N drives: how often what match says of a start holds, tier by tier
    film.py bench     a sparse clip of 15 GB: seconds and megabytes

ExifTool 13.11 or later knows Osmo clips: EXIFTOOL names it where the system's is older.  The other
decoder is pyosmogps's message classes: FILM_PYTHON is a Python that has them, else this one.
"""

import csv
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from boxes import box, field, samples

ROOT = Path(__file__).resolve().parents[2]
BINARIES = Path(os.environ.get('GEOTAGD_BIN', ROOT / '.build' / 'release'))
EXIFTOOL = os.environ.get('EXIFTOOL', shutil.which('exiftool') or 'exiftool').split()
SKIPPED = 77

# pyosmogps's messages over samples from standard input: a length of four bytes before each.
DECODE = '''
import json, struct, sys
from pyosmogps.dji_pb2 import GenericMessage
data, at = sys.stdin.buffer.read(), 0
while at < len(data):
    size, = struct.unpack_from(">I", data, at)
    message = GenericMessage()
    message.ParseFromString(data[at + 4:at + 4 + size])
    at += 4 + size
    gps = message.gps_info[0].remote_gps_info.coordinates
    info = message.video_global_info.module_info
    print(json.dumps([gps.info.latitude, gps.info.longitude, gps.gps_altitude_mm,
                      gps.datetime.datetime, info[0].serial_number if info else None,
                      info[0].camera_name if info else None]))
'''


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True,
                          text=True, **options).stdout


def film(folder, height, seconds=30):
    run(BINARIES / 'geotag-sim', 'film', folder, '--seconds', seconds, '--height', height)
    with open(folder / 'film.csv', newline='') as file:
        return [(folder / row['file'], row) for row in csv.DictReader(file)]


def changes(rows):
    """Each held position once: (lat_e7, lon_e7, height_mm)."""
    held = []
    for row in rows:
        if not held or held[-1] != row:
            held.append(row)
    return held


def same(what, ours, theirs):
    if ours != theirs:
        sys.exit(f'film.py: {what}: geotagctl says {ours}, the other {theirs}')


def compare(clip, ours, rows, who):
    held = changes([row[:3] for row in rows])
    for name, place in (('first_fix', held[0]), ('last_fix', held[-1])):
        fix = ours[name]
        same(f'{clip.name} {name} ({who})', (fix['lat_e7'], fix['lon_e7'], fix['height_mm']), place)
    same(f'{clip.name} positions ({who})', ours['positions'], len(held))
    same(f'{clip.name} frames ({who})', ours['frames'], len(rows))
    # The first frame's second may be of before; geotagctl shows the first that began in the clip.
    times = changes([row[3] for row in rows])
    same(f'{clip.name} stored time ({who})', ours['stored_time'].replace('T', ' '), times[1])


def decode(clip):
    data = b''.join(struct.pack('>I', len(sample)) + sample for sample in samples(clip))
    python = os.environ.get('FILM_PYTHON', sys.executable)
    done = subprocess.run([python, '-c', DECODE], input=data, capture_output=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    # Its height has no sign: DJI's own has, in ten bytes.
    return ([(round(lat * 1e7), round(lon * 1e7), (height + (1 << 31)) % (1 << 32) - (1 << 31), text)
             for lat, lon, height, text, _, _ in rows], rows[0][4], rows[0][5])


def exiftool(clip):
    text = run(*EXIFTOOL, '-ee', '-n', '-api', 'LargeFileSupport=1', '-p',
               '$gpslatitude,$gpslongitude,$gpsaltitude,$gpsdatetime', clip)
    rows = []
    for line in text.splitlines():
        lat, lon, height, stamp = line.split(',')
        date, clock = stamp.split(' ')
        rows.append((round(float(lat) * 1e7), round(float(lon) * 1e7),
                     round(float(height) * 1000), f'{date.replace(":", "-")} {clock}'))
    serial = run(*EXIFTOOL, '-ee', '-s3', '-SerialNumber', clip).split()[0]
    return rows, serial


def agree():
    version = 0.0
    try:
        version = float(run(*EXIFTOOL, '-ver'))
    except (OSError, subprocess.CalledProcessError):
        pass
    counts = {'exiftool': 0, 'pyosmogps': 0}
    with tempfile.TemporaryDirectory() as place:
        for height in (520, -430):
            for clip, truth in film(Path(place) / str(height), height):
                ours = json.loads(run(BINARIES / 'geotagctl', 'clip', clip, '--json'))
                rows, serial, product = decode(clip)
                compare(clip, ours, rows, 'pyosmogps')
                same(f'{clip.name} serial', ours['serial'], serial)
                same(f'{clip.name} serial', ours['serial'], truth['serial'])
                same(f'{clip.name} product', product.replace('DJI ', '').replace('OsmoAction5', 'Osmo Action 5'),
                     ours['camera'])
                counts['pyosmogps'] += 1
                # ExifTool takes heights below the sea for huge ones, and knows 4 and 5 Pro only.
                if version >= 13.11 and height > 0 and truth['model'] in ('action4', 'action5pro'):
                    rows, serial = exiftool(clip)
                    compare(clip, ours, rows, f'ExifTool {version}')
                    same(f'{clip.name} serial', ours['serial'], serial)
                    counts['exiftool'] += 1
    print(f"pyosmogps's decoder agrees on {counts['pyosmogps']} clips of four models, "
          f'also below the sea')
    if counts['exiftool']:
        print(f"ExifTool {version} agrees on {counts['exiftool']} clips of Action 4 and 5 Pro")
    else:
        print('SKIPPED: ExifTool 13.11 or later is not here; EXIFTOOL may name one')


# What is taken away from the logs, and the tiers that may answer then.
TIERS = [('nothing', (), {'pushes'}), ('push log', ('pushes',), {'positions'}),
         ('push log and track', ('pushes', 'track'), {'seconds', 'events'}),
         ('all but the clips', ('pushes', 'track', 'events'), {'seconds', 'container'})]


def tiers(seeds):
    """Each drive of a minute, filmed with 5 % of the pushes lost and 5 ms of jitter."""
    held = {name: [0, 0, 0] for name, _, _ in TIERS}
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / 'film'
            run(BINARIES / 'geotag-sim', 'film', folder, '--seed', seed, '--seconds', 60, '--start',
                1_782_900_000 + 7919 * seed, '--filming', 'lost=5,mean_ms=15,jitter_ms=5')
            with open(folder / 'film.csv', newline='') as file:
                truths = {str(folder / row['file']): int(row['first_utc_us']) / 1e6
                          for row in csv.DictReader(file)}
            for name, missing, allowed in TIERS:
                logs = Path(place) / 'logs'
                shutil.rmtree(logs, ignore_errors=True)
                shutil.copytree(folder / 'tracks', logs)
                for kind in (*missing, 'offsets'):
                    for file in logs.glob(f'{kind}-*'):
                        file.unlink()
                words = ['--track', logs] if any(logs.iterdir()) else []
                tell(name, allowed, truths, held[name], folder, words, place)
    for name, (good, all_of_them, unknown) in held.items():
        if all_of_them:
            print(f'without {name}: {good} of {all_of_them} starts within what was said'
                  + (f', {unknown} more said to be unknown' if unknown else ''))
            if good < 0.99 * all_of_them:
                sys.exit('film.py: less than 99 in 100')
        elif unknown:
            print(f'without {name}: all {unknown} starts said to be unknown')


def tell(name, allowed, truths, held, folder, words, place):
    out = run(BINARIES / 'geotagctl', 'match', folder, '--json', *words, cwd=place)
    for row in map(json.loads, out.splitlines()):
        if row['tier'] not in allowed:
            sys.exit(f"film.py: {row['clip']} without {name}: placed by {row['tier']}")
        if row['uncertainty_s'] is None:
            held[2] += 1
            continue
        early = truths[row['clip']] - row['start_s']
        # Of what pushes say, the least way over the air is taken off.
        early -= 0.015 if row['tier'] == 'pushes' else 0
        held[1] += 1
        held[0] += abs(early) <= row['uncertainty_s']


def big(path, frames=130_000, size=15_000_000_000, chunk=12):
    """A clip of 72 minutes at 30 a second: telemetry apart in a file that is mostly holes."""
    head = box(b'ftyp', b'isom' + bytes(4) + b'isommp41')
    data = len(head) + 16
    offsets, sizes = [], []
    with open(path, 'wb') as file:
        file.write(head)
        step = (size - data) // (frames // chunk + 1)
        for number in range(frames):
            if number % chunk == 0:
                offsets.append(data + number // chunk * step)
                file.seek(offsets[-1])
            push = number // 3
            sample = field(3, field(1, field(1, number) + field(2, 30_000_000 + number * 33_367))
                           + field(2, field(10, bytes(150)))
                           + field(4, field(2, field(1, field(1, 1) + field(2, 48 + push / 1e6)
                                                     + field(3, 11 + push / 1e6))
                                            + field(2, 520_000 + push)
                                            + field(6, field(1, '2026-07-01 10:00:%02d'
                                                             % (push // 10 % 60))))))
            if number == 0:
                sample = field(1, field(1, field(1, 'dvtm_ac204.proto'))) + sample
            sizes.append(len(sample))
            file.write(sample)
        file.seek(len(head))
        file.write(struct.pack('>I4sQ', 1, b'mdat', size - len(head)))
        file.seek(size)
        file.write(index(offsets, sizes, chunk, frames))


def index(offsets, sizes, chunk, frames):
    full = bytes(4)
    table = box(
        b'stbl',
        box(b'stsd', full, struct.pack('>I', 1), box(b'djmd', bytes(6), b'\0\1')),
        box(b'stts', full, struct.pack('>III', 1, frames, 1001)),
        box(b'stsc', full, struct.pack('>IIII', 1, 1, chunk, 1)),
        box(b'stsz', full, struct.pack('>II', 0, frames), struct.pack(f'>{frames}I', *sizes)),
        box(b'co64', full, struct.pack('>I', len(offsets)),
            struct.pack(f'>{len(offsets)}Q', *offsets)))
    media = box(b'mdia', box(b'mdhd', full, struct.pack('>IIIII', 0, 0, 30_000, frames * 1001, 0)),
                box(b'hdlr', full, b'mhlrmeta', bytes(12), b'DJI meta\0'), box(b'minf', table))
    return box(b'moov', box(b'mvhd', full, struct.pack('>IIII', 3_865_744_800, 0, 30_000,
                                                        frames * 1001), bytes(80)),
               box(b'trak', media))


def bench():
    with tempfile.TemporaryDirectory(dir=os.environ.get('TMPDIR')) as place:
        path = Path(place) / 'DJI_20260701120000_0001_D.MP4'
        big(path)
        began = time.monotonic()
        child = subprocess.Popen([str(BINARIES / 'geotagctl'), 'clip', '--json', str(path)],
                                 stdout=subprocess.PIPE)
        row = json.loads(child.stdout.read())
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - began
        megabytes = usage.ru_maxrss / 1024
        print(f"{path.stat().st_size / 1e9:.1f} GB, {row['frames']} frames, {row['positions']} "
              f'positions: {seconds:.2f} s, {megabytes:.1f} MB')
        if status or row['frames'] != 130_000 or seconds > 3 or megabytes > 20:
            sys.exit('film.py: slower or larger than 3 s and 20 MB, or not all was read')


if __name__ == '__main__':
    if sys.argv[1:2] == ['tiers']:
        tiers(int(sys.argv[2]) if len(sys.argv) > 2 else 100)
    else:
        {'agree': agree, 'bench': bench}[sys.argv[1] if len(sys.argv) > 1 else 'agree']()
