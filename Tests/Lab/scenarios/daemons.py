"""What happens to the daemon itself, and what it leaves behind."""

import csv
import datetime
import time

from scenario import expect, scenario
from stream import expect_ten_hertz, until_streaming

ALL = range(10)


@scenario('the daemon killed and started again')
def daemon_killed(lab):
    lab.receiver.start()
    lab.daemon.start()
    until_streaming(lab, ALL, 60)
    lab.daemon.crash()
    lab.wait(2)
    since = time.time()
    lab.daemon.run()
    lab.measure('all at 10 Hz', until_streaming(lab, ALL, 60, since))
    expect_ten_hertz(lab, ALL)
    expect(lab.restarts == 0, 'bluetoothd crashed')


@scenario('an Action 5 Pro with bluetoothd as it comes')
def action_5_pro(lab):
    lab.begin_again(stock=True)
    lab.receiver.start()
    lab.daemon.start()
    lab.measure('all at 10 Hz', until_streaming(lab, ALL, 60))
    since = time.time()
    lab.tell_radio('drop 1')
    lab.measure('after a lost link', until_streaming(lab, [1], 30, since + 0.2))
    expect_ten_hertz(lab, ALL)


@scenario('the whole product: NMEA in, ten cameras on the air, CSV out', short=True)
def whole_product(lab):
    lab.receiver.start()
    lab.daemon.start()
    until_streaming(lab, ALL, 60)
    lab.wait(3)
    since = time.time()
    lab.wait(15)
    until = time.time()
    offset = lab.guest.clock_offset()
    errors = [
        place_error(lab.receiver.course, push, offset)
        for index in ALL for push in lab.air.positions(index, since, until)
    ]
    lab.measure('positions', len(errors))
    expect(len(errors) >= 15 * 10 * 9.5, f'only {len(errors)} positions')
    expect_places_true(lab, sorted(errors))
    lab.daemon.stop()
    rows = read_track(lab)
    truth = read_truth(lab)
    expect_rows_true(lab, rows, truth, since + offset, until + offset)
    expect_void_at_end(lab)


def place_error(course, push, offset):
    """Metres between a push and where the receiver was when it came out on the air."""
    return course.distance((push.latitude, push.longitude), course.at(push.time + offset))


def expect_places_true(lab, errors):
    """What the cameras were told is where the receiver was when it came out on the air.

    At 15 m/s a metre is 67 ms. The worst few are those that a busy guest let wait on their way.
    """
    middle, late = errors[len(errors) // 2], errors[int(len(errors) * 0.95)]
    lab.measure('error on the air', middle * 100, 'cm')
    lab.measure('95 % within', late * 100, 'cm')
    lab.measure('worst', errors[-1] * 100, 'cm')
    expect(middle <= 0.5, f'half of the positions are more than {middle:.1f} m off')
    expect(late <= 2, f'one in twenty positions is more than {late:.1f} m off')


def read_track(lab):
    files = sorted((lab.folder / 'tracks').glob('track-*.csv'))
    expect(len(files) == 1, f'track files: {files}')
    with open(files[0], newline='') as file:
        return list(csv.DictReader(file))


def read_truth(lab):
    """What the receiver said: (latitude, longitude) by time in ms since 1970."""
    truth = {}
    with open(lab.folder / 'truth.csv') as file:
        for line in file:
            stamp, _, _, _, latitude, longitude = line.rstrip().split(',')
            time = datetime.datetime.fromisoformat(stamp).timestamp()
            truth[round(time * 1000)] = float(latitude), float(longitude)
    return truth


def expect_rows_true(lab, rows, truth, since, until):
    """A row for each of the receiver's epochs, at its place, with ten cameras pushed to."""
    found = {round(float(row['epoch_s']) * 1000): row for row in rows}
    expected = [time for time in truth if since * 1000 < time < until * 1000]
    missing = [time for time in expected if time not in found]
    lab.measure('rows', f'{len(expected) - len(missing)} of {len(expected)}')
    expect(not missing, f'{len(missing)} epochs have no row')
    for time in expected:
        row = found[time]
        place = float(row['latitude']), float(row['longitude'])
        apart = lab.receiver.course.distance(place, truth[time])
        expect(apart < 0.05, f'the row of {row["datetime_utc_time"]} is {apart:.2f} m off')
    pushed = [int(found[time]['pushed']) for time in expected]
    lab.measure('rows with all ten cameras', f'{100 * pushed.count(10) / len(pushed):.0f} %')
    expect(pushed.count(10) >= 0.9 * len(pushed), f'pushed: {sorted(set(pushed))}')


def expect_void_at_end(lab):
    """The last that each camera heard is that the position is not known any more."""
    lab.air.read()
    for index in ALL:
        last = lab.air.pushes[index][-1]
        expect(last.satellites == 0, f'camera {index} keeps the last position')
