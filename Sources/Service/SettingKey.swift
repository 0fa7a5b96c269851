/// One key of a section: its name, what it takes, and where the value goes.
package struct SettingKey<Settings: SendableMetatype>: Sendable {
    /// As the file writes it.
    package let name: String
    /// The values that are allowed, for people.
    package let allowed: String
    /// Whether a running program can take another value over.
    package let isLive: Bool
    /// What may have been meant by a value that is not allowed; empty for nothing.
    package let advice: @Sendable (_ value: String) -> String
    /// Takes the value over; false for one that is not allowed.
    package let apply: @Sendable (_ value: String, _ settings: inout Settings) -> Bool
    /// Whether two configurations have different values.
    package let differs: @Sendable (Settings, Settings) -> Bool
    /// Gives the second configuration the first one's value.
    package let copy: @Sendable (Settings, inout Settings) -> Void

    /// A key whose value is read by `parse` into the place `path`.
    package init<Value: Equatable & SendableMetatype>(
        _ name: String, _ allowed: String,
        _ path: any WritableKeyPath<Settings, Value> & Sendable, live isLive: Bool = true,
        advice: @escaping @Sendable (String) -> String = { _ in "" },
        _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.allowed = allowed
        self.isLive = isLive
        self.advice = advice
        apply = { text, settings in
            guard let value = parse(text) else { return false }
            settings[keyPath: path] = value
            return true
        }
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }
}

#if compiler(<6.2)
    /// Before Swift 6.2 each type may be told to another thread.
    package typealias SendableMetatype = Any
#endif
