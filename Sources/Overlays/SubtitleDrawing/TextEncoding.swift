import CUchardet
import Foundation

/// The encoding of a text file.
struct TextEncoding: Sendable, Hashable {
    /// The IANA name of the encoding, for `iconv`.
    var name: String
    /// Whether the encoding was guessed from the content.
    var isGuessed: Bool

    /// Detects the encoding: from a byte order mark, otherwise UTF-8 if at most a few characters are invalid, otherwise
    /// uchardet's best guess.
    static func detect(_ bytes: [UInt8]) -> TextEncoding {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
            ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        for (mark, name) in marks where bytes.starts(with: mark) { return TextEncoding(name: name, isGuessed: false) }
        if let wide = wide(bytes) { return wide }
        if String(validating: bytes, as: UTF8.self) != nil { return TextEncoding(name: "UTF-8", isGuessed: false) }
        if isDamagedUTF8(bytes) { return TextEncoding(name: "UTF-8", isGuessed: true) }
        return TextEncoding(name: guess(bytes) ?? "WINDOWS-1252", isGuessed: true)
    }

    /// Returns whether bytes are UTF-8 with damaged characters, for example because the file is cut off.
    ///
    /// uchardet excludes UTF-8 at the first invalid byte, which would garble the whole text. In other encodings, few
    /// letters form a valid character of several bytes by chance.
    private static func isDamagedUTF8(_ bytes: [UInt8]) -> Bool {
        var valid = 0
        var invalid = 0
        var index = 0
        while index < bytes.count {
            let length =
                switch bytes[index] {
                case ..<0x80: 1
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 0
                }
            let isWhole =
                length > 0 && index + length <= bytes.count
                && bytes[(index + 1)..<(index + length)].allSatisfy { $0 & 0xC0 == 0x80 }
            if !isWhole { invalid += 1 } else if length > 1 { valid += 1 }
            index += isWhole ? length : 1
        }
        return valid >= 8 * invalid
    }

    /// Returns whether bytes are not text in an encoding of single bytes. Videos, images and archives contain many
    /// control characters.
    ///
    /// A run of zeros is counted once, because damaged or incomplete text files contain blocks of zeros.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(4096)
        var strange = 0
        var last: UInt8 = 1
        for byte in head {
            switch byte {
            case 0: if last != 0 { strange += 1 }
            // Allowed: tab, line feed, vertical tab, form feed, carriage return, end of a DOS file, escape (ISO-2022).
            case 0x09...0x0D, 0x1A, 0x1B: break
            case ..<0x20, 0x7F: strange += 1
            default: break
            }
            last = byte
        }
        let count = head.count { $0 != 0 }
        return strange * 16 > max(count, 16)
    }

    /// Detects UTF-16 without a byte order mark: in Western text, every other byte is zero.
    private static func wide(_ bytes: [UInt8]) -> TextEncoding? {
        let head = bytes.prefix(min(1024, bytes.count & ~1))
        guard head.count >= 8 else { return nil }
        let zeros = head.enumerated().reduce(into: (0, 0)) { counts, byte in
            if byte.element == 0 { if byte.offset % 2 == 0 { counts.0 += 1 } else { counts.1 += 1 } }
        }
        if zeros.1 * 3 > head.count, zeros.0 * 20 < head.count {
            return TextEncoding(name: "UTF-16LE", isGuessed: true)
        }
        if zeros.0 * 3 > head.count, zeros.1 * 20 < head.count {
            return TextEncoding(name: "UTF-16BE", isGuessed: true)
        }
        return nil
    }

    private static func guess(_ bytes: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        // The first 256 KiB are enough. Digits and the punctuation of times are equal in all encodings and are removed.
        let sample = bytes.prefix(256 << 10).filter {
            !(0x30...0x3A).contains($0) && $0 != 0x2C && $0 != 0x2D && $0 != 0x3E
        }
        let rc = sample.withUnsafeBytes {
            uchardet_handle_data(detector, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard rc == 0 else { return nil }
        uchardet_data_end(detector)
        let name = uchardet_get_charset(detector).map { String(cString: $0) } ?? ""
        guard !name.isEmpty, name != "ASCII" else { return nil }
        // Windows's encodings contain all characters of these encodings, and more.
        return switch name {
        case "ISO-8859-1": "WINDOWS-1252"
        case "SHIFT_JIS": "CP932"
        case "GB2312": "GB18030"
        default: name
        }
    }

    /// Converts bytes to text. Invalid characters become U+FFFD. Returns nil if `iconv` does not know the encoding.
    func text(_ bytes: [UInt8]) -> String? {
        guard let text = converted(bytes) else { return nil }
        // Remove byte order marks, and the null and end-of-file characters that old programs write.
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.drop { $0 == "\u{FEFF}" }.filter { $0 != "\0" && $0 != "\u{1A}" }))
    }

    /// The number of bytes of a code unit. A character has one or more code units.
    private var unitSize: Int { name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1 }

    private func converted(_ bytes: [UInt8]) -> String? {
        if name == "UTF-8" { return String(decoding: bytes, as: UTF8.self) }
        let converter = iconv_open("UTF-8", name)
        guard converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output: [UInt8] = []
        var buffer = [CChar](repeating: 0, count: 64 << 10)
        input.withUnsafeMutableBufferPointer { input in
            var next = input.baseAddress
            var left = input.count
            let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
            var isIncomplete = false
            while true {
                let isEnd = left == 0 || isIncomplete
                let (rc, convertedCount, code) = buffer.withUnsafeMutableBufferPointer { buffer -> (Int, Int, Int32) in
                    var target = buffer.baseAddress
                    var remaining = buffer.count
                    // A letter waits in the converter for a combining character, until the end is reported by nil.
                    let rc =
                        isEnd
                        ? iconv(converter, nil, nil, &target, &remaining)
                        : iconv(converter, &next, &left, &target, &remaining)
                    return (rc, buffer.count - remaining, errno)
                }
                output += buffer[..<convertedCount].map { UInt8(bitPattern: $0) }
                if isEnd { break }
                guard rc == -1, code != E2BIG else { continue }
                if code == EINVAL {
                    // An incomplete character at the end of the file.
                    isIncomplete = true
                } else {
                    output += replacement
                    // Skipping a part of a code unit would misalign all characters that follow.
                    let skipped = min(unitSize, left)
                    next = next?.advanced(by: skipped)
                    left -= skipped
                }
            }
            if isIncomplete { output += replacement }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
