#!/usr/bin/env python3
"""Each quirk of BlueZ's in turn against the real daemon, and how long the rig takes to get over it.

    faults.py [PATTERN]      only faults whose note and name have the regular expression

A real gpsd, a private bus, ten simulated cameras on two adapters.  A fault is put in; once its
cause is gone the clock runs until all ten cameras take 10 pushes a second again, without a person.

Of the camera it is about the way back is shown in three parts: `found`, from its first
advertisement to the Connect, is how long nobody looked; `BlueZ`, from the last Connect to the
notifications, is not ours; `ready`, from there to the first position, is the handshake. Where
nothing but absence was wrong, `found` and `ready` together have to stay under two seconds.

The table goes to standard output; the exit status is 1 if one fault was not got over, a bound was
broken or a camera was treated against the protocol.
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
# For `found` and `ready` together, where a camera was merely away for less than a minute.
GOAL = 2.0


class Fault:
    """Number of the field note, name, and what happens: control lines, or seconds that pass.

    {a} is the adapter that holds cam1, {b} the other one.  `goal`: the camera was merely away.
    `deaths`: how often bluetoothd may die of it, and does.  `hole`: the longest that the others may
    wait for a position.
    """

    def __init__(self, note, name, *steps, goal=False, deaths=None, hole=None):
        self.note, self.name, self.steps = note, name, steps
        self.goal, self.deaths, self.hole = goal, deaths, hole


def put_right(*steps):
    return Fault('', None, *steps)


FAULTS = [
    Fault('', 'link lost', 'drop cam1', goal=True),
    Fault('', 'all links lost at once', 'drop all'),
    Fault('', 'out of range for 10 s', 'away cam1', 10.0, 'back cam1', goal=True),
    Fault('', 'out of range for 27 s', 'away cam1', 27.0, 'back cam1', goal=True),
    Fault('', 'out of range for 43 s', 'away cam1', 43.0, 'back cam1', goal=True),
    Fault('', 'out of range for 100 s', 'away cam1', 100.0, 'back cam1'),
    Fault('', 'turned off and on', 'press cam1 power', 5.0, 'press cam1 power', goal=True),
    Fault('D1', 'Connect: InProgress, twice', 'fault cam1 in_progress=2', 'drop cam1'),
    Fault('D1', 'no two Connects at once', 'fault all one_connect=yes', 'drop all'),
    put_right('fault all one_connect=no'),
    Fault('D2', 'stale pending Connect', 'fault cam1 stale=yes', 'drop cam1'),
    Fault('D3', 'le-connection-abort-by-local, 3 times', 'fault cam1 abort=3', 'drop cam1'),
    Fault('D4', 'objects after ServicesResolved', 'fault cam1 late_objects=1', 'blink cam1'),
    Fault('D4', 'objects never', 'fault cam1 no_objects=1', 'drop cam1'),
    Fault('D5', 'ServicesResolved never', 'fault cam1 unresolved=1', 'drop cam1'),
    Fault('D6', 'software caused abort, 5 times', 'fault cam1 software_abort=5', 'drop cam1'),
    Fault('D7', 'object gone with the scan', 'fault cam1 vanish=yes', 'blink cam1', 3.0,
          'fault cam1 vanish=no'),
    Fault('D8', 'not established (0x3E), 3 times', 'fault cam1 establish=3', 'drop cam1'),
    Fault('D8', 'scan refused, twice each', 'fault all refuse_scan=2', 'drop cam1'),
    Fault('D9', 'stale GATT cache', 'fault cam1 stale_cache=yes', 'drop cam1'),
    Fault('D10', 'AcquireWrite not offered', 'fault cam1 no_acquire=yes', 'drop cam1'),
    Fault('D10', 'offered again', 'fault cam1 no_acquire=no', 'drop cam1'),
    Fault('D11', 'bluetoothd restarts', 'restart 1', 1.0, deaths=1),
    Fault('D11', 'bluetoothd crashes, back after 5 s', 'crash 5', 5.0, deaths=1),
    Fault('D11', 'the bus restarts', 'bus'),
    Fault('D12', 'adapter unplugged, back as another hci', 'adapter {a} remove', 3.0,
          'adapter {a} add'),
    Fault('D12', 'StartDiscovery unanswered, unplugged and back', 'fault {a} hold_scan=1', 'drop cam1',
          2.0, 'adapter {a} remove', 3.0, 'adapter {a} add', 12.0),
    Fault('D13', 'adapter powered off', 'adapter {a} off'),
    Fault('D13', 'adapter held by rfkill for 5 s', 'adapter {a} block', 5.0, 'adapter {a} unblock'),
    Fault('D13', 'both held by rfkill for 5 s', 'adapter all block', 5.0, 'adapter all unblock'),
    Fault('D14', 'Connect never answered', 'fault cam1 no_reply=1', 'drop cam1'),
    Fault('D14', 'Disconnect never answered', 'fault cam1 hold_disconnect=1',
          'fault cam1 unresolved=1', 'drop cam1'),
    Fault('D16', 'all away, and the scan stalls', 'away all', 5.0, 'fault all scan_stall=yes',
          'back all'),
    put_right('fault all scan_stall=no'),
    Fault('D17', 'device removed and back', 'blink cam1'),
    Fault('', 'link stalls for 8 s', 'stall cam1 on', 8.0, 'stall cam1 off'),
    Fault('', 'link stalls for 8 s, buffers shared', 'fault all shared_buffers=yes',
          'stall cam1 on', 8.0, 'stall cam1 off'),
    Fault('', 'takes nothing in for 20 s, buffers shared', 'stall cam1 in', 20.0, 'stall cam1 off',
          hole=1.5),
    put_right('fault all shared_buffers=no'),
    Fault('', 'no status comes, and the link is lost', 'set cam1 no_status=yes', 'drop cam1'),
    put_right('set cam1 no_status=no'),
    Fault('', 'answers late and loses a tenth, link lost', 'set cam1 late=50', 'set cam1 lost=10',
          'drop cam1'),
    put_right('set cam1 late=0', 'set cam1 lost=0'),
    Fault('', 'bluetoothd connects by itself', 'fault cam1 auto_connect=yes', 'drop cam1', 3.0,
          'fault cam1 auto_connect=no'),
    Fault('', 'never answers a Connect, for 30 s', 'fault cam1 deaf=yes', 'drop cam1', 30.0,
          'fault cam1 deaf=no', deaths=0),
    # From here on the daemon gives Connects up early.
    Fault('', 'the same, and bluetoothd dies of it', 'fault all fatal_connect=yes',
          'fault cam1 deaf=yes', 'drop cam1', 30.0, 'fault cam1 deaf=no', deaths=1),
    Fault('', 'the same once more', 'fault cam1 deaf=yes', 'drop cam1', 30.0, 'fault cam1 deaf=no',
          deaths=0),
]


class Trial:
    """The rig, and what its cameras have received."""

    def __init__(self):
        self.rig = Rig()
        self.stamps = {f'cam{number}': [] for number in range(1, CAMERAS + 1)}
        # (seconds, what) of cam1: advertises, asked, subscribed, gps.
        self.way = []
        self.deaths = []
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
            found = re.match(r'(\d+) (\S+) (\w+)', text)
            if not found:
                continue
            stamp, name, what = int(found[1]) / 1e9, found[2], found[3]
            if what == 'gps':
                self.stamps[name].append(stamp)
            if name == 'cam1' and what in ('advertises', 'asked', 'subscribed', 'gps'):
                self.way.append((stamp, what))
            if what == 'down':
                self.deaths.append(stamp)

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

    def parts(self, since):
        """(found, BlueZ, ready) of cam1's way back; None for what did not happen."""
        def first(what, start):
            return next((s for s, w in self.way if w == what and s > start), None)

        seen = first('advertises', since)
        if seen is None:
            return None, None, None
        asked = first('asked', seen)
        push = first('gps', asked or seen)
        before = [s for s, w in self.way if w == 'subscribed' and seen < s < (push or 0)]
        last = [s for s, w in self.way if w == 'asked' and before and seen < s < before[-1]]
        if not last:
            return asked and asked - seen, None, None
        return asked - seen, before[-1] - last[-1], push - before[-1]

    def run(self, fault):
        """A line of the table, and what is wrong."""
        time.sleep(CALM)
        self.look()
        began = time.monotonic()
        self.cause(fault.steps)
        gone = time.monotonic()
        if fault.name is None:
            return None, []
        seconds = self.recovered(gone, LIMIT)
        others = [name for name in self.stamps if name != 'cam1']
        hole = self.longest_hole(others, began, time.monotonic())
        found, theirs, ready = self.parts(began)
        deaths = len([stamp for stamp in self.deaths if stamp > began])
        wrong = []
        if seconds is None:
            wrong.append(f'not all back in {LIMIT:.0f} s')
        if fault.goal and (ready is None or found + ready >= GOAL):
            wrong.append(f'found and ready are to be under {GOAL:.0f} s')
        if fault.deaths is not None and deaths != fault.deaths:
            wrong.append(f'bluetoothd died {deaths} times, not {fault.deaths}')
        if fault.hole is not None and hole > fault.hole:
            wrong.append(f'the others waited {hole:.1f} s, not {fault.hole} at most')
        cells = ['-' if value is None else f'{value:.1f}'
                 for value in (seconds, found, theirs, ready, hole)]
        line = f'{fault.note:5} {fault.name:40}' + ''.join(f'{cell:>8}' for cell in cells)
        return line, wrong


def main():
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else '')
    trial = Trial()
    failed = 0
    try:
        trial.begin()
        print(f'{"note":5} {"fault":40}' + ''.join(
            f'{word:>8}' for word in ('all', 'found', 'BlueZ', 'ready', 'others')))
        for fault in FAULTS:
            if fault.name is not None and not wanted.search(f'{fault.note} {fault.name}'):
                continue
            line, wrong = trial.run(fault)
            if line:
                print('  '.join([line, *wrong]), flush=True)
            failed += len(wrong)
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
