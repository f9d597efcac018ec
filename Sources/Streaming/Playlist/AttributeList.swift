/// The attributes of one tag (RFC 8216 §4.2).
///
/// Like deployed players, the parser accepts spaces around names and values, values without quotes, and attributes
/// without a value. If two attributes have the same name, the first one is used.
struct AttributeList {
    struct Attribute {
        var name: Bytes
        /// The value without its quotes.
        var value: Bytes
        var isQuoted: Bool
    }

    private(set) var attributes: [Attribute] = []

    /// Reads the attributes of a tag. Returns false if a quoted string does not end; its value is then the rest of the
    /// line.
    mutating func read(_ text: Bytes) -> Bool {
        attributes.removeAll(keepingCapacity: true)
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, text[index] != 0x3D, text[index] != 0x2C { index += 1 }
            let name = text.slice(start, index).trimmed
            guard index < text.count, text[index] == 0x3D else {
                index += 1
                continue
            }
            index += 1
            while index < text.count, Bytes.isBlank(text[index]) { index += 1 }
            if index < text.count, text[index] == 0x22 {
                guard let end = text.position(of: 0x22, from: index + 1) else {
                    if name.count > 0 {
                        attributes.append(Attribute(name: name, value: text.slice(index + 1).trimmed, isQuoted: true))
                    }
                    return false
                }
                if name.count > 0 {
                    attributes.append(Attribute(name: name, value: text.slice(index + 1, end), isQuoted: true))
                }
                index = (text.position(of: 0x2C, from: end + 1) ?? text.count) + 1
            } else {
                let end = text.position(of: 0x2C, from: index) ?? text.count
                if name.count > 0 {
                    attributes.append(Attribute(name: name, value: text.slice(index, end).trimmed, isQuoted: false))
                }
                index = end + 1
            }
        }
        return true
    }

    subscript(name: StaticString) -> Attribute? {
        for attribute in attributes where attribute.name.equals(name) { return attribute }
        return nil
    }

    /// Returns the value of an attribute as an integer, or nil if the attribute is missing or its value is not valid.
    /// Some packagers write integers as `128000.0`.
    func integer(_ name: StaticString) -> Int? {
        guard let value = self[name]?.value.trimmed else { return nil }
        return value.integer ?? value.number.flatMap { $0 >= 0 && $0 < 0x1p53 ? Int($0) : nil }
    }
    func amount(_ name: StaticString) -> Double? { self[name]?.value.trimmed.amount }
    func isYes(_ name: StaticString) -> Bool { self[name]?.value.trimmed.isYes ?? false }
}
