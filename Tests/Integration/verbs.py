"""Each verb with what is good, bad and at a bound, and the answer that each has to get.

The rows run in this order on one rig: cam1 to cam4 (Action 4, 5 Pro, 6, Osmo 360) stream, cam5 is
absent, and one camera in range, an Action 4, is nobody's yet.
"""

from typing import NamedTuple

GOOD, BAD, BOUND = 'good', 'bad', 'bound'


class Row(NamedTuple):
    kind: str
    request: object  # text, or bytes where it is none
    end: str  # OK, or the code of the ERR
    line: str = ''  # what each data line has to match; '' for whatever
    count: int = -1  # data lines; -1 for whatever


def frame(payload=b'', opcode=(0, 0), damage=0):
    """A whole frame in hexadecimal, by the protocol's own words."""
    def checksum(data, polynomial):
        register = 0x3AA3
        for byte in data:
            register ^= byte
            for _ in range(8):
                register = register >> 1 ^ (polynomial if register & 1 else 0)
        return register
    head = bytes([0xAA, 18 + len(payload), 0, 0x02, 0, 0, 0, 0, 7, 0])
    head += checksum(head, 0xA001).to_bytes(2, 'little') + bytes(opcode) + payload
    return (head + (checksum(head, 0xEDB88320) ^ damage).to_bytes(4, 'little')).hex().upper()


def ok(verb, name='cam1'):
    return rf'^{verb} {name} result=ok sent_utc=\S+ sent_mono=\S+ confirmed_utc=\S+ confirmed_mono='


PAIRED = r'action4-[0-9a-f]{4}'
LONGEST = 'x' * (1023 - len('mark '))

