import Foundation

/// The variables defined so far, which replace `{$name}` (8216bis §4.3).
struct PlaylistVariables {
    enum Failure: Error {
        case undefined(String)
        case tooLong
    }

    private var values: [String: String] = [:]
    /// The number of bytes that substitution may still produce. Without a limit, a few lines could produce terabytes.
    private var budget = 64 << 20

    func isDefined(_ name: String) -> Bool { values[name] != nil }

    mutating func define(_ name: String, as value: String) { values[name] = value }

    /// Returns whether the text is a valid variable name: letters, digits, `-` and `_`.
    static func isName(_ name: Bytes) -> Bool {
        name.count > 0
            && name.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// Replaces the references in a text, in one pass: references in a variable's value are not replaced.
    /// - Throws: An error if a variable is not defined or the values are too long.
    mutating func substitute(in text: Bytes) throws(Failure) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let brace = text.position(of: 0x7B, from: index) ?? text.count
            result.append(contentsOf: text.slice(index, brace))
            index = brace
            guard index < text.count else { break }
            if index + 1 < text.count, text[index + 1] == 0x24, let end = nameEnd(in: text, from: index + 2) {
                let name = text.slice(index + 2, end).string
                guard let value = values[name] else { throw .undefined(name) }
                budget -= value.utf8.count
                guard budget >= 0 else { throw .tooLong }
                result.append(contentsOf: value.utf8)
                index = end + 1
            } else {
                result.append(0x7B)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the index of the brace that closes a reference, or nil if the text is not a reference.
    private func nameEnd(in text: Bytes, from start: Int) -> Int? {
        var end = start
        while end < text.count, Self.isName(text.slice(end, end + 1)) { end += 1 }
        return end > start && end < text.count && text[end] == 0x7D ? end : nil
    }

    /// Returns the percent-decoded value of a parameter of the playlist's URL, or nil if it is missing or empty.
    static func queryParameter(_ name: String, of url: URL) -> String? {
        guard let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems,
            let value = items.first(where: { $0.name == name })?.value, !value.isEmpty
        else { return nil }
        return value
    }

    /// Returns whether a value contains no quotation mark and no line break, which would end the surrounding string or
    /// line.
    static func isAllowed(_ value: String) -> Bool {
        !value.utf8.contains { $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    }
}
