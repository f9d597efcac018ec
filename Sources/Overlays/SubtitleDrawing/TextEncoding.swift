import CUchardet
import Foundation

/// Which encoding a text's bytes are in, and the text.
struct TextEncoding: Sendable, Hashable {
    /// Its IANA name, as `iconv` knows it.
    var name: String
    /// How it was found out.
    var isGuessed: Bool

    /// By its byte order mark; else UTF-8, if it is valid; else what uchardet finds likeliest.
    static func detect(_ bytes: [UInt8]) -> TextEncoding {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
            ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        for (mark, name) in marks where bytes.starts(with: mark) { return TextEncoding(name: name, isGuessed: false) }
        if let wide = wide(bytes) { return wide }
        if String(validating: bytes, as: UTF8.self) != nil { return TextEncoding(name: "UTF-8", isGuessed: false) }
        return TextEncoding(name: guess(bytes) ?? "WINDOWS-1252", isGuessed: true)
    }

    /// Whether bytes in no encoding of two bytes a character are no text: films, images and archives are full of bytes
    /// that no text has. Zeros are counted by their runs, as files of text that were torn or not written whole have
    /// blocks of them.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(4096)
        var strange = 0
        var last: UInt8 = 1
        for byte in head {
            switch byte {
            case 0: if last != 0 { strange += 1 }
            // Tab, line feed, vertical tab, form feed, carriage return, the end of a DOS file, escape (ISO-2022).
            case 0x09...0x0D, 0x1A, 0x1B: break
            case ..<0x20, 0x7F: strange += 1
            default: break
            }
            last = byte
        }
        let count = head.count { $0 != 0 }
        return strange * 16 > max(count, 16)
    }

    /// Every other byte of Western text in UTF-16 is nothing.
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
        // Of a long text the first quarter of a megabyte tells enough. Digits and signs of times are in every encoding.
        let told = bytes.prefix(256 << 10).filter {
            !(0x30...0x3A).contains($0) && $0 != 0x2C && $0 != 0x2D && $0 != 0x3E
        }
        let rc = told.withUnsafeBytes {
            uchardet_handle_data(detector, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard rc == 0 else { return nil }
        uchardet_data_end(detector)
        let name = uchardet_get_charset(detector).map { String(cString: $0) } ?? ""
        guard !name.isEmpty, name != "ASCII" else { return nil }
        // What Windows writes holds all of these and letters besides.
        return switch name {
        case "ISO-8859-1": "WINDOWS-1252"
        case "SHIFT_JIS": "CP932"
        case "GB2312": "GB18030"
        default: name
        }
    }

    /// What is no character in the encoding becomes U+FFFD. Nil where `iconv` does not know the encoding.
    func text(_ bytes: [UInt8]) -> String? {
        guard let text = converted(bytes) else { return nil }
        // Marks of the byte order, and what programs in C and of DOS have left between and behind.
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.drop { $0 == "\u{FEFF}" }.filter { $0 != "\0" && $0 != "\u{1A}" }))
    }

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
            while left > 0 {
                let (rc, made, code) = buffer.withUnsafeMutableBufferPointer { buffer -> (Int, Int, Int32) in
                    var target = buffer.baseAddress
                    var room = buffer.count
                    let rc = iconv(converter, &next, &left, &target, &room)
                    return (rc, buffer.count - room, errno)
                }
                output += buffer[..<made].map { UInt8(bitPattern: $0) }
                guard rc == -1, code != E2BIG else { continue }
                // One byte that means nothing here (or the end of the file within a character).
                output += [0xEF, 0xBF, 0xBD]
                if code == EINVAL { break }
                next = next?.advanced(by: 1)
                left -= 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
