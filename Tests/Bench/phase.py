#!/usr/bin/env python3
"""How old a new fix is when it reaches the cameras, and whether pushes keep step with the receiver.

    phase.py [--seconds 60] [--cameras 4] [--rate 10]

Real gpsd fed with NMEA over UDP, the real daemon and its loop, cameras on a D-Bus stand-in.  Prints

  all of it   from the feeder's last byte to the camera (gpsd, daemon, D-Bus stand-in)
  gpsd        from the feeder's last byte to another client of the same gpsd
  geotagd     from the moment that other client had the fix to the camera: what we add, give or take
              which of the two gpsd serves first
  beats       epochs that no push told of, and pushes that told of no new epoch

Goals at 10 Hz: p50 under 0.5 ms, p99 under 5 ms, no beats.  A push waits 20 ms for an expected fix
and no longer: where the feeder or gpsd was later than that, because the machine did something else,
a beat is what is wanted, and is counted apart.
"""

import argparse
import bisect
import json
import math
import os
import socket
import sys
import threading
import time
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Tests' / 'Integration'))
from goals import goal  # noqa: E402
from processes import BINARIES  # noqa: E402
from rig import Rig, pushes  # noqa: E402

# A push waits so long for an expected fix, seconds.
PATIENCE = 0.020


class Listener(threading.Thread):
    """Another client of gpsd: when it had each epoch's first position."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.socket.sendall(b'?WATCH={"enable":true,"json":true};\n')
        self.first = {}

    def run(self):
        rest = b''
        while data := self.socket.recv(65536):
            now = time.monotonic()
            *lines, rest = (rest + data).split(b'\n')
            for line in lines:
                report = json.loads(line)
                if report['class'] == 'TPV' and 'lat' in report and 'time' in report:
                    self.first.setdefault(report['time'], now)


def epochs(log):
    """The feeder's epochs: (UTC text as gpsd has it, instant of the last byte)."""
    return [(words[0], int(words[2]) / 1e9)
            for words in (line.split(',') for line in log.read_text().splitlines())
            if len(words) == 6]


def lateness(sent):
    """How late the feeder was with each epoch, seconds, beside its most punctual one."""
    behind = [at - datetime.fromisoformat(text).timestamp() for text, at in sent]
    return [value - min(behind) for value in behind]


def quantile(values, share):
    """Milliseconds."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] * 1e3 if values else math.inf


def quantiles(name, values):
    if not values:
        print(f'  {name:10} nothing measured')
        return
    pick = [quantile(values, share) for share in (0.5, 0.95, 0.99, 1)]
    print(f'  {name:10} p50 {pick[0]:7.3f} ms   p95 {pick[1]:7.3f} ms   p99 {pick[2]:7.3f} ms   '
          f'max {pick[3]:7.3f} ms   n {len(values)}')


def beats(instants, stamps, excused):
    """(epochs without a push before the next one, pushes without an epoch since the last one):
    ours, and those that a late epoch excuses, from the one before it to the second behind it."""
    ours, theirs = [0, 0], [0, 0]
    for index, (left, right) in enumerate(zip(instants, instants[1:])):
        count = bisect.bisect(stamps, right) - bisect.bisect(stamps, left)
        told = theirs if any(excused[max(0, index - 2):index + 2]) else ours
        told[0] += count == 0
        told[1] += max(0, count - 1)
    return ours, theirs


def report(sent, cameras, listener):
    instants = [at for _, at in sent]
    whole, ours = [], []
    for stamps in cameras.values():
        for index, (text, at) in enumerate(sent[:-1]):
            position = bisect.bisect(stamps, at)
            if position == len(stamps) or stamps[position] > instants[index + 1]:
                continue
            whole.append(stamps[position] - at)
            if text in listener.first:
                ours.append(stamps[position] - listener.first[text])
    theirs = [listener.first[text] - at for text, at in sent if text in listener.first]
    quantiles('all of it', whole)
    quantiles('gpsd', theirs)
    quantiles('geotagd', ours)

    behind = lateness(sent)
    held = [listener.first.get(text, at) - at for text, at in sent]
    excused = [max(pair) > PATIENCE for pair in zip(behind, held)]
    print(f'  feeder     {sum(late > PATIENCE for late in behind)} epochs more than 20 ms late, '
          f'worst {max(behind) * 1e3:.1f} ms; gpsd {sum(late > PATIENCE for late in held)}, '
          f'worst {max(held) * 1e3:.1f} ms')
    counts = [beats(instants, stamps, excused) for stamps in cameras.values()]
    for name, place in (('beats', 0), ('excused', 1)):
        print(f'  {name:10} {sum(both[place][0] for both in counts)} epochs not pushed, '
              f'{sum(both[place][1] for both in counts)} pushes without a new epoch, '
              f'in {len(instants) - 1} epochs x {len(cameras)} cameras')
    goal('age of a new fix at the cameras, p50,', quantile(whole, 0.5), 0.5, 'ms')
    goal('age of a new fix at the cameras, p99,', quantile(whole, 0.99), 5, 'ms')
    goal('beats', sum(sum(own) for own, _ in counts), 0, 'beats')


def main():
    options = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    options.add_argument('--seconds', type=int, default=60)
    options.add_argument('--cameras', type=int, default=4)
    options.add_argument('--rate', type=float, default=10)
    options = options.parse_args()
    print(f'{options.cameras} cameras, a {options.rate:g} Hz receiver for {options.seconds} s, '
          f'{os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}, {BINARIES}')
    rig = Rig()
    try:
        rig.start_bus()
        stand_in = rig.start_cameras(options.cameras)
        rig.start_gpsd()
        log = rig.folder / 'epochs.csv'
        rig.start_feeder(options.rate, log=log, decimals=3)
        addresses = [t.split()[2] for t in stand_in.texts('out') if t.startswith('camera ')]
        rig.start_daemon(addresses)
        stand_in.wait_for(r' gps ', 60, count=options.cameras * 30)
        listener = Listener(rig.gpsd_port)
        listener.start()
        begun = time.monotonic() + 1
        ended = begun + options.seconds
        # Asleep, not counting lines: on two cores the bench would stand in its own way.
        time.sleep(options.seconds + 2)
        sent = [(text, at) for text, at in epochs(log) if begun <= at <= ended]
        cameras = {}
        for at, name, fields in pushes(stand_in):
            if fields['kind'] == 'gps' and begun <= at <= ended + 0.2:
                cameras.setdefault(name, []).append(at)
        report(sent, cameras, listener)
    finally:
        rig.close()


if __name__ == '__main__':
    main()
