#!/usr/bin/env python3
"""What the offline tools take for a day of 10 Hz: time and memory of each, as geotagctl runs them.

    day.py [ROWS]      864,000 rows unless told otherwise

Makes a track of a day in the daemon's format, with four cameras that record for 20 minutes every
half hour, and lets `geotagctl track` work on it.  Fails where a tool fails or takes more memory
than MOST_MEMORY: that does not grow with the length of a track.
"""

import datetime
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GEOTAGCTL = Path(os.environ.get('GEOTAGD_BIN', ROOT / '.build' / 'release')) / 'geotagctl'
MOST_MEMORY = 32  # MiB
BEGIN = 1_782_864_000  # 2026-07-01T00:00:00Z
HEADER = ('datetime_utc_time,latitude,longitude,alt_msl_m,Speed (m/s),heading_deg,fix,sats,hdop,'
          'climb_mps,hae_m,eph_m,epv_m,epoch_s,mono_s,seq,device,pushed,rec\n')
EVENTS = 'utc,mono_s,event,camera,detail,at_latitude,at_longitude,seq\n'
CAMERAS = ('front', 'rear', 'left', 'right')
ROUND, RECORDED = 1800, 1200  # seconds


def row(number):
    second, tenth = divmod(number, 10)
    clock = f'{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}'
    date = '2026-07-01' if second < 86_400 else '2026-07-02'
    angle = number / 4000
    latitude, longitude = 48 + 0.01 * math.sin(angle), 11 + 0.015 * math.cos(angle)
    recording = '+'.join(CAMERAS) if second % ROUND < RECORDED else ''
    return (f'{date} {clock}.{tenth}00Z,{latitude:.8f},{longitude:.8f},520.{number % 100:02},'
            f'15.{number % 1000:03},{number % 36000 / 100:.2f},3d,12,0.90,-0.300,567.42,1.71,2.99,'
            f'{BEGIN + second}.{tenth}00,{1000 + number / 10:.6f},{number + 1},/dev/ttyACM0,4,'
            f'{recording}\n')


def events(rows):
    for second in range(0, rows // 10, ROUND):
        for camera in CAMERAS:
            for after, state in ((0, 'started'), (RECORDED, 'stopped')):
                since = second + after
                at = datetime.datetime.fromtimestamp(BEGIN + since, datetime.timezone.utc)
                yield (f'{at:%Y-%m-%dT%H:%M:%S}.000Z,{1000 + since}.000000,record,{camera},'
                       f'state={state} record_s=0,,,\n')


def measure(folder, *words):
    """(status, seconds, MiB at the most) of one run."""
    with open(folder / 'out', 'wb') as output:
        begin = time.monotonic()
        child = subprocess.Popen([GEOTAGCTL, 'track', *words], stdout=output)
        most = 0
        # What wait4 says of memory is at least this interpreter's own, from before the exec.
        while child.poll() is None:
            most = max(most, memory(child.pid))
            time.sleep(0.005)
        return child.returncode, time.monotonic() - begin, most / 1024


def memory(process):
    """The most that a process has had so far, KiB."""
    try:
        text = Path(f'/proc/{process}/status').read_text()
    except OSError:
        return 0
    match = re.search(r'VmHWM:\s+(\d+) kB', text)
    return int(match.group(1)) if match and 'geotagctl' in text else 0


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 864_000
    folder = Path(tempfile.mkdtemp(prefix='geotagd-day-'))
    try:
        track = folder / 'track-20260701T000000Z.csv'
        with track.open('w') as file:
            file.write(HEADER)
            file.writelines(map(row, range(rows)))
        (folder / 'events-20260701T000000Z.csv').write_text(EVENTS + ''.join(events(rows)))
        failed = False
        # The tools are measured, not the disk's first reading.
        track.read_bytes()
        for verb, *more in (('info',), ('check',), ('gpx',), ('kml',), ('geojson',), ('clips',),
                            ('clips', '--gpx', folder / 'clips')):
            status, seconds, memory = measure(folder, verb, track, *more)
            failed |= status != 0 or memory > MOST_MEMORY
            name = 'clips --gpx' if more else verb
            print(f'bench day    track {name:12} {rows} rows ({track.stat().st_size >> 20} MiB) in '
                  f'{seconds:.2f} s, {rows / seconds:,.0f} rows/s, {memory:.1f} MiB of memory'
                  + (f', FAILED with {status}' if status else ''), flush=True)
        return 1 if failed else 0
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    sys.exit(main())
