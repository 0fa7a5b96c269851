"""What a rig does all day: find its cameras, and tell them where it is."""

from scenario import expect, scenario
from stream import expect_ten_hertz, until_streaming


@scenario('ten cameras, from nothing to 10 Hz each', short=True)
def ten_cameras(lab):
    lab.receiver.start()
    lab.daemon.start()
    lab.measure('all at 10 Hz', until_streaming(lab, range(10), 60))
    expect_ten_hertz(lab, range(10))
    states = lab.daemon.states()
    expect(set(states.values()) == {'ready'}, f'not all are ready: {states}')
    for camera in lab.simulator.status():
        expect(camera['handshakes'] == 1, f'more than one handshake: {camera}')
    expect_no_violations(lab)
    expect(lab.restarts == 0, 'bluetoothd crashed')
    lab.measure('orderly end', lab.daemon.stop())


@scenario('twenty cameras on one adapter')
def twenty_cameras(lab):
    lab.begin_again(cameras=20)
    lab.receiver.start()
    lab.daemon.start()
    lab.measure('all at 10 Hz', until_streaming(lab, range(20), 120))
    expect_ten_hertz(lab, range(20))
    expect_no_violations(lab)


@scenario('strangers are seen and left alone', short=True)
def strangers(lab):
    lab.receiver.start()
    lab.daemon.start(cameras=range(3))
    until_streaming(lab, range(3), 60)
    listed = {camera['address']: camera['state'] for camera in lab.daemon.status()['cameras']}
    for index in range(3, 10):
        address = lab.simulator.addresses[index]
        expect(listed.get(address) == 'listed', f'{address} is {listed.get(address)}')
        expect(not lab.air.since(index, 0, 'connected'), f'camera {index} was connected to')
    for address in ('60:60:1F:7A:20:01', '60:60:1F:7A:20:02', '60:60:1F:7A:20:03'):
        expect(listed.get(address) == 'unsupported', f'{address} is {listed.get(address)}')
    for address in ('D0:11:22:7A:20:07', 'C1:11:22:7A:20:08', 'F2:11:22:7A:20:09'):
        expect(address not in listed, f'{address} is no camera')


def expect_no_violations(lab):
    """No camera saw what no camera may see: frames before the handshake, NaN, 0,0."""
    for camera in lab.simulator.status():
        expect(camera['violations'] == 0, f'a camera complains: {camera}')
