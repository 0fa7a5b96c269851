"""A position from a real gpsd reaches every camera on the bus, and commands reach them too."""

import csv
import datetime
import math
import signal
import time
import unittest

from rig import Circle, Rig, distance, fields, pushes

# Twenty seconds a round, so that a short test sees all four quadrants of the course.
COURSE = Circle(radius=30, speed=10)
CAMERAS = 4


def addresses(cameras):
    """The stand-in's cameras, as it lists them before it is ready."""
    return [text.split()[2] for text in cameras.texts('out') if text.startswith('camera ')]


class BridgeTest(unittest.TestCase):
    def setUp(self):
        self.rig = Rig()
        self.addCleanup(self.rig.close)

    def begin(self, rate=10, gpsd=True):
        rig = self.rig
        rig.start_bus()
        self.cameras = rig.start_cameras(CAMERAS)
        if gpsd:
            rig.start_gpsd()
        rig.start_feeder(rate, COURSE, sentences='GGA,GSA,RMC,GSV,GST')
        self.addresses = addresses(self.cameras)
        self.assertEqual(len(self.addresses), CAMERAS)
        self.daemon = rig.start_daemon(self.addresses, extra='[track]\npushes = on')

    def ready(self, timeout=30):
        deadline = time.monotonic() + timeout
        self.daemon.wait_for("event=start", timeout)
        while True:
            lines, last = self.rig.ask('cameras')
            states = [fields(text).get('state') for text in lines]
            if last == 'OK' and states == ['ready'] * CAMERAS:
                return
            if time.monotonic() > deadline:
                self.fail(f'not ready: {lines}')
            self.cameras.changed.acquire()
            self.cameras.changed.wait(0.2)
            self.cameras.changed.release()

    def positioned(self, count, timeout=30):
        """Wait until so many pushes with a position have come since now; then all of them."""
        since = len(self.cameras.lines)
        self.cameras.wait_for(r' gps .*sats=[1-9]', timeout, since=since, count=count)
        return [p for p in pushes(self.cameras, since=since) if p[2]['kind'] == 'gps']

    def judge(self, samples, seconds, limit, quantile):
        """Rate for each camera; place, height and velocity of each push.

        Spacing is judged by send stamps (pushes_keep_their_bounds): when the stand-in gets to
        read is a matter of what else this machine does.
        """
        errors = []
        for index in range(1, CAMERAS + 1):
            name = sorted({p[1] for p in samples})[index - 1]
            times = [p[0] for p in samples if p[1] == name]
            rate = (len(times) - 1) / (times[-1] - times[0])
            self.assertAlmostEqual(rate, 10.0, delta=0.2, msg=name)
        for stamp, name, push in samples:
            truth = COURSE.at(stamp + self.rig.utc_ahead)
            place = (int(push['lat_e7']) / 1e7, int(push['lon_e7']) / 1e7)
            self.assertNotEqual(place, (0, 0))
            errors.append(distance(*place, truth))
            self.assertGreaterEqual(int(push['sats']), 1)
            self.assertTrue(all(math.isfinite(float(push[key])) for key in ('vn', 've', 'vd')))
            self.assertAlmostEqual(int(push['height_mm']) / 1000, truth['height'], delta=1.2)
            for key, want in (('vn', truth['north']), ('ve', truth['east'])):
                if abs(want) > 3:
                    self.assertEqual(float(push[key]) > 0, want > 0, (key, push, truth))
        errors.sort()
        self.assertLess(errors[int(quantile * (len(errors) - 1))], limit)
        return errors

    def test_ten_hertz_reaches_four_cameras(self):
        self.begin()
        self.ready()
        samples = self.positioned(10 * 20 * CAMERAS, 40)
        self.judge(samples, 20, 0.5, 1.0)
        truths = [COURSE.at(stamp + self.rig.utc_ahead) for stamp, _, _ in samples]
        quadrants = {(t['north'] > 0, t['east'] > 0) for t in truths}
        self.assertEqual(len(quadrants), 4, 'the course did not turn through all quadrants')
        for stamp, _, push in samples:
            moment = datetime.datetime.fromtimestamp(
                stamp + self.rig.utc_ahead, datetime.timezone.utc)
            given = datetime.datetime.strptime(
                f'{int(push["date"]):08d}{int(push["time"]):06d}', '%Y%m%d%H%M%S').replace(
                    tzinfo=datetime.timezone.utc)
            self.assertLess(abs((moment - given).total_seconds()), 1.2)
        self.record()
        self.positioned(10 * CAMERAS)
        self.ends_well()
        self.track_is_true()
        self.pushes_keep_their_bounds()

    def record(self):
        since = len(self.daemon.lines)
        self.daemon.write('#r1 record start\n')
        self.daemon.wait_for(r'^#r1 OK$', 10, since=since)
        answers = [t for t in self.daemon.texts('out', since) if t.startswith('#r1 record ')]
        self.assertEqual(len(answers), CAMERAS, answers)
        for answer in answers:
            self.assertEqual(fields(answer)['result'], 'ok', answer)
            self.assertIn('confirmed_utc', fields(answer))
        lines, _ = self.rig.ask('cameras')
        self.assertEqual([fields(t).get('recording') for t in lines], ['true'] * CAMERAS)
        self.cameras.wait_for(' record start', 5, count=CAMERAS)

    def ends_well(self):
        since = len(self.cameras.lines)
        self.daemon.signal(signal.SIGTERM)
        began = time.monotonic()
        self.assertEqual(self.daemon.wait(6), 0)
        self.assertLess(time.monotonic() - began, 5)
        self.cameras.wait_for(' void', 5, since=since, count=CAMERAS)
        voids = {p[1] for p in pushes(self.cameras, since=since) if p[2]['kind'] == 'void'}
        self.assertEqual(len(voids), CAMERAS)
        self.assertFalse(self.rig.socket_path.exists())
        self.assertFalse(self.rig.fifo_path.exists())
        self.assertEqual([t for t in self.cameras.texts('out') if ' violation' in t], [])

    def track_is_true(self):
        files = sorted(self.rig.tracks.glob('track-*.csv'))
        self.assertEqual(len(files), 1)
        rows = list(csv.DictReader(files[0].open()))
        self.assertGreater(len(rows), 190)
        last = None
        for row in rows:
            moment = datetime.datetime.strptime(
                row['datetime_utc_time'], '%Y-%m-%d %H:%M:%S.%fZ').replace(
                    tzinfo=datetime.timezone.utc).timestamp()
            truth = COURSE.at(moment)
            self.assertLess(
                distance(float(row['latitude']), float(row['longitude']), truth), 0.02)
            self.assertAlmostEqual(float(row['alt_msl_m']), truth['height'], delta=0.02)
            self.assertAlmostEqual(float(row['Speed (m/s)']), COURSE.speed, delta=0.01)
            if last is not None:
                self.assertAlmostEqual(moment - last, 0.1, delta=0.001)
            last = moment
        self.assertEqual(rows[-1]['fix'], '3d')
        self.assertIn('cam1+cam2+cam3+cam4', [row['rec'] for row in rows])
        self.assertIn('4', {row['pushed'] for row in rows})
        self.assertTrue(list(self.rig.tracks.glob('events-*.csv')))

    def pushes_keep_their_bounds(self):
        """Decision 6, by the daemon's own send stamps."""
        (log,) = self.rig.tracks.glob('pushes-*.csv')
        # Voids may stand closer: the burst at the end.
        stamps = [float(row['mono_s']) for row in csv.DictReader(log.open()) if row['at_latitude']]
        self.assertGreater(len(stamps), 190)
        self.assertGreaterEqual(min(b - a for a, b in zip(stamps, stamps[1:])), 0.075)
        for span, most in ((1, 11), (10, 101)):
            for first, begun in enumerate(stamps):
                inside = sum(1 for stamp in stamps[first:first + most + 2] if stamp < begun + span)
                self.assertLessEqual(inside, most, f'{span} s from {begun}')

    def test_one_hertz_is_carried_to_ten(self):
        self.begin(rate=1)
        self.ready()
        self.positioned(10 * 4 * CAMERAS, 40)
        samples = self.positioned(10 * 15 * CAMERAS, 40)
        self.judge(samples, 15, 1.0, 0.95)

    def test_gpsd_comes_five_seconds_late(self):
        self.begin(gpsd=False)
        self.ready()
        deadline = time.monotonic() + 5
        with self.cameras.changed:
            while (left := deadline - time.monotonic()) > 0:
                self.cameras.changed.wait(left)
        self.assertEqual([p for p in pushes(self.cameras) if p[2]['kind'] == 'gps'], [])
        lines, _ = self.rig.ask('gps')
        self.assertIn('state=disconnected', lines[0])
        self.rig.start_gpsd()
        self.positioned(CAMERAS, 20)
        self.judge(self.positioned(10 * 5 * CAMERAS, 30), 5, 0.5, 1.0)

    def test_gpsd_dies_and_returns(self):
        self.begin()
        self.ready()
        self.positioned(10 * 3 * CAMERAS)
        gpsd = next(p for p in self.rig.programs if p.name == 'gpsd')
        gpsd.stop()
        since = len(self.cameras.lines)
        died = time.monotonic()
        self.cameras.wait_for(' void', 5, since=since, count=2 * CAMERAS)
        late = [p for p in pushes(self.cameras, since=since)
                if p[2]['kind'] == 'gps' and p[0] > died + 1.2]
        self.assertEqual(late, [], 'positions long after gpsd died')
        self.rig.start_gpsd()
        self.positioned(CAMERAS, 20)
        self.judge(self.positioned(10 * 5 * CAMERAS, 30), 5, 0.5, 1.0)
        self.ends_well()


if __name__ == '__main__':
    unittest.main()
