/// BlueZ over libdbus.
