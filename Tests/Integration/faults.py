#!/usr/bin/env python3
"""Each quirk of BlueZ's in turn against the real daemon, and how long the rig takes to get over it.

    faults.py [PATTERN]      only faults whose name contains PATTERN

A real gpsd, a private bus, ten simulated cameras on two adapters.  A fault is put in; once its
cause is gone the clock runs until all ten cameras take 10 pushes a second again, without a person.
The table goes to standard output; the exit status is 1 if one fault was not got over.
"""

import json
import re
import sys
import time

from rig import Circle, Rig

CAMERAS = 10
# Between two pushes of a healthy stream; anything longer is a hole.
HOLE = 0.5
# So long must all streams be whole to count as recovered.
PROOF = 3.0
# A link that stood for so long is no flapping one: the next fault starts afresh.
CALM = 11.0
LIMIT = 120.0

# Number of the field note, name, and what happens: control lines, or seconds that the cause lasts.
# {a} is the adapter that holds cam1, {b} the other one.
FAULTS = [
    ('', 'link lost', ['drop cam1']),
    ('', 'all links lost at once', ['drop all']),
    ('D1', 'Connect: InProgress, twice', ['fault cam1 in_progress=2', 'drop cam1']),
    ('D1', 'no two Connects at once', ['fault all one_connect=yes', 'drop all']),
    ('', '(put right)', ['fault all one_connect=no']),
    ('D2', 'stale pending Connect', ['fault cam1 stale=yes', 'drop cam1']),
    ('D3', 'le-connection-abort-by-local, 3 times', ['fault cam1 abort=3', 'drop cam1']),
    ('D4', 'objects after ServicesResolved', ['fault cam1 late_objects=1', 'blink cam1']),
    ('D4', 'objects never', ['fault cam1 no_objects=1', 'drop cam1']),
    ('D5', 'ServicesResolved never', ['fault cam1 unresolved=1', 'drop cam1']),
    ('D6', 'software caused abort, 5 times', ['fault cam1 software_abort=5', 'drop cam1']),
    ('D7', 'object gone with the scan', ['fault cam1 vanish=yes', 'blink cam1', 3.0,
                                         'fault cam1 vanish=no']),
    ('D8', 'not established (0x3E), 3 times', ['fault cam1 establish=3', 'drop cam1']),
    ('D9', 'stale GATT cache', ['fault cam1 stale_cache=yes', 'drop cam1']),
    ('D10', 'AcquireWrite not offered', ['fault cam1 no_acquire=yes', 'drop cam1']),
    ('D10', 'offered again', ['fault cam1 no_acquire=no', 'drop cam1']),
    ('D11', 'bluetoothd restarts', ['restart 1', 1.0]),
    ('D11', 'bluetoothd crashes, back after 5 s', ['crash 5', 5.0]),
    ('D12', 'adapter unplugged, back as another hci', ['adapter {a} remove', 3.0,
                                                       'adapter {a} add']),
    ('D13', 'adapter powered off', ['adapter {a} off']),
    ('D13', 'adapter held by rfkill for 5 s', ['adapter {a} block', 5.0, 'adapter {a} unblock']),
    ('D14', 'Connect never answered', ['fault cam1 no_reply=1', 'drop cam1']),
    ('D16', 'scan stalls', ['fault all scan_stall=yes', 'blink cam1', 5.0,
                            'fault all scan_stall=no']),
    ('D17', 'device removed and back', ['blink cam1']),
    ('', 'camera out of range for 10 s', ['away cam1', 10.0, 'back cam1']),
    ('', 'never answers a Connect, for 30 s', ['fault cam1 deaf=yes', 'drop cam1', 30.0,
                                               'fault cam1 deaf=no']),
    ('', 'link stalls for 8 s', ['stall cam1 on', 8.0, 'stall cam1 off']),
    ('', 'link stalls with all buffers, for 8 s', ['fault all shared_buffers=yes',
                                                   'stall cam1 on', 8.0, 'stall cam1 off']),
    ('', '(put right)', ['fault all shared_buffers=no']),
    ('', 'Disconnect never answered', ['fault cam1 hold_disconnect=1', 'fault cam1 unresolved=1',
                                       'drop cam1']),
    ('', 'camera restarts', ['press cam1 power', 5.0, 'press cam1 power']),
    ('', 'the bus restarts', ['bus']),
]


