"""What happens to a Pi in a vehicle, and what must come of it."""

import datetime
import re
import time

from machine import CAMERAS
from scenario import expect, scenario
from stream import expect_ten_hertz, until_streaming

ALL = range(CAMERAS)
SERVICES = ('bluetooth.service', 'gpsd.socket', 'geotagd.service')
TRACKS = '/var/lib/geotagd/tracks'
# `sync` in [track], and what may be under way.
MAX_LOSS_SECONDS = 7


def streaming(pi, since=None, seconds=60):
    return until_streaming(pi, ALL, seconds * pi.patience, since)


def under_way(pi):
    """Cameras are named, a receiver hears satellites, and all cameras get positions."""
    pi.name_cameras()
    pi.guest.shell('systemctl reload geotagd')
    pi.drive()
    streaming(pi, seconds=90)


@scenario('first boot with the package and nothing configured')
def first_boot(pi):
    pi.until(lambda: pi.active(*SERVICES), 60 * pi.patience, 'not all services came up')
    unit = pi.show('geotagd', 'NRestarts', 'MainPID', 'UnitFileState')
    expect(unit['NRestarts'] == '0', 'geotagd was started more than once')
    expect(unit['UnitFileState'] == 'enabled', 'geotagd does not start at boot')
    status = pi.status()
    expect(status['cameras'] == [] or all(c['number'] is None for c in status['cameras']),
           'there is a camera on the roster')
    journal = pi.guest.run('journalctl', '--no-pager', '-u', 'geotagd')
    expect('geotagctl pair' in journal, 'the journal does not say how a camera is let in')
    boot = pi.guest.run('systemd-analyze', 'time', check=False).split('=')[-1].strip()
    pi.measure('boot', boot.splitlines()[0] if boot else 'unknown')
    pi.measure('RSS', int(pi.guest.shell(
        f'awk \'/^VmRSS/ {{ print $2 }}\' /proc/{unit["MainPID"]}/status')) / 1024, 'MiB')


@scenario('the sandbox, its user, its groups, and who may give commands')
def sandbox(pi):
    pid = pi.show('geotagd', 'MainPID')['MainPID']
    lines = pi.guest.run('cat', f'/proc/{pid}/status').splitlines()
    status = {key: value.split() for key, _, value in (line.partition(':') for line in lines)}
    user = pi.guest.run('id', '-u', 'geotagd').strip()
    bluetooth = pi.guest.shell('getent group bluetooth | cut -d : -f 3').strip()
    expect(status['Uid'] == [user] * 4, 'it does not run as its own user')
    expect(bluetooth in status['Groups'], 'it is not in the group bluetooth')
    expect(status['NoNewPrivs'] == ['1'] and status['Seccomp'] == ['2'], 'it is not confined')
    expect(int(status['CapEff'][0], 16) == 0 and int(status['CapBnd'][0], 16) == 0,
           'it has capabilities')
    inside = f'nsenter -m -t {pid} --'
    for forbidden in ('touch /etc/x', 'touch /usr/x', 'ls /home/driver', 'touch /boot/x'):
        expect(pi.guest.run('/bin/sh', '-c', f'{inside} runuser -u geotagd -- {forbidden} '
                            '>/dev/null 2>&1; echo $?').strip() != '0', f'it may {forbidden}')
    exposure = pi.guest.run('systemd-analyze', 'security', 'geotagd', '--no-pager',
                            seconds=60 * pi.patience, check=False).strip().splitlines()[-1]
    pi.measure('exposure', re.search(r'\d+\.\d+', exposure)[0])
    mine = pi.guest.run('runuser', '-u', 'driver', '--', 'geotagctl', '--plain', 'status')
    expect('gps' in mine, 'a member of the group may not give commands')
    other = pi.guest.run('/bin/sh', '-c', 'runuser -u passenger -- geotagctl status; echo $?')
    expect(other.strip().splitlines()[-1] != '0' and 'geotagd' in other,
           'somebody else may give commands, or is not told why not')


@scenario('four cameras named, systemctl reload, ten positions a second each')
def four_cameras(pi):
    since = time.time()
    pi.name_cameras()
    pi.guest.shell('systemctl reload geotagd')
    pi.drive()
    pi.measure('all streaming', streaming(pi, since, 90))
    expect_ten_hertz(pi, ALL)
    expect(pi.show('geotagd', 'NRestarts')['NRestarts'] == '0', 'it was started again')


