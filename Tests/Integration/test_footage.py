"""Footage finds its place: a real gpsd, the daemon, cameras that film, and geotagctl match."""

import csv
import json
import os
import shutil
import subprocess
import time
import unittest

from processes import BINARIES
from rig import Circle, Rig, fields

# FILM_SECONDS=600 is `make film`: ten minutes, and the drift is looked at too.
SECONDS = float(os.environ.get('FILM_SECONDS', 60))
# No place comes twice.
COURSE = Circle(radius=SECONDS * 4, speed=15)
LOST = 5  # percent of pushes
LEAST = 0.015  # seconds over the air, at the least
CAMERAS = 4
# Between frames of the slowest camera.
FRAME = 1001 / 24000
# Of the way from the bus to the film: the stand-in's own, and how late a busy machine's feeder is.
SLACK = 0.020


def match(*words, json_lines=True, cwd=None):
    done = subprocess.run([BINARIES / 'geotagctl', 'match', *map(str, words),
                           *(['--json'] if json_lines else [])],
                          capture_output=True, text=True, timeout=120, cwd=cwd)
    rows = [json.loads(line) for line in done.stdout.splitlines()] if json_lines else done.stdout
    return rows, done.returncode, done.stderr


class FootageCase(unittest.TestCase):
    def setUp(self):
        self.rig = Rig()
        self.addCleanup(self.rig.close)
        self.film = self.rig.folder / 'film'

    def begin(self, filming, extra='[push]\ntime = utc\n'):
        rig = self.rig
        rig.start_bus()
        self.cameras = rig.start_cameras(CAMERAS, '--film', self.film, '--filming', filming)
        self.gpsd = rig.start_gpsd()
        self.feeder = rig.start_feeder(10, COURSE)
        addresses = [t.split()[2] for t in self.cameras.texts('out') if t.startswith('camera ')]
        self.daemon = rig.start_daemon(addresses, extra=extra)
        self.daemon.wait_for('event=start', 30)
        deadline = time.monotonic() + 60
        while [fields(t).get('state') for t in rig.ask('cameras')[0]] != ['ready'] * CAMERAS:
            self.assertLess(time.monotonic(), deadline, 'the cameras are not ready')
            time.sleep(0.2)
        self.cameras.wait_for(' gps .*sats=[1-9]', 60)

    def shoot(self, seconds):
        self.assertEqual(self.rig.ask('record start', 30)[1], 'OK')
        time.sleep(seconds)
        self.assertEqual(self.rig.ask('record stop', 30)[1], 'OK')

    def end(self):
        self.daemon.signal(15)
        self.assertEqual(self.daemon.wait(10), 0)
        self.cameras.signal(15)
        self.cameras.wait(10)

    def truths(self):
        with open(self.film / 'film.csv', newline='') as file:
            return {str(self.film / row['file']): row for row in csv.DictReader(file)}

    def early(self, row, truth):
        """By how many seconds a start was found too early."""
        return int(truth['first_utc_us']) / 1e6 - row['start_s']


