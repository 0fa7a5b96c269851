"""The control socket: what the scenarios do to the air.

One command a line, each answered with a line.  CAMERA is a number or `all`:

    gone CAMERA 0|1               out of range: links are lost, adverts not heard
    drop CAMERA                   the camera ends the link politely
    stall CAMERA 0|1              nothing passes, either way, but the link stands
    hear CAMERA 0|1               0: nothing passes to the camera, what it sends does
    deaf CAMERA 0|1               heard, but never answers a connection request
    pairs CAMERA 0|1              takes part when the host wants to pair by SMP
    refuse CAMERA REASON PERCENT COUNT
                                  so many of its new links, COUNT at most, end at once with
                                  this reason (hex; 3e for one that is not established)
    cut CAMERA MOMENT COUNT       the next COUNT links are lost at this moment: mtu,
                                  services, characteristics, subscribe
    links ADAPTER                 how many links an adapter holds
    unplug ADAPTER                the adapter is gone, until a kernel attaches it anew
    hang ADAPTER 0|1              the adapter's firmware answers nothing
    limit ADAPTER LINKS           how many links an adapter can hold
    clear                         all conditions as they were at the start
"""


class Controls:
    def __init__(self, air, adapters, cameras, max_links):
        self.air = air
        self.adapters = adapters
        self.cameras = cameras
        self.max_links = max_links

    async def serve(self, reader, writer):
        while line := await reader.readline():
            try:
                answer = await self.obey(line.decode().split())
            except Exception as error:  # Whatever is wrong with a command, say it.
                answer = f'error: {error!r}'
            writer.write(f'{answer}\n'.encode())

    def chosen(self, which):
        return self.cameras if which == 'all' else [self.cameras[int(which)]]

    async def obey(self, words):
        match words:
            case ['gone' | 'stall' | 'hear' | 'deaf' | 'pairs' as what, which, '0' | '1' as switch]:
                for camera in self.chosen(which):
                    self.set_condition(camera, what, switch == '1')
            case ['refuse', which, reason, percent, count]:
                for camera in self.chosen(which):
                    conditions = self.air.at(camera.address)
                    conditions.refusal = int(reason, 16)
                    conditions.refused_percent = int(percent)
                    conditions.refusals_left = int(count)
            case ['cut', which, moment, count]:
                for camera in self.chosen(which):
                    camera.set_cut(moment, int(count))
            case ['drop', which]:
                for camera in self.chosen(which):
                    await camera.drop()
            case ['links', adapter]:
                return str(len(self.adapters[int(adapter)].le_connections))
            case ['unplug', adapter]:
                self.adapters[int(adapter)].unplug()
            case ['hang', adapter, '0' | '1' as switch]:
                self.adapters[int(adapter)].hung = switch == '1'
            case ['limit', adapter, links]:
                self.adapters[int(adapter)].max_links = int(links)
            case ['clear']:
                self.clear()
            case _:
                raise ValueError(' '.join(words))
        return 'ok'

    def set_condition(self, camera, what, on):
        conditions = self.air.at(camera.address)
        match what:
            case 'gone':
                conditions.gone = on
                if on:
                    self.air.lose(camera.radio)
            case 'deaf':
                conditions.deaf = on
            case 'pairs':
                camera.pairs = on
            case 'stall':
                conditions.stalled = on
                if not on:
                    self.release(camera)
            case 'hear':
                conditions.stalled = conditions.speaks = not on
                if on:
                    self.release(camera)

    def release(self, camera):
        self.air.release(camera.address)
        for adapter in self.adapters:
            adapter.release(camera.address)

    def clear(self):
        self.air.conditions.clear()
        for camera in self.cameras:
            camera.cuts_left = 0
            camera.pairs = True
            self.release(camera)
        for adapter in self.adapters:
            adapter.hung = False
            adapter.max_links = self.max_links