ROWS = {
    'help': [
        Row(GOOD, 'help', 'OK'),
        Row(GOOD, 'help record', 'OK', '', 6),
        Row(BAD, 'help nonsense', 'bad-argument', '', 0),
        Row(BAD, 'HELP', 'bad-command', '', 0),
        Row(BOUND, 'help help', 'OK', '', 2),
        Row(BOUND, 'help quit now', 'bad-argument', '', 0),
    ],
    'status': [
        Row(GOOD, 'status', 'OK'),
        Row(GOOD, 'status json', 'OK', r'^\{"version":', 1),
        Row(BAD, 'status xml', 'bad-argument', '', 0),
        Row(BOUND, 'status json json', 'bad-argument', '', 0),
        Row(BOUND, '  status   json  ', 'OK', r'^\{"version":', 1),
    ],
    'cameras': [
        Row(GOOD, 'cameras', 'OK', r'^camera (cam[1-5]|-|\S+) ', 6),
        Row(BAD, 'cameras all', 'bad-argument', '', 0),
        Row(BOUND, 'cameras\r', 'OK', '', 6),
    ],
    'camera': [
        Row(GOOD, 'camera cam1', 'OK', '^camera cam1 number=1 '),
        Row(GOOD, 'camera 1,cam2', 'OK', '^camera cam[12] '),
        Row(BAD, 'camera', 'bad-argument', '', 0),
        Row(BAD, 'camera nobody', 'no-camera', '', 0),
        Row(BOUND, 'camera all', 'OK', '^camera cam[1-5] '),
        Row(BOUND, 'camera 0', 'no-camera', '', 0),
        Row(BOUND, 'camera 99', 'no-camera', '', 0),
    ],
    'gps': [
        Row(GOOD, 'gps', 'OK', '^gps - state=fix3d ', 1),
        Row(BAD, 'gps now', 'bad-argument', '', 0),
        Row(BAD, 'gps\t', 'bad-command', '', 0),
        Row(BOUND, '#0123456789abcdef gps', 'OK', '^gps - state=fix3d ', 1),
        Row(BOUND, '#0123456789abcdefg gps', 'bad-command', '', 0),
    ],
    'mode': [
        Row(GOOD, 'mode photo cam2', 'OK', ok('mode', 'cam2'), 1),
        Row(GOOD, 'mode 0x01 cam2', 'OK', ok('mode', 'cam2'), 1),
        Row(GOOD, 'mode photo cam2', 'OK', ok('mode', 'cam2'), 1),
        Row(BAD, 'mode movie', 'bad-argument', '', 0),
        Row(BAD, 'mode', 'bad-argument', '', 0),
        Row(BOUND, 'mode 0x1 cam1', 'bad-argument', '', 0),
        Row(BOUND, 'mode 0x100 cam1', 'bad-argument', '', 0),
        Row(BOUND, 'mode video cam5', 'not-ready', '^mode cam5 result=not-ready ', 1),
        Row(BOUND, 'mode video cam1,cam5', 'partial', '^mode cam[15] result=', 2),
    ],
    'modes': [
        Row(GOOD, 'modes cam1', 'OK', r'^mode \S+ code=0x[0-9A-F]{2} cameras=cam1$'),
        Row(BAD, 'modes nobody', 'no-camera', '', 0),
        Row(BOUND, 'modes cam1 cam2', 'bad-argument', '', 0),
        Row(BOUND, 'modes cam5', 'OK'),
    ],
    'photo': [
        Row(GOOD, 'photo cam2', 'OK', '^photo cam2 result=ok ', 1),
        Row(BAD, 'photo nobody', 'no-camera', '', 0),
        Row(BAD, 'photo cam1,,cam2', 'bad-argument', '', 0),
        Row(BOUND, 'photo cam1', 'unsupported', '^photo cam1 result=unsupported ', 1),
        Row(BOUND, 'photo cam1,cam2', 'unsupported', '', 2),
        Row(BOUND, 'photo cam5', 'not-ready', '^photo cam5 result=not-ready ', 1),
        Row(BOUND, 'mode video cam2', 'OK', ok('mode', 'cam2'), 1),
    ],
    'record': [
        Row(GOOD, 'record start cam1', 'OK', ok('record'), 1),
        Row(GOOD, 'record start cam1', 'OK', '^record cam1 result=ok', 1),
        Row(BOUND, 'photo cam1', 'busy', '^photo cam1 result=busy ', 1),
        Row(GOOD, 'record stop cam1', 'OK', ok('record'), 1),
        Row(GOOD, 'record toggle 2', 'OK', ok('record', 'cam2'), 1),
        Row(GOOD, 'record toggle cam2', 'OK', ok('record', 'cam2'), 1),
        Row(BAD, 'record', 'bad-argument', '', 0),
        Row(BAD, 'record now', 'bad-argument', '', 0),
        Row(BAD, 'record start at=now', 'bad-argument', '', 0),
        Row(BAD, 'record stop at=2026-07-01T10:00:00Z', 'bad-argument', '', 0),
        Row(BOUND, 'record start at=2026-07-01T10:00:00Z cam1', 'bad-argument', '', 0),
        Row(BAD, 'record START', 'bad-argument', '', 0),
        Row(BAD, 'record start all,cam1', 'bad-argument', '', 0),
        Row(BOUND, 'record stop cam1', 'OK', '^record cam1 result=ok', 1),
        Row(BOUND, 'record stop cam1,1,cam1', 'OK', '^record cam1 result=ok', 1),
        Row(BOUND, 'record stop cam1,nobody', 'no-camera', '', 0),
        Row(BOUND, 'record stop', 'partial', '^record cam[1-5] result=', 5),
    ],
    'key': [
        Row(GOOD, 'mode photo cam3', 'OK', ok('mode', 'cam3'), 1),
        Row(GOOD, 'key record cam3', 'OK', '^key cam3 result=ok ', 1),
        Row(BAD, 'key', 'bad-argument', '', 0),
        Row(BAD, 'key shutter', 'bad-argument', '', 0),
        Row(BOUND, 'key snapshot cam1', 'OK', '^key cam1 result=ok ', 1),
        Row(GOOD, 'key qs cam3', 'OK', '^key cam3 result=ok ', 1),
        Row(BOUND, 'key qs cam5', 'not-ready', '^key cam5 result=not-ready ', 1),
    ],
    'sleep': [
        Row(GOOD, 'record start cam4', 'OK', ok('record', 'cam4'), 1),
        Row(BOUND, 'sleep cam4', 'busy', '^sleep cam4 result=busy ', 1),
        Row(GOOD, 'sleep force cam4', 'OK', '^sleep cam4 result=ok ', 1),
        Row(GOOD, 'wake cam4', 'OK', '^wake cam4 result=ok', 1),
        Row(GOOD, 'sleep cam4', 'OK', '^sleep cam4 result=ok ', 1),
        Row(BAD, 'sleep nobody', 'no-camera', '', 0),
        Row(BAD, 'sleep cam4 force', 'bad-argument', '', 0),
        Row(BOUND, 'sleep cam4', 'OK', '^sleep cam4 result=ok', 1),
        Row(BOUND, 'photo cam4', 'not-ready', '^photo cam4 result=not-ready ', 1),
        Row(BOUND, 'record start cam4', 'not-ready', '^record cam4 result=not-ready ', 1),
    ],
    'wake': [
        Row(GOOD, 'wake cam4', 'OK', '^wake cam4 result=ok', 1),
        Row(BAD, 'wake cam4 now', 'bad-argument', '', 0),
        Row(BOUND, 'wake cam4', 'OK', '^wake cam4 result=ok', 1),
        Row(BOUND, 'wake cam5', 'not-ready', '^wake cam5 result=not-ready ', 1),
    ],
    'snapshot': [
        Row(GOOD, 'sleep cam4', 'OK', '^sleep cam4 result=ok ', 1),
        Row(GOOD, 'snapshot cam4', 'OK', '^snapshot cam4 result=ok', 1),
        Row(BAD, 'snapshot nobody', 'no-camera', '', 0),
        Row(BOUND, 'snapshot cam5', 'not-ready', '^snapshot cam5 result=not-ready ', 1),
        Row(BOUND, 'wake cam4', 'OK', '^wake cam4 result=ok', 1),
    ],
    'version': [
        Row(GOOD, 'version cam1', 'OK', r'^version cam1 result=ok .*product=\S+ firmware=', 1),
        Row(BAD, 'version', 'bad-argument', '', 0),
        Row(BOUND, 'version cam5', 'not-ready', '^version cam5 result=not-ready ', 1),
    ],
    'raw': [
        Row(GOOD, f'raw cam1 {frame()}', 'OK', '^raw cam1 result=ok .*answer=AA', 1),
        Row(BAD, f'raw cam1 {frame(damage=1)}', 'bad-argument', '', 0),
        Row(BAD, 'raw cam1', 'bad-argument', '', 0),
        Row(BAD, f'raw all {frame()}', 'bad-argument', '', 0),
        Row(BOUND, f'raw cam1 {frame()[:-2]}', 'bad-argument', '', 0),
        Row(BOUND, f'raw cam1 {frame()}00', 'bad-argument', '', 0),
        Row(BOUND, f'raw cam1 {frame()[:-1]}', 'bad-argument', '', 0),
        Row(BOUND, f'raw cam1 {frame(b"", (0x7F, 0x7F))}', 'OK', 'answer=none', 1),
    ],
    'disconnect': [
        Row(GOOD, 'disconnect cam2', 'OK', '^disconnect cam2 result=ok', 1),
        Row(BAD, 'disconnect nobody', 'no-camera', '', 0),
        Row(BOUND, 'disconnect cam2', 'OK', '^disconnect cam2 result=ok', 1),
        Row(BOUND, 'photo cam2', 'not-ready', '^photo cam2 result=not-ready ', 1),
    ],
    'connect': [
        Row(GOOD, 'connect cam2', 'OK', '^connect cam2 result=ok', 1),
        Row(BAD, 'connect cam2 cam1', 'bad-argument', '', 0),
        Row(BOUND, 'connect cam1', 'OK', '^connect cam1 result=ok', 1),
    ],
    'reconnect': [
        Row(GOOD, 'reconnect cam1', 'OK', '^reconnect cam1 result=ok', 1),
        Row(BAD, 'reconnect nobody', 'no-camera', '', 0),
        Row(BOUND, 'reconnect cam5', 'OK', '^reconnect cam5 result=ok state=absent', 1),
    ],
    'restart': [
        Row(GOOD, 'restart cam3', 'OK', '^restart cam3 result=ok', 1),
        Row(BAD, 'restart', 'bad-argument', '', 0),
        Row(BOUND, 'restart cam5', 'not-ready', '^restart cam5 result=not-ready ', 1),
    ],
    'pair': [
        Row(BAD, 'pair 0', 'bad-argument', '', 0),
        Row(BAD, 'pair soon', 'bad-argument', '', 0),
        Row(BOUND, 'pair 601', 'bad-argument', '', 0),
        Row(BOUND, 'pair 1', 'timeout', '', 0),
        Row(GOOD, 'pair 60', 'OK', rf'^(pairing {PAIRED} code=\d{{4}}|pair {PAIRED} result=ok )', 2),
    ],
    'rename': [
        Row(BAD, 'rename 6', 'bad-argument', '', 0),
        Row(BAD, 'rename nobody new', 'no-camera', '', 0),
        Row(BAD, 'rename cam1 new', 'bad-argument', '', 0),
        Row(BOUND, 'rename 6 all', 'bad-argument', '', 0),
        Row(BOUND, 'rename 6 12', 'bad-argument', '', 0),
        Row(BOUND, f'rename 6 {"n" * 33}', 'bad-argument', '', 0),
        Row(BOUND, f'rename 6 {"n" * 32}', 'OK', f'result=ok name={"n" * 32}', 1),
        Row(GOOD, f'rename {"n" * 32} new', 'OK', 'result=ok name=new$', 1),
        Row(BAD, 'rename new cam1', 'bad-argument'),
    ],
    'forget': [
        Row(BAD, 'forget', 'bad-argument', '', 0),
        Row(BAD, 'forget nobody', 'no-camera', '', 0),
        Row(BOUND, 'forget cam1', 'bad-argument'),
        Row(GOOD, 'forget new', 'OK', '^forget new result=ok', 1),
        Row(BOUND, 'forget new', 'no-camera', '', 0),
    ],
    'auto': [
        Row(GOOD, 'auto status', 'OK', r'^auto - state=off moving=(yes|no) place=- hand=-$', 1),
        Row(GOOD, 'auto off', 'OK', '', 0),
        Row(GOOD, 'auto status', 'OK', r'^auto - state=off ', 1),
        Row(GOOD, 'auto on', 'OK', '', 0),
        Row(BAD, 'auto maybe', 'bad-argument', '', 0),
        Row(BAD, 'auto', 'bad-argument', '', 0),
        Row(BOUND, 'auto on all', 'bad-argument', '', 0),
    ],
    'track': [
        Row(GOOD, 'track off', 'OK', '', 0),
        Row(GOOD, 'track on', 'OK', '', 0),
        Row(GOOD, 'track rotate', 'OK', '', 0),
        Row(BAD, 'track', 'bad-argument', '', 0),
        Row(BAD, 'track maybe', 'bad-argument', '', 0),
        Row(BOUND, 'track on', 'OK', '', 0),
    ],
    'mark': [
        Row(GOOD, 'mark lap 2', 'OK', r'^mark - utc=\S+ mono=\S+$', 1),
        Row(BAD, b'mark \0', 'bad-command', '', 0),
        Row(BAD, b'mark \xff\xfe', 'bad-command', '', 0),
        Row(BAD, b'mark \xc2\x85', 'bad-command', '', 0),
        Row(BOUND, 'mark', 'OK', '^mark - ', 1),
        Row(BOUND, f'mark {LONGEST}', 'OK', '^mark - ', 1),
        Row(BOUND, f'mark {LONGEST}x', 'bad-command', '', 0),
        Row(BOUND, 'mark grün "…" \\', 'OK', '^mark - ', 1),
    ],
    'events': [
        Row(GOOD, 'events on', 'OK', '', 0),
        Row(GOOD, 'events off', 'OK', '', 0),
        Row(BAD, 'events', 'bad-argument', '', 0),
        Row(BAD, 'events maybe', 'bad-argument', '', 0),
        Row(BOUND, 'events off', 'OK', '', 0),
    ],
    'loglevel': [
        Row(GOOD, 'loglevel debug', 'OK', '', 0),
        Row(GOOD, 'loglevel info', 'OK', '', 0),
        Row(BAD, 'loglevel', 'bad-argument', '', 0),
        Row(BAD, 'loglevel loud', 'bad-argument', '', 0),
        Row(BOUND, 'loglevel INFO', 'bad-argument', '', 0),
    ],
    'reload': [
        Row(GOOD, 'reload', 'OK', '', 0),
        Row(BAD, 'reload now', 'bad-argument', '', 0),
        Row(BOUND, '   reload', 'OK', '', 0),
    ],
    # What it does is the last row of each transport, and a test of its own.
    'quit': [
        Row(BAD, 'quit now', 'bad-argument', '', 0),
        Row(BOUND, 'QUIT', 'bad-command', '', 0),
        Row(BOUND, '#', 'bad-command', '', 0),
        Row(GOOD, 'quit', 'OK', '', 0),
    ],
}
