import Foundation

/// The variables defined so far, and putting their values in place of `{$name}` (8216bis §4.3).
struct PlaylistVariables {
    enum Failure: Error {
        case undefined(String)
        case tooLong
    }

    private var values: [String: String] = [:]
    /// Bytes that substitution may still make: a few lines can ask for terabytes.
    private var budget = 64 << 20

    func isDefined(_ name: String) -> Bool { values[name] != nil }

    mutating func define(_ name: String, as value: String) { values[name] = value }

    /// Letters, digits, `-` and `_`.
    static func isName(_ name: Bytes) -> Bool {
        name.count > 0
            && name.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// In one pass: what a value brings is not looked at again.
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

    /// Where the brace that closes a reference stands; nil: it is none.
    private func nameEnd(in text: Bytes, from start: Int) -> Int? {
        var end = start
        while end < text.count, Self.isName(text.slice(end, end + 1)) { end += 1 }
        return end > start && end < text.count && text[end] == 0x7D ? end : nil
    }

    /// The value of a parameter of the playlist's URL, percent-encoding undone; nil if it has none or an empty one.
    static func queryParameter(_ name: String, of url: URL) -> String? {
        guard let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems,
            let value = items.first(where: { $0.name == name })?.value, !value.isEmpty
        else { return nil }
        return value
    }

    /// A value goes into quoted strings and lines, so it must not end them.
    static func isAllowed(_ value: String) -> Bool {
        !value.utf8.contains { $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    }
}
