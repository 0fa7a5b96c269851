"""Whatever else is in range on a race track: none of it may be touched."""

from peripheral import Stranger

# Name, address, manufacturer data with the company first, whether it has DJI's service.
STRANGERS = [
    # DJI cameras that do not speak R SDK (byte 4 is not FA).
    ('OsmoPocket3-7A01', '60:60:1F:7A:20:01', 'aa08200040607a2001', True),
    ('OsmoNano-7A02', '60:60:1F:7A:20:02', 'aa08190000607a2002', True),
    ('OsmoAction3-7A03', '60:60:1F:7A:20:03', 'aa08120000607a2003', True),
    # Other people's cameras, which would be perfectly usable.
    ('OsmoAction4-7A04', 'E4:7A:2C:7A:20:04', 'aa081400fae47a2c7a2004', True),
    ('OsmoAction5Pro-7A05', 'E4:7A:2C:7A:20:05', 'aa081500fae47a2c7a200500', True),
    ('Osmo360-7A06', '58:B8:58:7A:20:06', 'aa081700fa58b8587a2006', True),
    # Not DJI's, with random addresses as most things have.
    ('HRM-Dual:123456', 'D0:11:22:7A:20:07', '8700010203', False),
    ('Tile', 'C1:11:22:7A:20:08', '', False),
    ('LE-Buds', 'F2:11:22:7A:20:09', '4c0010051418aabbcc', False),
]


def strangers(air, log):
    """One of each."""
    return [
        Stranger(index, air, log, address, name, bytes.fromhex(manufacturer), has_service)
        for index, (name, address, manufacturer, has_service) in enumerate(STRANGERS)
    ]