class WholeTrip(FootageCase):
    def test_every_clip_finds_its_start_and_what_it_holds(self):
        self.begin(f'lost={LOST},delay_ms={LEAST * 1000},mean_ms=10,jitter_ms=5')
        # Pushes of before are in memory, and go into the log with the recording.
        time.sleep(3)
        half = SECONDS / 2
        self.shoot(half)
        time.sleep(2)
        self.shoot(half)
        time.sleep(1)
        self.end()
        truths = self.truths()
        self.assertEqual(len(truths), 2 * CAMERAS)
        rows, status, errors = match(self.film, '--track', self.rig.tracks)
        self.assertEqual((status, len(rows)), (0, 2 * CAMERAS), errors)
        air = []
        for row in rows:
            truth = truths[row['clip']]
            with self.subTest(clip=row['clip']):
                self.assertEqual(row['tier'], 'pushes', errors)
                self.assertEqual(row['serial'], truth['serial'])
                self.assertEqual(row['camera'], truth['camera'])
                early = self.early(row, truth)
                air.append(early)
                self.assertGreater(early, LEAST - SLACK)
                self.assertLess(early, LEAST + FRAME + SLACK)
                # Frames that waited; 15 of 300 pushes are lost in the mean.
                self.assertGreater(row['pushes_lost'], 0)
                self.assertLess(row['pushes_lost'] / row['pushes_sent'], 3 * LOST / 100)
                zone = int(truth['zone_min'])
                self.assertEqual(row['stored_ahead_min'], -zone)
                self.assertEqual(row['camera_zone_min'], zone)
        print(f'  starts are early by {min(air) * 1e3:.1f} to {max(air) * 1e3:.1f} ms, '
              f'{LEAST * 1e3:.0f} ms of it the least way over the air')
        self.drifts(rows, truths)
        self.kept_offsets()
        self.lower_tiers(truths)
        self.clip_tells(truths)

    def drifts(self, rows, truths):
        if SECONDS < 300:
            return
        for row in rows:
            with self.subTest(clip=row['clip']):
                off = row['drift_ppm'] - float(truths[row['clip']]['drift_ppm'])
                print(f"  drift {row['drift_ppm']:+.2f} ppm, off by {off:+.2f}")
                # The machine's own clock is by GPS time here, which the feeder takes from it.
                self.assertLess(abs(off), 4)

    def kept_offsets(self):
        files = list(self.rig.tracks.glob('offsets-*.csv'))
        self.assertEqual(len(files), 1)
        with open(files[0], newline='') as file:
            kept = list(csv.DictReader(file))
        self.assertEqual(len(kept), 2 * CAMERAS)

    def lower_tiers(self, truths):
        """Without push log, then without track, the tiers below answer as well as they say."""
        bare = self.rig.folder / 'bare'
        for missing, tiers in (('pushes', {'positions'}), ('track', {'seconds', 'events'})):
            if bare.exists():
                shutil.rmtree(bare)
            shutil.copytree(self.rig.tracks, bare)
            for pattern in ['offsets-*', 'pushes-*'] + (['track-*'] if missing == 'track' else []):
                for file in bare.glob(pattern):
                    file.unlink()
            rows, status, errors = match(self.film, '--track', bare)
            self.assertEqual(status, 0, errors)
            for row in rows:
                with self.subTest(clip=row['clip'], missing=missing):
                    self.assertIn(row['tier'], tiers, errors)
                    self.assertLessEqual(abs(self.early(row, truths[row['clip']])),
                                         row['uncertainty_s'])

    def clip_tells(self, truths):
        done = subprocess.run([BINARIES / 'geotagctl', 'clip', self.film, '--json', '--track',
                               self.rig.tracks], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        for row in map(json.loads, done.stdout.splitlines()):
            truth = truths[row['clip']]
            self.assertEqual(row['frames'], int(truth['frames']))
            self.assertEqual(row['first_clock_us'], int(truth['first_clock_us']))
            # The first position may be of before what the log's memory holds.
            self.assertGreaterEqual(row['ours'], row['positions'] - 1)


class BadInput(unittest.TestCase):
    """One sentence each, and the other clips go on."""

    def test_whatever_is_no_clip_gets_a_sentence_and_the_others_go_on(self):
        rig = Rig()
        self.addCleanup(rig.close)
        film = rig.folder / 'film'
        subprocess.run([BINARIES / 'geotag-sim', 'film', film, '--cameras', '1', '--seconds', '40'],
                       check=True, capture_output=True)
        good = next(film.glob('cam1/*.MP4'))
        data = good.read_bytes()
        (film / 'text.MP4').write_text('not a clip\n')
        (film / 'empty.MP4').write_bytes(b'')
        (film / 'cut.MP4').write_bytes(data[:len(data) // 2])
        (film / 'other.MP4').write_bytes(data.replace(b'djmd', b'gpmd'))
        (film / 'edited.MP4').write_bytes(data.replace(b'djmd', b'abcd'))
        rows, status, errors = match(film, rig.folder / 'missing.MP4', '--track', film / 'tracks')
        self.assertEqual(status, 1)
        self.assertEqual([(row['clip'], row['tier']) for row in rows], [(str(good), 'pushes')])
        for name, words in (('text', 'not a clip'), ('empty', 'not a clip'), ('cut', 'cut'),
                            ('other', 'another maker (gpmd)'), ('edited', 'no telemetry'),
                            ('missing', 'No such file')):
            lines = [line for line in errors.splitlines() if f'{name}.MP4' in line]
            self.assertEqual(len(lines), 1, errors)
            self.assertIn(words, lines[0])

    def test_a_track_of_another_day_does_not_place_it(self):
        rig = Rig()
        self.addCleanup(rig.close)
        for name, start, speed in (('one', 1782900000, 100), ('two', 1783000000, 60)):
            subprocess.run([BINARIES / 'geotag-sim', 'film', rig.folder / name, '--cameras', '1',
                            '--seconds', '40', '--seed', str(start % 997), '--start', str(start),
                            '--speed', str(speed)],
                           check=True, capture_output=True)
        rows, _, errors = match(rig.folder / 'one' / 'cam1', '--track', rig.folder / 'two' / 'tracks')
        self.assertNotIn(rows[0]['tier'], ('pushes', 'positions'))
        self.assertIn('push log', errors)

    def test_offsets_that_cannot_be_kept_beside_the_track_are_kept_here_and_it_says_so(self):
        rig = Rig()
        self.addCleanup(rig.close)
        subprocess.run([BINARIES / 'geotag-sim', 'film', rig.folder / 'f', '--cameras', '1',
                        '--seconds', '40'], check=True, capture_output=True)
        tracks, here = rig.folder / 'f' / 'tracks', rig.folder / 'here'
        here.mkdir()
        # Nobody, not even root, writes into a folder's name.
        (tracks / 'offsets-20260701.csv').mkdir()
        _, status, errors = match(rig.folder / 'f' / 'cam1', '--track', tracks, cwd=here)
        self.assertEqual(status, 0)
        self.assertIn('present folder', errors)
        self.assertTrue((here / 'offsets-20260701.csv').is_file())

    def test_a_later_clip_without_a_fix_is_placed_by_what_an_earlier_one_told(self):
        rig = Rig()
        self.addCleanup(rig.close)
        film = rig.folder / 'f'
        subprocess.run([BINARIES / 'geotag-sim', 'film', film, '--cameras', '1', '--seconds', '60',
                        '--filming', 'chapter=600'], check=True, capture_output=True)
        first, last = sorted(film.glob('cam1/*.MP4'))[::2]
        rows, status, errors = match(first, '--track', film / 'tracks')
        self.assertEqual((status, rows[0]['tier']), (0, 'pushes'), errors)
        # No frame of it has a fix any more: the status of each becomes 1 (invalid).
        blind = film / last.name.replace('_0001_', '_0002_')
        blind.write_bytes(last.read_bytes().replace(b'\x20\x01\x28\x01', b'\x18\x01\x28\x01'))
        rows, status, errors = match(blind, '--track', film / 'tracks')
        self.assertEqual((status, rows[0]['tier']), (0, 'pushes'), errors)
        self.assertIsNone(rows[0]['matches'])
        self.assertIn('another clip of the same power-up', errors)
        with open(film / 'film.csv', newline='') as file:
            truth = [row for row in csv.DictReader(file) if row['file'].endswith(last.name)][0]
        early = int(truth['first_utc_us']) / 1e6 - rows[0]['start_s']
        self.assertLess(abs(early - LEAST), rows[0]['uncertainty_s'])

    def test_words_that_make_no_sense_are_a_usage_error(self):
        for words in ([], ['--track'], ['a.MP4', '--nothing'], ['a.MP4', '--track']):
            _, status, errors = match(*words, json_lines=False)
            self.assertEqual(status, 64, words)
            self.assertIn('--help', errors)


if __name__ == '__main__':
    unittest.main()
