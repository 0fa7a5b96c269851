#!/usr/bin/env python3
"""The files of a drive as geotagd would have written them, for reports to be made of.

    drive_day.py FOLDER [HOURS]     2 hours unless told otherwise

Four cameras, a tunnel of 100 s, a camera that is lost for a while, three marks, two recordings that
failed; ten rows a second.  Each hour's recordings are told by the events, and by `rec`.
"""

import datetime
import math
import sys
from pathlib import Path

BEGIN = 1_782_900_000  # 2026-07-01T10:00:00Z
HEADER = ('datetime_utc_time,latitude,longitude,alt_msl_m,Speed (m/s),heading_deg,fix,sats,hdop,'
          'climb_mps,hae_m,eph_m,epv_m,epoch_s,mono_s,seq,device,pushed,rec\n')
EVENTS = 'utc,mono_s,event,camera,detail,at_latitude,at_longitude,seq\n'
CAMERAS = {'front': 'Osmo Action 4', 'rear': 'Osmo Action 5 Pro', 'left': 'Osmo Action 6',
           'ball': 'Osmo 360'}
TUNNEL = (2000, 2100)  # seconds since BEGIN: no rows
WEAK = (1980, 2000)  # 2-D before it
LOST = (4000, 4600)  # left is not linked
FULL = 6000  # rear: the card is full
MARKS = {900: 'lunch', 1950: 'tunnel ahead', 6000: 'card of "rear", full'}


def recordings(hours, first=1200):
    """[(camera, begin, end, cause of the end)], seconds since BEGIN; an end of None: never began.
    `first` is the length of the first ones, seconds: no two hours have the same."""
    found = []
    for hour in range(math.ceil(hours)):
        at = hour * 3600
        for camera in CAMERAS:
            found.append((camera, at + 300, at + 300 + first - 20 * hour, 'command'))
        for camera in CAMERAS:
            if hour == 1 and camera == 'left':
                found.append((camera, at + 1700, None, None))
            elif hour == 1 and camera == 'rear':
                found.append((camera, at + 1700, FULL, 'card'))
            else:
                found.append((camera, at + 1700, at + 3300, 'command'))
    return [r for r in found if (r[2] or r[1]) < hours * 3600]


def stamp(seconds, blank='T'):
    at = datetime.datetime.fromtimestamp(BEGIN + seconds, datetime.timezone.utc)
    return f'{at:%Y-%m-%d}{blank}{at:%H:%M:%S}.{at.microsecond // 1000:03}Z'


def rows(hours, first):
    latitude, longitude = 48.137, 11.575
    per_degree = 111_200
    spans = [r for r in recordings(hours, first) if r[2]]
    tenths = round(hours * 36_000)
    names, until = '', 0
    for tenth in range(tenths):
        second = tenth / 10
        speed = max(0.0, 14 + 12 * math.sin(second / 340) + 5 * math.sin(second / 41))
        if 1490 < second % 3600 < 1690:
            speed = 0.0
        heading = (40 + second / 45 + 110 * math.sin(second / 700) + 50 * math.sin(second / 90)) % 360
        latitude += speed / 10 * math.cos(math.radians(heading)) / per_degree
        longitude += (speed / 10 * math.sin(math.radians(heading)) / per_degree
                      / math.cos(math.radians(latitude)))
        if tenth % 10 == 0:
            names = '+'.join(sorted(r[0] for r in spans if r[1] <= second < r[2]))
        if TUNNEL[0] < second < TUNNEL[1]:
            continue
        height = 520 + 60 * math.sin(second / 900) + 8 * math.sin(second / 70)
        flat = WEAK[0] < second <= WEAK[1]
        at = BEGIN + tenth // 10
        yield second, latitude, longitude, (
            f'{stamp(second, " ")},{latitude:.8f},{longitude:.8f},{"" if flat else f"{height:.2f}"},'
            f'{speed:.3f},{heading % 359.99:.2f},{"2d" if flat else "3d"},{5 if flat else 14},'
            f'{4.2 if flat else 0.8:.2f},,,1.71,,{at}.{tenth % 10}00,{1000 + second:.6f},'
            f'{tenth + 1},/dev/ttyACM0,4,{names}\n')


def events(hours, places, first):
    found = [(0, 'camera', c, f'"state=ready model=""{model}"""') for c, model in CAMERAS.items()]
    found += [(LOST[0], 'camera', 'left', 'state=lost'), (LOST[1], 'camera', 'left', 'state=ready'),
              (FULL, 'alarm', 'rear', 'reason=card-full')]
    for camera, begin, end, cause in recordings(hours, first):
        found.append((begin, 'record', camera, 'state=sent action=start'))
        if end is None:
            continue
        found += [(begin + 0.4, 'record', camera, 'state=started record_s=0'),
                  (end, 'record', camera, f'state=stopped cause={cause} record_s={end - begin}')]
    for second, text in MARKS.items():
        quoted = text.replace('"', '\\"')
        quoted = f'text="{quoted}"'.replace('"', '""')
        found.append((second, 'mark', '', f'"{quoted}"'))
    for second, kind, camera, detail in sorted(found, key=lambda event: event[0]):
        if second >= hours * 3600:
            continue
        place = places.get(int(second)) if kind == 'mark' else None
        at = f'{place[0]:.8f},{place[1]:.8f}' if place else ','
        yield f'{stamp(second)},{1000 + second:.6f},{kind},{camera},{detail},{at},\n'


def write(folder, hours=2, first=1200):
    """Writes them; the path of the track."""
    folder.mkdir(parents=True, exist_ok=True)
    name = '20260701T100000Z.csv'
    places = {}
    track = folder / f'track-{name}'
    with track.open('w') as file:
        file.write(HEADER)
        for second, latitude, longitude, line in rows(hours, first):
            if second in MARKS:
                places[int(second)] = (latitude, longitude)
            file.write(line)
    (folder / f'events-{name}').write_text(EVENTS + ''.join(events(hours, places, first)))
    return track


if __name__ == '__main__':
    write(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 2)
