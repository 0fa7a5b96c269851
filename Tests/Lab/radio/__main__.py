"""The radio side of the lab: adapters for a Linux kernel, and what is in their range.

Each adapter is an H4 stream over a Unix socket.  The cameras are the simulator's
(simulator.py); strangers are beside them.  Every event goes to a log, a line each:

    SECONDS WHO EVENT [HEX]

with WHO a camera's number, sN for a stranger, aN for an adapter, and EVENT one of
connected/ADDRESS, disconnected/REASON, mtu/N, subscribed, unsubscribed, write,
notify, wake/…, cut/…, scan/…, advertisement/….  The control socket is described in
controls.py.
"""

import argparse
import asyncio
import logging
import signal
import time

from adapter import Adapter
from air import Air
from simulator import Simulator
from controls import Controls
from peripheral import Camera
from strangers import strangers

MAX_LINKS = 1000


class Log:
    """Appends events to a file, each line whole."""

    def __init__(self, path):
        self.file = open(path, 'a', buffering=1)

    def __call__(self, who, event, data=b''):
        self.file.write(f'{time.time():.6f} {who} {event} {data.hex()}'.rstrip() + '\n')


def options():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--simulator', required=True, help="path of the simulator's socket")
    parser.add_argument('--adapter', action='append', default=[], help='path of its H4 socket')
    parser.add_argument('--control', required=True, help='path of the control socket')
    parser.add_argument('--log', required=True, help='file for the events')
    parser.add_argument('--strangers', action='store_true', help='with strangers in range')
    parser.add_argument('--verbose', action='store_true', help='every HCI packet')
    return parser.parse_args()


async def main():
    wanted = options()
    logging.basicConfig(level='DEBUG' if wanted.verbose else 'WARNING')
    log = Log(wanted.log)
    air = Air()
    adapters = [Adapter(index, air, MAX_LINKS, log) for index in range(len(wanted.adapter))]
    simulator = await Simulator.meet(wanted.simulator)
    cameras = [Camera(index, air, log, *rest) for index, *rest in await simulator.introduce()]
    for camera in cameras:
        camera.simulator = simulator
        await camera.start()
    for stranger in strangers(air, log) if wanted.strangers else []:
        await stranger.start()
        await stranger.set_mode('on')
    controls = Controls(air, adapters, cameras, MAX_LINKS)
    await asyncio.start_unix_server(controls.serve, wanted.control)
    for adapter, path in zip(adapters, wanted.adapter):
        await asyncio.start_unix_server(adapter.serve, path)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, exit)
    print('ready', flush=True)
    await simulator.listen(cameras)


if __name__ == '__main__':
    asyncio.run(main())
