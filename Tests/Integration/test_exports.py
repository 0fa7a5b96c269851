"""What is written of clips, read back by other programs: it agrees with the track within 1 cm and
1 ms, and what cannot be written is one sentence."""

import json
import math
import subprocess
import unittest

import clip_readers
import track_readers as readers
from processes import BINARIES
from rig import Rig

METRES = 111_320  # a degree of latitude
KINDS = tuple(clip_readers.READERS)


def match(*words):
    return subprocess.run([BINARIES / 'geotagctl', 'match', *map(str, words)], capture_output=True,
                          text=True, timeout=120)


def film(folder, *words):
    subprocess.run([BINARIES / 'geotag-sim', 'film', folder, '--seconds', '60', *words], check=True,
                   capture_output=True)
    return folder


class ExportCase(unittest.TestCase):
    def setUp(self):
        self.rig = Rig()
        self.addCleanup(self.rig.close)

    def events(self, film):
        return next((film / 'tracks').glob('events-*'))

    def sentences(self, done, *wanted):
        """A line each on standard error, no traceback, nothing half-written."""
        for words in wanted:
            self.assertEqual(len([t for t in done.stderr.splitlines() if words in t]), 1,
                             (words, done.stderr))
        self.assertNotIn('Fatal', done.stderr)
        self.assertEqual(list(self.rig.folder.rglob('*.geotagctl-new')), [])


class Exports(ExportCase):
    @classmethod
    def setUpClass(cls):
        readers.set_up()

    def test_every_format_agrees_with_the_track_to_a_centimetre_and_a_millisecond(self):
        clips = film(self.rig.folder / 'film')
        with self.events(clips).open('a') as file:
            file.write('2026-07-01T10:00:20.500Z,1020.500500,mark,,"text=""bridge; left=1""",'
                       '48.13800000,11.57612600,\n')
        tracks, out = clips / 'tracks', self.rig.folder / 'out'
        rows = readers.strict(next(tracks.glob('track-*')))
        starts = {row['clip'].split('/')[-1]: row for row in map(
            json.loads, match(clips, '--track', tracks, '--json').stdout.splitlines())}
        for rate, step in (('10', 0.1), ('frame', None)):
            words = [word for kind in KINDS for word in (f'--{kind}', out / rate)]
            out.mkdir(exist_ok=True)
            done = match(clips, '--track', tracks, *words, '--rate', rate,
                         '--chapters', out / rate, '--otio', out / f'{rate}.otio')
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('files written: 25', done.stderr)
            for name, clip in starts.items():
                for kind, read in clip_readers.READERS.items():
                    path = out / rate / f'{name[:-4]}.{kind}'
                    with self.subTest(path=path.name, rate=rate):
                        self.agree(read(path), rows, clip, step)
                chapters = (out / rate / f'{name[:-4]}.ffmetadata').read_text()
                at = round((1782900020.5 - clip['start_s']) * 1000)
                self.assertIn(f'START={at}\n', chapters)
                self.assertIn('title=bridge\\; left\\=1\n', chapters)
        self.on_one_time_line(out / 'frame.otio', starts)

    def agree(self, samples, rows, clip, step):
        length = clip['end_s'] - clip['start_s']
        frames = {'Osmo Action 5 Pro': 59.94, 'Osmo Action 6': 23.976}.get(clip['model'], 29.97)
        self.assertAlmostEqual(len(samples), length / step if step else length * frames, delta=2)
        number = 0
        for ms, shown, latitude, longitude, height, speed in samples:
            self.assertLessEqual(abs(ms - 1000 * clip['start_s'] - 1000 * (shown or 0))
                                 if shown is not None else 0, 1)
            while number + 2 < len(rows) and rows[number + 1]['ms'] <= ms:
                number += 1
            before, after = rows[number], rows[number + 1]
            share = (ms - before['ms']) / (after['ms'] - before['ms'])
            self.assertTrue(0 <= share <= 1, ms)
            place = [float(before[key]) + share * (float(after[key]) - float(before[key]))
                     for key in ('latitude', 'longitude', 'height', 'speed')]
            north = (latitude - place[0]) * METRES
            east = (longitude - place[1]) * METRES * math.cos(math.radians(latitude))
            # The model of motion cuts no corner: half a centimetre of that at 2 m/s².
            self.assertLess(math.hypot(north, east), 0.01)
            self.assertLess(abs(height - place[2]), 0.01)
            if speed is not None:
                self.assertLess(abs(speed - place[3]), 0.002)

    def on_one_time_line(self, path, starts):
        tracks, marks = clip_readers.timeline(path)
        begin = min(clip['start_s'] for clip in starts.values())
        self.assertEqual(set(tracks), {clip['camera'] for clip in starts.values()})
        for camera, found in tracks.items():
            for name, start, length in found:
                clip = starts[name]
                self.assertEqual(clip['camera'], camera)
                self.assertAlmostEqual(begin + start, clip['start_s'], delta=0.001)
                self.assertAlmostEqual(length, clip['end_s'] - clip['start_s'], delta=0.001)
        self.assertEqual([name for name, _ in marks], ['bridge; left=1'])
        self.assertAlmostEqual(begin + marks[0][1], 1782900020.5, delta=0.001)

    def test_chapters_follow_each_other_on_the_time_line(self):
        clips = film(self.rig.folder / 'film', '--filming', 'chapter=500', '--cameras', '1')
        path = self.rig.folder / 'rig.otio'
        done = match(clips, '--track', clips / 'tracks', '--otio', path, '--json')
        starts = {row['clip'].split('/')[-1]: row for row in
                  map(json.loads, done.stdout.splitlines())}
        self.assertGreater(len(starts), 2)
        self.on_one_time_line_only(path, starts)

    def on_one_time_line_only(self, path, starts):
        tracks, _ = clip_readers.timeline(path)
        begin = min(clip['start_s'] for clip in starts.values())
        for found in tracks.values():
            self.assertEqual(len(found), len(starts))
            for name, start, _ in found:
                self.assertAlmostEqual(begin + start, starts[name]['start_s'], delta=0.001)

    def test_stills_are_stamped_by_the_printed_command(self):
        clips = film(self.rig.folder / 'film', '--cameras', '1')
        still = clips / 'cam1' / 'DJI_0002.JPG'
        still.write_bytes(readers.JPEG)
        # The camera's calendar: two hours and three seconds ahead, and its zone of one hour.
        readers.run('exiftool', '-q', '-overwrite_original',
                    '-DateTimeOriginal=2026:07:01 13:00:33', still)
        done = match(clips / 'cam1', '--track', clips / 'tracks', '--exiftool')
        command = [t for t in done.stdout.splitlines() if t.startswith('exiftool ')]
        self.assertEqual(len(command), 1, done.stdout)
        subprocess.run(['sh', '-c', command[0]], check=True, capture_output=True,
                       env=readers.ENVIRONMENT)
        place = json.loads(readers.run('exiftool', '-n', '-j', '-Composite:GPSLatitude', still))[0]
        rows = readers.strict(next((clips / 'tracks').glob('track-*')))
        wanted = [row for row in rows if row['utc'] == '2026-07-01 10:00:30.000Z'][0]
        self.assertAlmostEqual(place['GPSLatitude'], float(wanted['latitude']), delta=25 / METRES)


