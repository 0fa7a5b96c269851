extension ReplyLine {
    /// `KIND NAME key=value …`, without tag and LF.
    package var text: String { LineText.line(kind: kind, name: name, fields: fields) }
}

extension ReplyEnd {
    /// `OK` or `ERR CODE message`, without tag and LF.
    package var text: String {
        switch self {
        case .ok: "OK"
        case .error(let code, let message): "ERR \(code.rawValue) \(LineText.oneLine(message))"
        }
    }
}

extension Notice {
    /// `KIND NAME key=value … utc=… mono=…`: what stands behind `! ` and in the log.
    package var text: String {
        LineText.line(kind: kind.rawValue, name: name, fields: fields + stamps)
    }

    /// When it happened: UTC where time is trusted, and the monotonic clock.
    package var stamps: [Field] {
        let mono = Field("mono", LineText.seconds(instant))
        guard let utc else { return [mono] }
        return [Field("utc", LineText.instant(utc)), mono]
    }
}

extension LineText {
    fileprivate static func line(kind: String, name: String, fields: [Field]) -> String {
        var line = kind + " " + (name.isEmpty ? "-" : value(name))
        for field in fields {
            line += " " + field.key + "=" + value(field.value)
        }
        return line
    }

    /// A message without anything that would begin another line.
    fileprivate static func oneLine(_ message: String) -> String {
        guard message.unicodeScalars.contains(where: isControl) else { return message }
        var line = ""
        for scalar in message.unicodeScalars {
            line.unicodeScalars.append(isControl(scalar) ? " " : scalar)
        }
        return line
    }
}
