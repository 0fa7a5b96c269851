import LineProtocol

/// The cameras and the daemon.
extension DoctorFacts {
    var cameraChecks: [DoctorCheck] {
        guard let status else { return [] }
        guard case .list(let cameras)? = status["cameras"],
            cameras.contains(where: { $0["number"]?.word != nil })
        else {
            return [.fail("cameras", "none is known", "geotagctl pair, or geotagctl setup")]
        }
        return cameras.map(Self.check)
    }

    private static func check(_ camera: JSONValue) -> DoctorCheck {
        let name = camera["name"]?.word ?? "?"
        let state = camera["state"]?.word ?? "?"
        let words = "\(name) is \(state)"
        let error = camera["error"]?.word
        switch state {
        case "ready", "asleep": return .ok("camera", words)
        case "listed": return .ok("camera", "\(name) is in range, not yours")
        case "connecting", "handshake": return .warn("camera", words, "wait a moment")
        case "confirm":
            let code = camera["confirm_code"]?.word ?? "the code"
            return .fail("camera", words, "tap the camera; it shows \(code)")
        case "absent":
            return .fail("camera", words, "turn it on, come near, and close DJI's app")
        case "refused":
            return .fail("camera", words, "geotagctl reconnect \(name), and tap to confirm")
        case "unsupported":
            return .warn("camera", words, "it does not speak this protocol")
        default: return .warn("camera", words, error ?? "geotagctl camera \(name)")
        }
    }

    var daemonChecks: [DoctorCheck] {
        [configuration, daemon, access, others, unitCheck, clock] + folders.flatMap(check)
    }

    private var configuration: DoctorCheck {
        configurationFault.map {
            .fail("configuration", $0, "mend the line, and see geotagd --check-config")
        } ?? .ok("configuration", "is right")
    }

    private var daemon: DoctorCheck {
        guard let status else {
            return .fail("geotagd", "does not run", "systemctl start geotagd")
        }
        return .ok("geotagd", "geotagd \(status["version"]?.word ?? "?") answers")
    }

    private var access: DoctorCheck {
        switch socket {
        case .open: .ok("group", "you may give commands")
        case .missing: .warn("group", "no control socket", "systemctl start geotagd")
        case .forbidden(let group):
            .fail(
                "group", "you may not use the control socket",
                "sudo usermod -aG \(group) $USER, and log in anew")
        }
    }

    private var others: DoctorCheck {
        daemons <= 1
            ? .ok("instances", daemons == 1 ? "one geotagd runs" : "none runs")
            : .fail(
                "instances", "\(daemons) geotagd run, and fight for the cameras",
                "end all but one: pgrep -a geotagd")
    }

    private var unitCheck: DoctorCheck {
        switch unit {
        case .enabled: .ok("unit", "geotagd.service starts at boot")
        case .disabled:
            .warn("unit", "geotagd.service does not start at boot", "systemctl enable geotagd")
        case .missing: .warn("unit", "there is no geotagd.service", "install the package")
        }
    }

    private var clock: DoctorCheck {
        if status?["gps"]?["time_trusted"]?.word == "true" {
            return .ok("clock", "GPS time is trusted")
        }
        if isClockSynchronised == true { return .ok("clock", "the machine's clock is set") }
        return .warn(
            "clock", "neither GPS time nor the machine's clock can be trusted yet",
            "wait for three good fixes: until then no file is named")
    }

    private func check(_ folder: Folder) -> [DoctorCheck] {
        guard folder.exists else {
            return [
                .fail(
                    "folder", "\(folder.path) for \(folder.use) is missing",
                    "install -d -o geotagd -g geotagd \(folder.path)")
            ]
        }
        guard folder.isWritable else {
            return [
                .fail(
                    "folder", "geotagd may not write \(folder.use) into \(folder.path)",
                    "chown geotagd:geotagd \(folder.path)")
            ]
        }
        guard let free = folder.freeMegabytes else { return [.ok("folder", folder.path)] }
        let words = "\(free) MB free in \(folder.path)"
        let wayOut = "delete old files, or set [track] keep"
        if free < 32 { return [.fail("space", words, wayOut)] }
        return [free < 1024 ? .warn("space", words, wayOut) : .ok("space", words)]
    }
}
