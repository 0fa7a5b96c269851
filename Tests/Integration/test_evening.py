"""The evening after: one command for tracks and cards, again without harm, and what cannot be."""

import csv
import shutil
import subprocess
import unittest

from processes import BINARIES
from rig import Rig


def evening(*words, **options):
    return subprocess.run([BINARIES / 'geotagctl', 'evening', *map(str, words)],
                          capture_output=True, text=True, timeout=300, **options)


def film(folder, *words):
    subprocess.run([BINARIES / 'geotag-sim', 'film', folder, '--seconds', '40', *words], check=True,
                   capture_output=True)
    return folder


class Evening(unittest.TestCase):
    def setUp(self):
        self.rig = Rig()
        self.addCleanup(self.rig.close)

    def whole(self, done, status):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn('Fatal', done.stderr)
        self.assertEqual(list(self.rig.folder.rglob('*.geotagctl-new')), [])

    def sentence(self, status, words, *arguments):
        done = evening(*arguments)
        self.whole(done, status)
        self.assertIn(words, done.stderr.splitlines()[0])

    def test_a_day_is_done_and_another_call_does_only_what_is_new(self):
        day = film(self.rig.folder / 'day')
        later = day / 'cam1' / sorted(p.name for p in (day / 'cam1').iterdir())[0]
        held = self.rig.folder / later.name
        later.rename(held)
        done = evening(day)
        self.whole(done, 0)
        self.assertEqual(done.stderr, '')
        self.assertLessEqual(len(done.stdout.splitlines()), 10)
        self.assertIn('3 new, 0 done before', done.stdout)
        out = day / 'geotag'
        names = {path.name for path in out.iterdir()}
        clips = {path.stem for path in day.glob('cam*/*')}
        self.assertEqual(names, {f'{clip}.gpx' for clip in clips} | {'clips.csv', 'report.html'})
        with open(out / 'clips.csv', newline='') as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row['tier'] for row in rows}, {'pushes'})
        before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in out.iterdir()}
        again = evening(day)
        self.whole(again, 0)
        self.assertIn('0 new, 3 done before', again.stdout)
        self.assertEqual({path: (path.stat().st_mtime_ns, path.read_bytes())
                          for path in out.iterdir()}, before)
        held.rename(later)
        more = evening(day)
        self.whole(more, 0)
        self.assertIn('1 new, 3 done before', more.stdout)
        self.assertIn('written  1 ', more.stdout)
        self.assertEqual((out / 'report.html').read_text().count('clips 1, 0:30'), 4)
        for path, (changed, content) in before.items():
            if path.suffix == '.gpx':
                self.assertEqual((path.stat().st_mtime_ns, path.read_bytes()), (changed, content))
        # A file that was removed is made again, and one of another person's stays.
        first = sorted(out.glob('*.gpx'))
        first[0].unlink()
        first[1].write_text('mine')
        self.whole(evening(day), 0)
        self.assertTrue(first[0].exists())
        self.assertEqual(first[1].read_text(), 'mine')
        self.whole(evening(day, '--force'), 0)
        self.assertIn('<gpx', first[1].read_text())

    def test_formats_and_places_can_be_chosen(self):
        day = film(self.rig.folder / 'day', '--cameras', '1')
        out = self.rig.folder / 'out'
        self.whole(evening(day / 'cam1', day / 'tracks', '--output', out, '--format', 'srt,vbo',
                           '--rate', 'frame'), 0)
        self.assertEqual({path.suffix for path in out.iterdir()}, {'.srt', '.vbo', '.csv', '.html'})
        self.assertFalse((day / 'geotag').exists())

    def test_clips_of_one_name_do_not_meet(self):
        day = film(self.rig.folder / 'day', '--cameras', '2')
        one, two = (next((day / name).iterdir()) for name in ('cam1', 'cam2'))
        two.rename(two.parent / one.name)
        self.whole(evening(day), 0)
        self.assertEqual({path.name for path in (day / 'geotag').glob('*.gpx')},
                         {f'{one.stem}-cam1.gpx', f'{one.stem}-cam2.gpx'})

    def test_what_cannot_be_done_is_a_sentence(self):
        day = film(self.rig.folder / 'day', '--cameras', '1')
        out = self.rig.folder / 'out'
        empty = self.rig.folder / 'empty'
        empty.mkdir()
        self.sentence(65, 'no track is in', empty)
        self.sentence(65, 'no track is in', day / 'cam1')
        self.sentence(66, 'No such file', self.rig.folder / 'none')
        self.sentence(64, 'which', *())
        self.sentence(64, '--format tcx', day, '--format', 'tcx')
        self.sentence(74, '/proc/none', day, '--output', '/proc/none')
        (self.rig.folder / 'plain').write_text('')
        self.sentence(74, 'plain', day, '--output', self.rig.folder / 'plain')
        # No clips: the report alone.
        done = evening(day / 'tracks', '--output', out)
        self.whole(done, 0)
        self.assertIn('clips    0', done.stdout)
        self.assertTrue((out / 'report.html').exists())
        # Two rigs.
        other = film(self.rig.folder / 'other', '--cameras', '1', '--seed', '5')
        self.sentence(65, 'of one rig alone', day, other, '--output', self.rig.folder / 'both')
        # A clip that is none among good ones.
        (day / 'cam1' / 'broken.MP4').write_text('nothing')
        done = evening(day)
        self.whole(done, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn('broken.MP4', done.stderr)
        self.assertIn('1 new, 0 done before, 1 without a place', done.stdout)

    def test_a_list_that_is_damaged_costs_work_and_nothing_else(self):
        day = film(self.rig.folder / 'day', '--cameras', '1')
        self.whole(evening(day), 0)
        table = day / 'geotag' / 'clips.csv'
        whole = table.read_text()
        for damage in ('', whole[:-20], whole.replace(',pushes,', ',"pu,'), '\0' * 200,
                       whole.replace('DJI', '../x')):
            table.write_text(damage)
            done = evening(day)
            self.whole(done, 0)
            self.assertIn('1 new', done.stdout)
            self.assertEqual(table.read_text(), whole)

    def test_a_hundred_clips_are_done(self):
        day = film(self.rig.folder / 'day', '--cameras', '20', '--filming', 'chapter=200')
        count = len(list(day.glob('cam*/*')))
        self.assertGreater(count, 100)
        done = evening(day)
        self.whole(done, 0)
        self.assertIn(f'{count} new', done.stdout)
        self.assertEqual(len(list((day / 'geotag').glob('*.gpx'))), count)
        shutil.rmtree(day / 'geotag')


if __name__ == '__main__':
    unittest.main()
