#!/usr/bin/env python3
"""What the core job costs, beside the same job in C and in Python, in one run on this machine.

    bench.py [--cameras 10] [--seconds 20] [--only NAME]

Prints what it measured, on what, and the ratios.  The machine is shared: look at ratios, and run it
twice.  The Python peer needs bleak (installed from PyPI into .cache/bench once; left out, loudly,
where that cannot be had).
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Tests' / 'Integration'))
from goals import goal  # noqa: E402
from processes import BINARIES  # noqa: E402
from rig import Rig  # noqa: E402

HERE = Path(__file__).resolve().parent
# A push at a camera. C and Python shake no hands, which the cameras complain of at each.
ARRIVED = re.compile(r' gps | violation before-handshake')
CACHE = ROOT / '.cache' / 'bench'


def cpu(pid):
    """Seconds of CPU that a process has had, over all its threads."""
    total = 0
    for task in os.listdir(f'/proc/{pid}/task'):
        try:
            total += int(Path(f'/proc/{pid}/task/{task}/schedstat').read_text().split()[0])
        except FileNotFoundError:
            pass
    return total / 1e9


def rss(pid):
    for line in Path(f'/proc/{pid}/status').read_text().splitlines():
        if line.startswith('VmRSS'):
            return int(line.split()[1]) / 1024
    return 0.0


def build():
    CACHE.mkdir(parents=True, exist_ok=True)
    flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'dbus-1', 'libgps'],
                           capture_output=True, text=True, check=True).stdout.split()
    for name, extra in (('micro', []), ('client', flags + ['-lm'])):
        subprocess.run(['gcc', '-O2', HERE / f'{name}.c', '-o', CACHE / name, *extra], check=True)
    python = CACHE / 'venv' / 'bin' / 'python'
    if not python.exists():
        try:
            subprocess.run(['/usr/bin/python3', '-m', 'venv', CACHE / 'venv'], check=True)
            subprocess.run([CACHE / 'venv' / 'bin' / 'pip', 'install', '-q', 'bleak'], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f'LEFT OUT: the Python peer ({error})')
            return None
    return python


def codec():
    with tempfile.TemporaryDirectory() as folder:
        c = dict(line.split() for line in subprocess.run(
            [CACHE / 'micro', f'{folder}/rows.csv'], capture_output=True, text=True,
            check=True).stdout.splitlines())
        ours = dict(line.split() for line in subprocess.run(
            [BINARIES / 'geotag-sim', 'bench'], capture_output=True, text=True,
            check=True).stdout.splitlines())
        rows = subprocess.run([BINARIES / 'track-bench', '200000', f'{folder}/tracks'],
                              capture_output=True, text=True, check=True).stdout
    ratios = {what: float(ours[f'{what}_ns']) / float(c[f'{what}_ns'])
              for what in ('encode', 'decode')}
    for what, ratio in ratios.items():
        print(f'one GPS frame, {what}d:     geotagd {float(ours[f"{what}_ns"]):6.1f} ns   '
              f'C {float(c[f"{what}_ns"]):6.1f} ns   ratio {ratio:.2f}')
    print(f'track rows, one write each: C {float(c["rows_per_second"]):7.0f}/s of processor time')
    print(rows, end='')
    goal('encoding a frame, to C,', ratios['encode'], 1.3, 'times')
    # Our payload is an array of its own, C's is a place that stands ready.
    goal('decoding a frame, to C,', ratios['decode'], 4, 'times')


def run(name, start, cameras, seconds):
    """CPU of the program that `start` starts, while it streams to the cameras."""
    rig = Rig()
    try:
        rig.start_bus()
        stand_in = rig.start_cameras(cameras)
        rig.start_gpsd()
        rig.start_feeder(10, sentences='GGA,GSA,RMC')
        addresses = [t.split()[2] for t in stand_in.texts('out') if t.startswith('camera ')]
        program = start(rig, addresses)
        since = len(stand_in.lines)
        stand_in.wait_for(ARRIVED, 60, since=since, count=cameras * 20)
        since, begun, used = len(stand_in.lines), time.monotonic(), cpu(program.child.pid)
        time.sleep(seconds)
        written = sum(1 for text in stand_in.texts('out', since) if ARRIVED.search(text))
        elapsed, used = time.monotonic() - begun, cpu(program.child.pid) - used
        return {'name': name, 'share': used / elapsed * 100, 'write': used / written * 1e6,
                'rss': rss(program.child.pid), 'rate': written / elapsed / cameras}
    finally:
        rig.close()


def stream(cameras, seconds, python):
    def ours(rig, addresses):
        return rig.start_daemon(addresses)

    def c_client(rig, addresses):
        paths = ['/org/bluez/hci0/dev_' + a.replace(':', '_') for a in addresses]
        return rig.start('client', CACHE / 'client', rig.gpsd_port, *paths, env=rig.environment)

    def python_client(rig, addresses):
        return rig.start('bleak', python, HERE / 'client_bleak.py', rig.gpsd_port, *addresses,
                         env=rig.environment)

    peers = [('geotagd', ours), ('C', c_client)]
    peers += [('Python, bleak', python_client)] if python else []
    results = [run(*peers[0], cameras, seconds)]
    for name, start in peers[1:]:
        try:
            results.append(run(name, start, cameras, seconds))
        except AssertionError as error:
            print(f'LEFT OUT: {name} did not stream: {str(error).partition(";")[0]}')
    in_c = next((r['share'] for r in results if r['name'] == 'C'), None)
    in_python = next((r['share'] for r in results if r['name'].startswith('Python')), None)
    print(f'{cameras} cameras at 10 Hz for {seconds} s, real gpsd, D-Bus stand-in, no radio:')
    for result in results:
        print(f'  {result["name"]:14} {result["share"]:6.2f} % of a core  '
              f'{result["write"]:7.1f} us a write  RSS {result["rss"]:5.1f} MB  '
              f'{result["rate"]:5.2f} Hz')
    for name, share, most in (('C', in_c, 2), ('Python', in_python, 0.5)):
        if share:
            goal(f'the stream, to {name},', results[0]['share'] / share, most, 'times')


def main():
    options = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    options.add_argument('--cameras', type=int, default=10)
    options.add_argument('--seconds', type=int, default=20)
    options.add_argument('--only', choices=['codec', 'stream'])
    options = options.parse_args()
    python = build()
    print(f'on {platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}, '
          f'binaries {BINARIES}')
    print('command:', ' '.join(['Tests/Bench/bench.py', *sys.argv[1:]]))
    if options.only in (None, 'codec'):
        codec()
    if options.only in (None, 'stream'):
        stream(options.cameras, options.seconds, python)


if __name__ == '__main__':
    main()
