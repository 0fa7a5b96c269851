import BlueZ

/// The value of a D-Bus property, as BlueZ's interfaces have them.
package enum Property: Equatable, Sendable {
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case string(String)
    case path(String)
    case strings([String])
    case bytes([UInt8])
    /// Company ids with what they advertise (`a{qv}`).
    case manufacturerData([UInt16: [UInt8]])

    /// Appends it as a variant.
    func write(to writer: inout MessageWriter) {
        switch self {
        case .bool(let value): writer.variant("b") { $0.append(value) }
        case .int16(let value): writer.variant("n") { $0.append(value) }
        case .uint16(let value): writer.variant("q") { $0.append(value) }
        case .string(let value): writer.variant("s") { $0.append(value) }
        case .path(let value): writer.variant("o") { $0.append(objectPath: value) }
        case .strings(let values): writer.variant("as") { $0.append(values) }
        case .bytes(let bytes): writer.variant("ay") { $0.append(bytes) }
        case .manufacturerData(let companies):
            writer.variant("a{qv}") { variant in
                variant.array("{qv}") { array in
                    for (company, data) in companies.sorted(by: { $0.key < $1.key }) {
                        array.entry { entry in
                            entry.append(company)
                            entry.variant("ay") { $0.append(data) }
                        }
                    }
                }
            }
        }
    }
}

/// Properties by name, in the order in which they are told.
typealias Properties = [(name: String, value: Property)]

extension MessageWriter {
    /// Appends an `a{sv}`.
    mutating func append(_ properties: Properties) {
        array("{sv}") { array in
            for property in properties {
                array.entry { entry in
                    entry.append(property.name)
                    property.value.write(to: &entry)
                }
            }
        }
    }

    /// Appends an `a{sa{sv}}`.
    mutating func append(interfaces: [Interface]) {
        array("{sa{sv}}") { array in
            for interface in interfaces {
                array.entry { entry in
                    entry.append(interface.name)
                    entry.append(interface.properties)
                }
            }
        }
    }
}

/// One interface of an object.
struct Interface {
    var name: String
    var properties: Properties
}

/// An object as GetManagedObjects shows it.
struct ExportedObject {
    var path: String
    var interfaces: [Interface]
}
