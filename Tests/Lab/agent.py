#!/usr/bin/python3
"""The guest's agent: does in the guest what the scenarios on the host ask for.

Requests and answers are lines of JSON on a virtio port.  Each request has an `id`, which
its answer repeats; requests run side by side.

    run      argv, timeout                 -> status, output       a command to its end
    spawn    name, argv, output, env       -> pid                  a program to go on running
    signal   name, number
    wait     name, timeout                 -> status or null, seconds
    kill     programs                      -> count                by their names, to the last
    usage    name                          -> cpu (s), rss, peak (KiB), threads, descriptors
    command  socket, line, timeout         -> lines, seconds       one request of the daemon's
    clock                                  -> real, monotonic (s)
    quit
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time

CLOCK_TICKS = os.sysconf('SC_CLK_TCK')


class Agent:
    def __init__(self, port):
        self.file = os.open(port, os.O_RDWR | os.O_NONBLOCK)
        self.programs = {}
        self.pending = b''
        self.outgoing = b''
        self.tasks = set()
        self.ended = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().add_reader(self.file, self.on_readable)

    def on_readable(self):
        self.pending += os.read(self.file, 65536)
        *lines, self.pending = self.pending.split(b'\n')
        for line in lines:
            task = asyncio.get_running_loop().create_task(self.serve(json.loads(line)))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def serve(self, request):
        number, do = request.pop('id'), request.pop('do')
        try:
            answer = await getattr(self, f'do_{do}')(**request)
        except Exception as error:  # Whatever went wrong, the scenario has to know.
            answer = {'error': repr(error)}
        self.say({'id': number} | (answer or {}))

    def say(self, answer):
        self.outgoing += json.dumps(answer).encode() + b'\n'
        self.on_writable()

    def on_writable(self):
        loop = asyncio.get_running_loop()
        try:
            self.outgoing = self.outgoing[os.write(self.file, self.outgoing):]
        except BlockingIOError:
            pass
        if self.outgoing:
            loop.add_writer(self.file, self.on_writable)
        else:
            loop.remove_writer(self.file)

    async def do_run(self, argv, timeout):
        program = await asyncio.create_subprocess_exec(
            *argv, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            output, _ = await asyncio.wait_for(program.communicate(), timeout)
        except TimeoutError:
            program.kill()
            raise
        return {'status': program.returncode, 'output': output.decode(errors='replace')}

    async def do_spawn(self, name, argv, output, env):
        with open(output, 'ab') as file:
            program = await asyncio.create_subprocess_exec(
                *argv, stdin=asyncio.subprocess.DEVNULL, stdout=file, stderr=file,
                env=os.environ | env,
            )
        self.programs[name] = program
        return {'pid': program.pid}

    async def do_signal(self, name, number):
        if self.programs[name].returncode is None:
            self.programs[name].send_signal(number)

    async def do_wait(self, name, timeout):
        start = time.monotonic()
        try:
            await asyncio.wait_for(self.programs[name].wait(), timeout)
        except TimeoutError:
            pass
        return {'status': self.programs[name].returncode, 'seconds': time.monotonic() - start}

    async def do_kill(self, programs):
        count = 0
        while found := [pid for pid in processes() if name_of(pid) in programs]:
            for pid in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    count += 1
            await asyncio.sleep(0.02)
        return {'count': count}

    async def do_usage(self, name):
        pid = self.programs[name].pid
        with open(f'/proc/{pid}/stat') as file:
            fields = file.read().rpartition(')')[2].split()
        with open(f'/proc/{pid}/status') as file:
            status = dict(line.split(':', 1) for line in file)
        return {
            'cpu': (int(fields[11]) + int(fields[12])) / CLOCK_TICKS,
            'rss': int(status['VmRSS'].split()[0]),
            'peak': int(status['VmHWM'].split()[0]),
            'threads': int(status['Threads']),
            'descriptors': len(os.listdir(f'/proc/{pid}/fd')),
        }

    async def do_command(self, socket, line, timeout):
        start = time.monotonic()
        reader, writer = await asyncio.open_unix_connection(socket, limit=1 << 20)
        lines = []
        try:
            writer.write(line.encode() + b'\n')
            async with asyncio.timeout(timeout):
                while answer := (await reader.readline()).decode().rstrip('\n'):
                    lines.append(answer)
                    if answer.split()[0] in ('OK', 'ERR'):
                        break
        finally:
            writer.close()
        return {'lines': lines, 'seconds': time.monotonic() - start}

    async def do_clock(self):
        return {'real': time.time(), 'monotonic': time.monotonic()}

    async def do_quit(self):
        self.ended.set_result(None)


def processes():
    return [int(name) for name in os.listdir('/proc') if name.isdigit()]


def name_of(pid):
    """What the kernel calls a process; empty if it is gone, or a zombie."""
    try:
        with open(f'/proc/{pid}/stat') as file:
            head, _, tail = file.read().rpartition(')')
    except OSError:
        return ''
    return '' if tail.split()[0] == 'Z' else head.partition('(')[2]


async def main():
    await Agent(sys.argv[1]).ended


asyncio.run(main())
