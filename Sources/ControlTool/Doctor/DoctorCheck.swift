import LineProtocol

/// One line of `doctor`.
struct DoctorCheck: Equatable {
    enum Verdict: String {
        case ok = "OK"
        case warn = "WARN"
        case fail = "FAIL"
    }

    /// What was checked, in one word.
    var name: String
    var verdict: Verdict
    /// What was found.
    var words: String
    /// What to do; empty where all is well.
    var wayOut = ""

    static func ok(_ name: String, _ words: String) -> DoctorCheck {
        DoctorCheck(name: name, verdict: .ok, words: words)
    }

    static func warn(_ name: String, _ words: String, _ wayOut: String) -> DoctorCheck {
        DoctorCheck(name: name, verdict: .warn, words: words, wayOut: wayOut)
    }

    static func fail(_ name: String, _ words: String, _ wayOut: String) -> DoctorCheck {
        DoctorCheck(name: name, verdict: .fail, words: words, wayOut: wayOut)
    }

    /// As it is printed.
    var line: StyledText {
        let style: StyledText.Style =
            switch verdict {
            case .ok: .good
            case .warn: .attention
            case .fail: .alarm
            }
        var line = StyledText(verdict.rawValue, style).fitted(5)
        line.append(StyledText(name, .strong).fitted(14))
        line.append(words)
        if !wayOut.isEmpty { line.append(": " + wayOut) }
        return line
    }

    var json: JSONValue {
        .object([
            .init("check", .text(name)), .init("verdict", .text(verdict.rawValue)),
            .init("found", .text(words)), .init("do", .text(wayOut.isEmpty ? nil : wayOut)),
        ])
    }
}

extension [DoctorCheck] {
    /// 0 all is well, 1 there are warnings, 2 something failed.
    var exitStatus: Int32 {
        if contains(where: { $0.verdict == .fail }) { return 2 }
        return contains { $0.verdict == .warn } ? 1 : 0
    }
}
