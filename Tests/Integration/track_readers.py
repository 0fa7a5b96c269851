"""Tracks as people's programs read them: ExifTool, GPSBabel, pandas, and a strict reading of ours."""

import base64
import datetime
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

from processes import BINARIES, ROOT

TOOLS = ROOT / '.cache' / 'track-tools'
UTC = datetime.timezone.utc
HEADER = ('datetime_utc_time,latitude,longitude,alt_msl_m,Speed (m/s),heading_deg,fix,sats,hdop,'
          'climb_mps,hae_m,eph_m,epv_m,epoch_s,mono_s,seq,device,pushed,rec')
ROW = re.compile(
    r'(?P<utc>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z),(?P<latitude>-?\d{1,2}\.\d{8}),'
    r'(?P<longitude>-?\d{1,3}\.\d{8}),(?P<height>(-?\d+\.\d\d)?),(?P<speed>(\d+\.\d{3})?),'
    r'(?P<heading>(\d{1,3}\.\d\d)?),(?P<fix>[23]d),(?P<sats>\d*),(\d+\.\d\d)?,(-?\d+\.\d{3})?,'
    r'(-?\d+\.\d\d)?,(\d+\.\d\d)?,(\d+\.\d\d)?,(?P<epoch>\d+\.\d{3}),(?P<mono>\d+\.\d{6}),'
    r'(?P<seq>\d+),(?P<device>[^,"]*),(?P<pushed>\d+),(?P<rec>[^,"]*)')
# A foreign zone: none of the programs may care.
ENVIRONMENT = {**os.environ, 'TZ': 'America/New_York', 'LC_ALL': 'C.UTF-8'}
# The smallest picture that ExifTool writes to: one grey point.
JPEG = base64.b64decode(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////'
    '////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAA'
    'AAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AR//Z')


def set_up():
    subprocess.run([ROOT / 'Tests' / 'Tools' / 'setup-track-tools'], check=True)


