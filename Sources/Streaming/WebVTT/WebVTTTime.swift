/// A scanner that reads the characters of a file, one UTF-8 byte at a time.
struct WebVTTScanner {
    private let bytes: ArraySlice<UInt8>
    private(set) var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    var isAtEnd: Bool { index >= bytes.endIndex }
    var current: UInt8? { isAtEnd ? nil : bytes[index] }
    var rest: ArraySlice<UInt8> { bytes[index...] }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    mutating func skip(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: wanted) else { return false }
        index += wanted.count
        return true
    }

    mutating func skipSpaces() { while let byte = current, WebVTTScanner.isSpace(byte) { index += 1 } }

    mutating func digits() -> ArraySlice<UInt8> {
        let start = index
        while let byte = current, WebVTTScanner.isDigit(byte) { index += 1 }
        return bytes[start..<index]
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0C || byte == 0x0A || byte == 0x0D
    }
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns the number, or nil if it has more than nine digits, which no valid file contains.
    static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Parses `hh:mm:ss.ttt` or `mm:ss.ttt` into nanoseconds (WebVTT §6.3, “collect a WebVTT timestamp”).
    mutating func timestamp() -> Int64? {
        let first = digits()
        guard var a = WebVTTScanner.number(first), skip(0x3A) else { return nil }
        let second = digits()
        guard second.count == 2, var b = WebVTTScanner.number(second) else { return nil }
        var c: Int64
        if first.count != 2 || a > 59 || current == 0x3A {
            guard skip(0x3A), case let third = digits(), third.count == 2, let value = WebVTTScanner.number(third)
            else { return nil }
            c = value
        } else {
            c = b
            b = a
            a = 0
        }
        guard skip(0x2E), case let fraction = digits(), fraction.count == 3,
            let thousandths = WebVTTScanner.number(fraction),
            // More than a million hours would not fit in nanoseconds.
            b <= 59, c <= 59, a <= 1_000_000
        else { return nil }
        return ((a * 60 + b) * 60 + c) * 1_000_000_000 + thousandths * 1_000_000
    }
}

/// Parses `n%` or `n.n%` in 0…100 (WebVTT §6.1).
func webVTTPercentage(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.last == 0x25, let value = webVTTNumber(text.dropLast(), mayBeNegative: false), value <= 100 else {
        return nil
    }
    return value
}

/// Parses digits with an optional decimal point between digits, and a minus sign if `mayBeNegative` is true.
func webVTTNumber(_ text: ArraySlice<UInt8>, mayBeNegative: Bool) -> Double? {
    var scanner = WebVTTScanner(text)
    let isNegative = mayBeNegative && scanner.skip(0x2D)
    let whole = scanner.digits()
    guard !whole.isEmpty, whole.count <= 18 else { return nil }
    var value = whole.reduce(0.0) { $0 * 10 + Double($1 - 0x30) }
    if scanner.skip(0x2E) {
        let fraction = scanner.digits()
        guard !fraction.isEmpty else { return nil }
        var weight = 0.1
        for digit in fraction {
            value += Double(digit - 0x30) * weight
            weight /= 10
        }
    }
    guard scanner.isAtEnd else { return nil }
    return isNegative ? -value : value
}
