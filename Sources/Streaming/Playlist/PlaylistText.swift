import Foundation

/// A part of a playlist's text. It is valid only as long as the text.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// The upper limit for numbers in a playlist. It is so low that adding a much smaller number cannot overflow.
let largestPlaylistInteger = 1 << 62
/// The maximum duration of a playlist in seconds, 31 years. In nanoseconds, it fits into an `Int64`.
let longestPlaylistDuration = 1e9

extension UnsafeBufferPointer where Element == UInt8 {
    func slice(_ from: Int, _ to: Int) -> Bytes { Bytes(rebasing: self[from..<to]) }
    func slice(_ from: Int) -> Bytes { slice(from, count) }

    func position(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let baseAddress, let found = memchr(baseAddress + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }

    /// Whether the text contains `{$`, and so may refer to a variable.
    var mayHaveReferences: Bool {
        var index = 0
        while let brace = position(of: 0x7B, from: index) {
            if brace + 1 < count, self[brace + 1] == 0x24 { return true }
            index = brace + 1
        }
        return false
    }

    /// The text without leading and trailing spaces, tabs and carriage returns.
    var trimmed: Bytes {
        var from = 0
        var to = count
        while to > from, Self.isBlank(self[to - 1]) { to -= 1 }
        while from < to, Self.isBlank(self[from]) { from += 1 }
        return from == 0 && to == count ? self : slice(from, to)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        guard count > 0, let baseAddress else { return true }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }

    func equals(_ other: Bytes) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let left = baseAddress, let right = other.baseAddress else { return true }
        return memcmp(left, right, count) == 0
    }

    func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && slice(0, text.utf8CodeUnitCount).equals(text)
    }

    /// The text as a string. Invalid UTF-8 becomes U+FFFD.
    var string: String { String(decoding: self, as: UTF8.self) }

    /// Whether the text is `YES` in any case. RFC 8216 uses upper case.
    var isYes: Bool {
        count == 3 && self[0] | 0x20 == 0x79 && self[1] | 0x20 == 0x65 && self[2] | 0x20 == 0x73
    }

    /// The text as a decimal integer in 0…2⁶², or nil if it is not one.
    var integer: Int? {
        guard count > 0 else { return nil }
        var value = 0
        for byte in self {
            let digit = Int(byte) - 0x30
            guard digit >= 0, digit <= 9 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow, product <= largestPlaylistInteger - digit else { return nil }
            value = product + digit
        }
        return value
    }

    /// The text as a decimal integer of any length, modulo 2⁶², or nil if it is not one. Consecutive numbers above 2⁶²
    /// stay consecutive, except where they wrap to 0.
    var wrappedInteger: Int? {
        guard count > 0 else { return nil }
        var value = 0
        for byte in self {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = (value &* 10 &+ Int(byte - 0x30)) & (largestPlaylistInteger - 1)
        }
        return value
    }

    /// The text as a finite decimal number with an optional sign and exponent, or nil if it is not one.
    var number: Double? {
        var index = 0
        let isNegative = count > 0 && self[0] == 0x2D
        if isNegative || (count > 0 && self[0] == 0x2B) { index = 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var fraction = 0
        var isInFraction = false
        scan: while index < count {
            switch self[index] {
            case let byte where byte >= 0x30 && byte <= 0x39:
                digits += 1
                if digits <= 15 { mantissa = mantissa * 10 + UInt64(byte - 0x30) }
                if isInFraction { fraction += 1 }
            case 0x2E where !isInFraction: isInFraction = true
            default: break scan
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        if index == count, digits <= 15 {
            // Both operands are exact as a Double, so the quotient is correctly rounded.
            let value = fraction == 0 ? Double(mantissa) : Double(mantissa) / powersOfTen[fraction]
            return isNegative ? -value : value
        }
        for byte in slice(index)
        where !(byte >= 0x30 && byte <= 0x39 || byte == 0x65 || byte == 0x45 || byte == 0x2B || byte == 0x2D) {
            return nil
        }
        guard count <= 400, let value = Double(string), value.isFinite else { return nil }
        return value
    }

    /// The text as a number in 0…10⁹, such as a duration in seconds, or nil if it is not one.
    var amount: Double? {
        guard let value = number, value >= 0, value <= longestPlaylistDuration else { return nil }
        return value == 0 ? 0 : value
    }

    /// The text as a byte range, `n` or `n@o` (RFC 8216 §4.3.2.2), or nil if it is not one.
    var byteRange: (length: Int, offset: Int?)? {
        guard let atSign = position(of: 0x40) else { return trimmed.integer.map { ($0, nil) } }
        guard let length = slice(0, atSign).trimmed.integer, let offset = slice(atSign + 1).trimmed.integer,
            offset <= largestPlaylistInteger - length
        else { return nil }
        return (length, offset)
    }
}

private let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]
