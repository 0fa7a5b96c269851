import LineProtocol

/// Judges what was found. There is a check for each thing that geotagd needs, from the receiver to
/// the camera.
extension DoctorFacts {
    var checks: [DoctorCheck] {
        receiverChecks + bluetoothChecks + cameraChecks + daemonChecks
    }

    // MARK: The receiver

    private var receiverChecks: [DoctorCheck] {
        var checks = [library]
        guard let gpsd else {
            let wayOut = "apt install gpsd, and systemctl start gpsd.socket"
            return checks + [.fail("gpsd", "nobody answers where [gps] says", wayOut)]
        }
        if let major = gpsd.protocolMajor, major != 3 {
            checks.append(
                .fail(
                    "gpsd", "gpsd \(gpsd.release) speaks protocol \(major)",
                    "libgps reads 3: install a gpsd of 3.17 to 3.27"))
        } else {
            checks.append(.ok("gpsd", "gpsd \(gpsd.release) answers"))
        }
        guard !gpsd.devices.isEmpty else {
            let wayOut = "plug it in, and name it as DEVICES in /etc/default/gpsd"
            return checks + [.fail("receiver", "gpsd has none", wayOut)]
        }
        checks.append(.ok("receiver", gpsd.devices.joined(separator: ", ")))
        return checks + [rate(gpsd), fix(gpsd), motion(gpsd)]
    }

    private var library: DoctorCheck {
        guard let neededLibrary else {
            return .warn(
                "libgps", "no geotagd in /usr/bin or /usr/local/bin, nor beside geotagctl",
                "install the package")
        }
        guard !installedLibraries.isEmpty, !installedLibraries.contains(neededLibrary) else {
            return .ok("libgps", neededLibrary)
        }
        return .fail(
            "libgps", "geotagd needs \(neededLibrary), there is \(installedLibraries[0])",
            "install the package for this release, or build geotagd here")
    }

    private func rate(_ gpsd: GPSD) -> DoctorCheck {
        guard let rate = gpsd.rateHertz, rate > 0 else {
            return .fail("rate", "no epoch came in three seconds", "is the receiver's speed right?")
        }
        let words = LineText.decimal(rate, decimals: 1) + " fixes a second"
        return rate >= 4.5
            ? .ok("rate", words)
            : .warn("rate", words, "ten are better; a u-blox: gpsctl -c 0.1 DEVICE")
    }

    private func fix(_ gpsd: GPSD) -> DoctorCheck {
        switch gpsd.mode {
        case 3: .ok("fix", "a full fix")
        case 2: .warn("fix", "a fix without height", "give the antenna more sky")
        default: .fail("fix", "no fix", "give the antenna sight of the sky, and wait a minute")
        }
    }

    private func motion(_ gpsd: GPSD) -> DoctorCheck {
        if gpsd.hasSpeed && gpsd.hasCourse { return .ok("motion", "speed and course are reported") }
        let missing = gpsd.hasSpeed ? "course" : gpsd.hasCourse ? "speed" : "speed and course"
        return .warn(
            "motion", "no \(missing)", "turn RMC or VTG on, or wait until it moves and has a fix")
    }

    // MARK: Bluetooth

    private var bluetoothChecks: [DoctorCheck] {
        var checks = [kernelCheck]
        guard hasBus else {
            return checks + [
                .fail("bus", "no system bus", "apt install dbus, and systemctl start dbus")
            ]
        }
        checks.append(.ok("bus", "the system bus answers"))
        guard hasBluetoothd else {
            let wayOut = "apt install bluez, and systemctl start bluetooth"
            return checks + [.fail("bluetoothd", "is not on the bus", wayOut)]
        }
        checks += [bluetoothd, security, cache, radioSwitch]
        guard !adapters.isEmpty else {
            return checks + [.fail("adapter", "there is none", "plug one in; see lsusb and dmesg")]
        }
        return checks + adapters.map(check) + [addresses, links]
    }

    private var bluetoothd: DoctorCheck {
        guard let bluezVersion else { return .ok("bluetoothd", "is on the bus") }
        guard let number = Double(bluezVersion), number < 5.55 else {
            return .ok("bluetoothd", "BlueZ \(bluezVersion)")
        }
        return .fail("bluetoothd", "BlueZ \(bluezVersion) is too old", "5.55 or later is needed")
    }

    private var security: DoctorCheck {
        autoSecurity == true
            ? .fail(
                "security", "LEAutoSecurity is on: an Action 5 Pro asks for pairing",
                "LEAutoSecurity=false in /etc/bluetooth/input.conf, systemctl restart bluetooth")
            : .ok("security", "LEAutoSecurity does not disturb")
    }

    /// bluetoothd keeps a file for each device that it ever heard; memory cards run out of inodes
    /// by that.
    private var cache: DoctorCheck {
        guard let cacheFiles else { return .ok("cache", "only root can see bluetoothd's") }
        let words = "\(cacheFiles) files in bluetoothd's cache"
        if cacheFiles < 20_000 { return .ok("cache", words) }
        let wayOut = "delete old ones in /var/lib/bluetooth/*/cache"
        return cacheFiles < 200_000
            ? .warn("cache", words, wayOut) : .fail("cache", words, wayOut)
    }

    private var radioSwitch: DoctorCheck {
        for switched in switches {
            if switched.isHardBlocked {
                return .fail(
                    "rfkill", "\(switched.name) is turned off by a switch",
                    "turn the switch of the machine on")
            }
            if switched.isSoftBlocked {
                return .fail(
                    "rfkill", "\(switched.name) is blocked", "rfkill unblock bluetooth")
            }
        }
        return .ok("rfkill", "nothing is blocked")
    }

    private func check(_ adapter: Adapter) -> DoctorCheck {
        let words = "\(adapter.name) \(adapter.address)"
        if !adapter.isPowered {
            return .fail("adapter", "\(words) is off", "bluetoothctl power on")
        }
        if let roles = adapter.roles, !roles.contains("central") {
            return .fail("adapter", "\(words) has no LE central role", "use another adapter")
        }
        return .ok("adapter", words)
    }

    private var addresses: DoctorCheck {
        let all = adapters.map(\.address)
        guard let double = all.first(where: { one in all.filter { $0 == one }.count > 1 }) else {
            return .ok("addresses", "each adapter has its own")
        }
        return .fail(
            "addresses", "two adapters have \(double)",
            "take one out: cheap ones share an address, and BlueZ confuses them")
    }

    private var links: DoctorCheck {
        guard case .list(let list)? = status?["adapters"] else {
            return .ok("links", "known while geotagd runs")
        }
        // What is turned off has a line of its own.
        for adapter in list where adapter["usable"] != .flag(false) {
            if let error = adapter["error"]?.word {
                let name = adapter["hci"]?.word ?? "?"
                return .warn("links", "\(name): \(error)", "one more adapter takes the others")
            }
        }
        let links = list.compactMap { $0["links"]?.word.flatMap { Int($0) } }.reduce(0, +)
        let ends = (links == 1 ? "" : "s", list.count == 1 ? "" : "s")
        return .ok("links", "\(links) link\(ends.0) on \(list.count) adapter\(ends.1)")
    }

    private var kernelCheck: DoctorCheck {
        kernel.contains("6.1.192")
            ? .fail(
                "kernel", "6.1.192 breaks when a link is lost while it is made",
                "apt install linux-image-6.12-amd64 (or -arm64)")
            : .ok("kernel", kernel.split(separator: " ").first.map(String.init) ?? "?")
    }
}
