"""What happens to adapters and to bluetoothd."""

import time

from scenario import expect, scenario
from stream import expect_ten_hertz, until_streaming

ALL = range(10)


def begin(lab, **sections):
    lab.receiver.start()
    lab.daemon.start(**sections)
    until_streaming(lab, ALL, 90)


@scenario('bluetoothd killed', short=True)
def bluetoothd_killed(lab):
    begin(lab)
    since = time.time()
    lab.kill_bluetoothd()
    lab.measure('all at 10 Hz', until_streaming(lab, ALL, 90, since + 0.5) + 0.5)
    expect_ten_hertz(lab, ALL)


@scenario('the adapter off and on')
def adapter_off(lab):
    begin(lab)
    lab.set_powered(0, False)
    lab.wait(5)
    since = time.time()
    # Whoever turned it off may have meant it; the daemon turns it on again by itself or not.
    lab.set_powered(0, True)
    lab.measure('all at 10 Hz', until_streaming(lab, ALL, 90, since))
    expect_ten_hertz(lab, ALL)


@scenario('the adapter unplugged and back')
def adapter_unplugged(lab):
    begin(lab)
    lab.unplug(0)
    lab.wait(8)
    since = time.time()
    lab.attach(0)
    lab.measure('all at 10 Hz', until_streaming(lab, ALL, 90, since))
    expect_ten_hertz(lab, ALL)


@scenario("the adapter's firmware hangs, until it is plugged in anew")
def adapter_hangs(lab):
    begin(lab)
    lab.tell_radio('hang 0 1')
    lab.wait(10)
    lab.unplug(0)
    lab.tell_radio('hang 0 0')
    since = time.time()
    lab.attach(0)
    lab.measure('all at 10 Hz', until_streaming(lab, ALL, 90, since))
    expect_ten_hertz(lab, ALL)


@scenario('two adapters share the cameras; one is pulled out')
def two_adapters(lab):
    lab.attach(1)
    begin(lab)
    shares = [int(lab.tell_radio(f'links {index}')) for index in range(2)]
    lab.measure('links', f'{shares[0]} + {shares[1]}')
    expect(min(shares) >= 4, f'the cameras are not shared evenly: {shares}')
    stay = [index for index in ALL if on_adapter(lab, index) == 0]
    since = time.time()
    lab.unplug(1)
    lab.measure('all at 10 Hz', until_streaming(lab, ALL, 90, since))
    gap = max(lab.air.gap(index, since, time.time()) for index in stay)
    lab.measure("the others' longest gap", gap * 1000, 'ms')
    expect_ten_hertz(lab, ALL)


def on_adapter(lab, camera):
    """Which adapter holds a camera now."""
    return int(lab.air.since(camera, 0, 'connected')[-1].detail[:17].rpartition(':')[2]) - 1