class Trial:
    """The rig, and what its cameras have received."""

    def __init__(self):
        self.rig = Rig()
        self.stamps = {f'cam{number}': [] for number in range(1, CAMERAS + 1)}
        self.read = 0

    def begin(self):
        self.bus = self.rig.start_bus()
        self.cameras = self.rig.start_cameras(CAMERAS, '--adapters', 2)
        self.rig.start_gpsd()
        self.rig.start_feeder(10, Circle(), sentences='GGA,GSA,RMC,GSV,GST')
        addresses = [text.split()[2] for text in self.cameras.texts('out')
                     if text.startswith('camera ')]
        self.daemon = self.rig.start_daemon(addresses)
        if self.recovered(time.monotonic(), LIMIT) is None:
            raise AssertionError('the rig does not start')

    def look(self):
        """Takes in what the cameras have received since."""
        with self.cameras.changed:
            lines = self.cameras.lines[self.read:]
            self.read += len(lines)
        for _, _, text in lines:
            found = re.match(r'(\d+) (\S+) gps ', text)
            if found:
                self.stamps[found[2]].append(int(found[1]) / 1e9)

    def whole_since(self, name, now):
        """From when on a camera's stream has no hole; None where it has one now."""
        stamps = self.stamps[name]
        if not stamps or now - stamps[-1] > HOLE:
            return None
        index = len(stamps) - 1
        while index > 0 and stamps[index] - stamps[index - 1] <= HOLE:
            index -= 1
        return stamps[index]

    def recovered(self, since, limit):
        """Seconds from `since` until all streams are whole for good; None if they never are."""
        while time.monotonic() < since + limit:
            time.sleep(0.2)
            self.look()
            now = time.monotonic()
            starts = [self.whole_since(name, now) for name in self.stamps]
            if None not in starts and now - max(max(starts), since) >= PROOF:
                return max(0.0, max(starts) - since)
        return None

    def longest_hole(self, names, since, until):
        longest = 0.0
        for name in names:
            inside = [since, *(s for s in self.stamps[name] if since < s < until), until]
            longest = max(longest, *(b - a for a, b in zip(inside, inside[1:])))
        return longest

    def adapters(self):
        """The adapter that holds cam1, and the other one."""
        lines, _ = self.rig.ask('status json')
        status = json.loads(lines[0])
        held = next(c['adapter'] for c in status['cameras'] if c['name'] == 'cam1')
        every = [text.split()[1] for text in self.cameras.texts('out')
                 if text.startswith('adapter ')]
        return held, next(a for a in every if a != held)

    def cause(self, steps):
        held, other = self.adapters()
        for step in steps:
            if isinstance(step, float):
                time.sleep(step)
            elif step == 'bus':
                self.bus.stop()
                self.bus = self.rig.start_bus()
            else:
                self.cameras.write(step.format(a=held, b=other) + '\n')

    def run(self, steps):
        """(seconds until all is well, the other cameras' longest hole)."""
        time.sleep(CALM)
        began = time.monotonic()
        self.cause(steps)
        gone = time.monotonic()
        seconds = self.recovered(gone, LIMIT)
        others = [name for name in self.stamps if name != 'cam1']
        return seconds, self.longest_hole(others, began, time.monotonic())


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ''
    trial = Trial()
    failed = 0
    try:
        trial.begin()
        print('note  fault                                      all back, s    other gap, s')
        for note, name, steps in FAULTS:
            if wanted not in f'{note} {name}' and not name.startswith('('):
                continue
            seconds, hole = trial.run(steps)
            if name.startswith('('):
                continue
            failed += seconds is None
            back = f'{seconds:.1f}' if seconds is not None else f'not in {LIMIT:.0f}'
            print(f'{note:5} {name:42} {back:>11} {hole:15.2f}', flush=True)
        refused = [text for text in trial.cameras.texts('out') if text.startswith('error')]
        violations = [text for text in trial.cameras.texts('out') if ' violation ' in text]
        for text in refused + violations:
            print(text)
        failed += len(refused) + len(violations)
    finally:
        trial.rig.close()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
