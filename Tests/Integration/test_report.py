"""The report of a simulated day: its numbers against the track, its looks in a browser."""

import math
import re
import subprocess
import sys
import unittest

import browser
import track_readers as readers
from processes import BINARIES, ROOT
from rig import Rig

sys.path.insert(0, str(ROOT / 'Tests' / 'Tools'))
import drive_day  # noqa: E402

HOURS = 2
# Of the clips that are laid into it.
FIRST = 50


def report(*words):
    return subprocess.run([BINARIES / 'geotagctl', 'track', 'report', *map(str, words)],
                          capture_output=True, text=True, timeout=120)


def entry(page, name):
    return re.search(rf'<dd id="{name}">([^<]*)</dd>', page)[1]


def table(page, name):
    found = re.search(rf'<table id="{name}">.*?<tbody>(.*?)</tbody>', page, re.S)
    return [re.findall(r'<td>([^<]*)</td>', row) for row in found[1].split('</tr>')[:-1]]


def clock(seconds):
    return drive_day.stamp(seconds)[11:19]


def duration(seconds):
    seconds = round(seconds)
    return (f'{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}' if seconds >= 3600
            else f'{seconds // 60}:{seconds % 60:02}')


def metres(one, other):
    latitude = math.radians((float(one['latitude']) + float(other['latitude'])) / 2)
    return math.hypot((float(other['latitude']) - float(one['latitude'])) * 111_200,
                      (float(other['longitude']) - float(one['longitude'])) * 111_320
                      * math.cos(latitude))


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig()
        cls.addClassCleanup(cls.rig.close)
        folder = cls.rig.folder
        cls.track = drive_day.write(folder / 'tracks', HOURS, FIRST)
        # Clips of just then: their seconds and zones say when.
        subprocess.run([BINARIES / 'geotag-sim', 'film', folder / 'film', '--seconds',
                        str(FIRST + 10), '--start', str(drive_day.BEGIN + 295)], check=True,
                       capture_output=True)
        (folder / 'clips').mkdir()
        for camera in folder.glob('film/cam*'):
            camera.rename(folder / 'clips' / camera.name)
        cls.path = folder / 'report.html'
        cls.done = report(folder / 'tracks', '--clips', folder / 'clips', '--output', cls.path)
        cls.page = cls.path.read_text() if cls.path.exists() else ''

    def test_its_numbers_are_the_tracks(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        rows = readers.strict(self.track)
        entries = {name: entry(self.page, name) for name in
                   ('duration', 'distance', 'moving', 'fastest', 'heights', 'fixes', 'gaps',
                    'recordings', 'failed')}
        self.assertEqual(entries['duration'], duration((rows[-1]['ms'] - rows[0]['ms']) / 1000))
        way, moving = 0, 0
        for before, row in zip(rows, rows[1:]):
            if row['ms'] - before['ms'] < 10_000 and float(row['speed']) >= 0.5:
                way += metres(before, row)
                moving += row['ms'] - before['ms']
        self.assertAlmostEqual(float(entries['distance'].split()[0]), way / 1000, delta=0.2)
        self.assertEqual(entries['moving'], duration(moving / 1000))
        fastest = max(rows, key=lambda row: float(row['speed']))
        self.assertEqual(entries['fastest'], f"{float(fastest['speed']) * 3.6:.1f} km/h at "
                                             f"{fastest['utc'][11:19]}")
        heights = [float(row['height']) for row in rows if row['height']]
        self.assertEqual(entries['heights'], f'{min(heights):.0f} to {max(heights):.0f} m')
        share = 100 * sum(row['fix'] == '3d' for row in rows) / len(rows)
        self.assertEqual(entries['fixes'], f'{len(rows)}, {share:.1f} % 3-D')
        tunnel = drive_day.TUNNEL
        self.assertEqual(entries['gaps'], f'1, in all {duration(tunnel[1] - tunnel[0])}')
        good = [r for r in drive_day.recordings(HOURS, FIRST) if r[2]]
        length = sum(end - begin for _, begin, end, _ in good)
        self.assertEqual(entries['recordings'], f'{len(good)}, in all {duration(length)}')
        self.assertEqual(entries['failed'], '2')

    def test_it_lists_marks_failures_and_gaps(self):
        self.assertEqual(table(self.page, 'marks'), [
            [str(number + 1), clock(at), text.replace('"', '&quot;')]
            for number, (at, text) in enumerate(drive_day.MARKS.items())])
        self.assertEqual(table(self.page, 'failures'), [
            [clock(5300), 'left', 'did not begin, though it was told to'],
            [clock(drive_day.FULL), 'rear', 'ended: the card was full']])
        self.assertEqual(table(self.page, 'gaplist'), [[clock(drive_day.TUNNEL[0]), '1:40']])

    def test_each_camera_has_its_lanes(self):
        blocks = dict(re.findall(r'<div class="camera"><h3>(\w+)</h3>(.*?)\n</div>', self.page + '\n',
                                 re.S)) or {}
        self.assertEqual(set(blocks), set(drive_day.CAMERAS))
        length = HOURS * 3600 - 0.1
        lane = re.search(r'aria-label="linked over time".*?</svg>', blocks['left'])[0]
        spans = [(int(x), int(w)) for x, w in re.findall(r'<rect x="(\d+)" width="(\d+)"', lane)]
        lost = [at / length * 10_000 for at in drive_day.LOST]
        self.assertEqual(len(spans), 2)
        self.assertAlmostEqual(spans[0][1], lost[0], delta=2)
        self.assertAlmostEqual(spans[1][0], lost[1], delta=2)
        for camera, block in blocks.items():
            lane = re.search(r'aria-label="recording over time".*?</svg>', block)[0]
            wanted = [r for r in drive_day.recordings(HOURS, FIRST) if r[0] == camera and r[2]]
            self.assertEqual(lane.count('var(--recording)'), len(wanted), camera)
            self.assertEqual(lane.count('var(--fail)'), camera in ('left', 'rear'), camera)
            # Each has one clip, which lies where its first recording lies.
            self.assertIn('clips 1, 0:50', block)
            lane = re.search(r'aria-label="clips over time".*?</svg>', block)[0]
            x = int(re.search(r'<rect x="(\d+)"', lane)[1])
            self.assertAlmostEqual(x, 300 / length * 10_000, delta=3)

    def test_it_asks_for_nothing_from_elsewhere_and_is_small(self):
        for word in ('http:', 'https:', 'src=', 'href=', 'url(', '@import', '<script', '<link'):
            self.assertNotIn(word, self.page)
        self.assertIn("default-src 'none'", self.page)
        self.assertLess(len(self.page), 1_000_000)

    def test_a_browser_shows_it_without_overlap_and_with_contrast(self):
        browser.set_up()
        folder = self.rig.folder
        for width, is_dark, is_printed in ((360, False, False), (360, True, False),
                                           (1280, False, False), (1280, True, False),
                                           (browser.PRINTED, False, True)):
            with self.subTest(width=width, dark=is_dark, printed=is_printed):
                seen = browser.measure(self.path, folder, width, is_dark, is_printed)
                self.assertEqual(seen['width'], width)
                self.assertEqual(seen['dark'], is_dark)
                self.assertGreater(seen['texts'], 80)
                self.assertEqual(seen['overlaps'], [])
                self.assertEqual(seen['contrast'], [])
                self.assertGreaterEqual(seen['lowest'], 4.5)
                self.assertEqual(seen['outside'], [])
                self.assertLessEqual(seen['scroll'], width)
                self.assertGreaterEqual(seen['smallest'], 12)
                self.assertEqual(seen['requests'], [])
        pdf = folder / 'report.pdf'
        browser.printed(self.path, folder, pdf)
        self.assertEqual(pdf.read_bytes()[:5], b'%PDF-')

    def test_the_check_of_looks_sees_what_is_wrong(self):
        browser.set_up()
        page = self.rig.folder / 'wrong.html'
        page.write_text('<!DOCTYPE html><body><p style="position:absolute;top:0">one word</p>'
                        '<p style="position:absolute;top:2px">another</p>'
                        '<p style="color:#999;width:2000px;margin-top:6em">pale</p></body>')
        seen = browser.measure(page, self.rig.folder, 360)
        self.assertEqual(len(seen['overlaps']), 1)
        self.assertEqual(seen['contrast'][0][0], 'pale')
        self.assertGreater(seen['scroll'], 360)


class BadInput(unittest.TestCase):
    def setUp(self):
        self.rig = Rig()
        self.addCleanup(self.rig.close)

    def sentence(self, status, words, *arguments):
        done = report(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(words, done.stderr.splitlines()[0])
        self.assertEqual(list(self.rig.folder.rglob('*.geotagctl-new')), [])

    def test_each_is_a_sentence(self):
        folder = self.rig.folder
        out = folder / 'out.html'
        name = '20260701T100000Z.csv'
        empty = folder / 'empty'
        empty.mkdir()
        self.sentence(65, 'no tracks', empty, '--output', out)
        # A day without a fix: events, and a track of nothing but its header.
        (empty / f'track-{name}').write_text(drive_day.HEADER)
        (empty / f'events-{name}').write_text(drive_day.EVENTS)
        self.sentence(65, 'no positions', empty, '--output', out)
        self.assertFalse(out.exists())
        self.sentence(64, '--output', empty)
        track = drive_day.write(folder / 'one', 0.1)
        self.sentence(64, 'is not overwritten', track, '--output', track)
        self.sentence(74, '/proc/', track, '--output', '/proc/none/out.html')
        drive_day.write(folder / 'two', 0.1)
        self.sentence(65, 'of one rig alone', folder / 'one', folder / 'two', '--output', out)
        self.sentence(66, 'No such file', folder / 'none', '--output', out)
        # No clip, and clips that are none, are said and do no harm.
        (folder / 'clips').mkdir()
        self.sentence(0, 'no clip is in this folder', track, '--clips', folder / 'clips', '--output',
                      out)
        (folder / 'clips' / 'a.MP4').write_text('no clip')
        self.sentence(0, 'not a clip', track, '--clips', folder / 'clips', '--output', out)
        self.assertIn('</html>', out.read_text())

    def test_names_cannot_break_the_page(self):
        folder = self.rig.folder
        track = drive_day.write(folder / 'one', 0.1)
        events = folder / 'one' / 'events-20260701T100000Z.csv'
        with events.open('a') as file:
            file.write('2026-07-01T10:01:00.000Z,1060.000000,camera,<b>x&y,state=ready,,,\n'
                       '2026-07-01T10:01:00.000Z,1060.000000,mark,,"text=""</td><script>""",,,\n')
        out = folder / 'out.html'
        self.assertEqual(report(track, '--output', out).returncode, 0)
        page = out.read_text()
        self.assertIn('&lt;b&gt;x&amp;y', page)
        self.assertNotIn('<script>', page)


if __name__ == '__main__':
    unittest.main()
