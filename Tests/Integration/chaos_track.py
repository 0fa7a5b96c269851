#!/usr/bin/env python3
"""Kill the daemon and cut the power at random moments, and see that tracks stay whole.

    chaos_track.py [--kills N] [--cuts N] [--seed N]     200 kills and 20 cuts unless told otherwise

A real gpsd feeds the real daemon.

SIGKILL falls at any moment of its life: before time is trusted, among rows, while the disk is full,
after its folder was taken away.  After each kill the file it wrote must reach to within a second of
the kill (of the disk being full, where that was before); after the next start every file must end
with a whole line; and ExifTool, GPSBabel and pandas must read each of them as it is.

A power cut is a copy of the disk's blocks while the daemon writes: what the disk would hold.  The
copy is mounted, a daemon starts on it, and the same must hold, with what `sync` promises lost.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import time

import track_readers as readers
from rig import Circle, Rig
from track_rig import SENTENCES, can_mount_tmpfs, copy_disk, make_disk, mount

LONGEST_KILL_LOSS = 1.0  # seconds of rows
SYNC = 1  # second
LONGEST_CUT_LOSS = SYNC + 1.5  # a sync may be under way, on a machine that does other things
# Between two looks whether the folder is still there, and then some.
NOTICED = 1.5  # seconds


class Chaos:
    """What both have in common: a rig with gpsd and a feeder, and starts of the daemon."""

    def __init__(self, count, seed):
        self.count, self.seed, self.numbers = count, seed, random.Random(seed)
        self.losses = []
        self.rig = Rig()

    def run(self):
        """How many files the three programs have read, and the longest loss in seconds."""
        readers.set_up()
        try:
            self.rig.start_gpsd()
            self.rig.start_feeder(10, Circle(), sentences=SENTENCES)
            return self.torment(), max(self.losses)
        except AssertionError as error:
            raise AssertionError(f'{type(self).__name__}, seed {self.seed}: {error}') from error
        finally:
            self.clean()
            self.rig.close()

    def clean(self):
        """Takes the disks away, after those who use them."""
        for folder in self.disks():
            if os.path.ismount(folder):
                for program in self.rig.programs:
                    program.stop()
                subprocess.run(['umount', '--lazy', folder], check=False)

    def start(self, extra=''):
        daemon = self.rig.start_daemon(
            [], extra=f'[track]\nsync = {SYNC}\npushes = on\nmin_free = 0\n{extra}')
        daemon.wait_for('event=start', 30)
        return daemon

    def end(self, daemon):
        daemon.signal(signal.SIGTERM)
        if daemon.wait(10) != 0:
            raise AssertionError('the daemon did not end well')

    @staticmethod
    def tracks(folder):
        return sorted(folder.glob('track-*.csv'), key=lambda path: path.stat().st_mtime)

    @staticmethod
    def last_row(path):
        """When the last whole row came, by the monotonic clock."""
        text = path.read_bytes().rstrip(b'\0')
        whole = text[:text.rfind(b'\n') + 1].decode().split('\n')[1:-1]
        if not whole:
            raise AssertionError(f'{path}: no row was kept')
        return float(readers.ROW.fullmatch(whole[-1])['mono'])

    def lost(self, seconds, most):
        self.losses.append(seconds)
        if seconds > most:
            raise AssertionError(f'{seconds:.3f} s of rows are gone')


class Kills(Chaos):
    # What life is like before each kill, over and over.
    LIVES = ('rows', 'early', 'rows', 'full', 'rows', 'removed', 'rows', 'early', 'rows', 'rows')

    def disks(self):
        return [self.rig.folder / 'place']

    def torment(self):
        place = self.rig.folder / 'place'
        place.mkdir()
        # Small, since it has to be filled.
        if can_mount_tmpfs():
            mount('-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', place)
        self.rig.tracks = place / 'tracks'
        self.filler = place / 'filler'
        self.read = 0
        self.fresh = set()  # Not yet looked at after the start that follows them.
        self.known = set()
        for number in range(self.count):
            self.kill_once(self.LIVES[number % len(self.LIVES)])
        self.end_of_life()
        return self.read

    def kill_once(self, life):
        daemon = self.start()
        since = time.monotonic()
        if life != 'early':
            daemon.wait_for('state=open path=', 30)
            self.look_back()
        time.sleep(self.numbers.uniform(0, 1.0))
        if life == 'full' and can_mount_tmpfs():
            since = self.fill(daemon)
        elif life == 'removed':
            since = self.remove()
        time.sleep(self.numbers.uniform(0, 2.5 if life == 'removed' else 1.0))
        daemon.signal(signal.SIGKILL)
        killed = time.monotonic()
        daemon.wait()
        self.filler.unlink(missing_ok=True)
        new = [path for path in self.tracks(self.rig.tracks) if path not in self.known]
        self.judge(life, new, since, killed)
        self.known.update(new)
        self.fresh.update(new)

    def judge(self, life, new, since, killed):
        """The file reaches to within a second of the kill, or of what came before it."""
        if life == 'early' and not new:
            return
        if life == 'removed':
            # The folder is there again; the file is where the daemon has noticed.
            if not new and killed - since < NOTICED:
                return
            self.lost(killed - self.last_row(new[-1]), LONGEST_KILL_LOSS)
            return
        (path,) = new
        until = since if life == 'full' and can_mount_tmpfs() else killed
        self.lost(until - self.last_row(path), LONGEST_KILL_LOSS)

    def fill(self, daemon):
        """Leaves room for a part of a row or some rows; when that was."""
        free = shutil.disk_usage(self.filler.parent).free
        full = time.monotonic()
        self.filler.write_bytes(bytes(max(0, free - self.numbers.randint(0, 8192))))
        daemon.wait_for('state=error reason="?No space left', 30)
        return full

    def remove(self):
        """Takes the folder away at one stroke; when that was."""
        self.agree(self.known - self.fresh)
        gone = self.rig.tracks.with_name('gone')
        removed = time.monotonic()
        self.rig.tracks.rename(gone)
        shutil.rmtree(gone)
        self.known, self.fresh = set(), set()
        return removed

    def look_back(self):
        """The start has cut what the kills before it left; it did so before it wrote."""
        for path in self.fresh:
            readers.strict(path)
        self.fresh = set()

    def agree(self, paths):
        for path in sorted(paths):
            readers.agree(path, readers.strict(path))
            self.read += 1

    def end_of_life(self):
        daemon = self.start()
        daemon.wait_for('state=open path=', 30)
        time.sleep(0.5)
        self.end(daemon)
        self.agree(self.tracks(self.rig.tracks))
        # Events and pushes as well.
        readers.geotagctl('check', self.rig.tracks)


class PowerCuts(Chaos):
    def disks(self):
        return [self.rig.tracks, self.rig.folder / 'after']

    def torment(self):
        self.disk, self.copy = make_disk(self.rig.folder / 'disk'), self.rig.folder / 'copy'
        self.rig.tracks.mkdir()
        self.after = self.rig.folder / 'after'
        self.after.mkdir()
        mount('-o', 'loop', self.disk, self.rig.tracks)
        daemon = self.start()
        daemon.wait_for('state=open path=', 30)
        files = 0
        for _ in range(self.count):
            time.sleep(self.numbers.uniform(2, 4))
            files += self.cut_once(daemon)
        self.end(daemon)
        return files

    def cut_once(self, daemon):
        cut = copy_disk(daemon, self.disk, self.copy)
        mount('-o', 'loop', self.copy, self.after)
        try:
            (path,) = self.tracks(self.after)
            self.lost(cut - self.last_row(path), LONGEST_CUT_LOSS)
            self.repair()
            readers.agree(path, readers.strict(path))
            return 1
        finally:
            subprocess.run(['umount', self.after], check=True)

    def repair(self):
        """A daemon starts on what the cut left; it has no receiver, so it writes no more."""
        tracks, control = self.rig.tracks, (self.rig.socket_path, self.rig.fifo_path)
        port = self.rig.gpsd_port
        self.rig.tracks, self.rig.gpsd_port = self.after, 1
        self.rig.socket_path = self.rig.folder / 'after.sock'
        self.rig.fifo_path = self.rig.folder / 'after.fifo'
        try:
            daemon = self.start()
            self.end(daemon)
        finally:
            self.rig.tracks, self.rig.gpsd_port = tracks, port
            self.rig.socket_path, self.rig.fifo_path = control


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--kills', type=int, default=200)
    parser.add_argument('--cuts', type=int, default=20)
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    words = parser.parse_args()
    print(f'chaos_track.py --kills {words.kills} --cuts {words.cuts} --seed {words.seed}',
          flush=True)
    for kind, count in ((Kills, words.kills), (PowerCuts, words.cuts)):
        if count:
            began = time.monotonic()
            files, loss = kind(count, words.seed).run()
            print(f'{kind.__name__}: {count} in {time.monotonic() - began:.0f} s; {files} files '
                  f'read right by three programs; longest loss {loss:.3f} s', flush=True)
    print(f'{words.kills + words.cuts} passed, 0 failed')


if __name__ == '__main__':
    main()
