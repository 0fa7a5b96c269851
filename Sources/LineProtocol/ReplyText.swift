extension ReplyLine {
    /// `KIND NAME key=value …`, without tag and LF.
    package var text: String { LineText.line(kind: kind, name: name, fields: fields) }

    /// Reads such a line back; nil for one without a kind and a name. Words that are not
    /// `key=value` are left out.
    package init?(text: some StringProtocol) {
        let words = LineText.words(text)
        guard words.count >= 2 else { return nil }
        let fields = words.dropFirst(2).compactMap { word in
            word.firstIndex(of: "=").map { sign in
                Field(String(word[..<sign]), String(word[word.index(after: sign)...]))
            }
        }
        self.init(kind: words[0], name: words[1], fields: fields)
    }

    /// A field's value; nil where there is none.
    package subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

    /// One object: the kind under `kindKey`, `name`, then the fields; values that read as a number,
    /// true or false become one.
    package func json(kindKey: String) -> JSONValue {
        let members = fields.map { JSONValue.Member($0.key, JSONValue(word: $0.value)) }
        return .object([.init(kindKey, .text(kind)), .init("name", .text(name))] + members)
    }
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

    /// The message on one line: characters that would begin another one are replaced.
    fileprivate static func oneLine(_ message: String) -> String {
        guard message.unicodeScalars.contains(where: isControl) else { return message }
        var line = ""
        for scalar in message.unicodeScalars {
            line.unicodeScalars.append(isControl(scalar) ? " " : scalar)
        }
        return line
    }
}
