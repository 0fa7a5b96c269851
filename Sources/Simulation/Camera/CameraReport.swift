package import Clock
import OsmoProtocol

/// What a camera is and counted, in words.
extension SimulatedCamera {
    /// `off`, `asleep`, `advertising`, `linked`, `asking` (the popup stands), `refused`, `ready`.
    package var stateWord: String {
        switch (power, link?.handshake) {
        case (.off, _): "off"
        case (.asleep, _): "asleep"
        case (.on, nil): "advertising"
        case (.on, .awaited?), (.on, .asked(_, asksOwner: false)?): "linked"
        case (.on, .asked(_, asksOwner: true)?): "asking"
        case (.on, .decided(_, let allowed)?): allowed ? "linked" : "refused"
        case (.on, .over?): "ready"
        }
    }

    /// The code that the popup shows.
    package var popupCode: UInt16? {
        guard power == .on, case .asked(let request, asksOwner: true)? = link?.handshake else {
            return nil
        }
        return request.verification.data
    }

    /// One line of JSON.
    ///
    /// - Parameter index: how the camera is called in it.
    package func report(index: Int, at now: Instant) -> String {
        var json = JSONLine()
        json.add("camera", index)
        json.add("address", text: address.description)
        json.add("model", text: model.description)
        json.add("name", text: name)
        json.add("mono_s", raw: fixed(now.nanoseconds / 1000, decimals: 6))
        json.add("state", text: stateWord)
        json.add("code", popupCode.map { Int($0) })
        json.add("recording", raw: body.isRecording ? "true" : "false")
        json.add("mode", text: body.mode.description)
        json.add("photos_taken", body.photosTaken)
        json.add("highlights", body.highlights)
        json.add("battery_pct", Int(body.batteryPercent))
        json.add("card_mb", body.cardMegabytes(at: now, rate: behaviour.cardRate))
        json.add("handshakes", handshakes)
        json.add("number", cameraNumber.map { Int($0) })
        json.add("pushes", pushes.positions)
        json.add("voids", pushes.voids)
        json.add("violations", violations.values.reduce(0, +))
        for violation in Violation.allCases {
            if let count = violations[violation] { json.add(violation.rawValue, count) }
        }
        json.add("interval_min_ms", raw: milliseconds(pushes.minGap))
        json.add("interval_max_ms", raw: milliseconds(pushes.maxGap))
        json.add("void_now", raw: pushes.isVoid ? "true" : "false")
        addLast(to: &json, at: now)
        return json.line
    }

    private func addLast(to json: inout JSONLine, at now: Instant) {
        guard let last = pushes.last, let instant = pushes.lastInstant else { return }
        json.add("last_age_ms", raw: milliseconds(now - instant))
        json.add("date", Int(last.date))
        json.add("time", Int(last.time))
        json.add("latitude", raw: fixed(Int64(last.latitudeE7), decimals: 7))
        json.add("longitude", raw: fixed(Int64(last.longitudeE7), decimals: 7))
        json.add("height_m", raw: fixed(Int64(last.heightMillimetres), decimals: 3))
        json.add("north_cms", raw: centimetres(last.northCentimetresPerSecond))
        json.add("east_cms", raw: centimetres(last.eastCentimetresPerSecond))
        json.add("down_cms", raw: centimetres(last.downCentimetresPerSecond))
        json.add("h_acc_mm", Int(last.horizontalAccuracyMillimetres))
        json.add("v_acc_mm", Int(last.verticalAccuracyMillimetres))
        json.add("satellites", Int(last.satellites))
    }
}

extension CameraNote {
    /// `EVENT key=value …`
    package var line: String {
        switch self {
        case .handshake(let code, let forced):
            "handshake code=\(code) forced=\(forced ? "yes" : "no")"
        case .decided(let allowed): "decided result=\(allowed ? "allowed" : "refused")"
        case .authenticated(let number): "authenticated number=\(number)"
        case .push(let push): push.isVoid ? "void" : Self.line(of: push)
        case .command(let opcode, let code):
            "command opcode=\(opcode)" + (code.map { " code=\($0.rawValue)" } ?? "")
        case .recording(let on): "recording state=\(on ? "started" : "stopped")"
        case .photo: "photo"
        case .mode(let mode): "mode name=\(mode)"
        case .slept: "slept"
        case .woke: "woke"
        case .restarted: "restarted"
        case .violation(let violation): "violation kind=\(violation.rawValue)"
        }
    }

    private static func line(of push: GPSPush) -> String {
        "gps date=\(push.date) time=\(push.time)"
            + " latitude=\(fixed(Int64(push.latitudeE7), decimals: 7))"
            + " longitude=\(fixed(Int64(push.longitudeE7), decimals: 7))"
            + " height_m=\(fixed(Int64(push.heightMillimetres), decimals: 3))"
            + " north_cms=\(centimetres(push.northCentimetresPerSecond))"
            + " east_cms=\(centimetres(push.eastCentimetresPerSecond))"
            + " down_cms=\(centimetres(push.downCentimetresPerSecond))"
            + " h_acc_mm=\(push.horizontalAccuracyMillimetres)"
            + " v_acc_mm=\(push.verticalAccuracyMillimetres)"
            + " satellites=\(push.satellites)"
    }
}

/// A speed with two decimals; "null" where it is not finite.
private func centimetres(_ value: Float) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "null" }
    return fixed(Int64((Double(value) * 100).rounded()), decimals: 2)
}

private func milliseconds(_ span: TimeSpan?) -> String {
    span.map { fixed($0.nanoseconds / 1000, decimals: 3) } ?? "null"
}
