"""What geotagctl writes of clips, as other programs read it.  Each reader gives
[(ms since 1970 or None, seconds of clip time or None, latitude, longitude, height, m/s)]."""

import datetime
import json
import re
import tempfile
from pathlib import Path

import track_readers as readers

PYTHON = readers.TOOLS / 'venv' / 'bin' / 'python'


def inside(program, *words):
    """What a program says that runs with the packages from PyPI: JSON."""
    return json.loads(readers.run(PYTHON, '-c', program, *words))


def gpx(path):
    """By GPSBabel."""
    text = readers.run('gpsbabel', '-t', '-i', 'gpx', '-f', path, '-o', 'gpx,gpxver=1.1', '-F', '-')
    return [(ms, None, latitude, longitude, height, None)
            for ms, latitude, longitude, height in readers.points(text)]


def csv(path):
    """By pandas."""
    rows = inside(
        'import sys, json, pandas as pd\n'
        'd = pd.read_csv(sys.argv[1])\n'
        't = pd.to_datetime(d.datetime_utc_time)\n'
        'assert str(t.dt.tz) == "UTC"\n'
        'd["ms"] = [round(x.timestamp() * 1000) for x in t]\n'
        'd = d[d.latitude.notna()]\n'
        'print(json.dumps(d[["ms", "clip_s", "latitude", "longitude", "alt_msl_m",\n'
        '                    "Speed (m/s)"]].values.tolist()))\n', path)
    return [(round(row[0]), *row[1:]) for row in rows]


def srt(path):
    """By the package srt."""
    cues = inside(
        'import sys, json, srt\n'
        'print(json.dumps([(c.start.total_seconds(), c.end.total_seconds(), c.content)\n'
        '                  for c in srt.parse(open(sys.argv[1]).read(), ignore_errors=False)]))\n',
        path)
    for (_, end, _), (begin, _, _) in zip(cues, cues[1:]):
        if end > begin:
            raise AssertionError(f'{path}: two cues at once at {begin} s')
    rows = []
    for begin, _, text in cues:
        clock, words = text.split('\n')
        values = dict(re.findall(r'\[(\w+): ([-\d.]+)\]', words))
        if values:
            rows.append((readers.moment(clock), begin, float(values['latitude']),
                         float(values['longitude']), float(values['abs_alt']),
                         float(values['speed'])))
    return rows


def vbo(path):
    """By the description in github.com/quentinsf/vboxutils: the time of day belongs to the date on
    which the file was created; minutes, west positive; and by Racelogic's: columns by their names,
    km/h, metres, avitime in ms."""
    text = path.read_text('ascii')
    day, month, year = map(int, re.match(r'File created on (\d+)/(\d+)/(\d+) ', text).groups())
    sections = dict(re.findall(r'^\[([^]]+)\]\n(.*?)(?=^\[|\Z)', text, re.M | re.S))
    names = sections['column names'].split()
    rows = []
    for line in sections['data'].splitlines():
        if not line:
            continue
        row = dict(zip(names, line.split(), strict=True))
        clock = row['time']
        at = datetime.datetime(year, month, day, int(clock[:2]), int(clock[2:4]),
                               tzinfo=readers.UTC).timestamp() + float(clock[4:])
        rows.append((round(at * 1000), float(row['avitime']) / 1000, float(row['lat']) / 60,
                     -float(row['long']) / 60, float(row['height']), float(row['velocity']) / 3.6))
    return rows


def geojson(path):
    """Its geometry by GPSBabel, its times as RFC 7946 leaves them to programs."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / 'copy.csv'
        readers.run('gpsbabel', '-r', '-i', 'geojson', '-f', path, '-o', 'unicsv', '-F', copy)
        lines = copy.read_text().splitlines()
    babel = [dict(zip(lines[0].split(','), line.split(','))) for line in lines[1:]]
    rows = []
    for feature in json.loads(path.read_text())['features']:
        if feature['geometry']['type'] == 'LineString':
            for place, time in zip(feature['geometry']['coordinates'],
                                   feature['properties']['coordTimes'], strict=True):
                rows.append((readers.moment(time), None, place[1], place[0], place[2], None))
    if len(babel) != len(rows):
        raise AssertionError(f'{path}: GPSBabel reads {len(babel)} of {len(rows)} places')
    for point, row in zip(babel, rows):
        if max(abs(float(point['Latitude']) - row[2]), abs(float(point['Longitude']) - row[3])) > 1e-6:
            raise AssertionError(f'{path}: GPSBabel reads {point} for {row}')
    return rows


READERS = {'gpx': gpx, 'csv': csv, 'srt': srt, 'vbo': vbo, 'geojson': geojson}


def timeline(path):
    """By OpenTimelineIO: ({camera: [(name, seconds, seconds long)]}, [(mark, seconds)])."""
    tracks, marks = inside(
        'import sys, json, opentimelineio as otio\n'
        'line = otio.adapters.read_from_file(sys.argv[1])\n'
        'tracks = {}\n'
        'for track in line.video_tracks():\n'
        '    tracks[track.name] = [\n'
        '        (c.name, c.range_in_parent().start_time.to_seconds(), c.duration().to_seconds())\n'
        '        for c in track.find_clips()]\n'
        'marks = [(m.name, m.marked_range.start_time.to_seconds()) for m in line.tracks.markers]\n'
        'print(json.dumps([tracks, marks]))\n', path)
    return tracks, marks