@scenario('killed: systemd starts it again')
def killed(pi):
    under_way(pi)
    since = time.time()
    pi.guest.shell('systemctl kill --signal KILL geotagd')
    pi.measure('all streaming', streaming(pi, since))
    expect_ten_hertz(pi, ALL)


@scenario('hanging: the watchdog has it started again')
def hanging(pi):
    under_way(pi)
    since = time.time()
    pi.guest.shell('systemctl kill --signal STOP geotagd')
    pi.measure('all streaming', streaming(pi, since + 5, 150))
    result = pi.guest.shell('journalctl --no-pager -b -u geotagd | grep -c "Watchdog timeout"')
    expect(int(result) >= 1, 'it was not the watchdog')


@scenario('any order: each service first, each last')
def any_order(pi):
    under_way(pi)
    names = ['bluetooth', 'gpsd.socket gpsd', 'geotagd']
    for turn in range(3):
        order = names[turn:] + names[:turn]
        for name in ('geotagd', 'gpsd.socket gpsd', 'bluetooth'):
            pi.guest.shell(f'systemctl stop {name}', seconds=60 * pi.patience)
        since = time.time()
        for name in order:
            # A dependency must not bring the others up first.
            pi.guest.shell(f'systemctl --job-mode=ignore-dependencies start {name}',
                           seconds=60 * pi.patience)
            pi.wait(2)
        pi.measure(f'{order[0].split(".")[0]} first', streaming(pi, since, 90))


@scenario('the machine restarted: everything comes up by itself')
def restarted(pi):
    under_way(pi)
    pi.measure('off', pi.power_off())
    since = time.time()
    pi.measure('on', pi.boot())
    pi.drive()
    pi.measure('all streaming', streaming(pi, since, 180))
    expect_ten_hertz(pi, ALL)


@scenario('the power cut while the track is written')
def power_cut(pi):
    under_way(pi)
    pi.wait(20)
    last = last_row(pi)
    pi.cut_power()
    pi.boot()
    lost = last - last_row(pi)
    pi.measure('rows lost', float(lost))
    expect(lost <= MAX_LOSS_SECONDS, f'{lost:.1f} s of rows are gone')
    pi.until(lambda: pi.active('geotagd.service'), 60 * pi.patience, 'geotagd did not come up')
    since = time.time()
    pi.drive()
    pi.measure('all streaming', streaming(pi, since, 120))
    damage = pi.guest.shell(f'geotagctl track check {TRACKS}; echo status $?', check=False)
    expect('status 0' in damage, f'the tracks are damaged: {damage[-300:]}')


def last_row(pi):
    """When the last row of all tracks was true, in seconds since 1970."""
    row = pi.guest.shell(f'cat {TRACKS}/track-*.csv | grep -a "^20" | sort | tail -n 1')
    expect(row, 'there is no track')
    return datetime.datetime.fromisoformat(row.split(',')[0]).timestamp()


@scenario('a boot without clock and network: the track is named from GPS time')
def no_clock(pi):
    pi.name_cameras()
    # The time of the last shutdown is remembered; after a week in the garage that is no help.
    pi.guest.shell('systemctl disable --quiet --now systemd-timesyncd;'
                   ' rm -f /var/lib/systemd/timesync/clock')
    pi.power_off()
    pi.boot(clock='2020-01-01T00:00:00')
    ahead = time.time() - float(pi.guest.run('date', '+%s.%N'))
    pi.seconds_ahead = ahead
    pi.measure('clock behind', ahead / 86400, 'days')
    before = set(pi.guest.shell(f'ls {TRACKS}').split())
    pi.drive()
    streaming(pi, seconds=120)
    pi.wait(15)
    new = [name for name in set(pi.guest.shell(f'ls {TRACKS}').split()) - before
           if name.startswith('track-')]
    today = time.strftime('track-%Y%m%d', time.gmtime())
    expect(len(new) == 1 and new[0].startswith(today), f'new files: {sorted(new)}')
    expect(pi.status()['track']['rows'] > 50, 'few rows were written')
