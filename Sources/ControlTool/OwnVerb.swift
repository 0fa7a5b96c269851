import LineProtocol

/// The verbs that geotagctl carries out itself, besides the requests that it passes on.
enum OwnVerb: String, CaseIterable {
    case watch, events, doctor, setup, metrics

    /// What `geotagctl VERB --help` says.
    var usage: String {
        switch self {
        case .watch:
            """
            usage: geotagctl watch [--big] [--once] [--units metric|imperial|si]

            A live screen of receiver and cameras. Its first line says what matters; below stand
            the cameras, and in the last line the keys that can do something now.

              --big                letters that can be read at a metre, and no table
              --once               prints the table once, and ends
              --units UNITS        of speed and height; without it, as the locale says

            Keys: r starts to record, s twice stops, p takes a photo, z sends to sleep (and asks
            first), w wakes, m sets a mark, digits choose one camera, 0 all, ? help, q quits.

            """
        case .events:
            """
            usage: geotagctl events [--json] [--exec PROGRAM]
                   geotagctl events on|off

            A line for each event, for as long as it runs, across restarts of the daemon.

              --exec PROGRAM       runs a program for each, one after the other, with kind and name
                                   as arguments and GEOTAG_EVENT, GEOTAG_NAME and GEOTAG_… for each
                                   field in its environment
              --json               each event as one JSON object

            """
        case .doctor:
            """
            usage: geotagctl doctor [--config FILE] [--json]

            Checks all that geotagd needs, one line a check: OK, WARN or FAIL, and the way out. It
            works with and without the daemon; as root it sees more.

              --config FILE        the daemon's configuration; /etc/geotagd.conf without it

            Exit status: 0 all is well; 1 there are warnings; 2 something failed.

            """
        case .metrics:
            """
            usage: geotagctl metrics [--output FILE]

            The rig as metrics in the text format of Prometheus. No place stands in them. Where
            geotagd does not answer, geotagd_up 0 is all that is written.

              --output FILE        writes there, to a temporary file that is renamed, as node_exporter
                                   wants its text files

            Exit status: 0 done; 3 geotagd is not there; 74 FILE cannot be written.

            """
        case .setup:
            """
            usage: geotagctl setup [--config FILE]

            Leads to the first drive, question by question: finds receiver and adapter, pairs and
            names cameras, records five seconds, and writes the configuration. Each step can be
            skipped, and Ctrl-C leaves nothing half done. It needs a terminal.

              --config FILE        what is written; /etc/geotagd.conf without it

            """
        }
    }
}
