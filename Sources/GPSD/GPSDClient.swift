/// gpsd client on the loop.
