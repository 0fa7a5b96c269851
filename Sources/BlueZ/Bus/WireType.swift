/// D-Bus's type codes as libdbus takes them; its own macros are casts, which do not import.
enum WireType {
    static let end: Int32 = 0
    static let byte = code("y")
    static let bool = code("b")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let uint32 = code("u")
    static let string = code("s")
    static let objectPath = code("o")
    static let descriptor = code("h")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let dictionaryEntry = code("e")

    private static func code(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }
}
