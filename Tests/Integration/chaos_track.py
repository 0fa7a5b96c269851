#!/usr/bin/env python3
"""Kill the daemon and cut the power at random moments, and see that tracks stay whole.

    chaos_track.py [KILLS [CUTS [SEED]]]     200 kills and 20 cuts unless told otherwise

A real gpsd feeds the real daemon.

SIGKILL falls at any moment of its life.  After each kill the file it wrote must reach to within a
second of the kill; after the next start every file must end with a whole line; in the end
ExifTool, GPSBabel and pandas must read each of them as it is.

A power cut is a copy of the disk's blocks while the daemon writes: what the disk would hold.  The
copy is mounted, a daemon starts on it, and the same must hold, with what `sync` promises lost.
"""

import os
import random
import signal
import subprocess
import sys
import time

import track_readers as readers
from rig import Circle, Rig

LONGEST_KILL_LOSS = 1.0  # seconds of rows
SYNC = 1  # second
LONGEST_CUT_LOSS = SYNC + 1.5  # a sync may be under way, on a machine that does other things


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
            self.rig.start_feeder(10, Circle(), sentences='GGA,GSA,RMC,GSV,GST')
            return self.torment(), max(self.losses)
        except AssertionError as error:
            raise AssertionError(f'{type(self).__name__}, seed {self.seed}: {error}') from error
        finally:
            self.clean()
            self.rig.close()

    def clean(self):
        pass

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


class Kills(Chaos):
    def torment(self):
        for _ in range(self.count):
            self.kill_once()
        daemon = self.start()
        daemon.wait_for('state=open path=', 30)
        self.end(daemon)
        files = self.tracks(self.rig.tracks)
        for path in files:
            readers.agree(path, readers.strict(path))
        # Events and pushes as well.
        readers.geotagctl('check', self.rig.tracks)
        return len(files)

    def kill_once(self):
        before = set(self.tracks(self.rig.tracks))
        daemon = self.start()
        # Some die before time is trusted, most of them in the middle of rows.
        early = self.numbers.random() < 0.2
        if not early:
            daemon.wait_for('state=open path=', 30)
        time.sleep(self.numbers.uniform(0, 1.5))
        daemon.signal(signal.SIGKILL)
        killed = time.monotonic()
        daemon.wait()
        for path in before:
            readers.strict(path)  # The start has cut what the last kill left.
        new = [path for path in self.tracks(self.rig.tracks) if path not in before]
        if early and not new:
            return
        (path,) = new
        self.losses.append(killed - self.last_row(path))
        if self.losses[-1] > LONGEST_KILL_LOSS:
            raise AssertionError(f'{self.losses[-1]:.3f} s of rows are gone')


class PowerCuts(Chaos):
    def torment(self):
        self.disk, self.copy = self.rig.folder / 'disk', self.rig.folder / 'copy'
        with self.disk.open('wb') as file:
            file.truncate(16 << 20)
        subprocess.run(['mkfs.ext4', '-q', '-F', self.disk], check=True)
        self.rig.tracks.mkdir()
        self.after = self.rig.folder / 'after'
        self.after.mkdir()
        subprocess.run(['mount', '-o', 'loop', self.disk, self.rig.tracks], check=True)
        daemon = self.start()
        daemon.wait_for('state=open path=', 30)
        files = 0
        for _ in range(self.count):
            time.sleep(self.numbers.uniform(2, 4))
            files += self.cut_once(daemon)
        self.end(daemon)
        return files

    def cut_once(self, daemon):
        # It stands still while its disk is copied, or the copy would be of two moments.
        daemon.signal(signal.SIGSTOP)
        cut = time.monotonic()
        try:
            subprocess.run(['cp', '--sparse=always', self.disk, self.copy], check=True)
        finally:
            daemon.signal(signal.SIGCONT)
        subprocess.run(['mount', '-o', 'loop', self.copy, self.after], check=True)
        try:
            (path,) = self.tracks(self.after)
            self.losses.append(cut - self.last_row(path))
            if self.losses[-1] > LONGEST_CUT_LOSS:
                raise AssertionError(f'{self.losses[-1]:.3f} s of rows are gone')
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

    def clean(self):
        for folder in (self.rig.tracks, self.rig.folder / 'after'):
            if os.path.ismount(folder):
                for program in self.rig.programs:
                    program.stop()
                subprocess.run(['umount', '--lazy', folder], check=False)


def main():
    kills, cuts, seed = (int(word) for word in
                         (sys.argv[1:] + ['200', '20', str(random.randrange(1 << 32))][
                             len(sys.argv) - 1:]))
    print(f'chaos_track.py {kills} {cuts} {seed}', flush=True)
    for kind, count in ((Kills, kills), (PowerCuts, cuts)):
        if count:
            files, loss = kind(count, seed).run()
            print(f'{kind.__name__}: {count}; {files} files read right by three programs; '
                  f'longest loss {loss:.3f} s', flush=True)
    print(f'{kills + cuts} passed, 0 failed')


if __name__ == '__main__':
    main()
