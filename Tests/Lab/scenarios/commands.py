"""What the second device asks for: recording, modes, sleep."""

import time

from daemon import fields, name_of
from scenario import expect, scenario
from stream import expect_undisturbed, until_streaming

ALL = range(10)


def begin(lab):
    lab.receiver.start()
    lab.daemon.start()
    until_streaming(lab, ALL, 60)


def expect_all_ok(lab, line, count=10):
    """A fleet command, answered `ok` for each camera."""
    data, end = lab.daemon.command(line)
    results = {name: pairs.get('result') for _, name, pairs in map(fields, data)}
    expect(end == 'OK', f'"{line}" ended {end}: {data}')
    wanted = {name_of(index): 'ok' for index in range(count)}
    expect(results == wanted, f'"{line}" was answered {results}')
    return [pairs for _, _, pairs in map(fields, data)]


@scenario('all record, and stop', short=True)
def record(lab):
    begin(lab)
    since = time.time()
    start = time.monotonic()
    expect_all_ok(lab, 'record start')
    lab.measure('start confirmed by all', time.monotonic() - start)
    expect(all(camera['recording'] for camera in lab.simulator.status()), 'not all record')
    expect(all(c['recording'] for c in lab.daemon.status()['cameras'][:10]), 'status disagrees')
    lab.wait(3)
    start = time.monotonic()
    expect_all_ok(lab, 'record stop')
    lab.measure('stop confirmed by all', time.monotonic() - start)
    expect(not any(camera['recording'] for camera in lab.simulator.status()), 'some record on')
    expect_undisturbed(lab, ALL, since, time.time())


@scenario('a camera started by hand, one that stopped by itself')
def by_hand(lab):
    begin(lab)
    lab.simulator.ask('press 3 record')
    recording = lambda: lab.daemon.status()['cameras'][3]['recording']
    lab.measure('noticed', lab.until(recording, 5, 'the recording was not noticed'))
    expect_all_ok(lab, 'record start')
    lab.simulator.ask('press 5 record')
    stopped = lambda: not lab.daemon.status()['cameras'][5]['recording']
    lab.measure('stop noticed', lab.until(stopped, 5, 'the end was not noticed'))
    events = (lab.out / lab.folder.name / 'geotagd.log').read_text(errors='replace')
    expect('alarm' in events and name_of(5) in events, 'no alarm for the one that stopped')


@scenario('modes')
def mode(lab):
    begin(lab)
    start = time.monotonic()
    expect_all_ok(lab, 'mode photo')
    lab.measure('all in photo mode', time.monotonic() - start)
    modes = {camera['mode'] for camera in lab.simulator.status()}
    expect(all('photo' in mode for mode in modes), f'cameras are in {modes}')
    expect_all_ok(lab, 'photo')
    expect(all(camera['photos_taken'] == 1 for camera in lab.simulator.status()), 'not all shot one')
    expect_all_ok(lab, 'mode video')
    modes = {camera['mode'] for camera in lab.simulator.status()}
    expect(all('video' in mode for mode in modes), f'cameras are in {modes}')


@scenario('asleep: not a byte more')
def sleep(lab):
    begin(lab)
    start = time.monotonic()
    expect_all_ok(lab, 'sleep')
    lab.measure('all asleep', time.monotonic() - start)
    since = time.time()
    lab.wait(12)
    for index in ALL:
        writes = lab.air.since(index, since, 'write')
        expect(not writes, f'camera {index} got {len(writes)} writes while asleep')
        connects = lab.air.since(index, since, 'connected')
        expect(not connects, f'camera {index} was connected to while asleep')
    states = lab.daemon.states()
    expect(set(states.values()) == {'asleep'}, f'states: {states}')
