#!/usr/bin/env python3
"""What an evening takes: a day of 10 Hz, 864,000 rows, with 40 clips of four cameras.

    evening.py [SECONDS]      of each clip: 120 unless told otherwise

Makes ten films of four simulated cameras, and the rest of the day between them, then lets
`geotagctl evening` and `geotagctl track report` work on it.  Fails where one fails, takes more than
MOST_SECONDS or MOST_MEMORY, or where the report is larger than MOST_BYTES.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import day

MOST_SECONDS = 30
MOST_MEMORY = 64  # MiB
MOST_BYTES = 1_000_000
FILMS, EVERY = 10, 8400  # seconds from one to the next
SIM = day.GEOTAGCTL.with_name('geotag-sim')


def make(folder, length):
    """Writes the day; its number of rows."""
    folder.mkdir()
    films = [(day.BEGIN + 1000 + EVERY * number, length + 10) for number in range(FILMS)]
    for start, seconds in films:
        subprocess.run([SIM, 'film', folder / str(start), '--seconds', str(seconds), '--start',
                        str(start), '--seed', str(start % 997)], check=True, capture_output=True)
    filmed = {second for start, seconds in films
              for second in range(start - day.BEGIN, start - day.BEGIN + seconds)}
    rows = 0
    ends = [0] + [start - day.BEGIN for start, _ in films] + [86_400]
    (folder / 'tracks').mkdir()
    for begin, end in zip(ends, ends[1:]):
        seconds = [second for second in range(begin, end) if second not in filmed]
        name = time.strftime('track-%Y%m%dT%H%M%SZ.csv', time.gmtime(day.BEGIN + seconds[0]))
        with (folder / 'tracks' / name).open('w') as file:
            file.write(day.HEADER)
            for second in seconds:
                file.writelines(map(day.row, range(10 * second, 10 * second + 10)))
                rows += 10
    return rows + sum(10 * seconds for _, seconds in films)


def measure(words, output):
    """(status, seconds, MiB at the most) of one run."""
    begin = time.monotonic()
    child = subprocess.Popen([day.GEOTAGCTL, *words], stdout=output)
    most = 0
    while child.poll() is None:
        most = max(most, day.memory(child.pid))
        time.sleep(0.005)
    return child.returncode, time.monotonic() - begin, most / 1024


def main():
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    folder = Path(tempfile.mkdtemp(prefix='geotagd-evening-'))
    try:
        rows = make(folder / 'day', length)
        failed = False
        report = folder / 'out' / 'report.html'
        clips = len(list((folder / 'day').glob('*/cam*/*')))
        tracks = sorted({path.parent for path in (folder / 'day').rglob('track-*.csv')})
        for name, *words in (
                ('evening', 'evening', folder / 'day', '--output', folder / 'out', '--format',
                 'gpx,csv,srt,vbo,geojson'),
                ('evening again', 'evening', folder / 'day', '--output', folder / 'out'),
                ('track report', 'track', 'report', *tracks, '--output', folder / 'alone.html')):
            with open(folder / 'said', 'wb') as output:
                status, seconds, memory = measure(words, output)
            failed |= status != 0 or seconds > MOST_SECONDS or memory > MOST_MEMORY
            print(f'bench evening {name:14} {rows} rows, {clips} clips of {length} s in '
                  f'{seconds:.2f} s, {memory:.1f} MiB of memory'
                  + (f', FAILED with {status}' if status else ''), flush=True)
        written = len(list((folder / 'out').glob('*.srt')))
        size = report.stat().st_size
        print(f'bench evening report {size / 1e3:.0f} kB, {written} clips written')
        return 1 if failed or size > MOST_BYTES or written != clips else 0
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    sys.exit(main())
