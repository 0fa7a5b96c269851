"""The connection to the simulator: the product's own simulated cameras, `lab-cameras`.

Lines both ways over a Unix socket.  The simulator first lists the cameras that it has, and
how they are on the air:

    camera INDEX ADDRESS MODEL NAME MANUFACTURERHEX
    advertise INDEX on|off|asleep
    end

Told `radio`, it then says `notify I HEX`, `advertise I on|off|asleep` and `drop I`, and
hears `connected I`, `disconnected I`, `mtu I N`, `subscribed I`, `unsubscribed I`,
`write I HEX` and `wake I`.
"""

import asyncio


class Simulator:
    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    @classmethod
    async def meet(cls, path):
        return cls(*await asyncio.open_unix_connection(path))

    async def introduce(self):
        """The cameras that the simulator has: (index, address, name, manufacturer data)."""
        cameras = []
        while line := (await self.reader.readline()).decode().strip():
            word, *rest = line.split()
            if word == 'end':
                self.tell('radio')
                return cameras
            if word != 'camera':
                continue
            index, address, _, name, manufacturer = rest
            cameras.append((int(index), address, name, bytes.fromhex(manufacturer)))
        raise EOFError('the simulator hung up before it said which cameras it has')

    def tell(self, line):
        self.writer.write(f'{line}\n'.encode())

    async def listen(self, cameras):
        """Do what the simulator says, in its order, until it hangs up."""
        while line := await self.reader.readline():
            match line.decode().split():
                case ['notify', index, value]:
                    await cameras[int(index)].notify(bytes.fromhex(value))
                case ['advertise', index, mode]:
                    await cameras[int(index)].set_mode(mode)
                case ['drop', index]:
                    await cameras[int(index)].drop()
                case words:
                    raise ValueError(f'the simulator said {words}')
        raise EOFError('the simulator hung up')