def run(*command):
    done = subprocess.run([str(word) for word in command], env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=120)
    if done.returncode:
        raise AssertionError(f'{command[0]}: status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def moment(text):
    """Milliseconds since 1970 of a UTC text with a blank or a T, with or without a fraction."""
    form = '%Y-%m-%d %H:%M:%S' + ('.%f' if '.' in text else '') + 'Z'
    at = datetime.datetime.strptime(text.replace('T', ' '), form).replace(tzinfo=UTC)
    return round(at.timestamp() * 1000)


def strict(path):
    """The rows, after every byte was looked at."""
    text = path.read_bytes().decode('ascii')
    if not text.endswith('\n') or '\r' in text or '\0' in text:
        raise AssertionError(f'{path}: does not end with a whole line: {text[-200:]!r}')
    header, *lines = text[:-1].split('\n')
    if header != HEADER:
        raise AssertionError(f'{path}: {header}')
    rows = []
    for line in lines:
        match = ROW.fullmatch(line)
        if not match:
            raise AssertionError(f'{path}: {line!r}')
        row = match.groupdict()
        row['ms'] = moment(row['utc'])
        if row['ms'] != round(float(row['epoch']) * 1000):
            raise AssertionError(f'{path}: two times: {line!r}')
        if rows and row['ms'] <= rows[-1]['ms']:
            raise AssertionError(f'{path}: time stands still: {line!r}')
        rows.append(row)
    return rows


def with_pandas(path):
    """[(ms, latitude, longitude)], read without options."""
    program = (
        'import sys, json, pandas as pd\n'
        'd = pd.read_csv(sys.argv[1])\n'
        't = pd.to_datetime(d.datetime_utc_time)\n'
        'assert len(d) == 0 or str(t.dt.tz) == "UTC", t.dtype\n'
        'assert len(d) == 0 or (d.latitude.dtype, d.longitude.dtype) == ("float64",) * 2\n'
        'assert list(d.columns)[4] == "Speed (m/s)"\n'
        'ms = [round(x.timestamp() * 1000) for x in t]\n'
        'print(json.dumps(list(zip(ms, d.latitude.tolist(), d.longitude.tolist()))))\n')
    return [tuple(row) for row in json.loads(
        run(TOOLS / 'venv' / 'bin' / 'python', '-c', program, path))]


def points(gpx):
    """[(ms, latitude, longitude, height or None)] of a GPX text's track points."""
    space = '{http://www.topografix.com/GPX/1/1}'
    found = []
    for point in ElementTree.fromstring(gpx).iter(space + 'trkpt'):
        height = point.find(space + 'ele')
        found.append((moment(point.find(space + 'time').text), float(point.get('lat')),
                      float(point.get('lon')), None if height is None else float(height.text)))
    return found


def with_gpsbabel(path):
    return points(run('gpsbabel', '-t', '-i', 'unicsv', '-f', path, '-o', 'gpx,gpxver=1.1',
                      '-F', '-'))


def with_exiftool(path, moments, folder):
    """What ExifTool writes into pictures taken at these milliseconds, and how many points it read:
    ([(latitude, longitude, height or None) or None], count)."""
    folder.mkdir(exist_ok=True)
    pictures = []
    for number, at in enumerate(moments):
        picture = folder / f'{number:04}.jpg'
        picture.write_bytes(JPEG)
        # Two hours ahead, as a camera on summer time would be.
        local = datetime.datetime.fromtimestamp(at / 1000, UTC) + datetime.timedelta(hours=2)
        run('exiftool', '-q', '-overwrite_original', f'-DateTimeOriginal={local:%Y:%m:%d %H:%M:%S}',
            f'-SubSecTimeOriginal={at % 1000:03}', '-OffsetTimeOriginal=+02:00', picture)
        pictures.append(picture)
    said = run('exiftool', '-v2', '-overwrite_original', '-geotag', path,
               '-geotime<SubSecDateTimeOriginal', *pictures)
    count = int(re.search(r'Loaded (\d+) points', said).group(1))
    places = []
    for entry in json.loads(run('exiftool', '-n', '-j', '-Composite:GPSLatitude',
                                '-Composite:GPSLongitude', '-Composite:GPSAltitude', *pictures)):
        place = tuple(entry.get(key) for key in ('GPSLatitude', 'GPSLongitude', 'GPSAltitude'))
        places.append(None if place[0] is None else place)
    for picture in pictures:
        picture.unlink()
    return places, count


def exiftool_count(path):
    """How many points ExifTool reads; no picture is needed for that."""
    picture = path.parent / f'.{path.stem}.jpg'
    picture.write_bytes(JPEG)
    try:
        said = subprocess.run(
            ['exiftool', '-v2', '-geotag', path, '-geotime=2000:01:01 00:00:00Z', picture],
            env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        match = re.search(r'Loaded (\d+) points', said.stdout + said.stderr)
        return int(match.group(1)) if match else 0
    finally:
        picture.unlink()


def agree(path, rows):
    """Fails where one of the three programs reads something else than the rows."""
    expected = [(row['ms'], float(row['latitude']), float(row['longitude'])) for row in rows]
    if with_pandas(path) != expected:
        raise AssertionError(f'{path}: pandas reads other rows')
    babel = with_gpsbabel(path)
    if [point[0] for point in babel] != [row[0] for row in expected]:
        raise AssertionError(f'{path}: GPSBabel reads other times')
    for point, row in zip(babel, expected):
        if abs(point[1] - row[1]) > 1e-8 or abs(point[2] - row[2]) > 1e-8:
            raise AssertionError(f'{path}: GPSBabel reads {point} for {row}')
    count = exiftool_count(path)
    if count != len(expected):
        raise AssertionError(f'{path}: ExifTool reads {count} points of {len(expected)}')


def geotagctl(*words):
    return run(BINARIES / 'geotagctl', 'track', *words)