class BadInput(ExportCase):
    def test_files_that_are_there_are_kept_unless_forced(self):
        clips = film(self.rig.folder / 'film', '--cameras', '2')
        out = self.rig.folder / 'out'
        words = (clips, '--track', clips / 'tracks', '--gpx', out)
        self.assertIn('files written: 2', match(*words).stderr)
        first = sorted(out.iterdir())[0]
        first.write_text('mine')
        self.sentences(match(*words), 'files written: 0', 'files kept that were there: 2')
        self.assertEqual(first.read_text(), 'mine')
        self.assertIn('files written: 2', match(*words, '--force').stderr)
        self.assertIn('<gpx', first.read_text())

    def test_a_clip_by_the_calendar_alone_gets_no_places(self):
        clips = film(self.rig.folder / 'film', '--cameras', '1')
        other = film(self.rig.folder / 'other', '--cameras', '1', '--start', '1783000000', '--seed',
                     '9', '--speed', '60')
        for file in (other / 'tracks').glob('events-*'):
            file.unlink()
        out = self.rig.folder / 'out'
        done = match(clips / 'cam1', '--track', other / 'tracks', '--gpx', out)
        self.sentences(done, 'not known surely enough', 'files written: 0')
        self.assertEqual(list(out.iterdir()), [])

    def test_two_rigs_folders_that_cannot_be_written_and_no_track_are_a_sentence(self):
        clips = film(self.rig.folder / 'film', '--cameras', '1')
        other = film(self.rig.folder / 'other', '--cameras', '1', '--seed', '7')
        out = self.rig.folder / 'out'
        done = match(clips / 'cam1', '--track', clips / 'tracks', other / 'tracks', '--gpx', out)
        self.assertEqual(done.returncode, 65)
        self.sentences(done, 'name the files of one rig alone')
        done = match(clips / 'cam1', '--track', clips / 'tracks', '--gpx', '/proc/none')
        self.assertEqual(done.returncode, 74)
        self.sentences(done, '/proc/none')
        done = match(clips / 'cam1', '--track', self.events(clips), '--gpx', out)
        self.assertEqual(done.returncode, 65)
        self.sentences(done, 'no track to write places from')
        for words in (('--gpx',), ('--rate', 'often'), ('--gpx=',), ('--json', '--exiftool')):
            self.assertEqual(match(clips, *words).returncode, 64, words)

    def test_where_the_track_has_a_hole_nothing_is_made_up(self):
        readers.set_up()
        clips = film(self.rig.folder / 'film', '--cameras', '1')
        track = next((clips / 'tracks').glob('track-*'))
        lines = track.read_text().splitlines(keepends=True)
        track.write_text(''.join(t for t in lines if not '10:00:20' < t[11:19] < '10:00:40'))
        out = self.rig.folder / 'out'
        match(clips, '--track', clips / 'tracks', *(w for k in KINDS for w in (f'--{k}', out)))
        for kind, read in clip_readers.READERS.items():
            with self.subTest(kind):
                times = [row[0] / 1000 % 60 for row in read(next(out.glob(f'*.{kind}')))]
                self.assertGreater(len(times), 250)
                self.assertEqual([t for t in times if 20.9 < t < 40], [])
        self.assertEqual(next(out.glob('*.gpx')).read_text().count('<trkseg>'), 2)
        self.assertIn('no position', next(out.glob('*.srt')).read_text())


if __name__ == '__main__':
    unittest.main()
